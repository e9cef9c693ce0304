"""Certify a family: make statements, ask the specification and ptxas, and keep what they disagree about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import define, field

from ptxgen.check import instruction
from ptxgen.isa import versions
from ptxgen.isa.conditions import Tree
from ptxgen.isa.data import load
from ptxgen.isa.family import Family, table
from ptxgen.isa.kinds import NO_OPTIONS
from tools.certify.environment import EXAMPLES, Header
from tools.certify.expectation import first_target
from tools.certify.overlooked import overlooks
from tools.certify.ptxas import WORKERS, Verdict, verdicts
from tools.certify.releases import Release
from tools.certify.selection import Coverage, Effort, Selection
from tools.generate.partial import is_tree

# A statement is tried on the first of these where it is legal. One that is legal on none is tried where the one is that
# it is a step away from, else where the last legal one was; elsewhere ptxas would refuse it for the target.
TARGETS = ("sm_107a", "sm_120a", "sm_100a", "sm_90a", "sm_75")

_TOGETHER = 20_000
"""Statements that are held at a time: they fill some runs of ptxas, and not the memory."""


@define
class Disagreement:
    """A statement that the specification and ptxas judge differently."""

    statement: str
    target: str
    version: str
    release: str
    expected: bool
    verdict: Verdict


@define
class Outcome:
    """What came of certifying a family."""

    family: str
    statements: int = 0  # each is another one
    legal: int = 0  # of these, where they were put first
    illegal: int = 0
    overlooked: int = 0  # refused for modifiers that ptxas reads over
    again: int = 0  # verdicts on some of them, put once more with an option of `.target`
    crashing: list[str] = field(factory=list[str])
    unmade: list[str] = field(factory=list[str])  # lines for which no statement could be made
    coverage: list[Coverage] = field(factory=list[Coverage])  # of each line
    disagreements: list[Disagreement] = field(factory=list[Disagreement])

    @property
    def crashed(self) -> int:
        """Statements that ptxas does not survive."""
        return self.statements - self.legal - self.illegal


def certify(family: Family, release: Release, effort: Effort, workers: int = WORKERS) -> Outcome:
    """Compare the specification with a ptxas release in its newest version, also with options of `.target`."""
    outcome = Outcome(family.name)
    known: set[str] = set()
    for options in (NO_OPTIONS, *(frozenset({name}) for name in options_of(family))):
        _certify(outcome, known, family, release, effort, options, workers)
    return outcome


def _certify(
    outcome: Outcome, known: set[str], family: Family, release: Release, effort: Effort,
    options: frozenset[str], workers: int,
) -> None:  # fmt: skip
    """Certify with some options; `known` has the statements that were put before, with others."""
    newest = min(versions.newest(), versions.parse(release.newest))
    version = versions.text(newest)
    tried = [target for target in TARGETS if release.judges(version, target)]

    def place(text: str) -> str | None:
        return first_target(text, tried, newest, options)

    selection = Selection(family, effort, lambda text: place(text) is not None)
    home = tried[0]
    for texts in _some(selection.texts()):
        by_target: dict[str, list[tuple[str, bool]]] = {}
        for text, origin in texts:
            target = place(text)
            home = target or (place(origin) if origin else None) or home
            if EXAMPLES.declares(text, Header(version, home, tuple(options))):
                by_target.setdefault(home, []).append((text, target is not None))
        for target, given in by_target.items():
            asked = [text for text, _ in given]
            said = verdicts(asked, version, target, release, options=sorted(options), workers=workers)
            where = ", ".join((target, *sorted(options)))
            for (text, expected), verdict in zip(given, said, strict=True):
                judged = Disagreement(text, where, version, release.name, expected, verdict)
                _compare(outcome, judged, text not in known)
            known.update(asked)
        instruction.verdict.cache_clear()
        instruction.readings.cache_clear()
    if not options:
        outcome.unmade, outcome.coverage = selection.unmade, selection.coverage


def options_of(family: Family) -> list[str]:
    """The options of `.target` that conditions of a family name."""
    rows = [row for block in family.blocks for row in (*block.rules, *block.since, *block.ungated, *block.removed)]
    kinds = [condition for block in family.blocks for kind in block.kinds.values() for condition, _ in kind]
    named = {name for tree in (*(row.condition for row in rows), *kinds) for name in _options(tree)}
    return sorted(named & load("targets")["options"].keys())


def _options(tree: Tree | None) -> Iterator[str]:
    match tree:
        case ["option", name]:
            yield name
        case [_, *parts]:
            for part in filter(is_tree, parts):
                yield from _options(part)
        case _:
            pass


def _some(texts: Iterator[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    while some := list(islice(texts, _TOGETHER)):
        yield some


def _compare(outcome: Outcome, judged: Disagreement, fresh: bool) -> None:
    """Count one verdict, and keep what is a disagreement."""
    if fresh:
        outcome.statements += 1
        outcome.legal += judged.verdict is Verdict.ACCEPTED
        outcome.illegal += judged.verdict is Verdict.REJECTED
    else:
        outcome.again += 1
    if judged.verdict is Verdict.CRASHED:
        outcome.crashing.append(judged.statement)
    elif judged.expected != (judged.verdict is Verdict.ACCEPTED):
        target, *options = judged.target.split(", ")
        if not judged.expected and overlooks(judged.statement, target, judged.version, frozenset(options)):
            outcome.overlooked += 1
        else:
            outcome.disagreements.append(judged)


def families(names: Sequence[str]) -> list[Family]:
    """The families with these names or mnemonics; all when none is given."""
    found: dict[str, Family] = {}
    for mnemonic in names or table().mnemonics():
        family = table().family(mnemonic)
        if family is None:
            family = next((f for m in table().mnemonics() if (f := table().family(m)) and f.name == mnemonic), None)
        if family is None:
            raise SystemExit(f"no specification has the mnemonic {mnemonic}")
        found[family.name] = family
    return list(found.values())
