"""Where the availability of a statement changes, and the targets and versions at which to try it.

A statement is tried on a target in the version from which the specification has it there, one version below, and the
newest; the same where the manual names a version that ptxas does not enforce, and where something was removed.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Literal, TypeAlias, cast

from attrs import define, evolve, field, frozen

from ptxgen.check.instruction import Verdict, within_limits
from ptxgen.isa import availability, registers, targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.conditions import Tree
from ptxgen.isa.data import load
from ptxgen.isa.family import Family, Row
from ptxgen.isa.matching import Match
from ptxgen.isa.versions import Version
from tools.certify import statements as make
from tools.certify.environment import EXAMPLES, OPTIONS, Environment, Header
from tools.certify.expectation import called_rightly, examine

Kind: TypeAlias = Literal["since", "ungated", "removed"]
KINDS: tuple[Kind, ...] = ("since", "ungated", "removed")


@frozen(eq=False)
class Gate:
    """A row of availability, in however many blocks it stands, or what a special register asks for."""

    kind: Kind
    text: str  # the row's condition, or the register
    needs: dict[str, str]

    def first(self, target: str) -> Version:
        """The version from which its alternatives are met on a target; NEVER when they are not."""
        return availability.first_version(self.needs, target)

    def admits(self, target: str, version: Version) -> bool:
        """Whether it lets a statement pass."""
        return (self.first(target) <= version) != (self.kind == "removed")

    def __str__(self) -> str:
        return f"{self.kind} {self.text}: " + ", ".join(f"{t or 'any'} {v}" for t, v in self.needs.items())


@define(eq=False)
class Gates:
    """The gates of a family."""

    all: list[Gate] = field(factory=list[Gate])
    _alike: dict[tuple[str, ...], Gate] = field(factory=dict[tuple[str, ...], Gate])

    @classmethod
    def of(cls, family: Family) -> Gates:
        """The gates in a family's rows; those of special registers are added when a statement has them."""
        gates = cls()
        for block in family.blocks:
            for kind in KINDS:
                for row in _rows(block, kind):
                    gates.gate(kind, row)
        return gates

    def gate(self, kind: Kind, row: Row) -> Gate:
        """The gate of a row, which is the same in all blocks that say the same."""
        key = (kind, row.text, *row.needs, *row.needs.values())
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = Gate(kind, row.text, row.needs)
            self.all.append(found)
        return found

    def on(self, match: Match) -> tuple[Gate, ...]:
        """The gates that a statement has to pass."""
        return tuple(self.gate(kind, row) for kind in KINDS for row in availability.rows(match, kind))


def _rows(block: object, kind: Kind) -> tuple[Row, ...]:
    rows: tuple[Row, ...] = getattr(block, kind)
    return rows


@define(eq=False)
class Sample:
    """A legal statement, with the gates of each way to read it."""

    statement: make.Statement
    verdict: Verdict
    gates: dict[Match, tuple[Gate, ...]]
    options: frozenset[str]  # of `.target`

    @property
    def text(self) -> str:
        return self.statement.text

    @property
    def key(self) -> tuple[str, frozenset[str]]:
        """What makes two of them one."""
        return self.text, self.options

    @property
    def beyond_manual(self) -> bool:
        """Whether only ptxas has it: then it says something of the newest release, and nothing of older ones."""
        return all(match.beyond_manual() for match in self.gates)

    @property
    def signature(self) -> frozenset[tuple[Gate, ...]]:
        """What tells it from statements of other availability."""
        return frozenset(self.gates.values())

    @property
    def option(self) -> str:
        """The option of the entry that its special registers need; "" for none."""
        return next(
            (r.requires for match in self.gates for r in availability.special_registers(match) if r.requires), ""
        )

    def legal(self, target: str, version: Version) -> bool:
        """Whether ptxas should accept it."""
        return any(match in self.gates and version in span for match, span in self.verdict.spans(target))

    def closed(self, target: str, version: Version) -> list[list[Gate]]:
        """For each way to read it the gates that refuse it; what ptxas does not enforce refuses nothing."""
        return [
            [gate for gate in gates if gate.kind != "ungated" and not gate.admits(target, version)]
            for gates in self.gates.values()
        ]

    def declared(self, target: str, version: Version) -> bool:
        """Whether all that it names can be declared, so that a verdict is about the statement."""
        if not all(_admitted(option, target, version) for option in self.options):
            return False
        header = Header(versions.text(version), target, tuple(sorted(self.options)))
        return EXAMPLES.declares(self.text, header) and (not self.option or header.admits(OPTIONS[self.option]))

    def edges(self, target: str) -> set[Version]:
        """The versions in which something changes on a target, the ones just below, and the newest."""
        lowest, newest = targets.target(target).since, versions.newest()
        first = {gate.first(target) for gates in self.gates.values() for gate in gates} - {NEVER} | {lowest}
        wanted = first | {below(version) for version in first} | {newest}
        return {version for version in wanted if lowest <= version <= newest}


