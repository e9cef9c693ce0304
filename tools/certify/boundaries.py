"""Where the availability of a statement changes, and the targets and versions at which to try it.

A statement is tried on a target in the version from which the specification has it there, one version below, and the
newest; the same where the manual names a version that ptxas does not enforce, and where something was removed.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, TypeAlias

from attrs import define, evolve, frozen

from ptxgen.check.instruction import Verdict, within_limits
from ptxgen.isa import availability, registers, targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.conditions import Tree
from ptxgen.isa.data import load
from ptxgen.isa.family import Block, Family, Row
from ptxgen.isa.matching import Match
from ptxgen.isa.registers import SpecialRegister
from ptxgen.isa.versions import Version
from tools.certify import statements as make
from tools.certify.environment import EXAMPLES, Header
from tools.certify.expectation import examine

Kind: TypeAlias = Literal["since", "ungated", "removed"]
KINDS: tuple[Kind, ...] = ("since", "ungated", "removed")


@frozen(eq=False)
class Gate:
    """A row of availability, or what a special register asks for."""

    kind: Kind
    origin: Block | SpecialRegister
    text: str
    needs: dict[str, str]

    @property
    def place(self) -> str:
        """The section of the manual that it stands for, or the register."""
        return self.origin.section if isinstance(self.origin, Block) else f"%{self.origin.name}"

    def first(self, target: str) -> Version:
        """The version from which its alternatives are met on a target; NEVER when they are not."""
        return availability.first_version(self.needs, target)

    def admits(self, target: str, version: Version) -> bool:
        """Whether it lets a statement pass."""
        return (self.first(target) <= version) != (self.kind == "removed")


@define(eq=False)
class Gates:
    """The gates of a family: one for each row, however many statements it concerns."""

    found: dict[int, Gate]

    @classmethod
    def of(cls, family: Family) -> Gates:
        """The gates in a family's rows; those of special registers are added when a statement has them."""
        found: dict[int, Gate] = {}
        for block in family.blocks:
            for kind in KINDS:
                listed: tuple[Row, ...] = getattr(block, kind)
                for row in listed:
                    found[id(row)] = Gate(kind, block, row.text, row.needs)
        return cls(found)

    def on(self, match: Match) -> tuple[Gate, ...]:
        """The gates that a statement has to pass."""
        passed = [self.found[id(row)] for kind in KINDS for row in availability.rows(match, kind)]
        for operand in match.operands.values():
            for register in availability.special_registers(operand):
                passed += self._of_register(register)
        return tuple(passed)

    def _of_register(self, register: SpecialRegister) -> Iterator[Gate]:
        if register.since:
            yield self.found.setdefault(id(register.since), Gate("since", register, "_", register.since))
        if register.ungated:
            yield self.found.setdefault(id(register.ungated), Gate("ungated", register, "_", register.ungated))


@define(eq=False)
class Sample:
    """A legal statement, with the gates of each way to read it."""

    statement: make.Statement
    verdict: Verdict
    gates: dict[Match, tuple[Gate, ...]]

    @property
    def text(self) -> str:
        return self.statement.text

    @property
    def signature(self) -> frozenset[tuple[Gate, ...]]:
        """What tells it from statements of other availability."""
        return frozenset(self.gates.values())

    def legal(self, target: str, version: Version) -> bool:
        """Whether ptxas should accept it."""
        return any(match in self.gates and version in span for match, span in self.verdict.spans(target))

    def closed(self, target: str, version: Version) -> list[list[Gate]]:
        """For each way to read it the gates that refuse it; what ptxas does not enforce refuses nothing."""
        return [
            [gate for gate in gates if gate.kind != "ungated" and not gate.admits(target, version)]
            for gates in self.gates.values()
        ]

    def edges(self, target: str) -> set[Version]:
        """The versions in which something changes on a target, and the ones just below."""
        lowest, newest = targets.target(target).since, versions.newest()
        first = {gate.first(target) for gates in self.gates.values() for gate in gates} - {NEVER}
        first |= {lowest} if self.legal(target, lowest) else set()
        wanted = first | {below(version) for version in first} | {newest}
        return {version for version in wanted if lowest <= version <= newest}


@frozen
class Probe:
    """One question to ptxas."""

    statement: str
    target: str
    version: Version


def below(version: Version) -> Version:
    """The PTX ISA version before another; the first one has itself."""
    older = [known for known in versions.known() if known < version]
    return older[-1] if older else version


def sample(family: Family, gates: Gates, tried: int, each: int, chance: random.Random) -> list[Sample]:
    """Legal statements of a family: `each` for every combination of rows, and one for every token of every line.

    A token is tried though no row names it: it may need what the specification does not say.
    """
    chosen: dict[str, Sample] = {}
    signatures: dict[frozenset[tuple[Gate, ...]], int] = {}
    tokens: set[tuple[int, str]] = set()
    for found in _candidates(family, gates, tried, chance):
        fresh = {(id(found.statement.line), token) for token in found.statement.tokens} - tokens
        known = signatures.get(found.signature, 0)
        if found.text not in chosen and (known < each or fresh):
            chosen[found.text] = found
            signatures[found.signature] = known + 1
            tokens |= fresh
    return list(chosen.values())


def _candidates(family: Family, gates: Gates, tried: int, chance: random.Random) -> Iterator[Sample]:
    """Legal statements in no particular order, those with plain operands first."""
    plain: list[Sample] = []
    changed: list[Sample] = []
    for line in family.lines:
        found = _legal(make.of_line(family, line, tried, chance), gates)
        plain += found
        some = [s.statement for s in chance.sample(found, min(len(found), 12))]
        rows: list[Row] = [row for kind in KINDS for row in getattr(line.block, kind)]
        if any(_looks_at_operands(row.condition) for row in rows):
            changed += _legal((step for s in some for step in make.operand_steps(s)), gates)
        if line.mnemonic in load("registers")["reads"]:
            changed += _legal((step for s in some for step in _reading_registers(s)), gates)
    chance.shuffle(plain)
    chance.shuffle(changed)
    yield from plain
    yield from changed


def _legal(given: Iterable[make.Statement], gates: Gates) -> list[Sample]:
    return [found for statement in given if (found := _read(statement, gates))]


def _read(statement: make.Statement, gates: Gates) -> Sample | None:
    """The statement, if it is legal somewhere and its gates can be told."""
    known = examine(statement.text)
    if known is None:
        return None
    verdict, operands = known
    matches = [match for match in verdict.legal if within_limits(match, operands)]
    if not matches:
        return None
    return Sample(statement, verdict, {match: gates.on(match) for match in matches})


def _looks_at_operands(tree: Tree) -> bool:
    return tree[0] in ("on", "is", "sink") or any(_looks_at_operands(part) for part in tree if isinstance(part, list))


def _reading_registers(statement: make.Statement) -> Iterator[make.Statement]:
    """The statement with each special register for its source."""
    for register in registers.table().values():
        field = ".x" if register.vector else ""
        yield evolve(statement, operands=(*statement.operands[:-1], f"%{register.name}{field}"))


def probes(given: Sample, names: Collection[str]) -> Iterator[Probe]:
    """What to ask about a statement, on the targets of these names."""
    for target in names:
        for version in sorted(given.edges(target)):
            if EXAMPLES.declares(given.text, Header(versions.text(version), target)):
                yield Probe(given.text, target, version)
