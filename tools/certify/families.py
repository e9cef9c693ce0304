"""Certify a family: make statements, ask the specification and ptxas, and keep what they disagree about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import define, field

from ptxgen.check.instruction import within_limits
from ptxgen.isa import versions
from ptxgen.isa.conditions import Tree
from ptxgen.isa.data import load
from ptxgen.isa.family import Family, table
from ptxgen.isa.matching import NO_OPTIONS
from ptxgen.isa.versions import Version
from tools.certify import statements as make
from tools.certify.environment import EXAMPLES, Header
from tools.certify.expectation import examine, legal
from tools.certify.ptxas import Verdict, verdicts
from tools.certify.releases import Release

# Where a statement that is legal nowhere is tried; one that is legal on some of these is tried on the first such.
TARGETS = ("sm_107a", "sm_120a", "sm_100a", "sm_90a", "sm_75")


@define
class Effort:
    """How many statements are made."""

    opcodes: int = 1500  # per syntax line
    stepped: int = 120  # legal statements per family whose modifiers are changed
    steps: int = 24  # changes of each
    mutated: int = 48  # legal statements per family whose operands are changed
    seed: int = 1


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
    statements: int = 0
    legal: int = 0
    crashed: int = 0
    unmade: list[str] = field(factory=list[str])  # lines for which no statement could be made
    disagreements: list[Disagreement] = field(factory=list[Disagreement])


def make_statements(
    family: Family, effort: Effort, tried: Sequence[str], version: Version, options: frozenset[str] = NO_OPTIONS
) -> dict[str, str]:
    """Statement -> which of some targets it is tried on, in a module with some options."""
    chance = random.Random(f"{effort.seed} {family.name}")
    base: dict[str, make.Statement] = {}
    per_line: dict[int, list[make.Statement]] = {}
    for number, line in enumerate(family.lines):
        for statement in make.of_line(family, line, effort.opcodes, chance):
            base.setdefault(statement.text, statement)
            per_line.setdefault(number, []).append(statement)
    found = dict.fromkeys(base)
    good = [s for s in base.values() if best_target(s.text, tried, version, options) is not None]
    foreign = sorted(
        {token for line in family.lines for token in line.tokens} | {".f32", ".u32", ".b64", ".sat", ".v2", ".sync"}
    )
    for statement in _spread(good, effort.stepped, chance):
        found.update(dict.fromkeys(s.text for s in make.modifier_steps(statement, foreign, chance, effort.steps)))
        found.update(dict.fromkeys(s.text for s in make.orders(statement, chance, 4)))
    for statement in _spread(good, effort.mutated, chance):
        found.update(dict.fromkeys(s.text for s in make.operand_steps(statement)))
    return {text: best_target(text, tried, version, options) or tried[0] for text in found}


def _spread(given: Sequence[make.Statement], count: int, chance: random.Random) -> list[make.Statement]:
    """Some statements, every line represented."""
    by_line: dict[int, list[make.Statement]] = {}
    for statement in given:
        by_line.setdefault(id(statement.line), []).append(statement)
    share = max(1, count // max(1, len(by_line)))
    return [s for group in by_line.values() for s in chance.sample(group, min(share, len(group)))]


def best_target(
    statement: str, tried: Sequence[str], version: Version, options: frozenset[str] = NO_OPTIONS
) -> str | None:
    """The first of some targets on which a statement is legal in a version."""
    found = examine(statement, options)
    if found is None:
        return None
    said, operands = found
    for target in tried:
        if any(within_limits(match, operands) for match in said.available(target, version)):
            return target
    return None


def certify(family: Family, release: Release, effort: Effort) -> Outcome:
    """Compare the specification with a ptxas release, in the release's newest version."""
    outcome = Outcome(family.name)
    newest = min(versions.newest(), versions.parse(release.newest))
    version = versions.text(newest)
    covered = {id(s.line) for line in family.lines for s in make.of_line(family, line, 2, random.Random(1))}
    outcome.unmade = [line.text for line in family.lines if id(line) not in covered]
    for options in (NO_OPTIONS, *(frozenset({name}) for name in options_of(family))):
        made = make_statements(family, effort, [t for t in TARGETS if release.judges(version, t)], newest, options)
        by_target: dict[str, list[str]] = {}
        for text, target in made.items():
            if EXAMPLES.declares(text, Header(version, target, tuple(options))):
                by_target.setdefault(target, []).append(text)
        for target, texts in by_target.items():
            said = verdicts(texts, version, target, release, options=sorted(options))
            for text, verdict in zip(texts, said, strict=True):
                compare(outcome, text, target, version, release, verdict, options)
    return outcome


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
            for part in parts:
                if isinstance(part, list):
                    yield from _options(part)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            pass


def compare(
    outcome: Outcome, text: str, target: str, version: str, release: Release, said: Verdict,
    options: frozenset[str] = NO_OPTIONS,
) -> None:  # fmt: skip
    """Count one verdict."""
    expected = legal(text, target, version, options)
    outcome.statements += 1
    outcome.legal += said is Verdict.ACCEPTED
    outcome.crashed += said is Verdict.CRASHED
    if said is not Verdict.CRASHED and expected != (said is Verdict.ACCEPTED):
        outcome.disagreements.append(
            Disagreement(text, ", ".join((target, *sorted(options))), version, release.name, expected, said)
        )


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


def summary(outcomes: Sequence[Outcome]) -> Counter[str]:
    """The totals."""
    total: Counter[str] = Counter()
    for outcome in outcomes:
        total.update(
            statements=outcome.statements, legal=outcome.legal, crashed=outcome.crashed,
            disagreements=len(outcome.disagreements),
        )  # fmt: skip
    return total