def _admitted(option: str, target: str, version: Version) -> bool:
    row = targets.options()[option]
    return availability.first_version(targets.needs(row["since"]), target) <= version and target in row.get(
        "only", (target,)
    )


@cache
def environment(option: str) -> Environment:
    """The environment whose entry has an option of directives.yaml."""
    return evolve(EXAMPLES, directives=OPTIONS[option].text) if option else EXAMPLES


@frozen
class Probe:
    """One question to ptxas."""

    sample: Sample
    target: str
    version: Version


def below(version: Version) -> Version:
    """The PTX ISA version before another; the first one has itself."""
    older = [known for known in versions.known() if known < version]
    return older[-1] if older else version


def probes(sample: Sample, names: Collection[str]) -> Iterator[Probe]:
    """What to ask about a statement, on the targets of these names."""
    for target in names:
        for version in sorted(sample.edges(target)):
            if sample.declared(target, version):
                yield Probe(sample, target, version)


# ---- which statements


def samples(
    family: Family, gates: Gates, tried: int, each: int, chance: random.Random, options: frozenset[str]
) -> list[Sample]:
    """Legal statements of a family in a module with some options: `each` for every combination of rows, and one for
    every token of every line.

    A token is tried though no row names it: it may need what the specification does not say.
    """
    chosen: dict[str, Sample] = {}
    known: dict[frozenset[tuple[Gate, ...]], int] = {}
    tokens: set[tuple[int, str]] = set()
    for found in _candidates(family, gates, tried, chance, options):
        fresh = {(id(found.statement.line), token) for token in found.statement.tokens} - tokens
        count = known.get(found.signature, 0)
        if found.text not in chosen and (count < each or fresh):
            chosen[found.text] = found
            known[found.signature] = count + 1
            tokens |= fresh
    return list(chosen.values())


def _candidates(
    family: Family, gates: Gates, tried: int, chance: random.Random, options: frozenset[str]
) -> list[Sample]:
    """Legal statements, those first that the manual has, and those with plain operands; else in no particular order."""
    plain: list[Sample] = []
    changed: list[Sample] = []
    for line in family.lines:
        found = _legal(make.of_line(family, line, tried, chance), gates, options)
        plain += found
        some = [s.statement for s in chance.sample(found, min(len(found), 12))]
        if any(_looks_at_operands(row.condition) for kind in KINDS for row in _rows(line.block, kind)):
            changed += _legal((step for s in some for step in make.operand_steps(s)), gates, options)
        if line.mnemonic in load("registers")["reads"]:
            changed += _legal((step for s in some for step in _reading_registers(s)), gates, options)
    chance.shuffle(plain)
    chance.shuffle(changed)
    return sorted([*plain, *changed], key=lambda sample: sample.beyond_manual)


def _legal(given: Iterable[make.Statement], gates: Gates, options: frozenset[str]) -> list[Sample]:
    return [found for statement in given if (found := _read(statement, gates, options))]


def _read(statement: make.Statement, gates: Gates, options: frozenset[str]) -> Sample | None:
    """The statement, if it is legal somewhere."""
    known = examine(statement.text, options)
    if known is None:
        return None
    verdict, operands = known
    matches = [m for m in verdict.legal if within_limits(m, operands) and called_rightly(m, operands)]
    return Sample(statement, verdict, {m: gates.on(m) for m in matches}, options) if matches else None


def _looks_at_operands(tree: Tree) -> bool:
    inner = [cast("Tree", part) for part in tree if isinstance(part, list)]
    return tree[0] in ("on", "is", "sink") or any(map(_looks_at_operands, inner))


def _reading_registers(statement: make.Statement) -> Iterator[make.Statement]:
    """The statement with each special register for its source."""
    for register in registers.table().values():
        part = ".x" if register.vector else ""
        yield evolve(statement, operands=(*statement.operands[:-1], f"%{register.name}{part}"))


def simplified(given: Sample, gate: Gate, gates: Gates) -> Sample:
    """A statement under the same gate and as few others as dropping modifiers can give."""
    while True:
        count = _others(given, gate)
        for found in _legal(_shorter(given.statement), gates, given.options):
            if all(gate in listed for listed in found.gates.values()) and _others(found, gate) < count:
                given = found
                break
        else:
            return given


def in_plain_bits(given: Sample, gates: Gates) -> Sample | None:
    """The statement with .b registers for those that need a version or target of their own."""
    operands = tuple(text.replace("%f16x2_", "%b32_") for text in given.statement.operands)
    return _read(evolve(given.statement, operands=operands), gates, given.options)


def _others(sample: Sample, gate: Gate) -> int:
    return min(len(listed) for listed in sample.gates.values() if gate in listed)


def _shorter(statement: make.Statement) -> Iterator[make.Statement]:
    """One modifier less, with or without the last operand."""
    for at in range(len(statement.tokens)):
        left = statement.tokens[:at] + statement.tokens[at + 1 :]
        yield evolve(statement, tokens=left)
        yield evolve(statement, tokens=left, operands=statement.operands[:-1])
