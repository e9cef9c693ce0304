"""When a legal statement is available: from which PTX ISA version to which, on a target.

All rows whose condition a statement satisfies must hold (AND), and those of its special registers; a row holds when
some entry has its target met and its version reached (OR). `removed` rows have the opposite sense: the statement is
refused when some entry is met.
"""

from __future__ import annotations

from attrs import define

from ptxgen.isa import registers, targets, versions
from ptxgen.isa.classes import SPECIAL, OperandClass
from ptxgen.isa.conditions import holds
from ptxgen.isa.family import Row
from ptxgen.isa.matching import Match
from ptxgen.isa.versions import Version

NEVER: Version = (1 << 30, 0)


@define(eq=False, weakref_slot=False, repr=False)
class Span:
    """The versions from `first` up to, not including, `end` (NEVER when still in force)."""

    first: Version
    end: Version = NEVER

    def __contains__(self, version: Version) -> bool:
        return self.first <= version < self.end

    def __bool__(self) -> bool:
        return self.first < self.end


def rows(match: Match, kind: str) -> list[Row]:
    """All of `since`, `ungated`, `removed` or `deprecated` that concerns a statement, special registers included."""
    listed: tuple[Row, ...] = getattr(match.reading.line.block, kind)
    found = [row for row in listed if holds(row.condition, match)]
    for register in special_registers(match) if kind in ("since", "ungated") else ():
        if needs := getattr(register, kind):
            found.append(Row(f"%{register.name}", [], needs=needs))
    return found


def first_version(needs: dict[str, str], target: str) -> Version:
    """The first version in which alternatives are met on a target; NEVER when they are not."""
    met = [versions.parse(version) for predicate, version in needs.items() if targets.meets(target, predicate)]
    return min(met, default=NEVER)


def alternative(match: Match, target: str) -> str:
    """What serves on a target that lacks a statement, as a phrase; "" when nothing does.

    The last row that holds and has a phrase for the target counts: what a block says comes after what its file says.
    """
    for row in reversed(match.reading.line.block.instead):
        if holds(row.condition, match):
            for predicate, phrase in row.phrases.items():
                if targets.meets(target, predicate):
                    return phrase
    return ""


def span(match: Match, target: str, kind: str = "since") -> Span:
    """Where a statement is available on a target; an empty span when nowhere."""
    first = max((first_version(row.needs, target) for row in rows(match, kind)), default=(1, 0))
    end = min((first_version(row.needs, target) for row in rows(match, "removed")), default=NEVER)
    return Span(max(first, targets.target(target).since) if first < NEVER else NEVER, end)


def lowest(pairs: dict[str, Version]) -> dict[str, str]:
    """Targets and since when each has something, as the least alternatives: target predicate ("" for any) -> version.

    What another target implies is left out: a plain one all later, an `f` target those of its family.
    """
    kept: list[str] = []
    for name, first in pairs.items():
        bound = max(first, targets.target(name).since)
        if not any(targets.meets(name, other) and pairs[other] <= bound for other in kept):
            kept.append(name)
    oldest = targets.target(targets.names()[0]).number
    if len(kept) == 1 and targets.target(kept[0]).number == oldest:
        return {"": versions.text(pairs[kept[0]])}
    return {name: versions.text(pairs[name]) for name in kept}


def special_registers(match: Match) -> list[registers.SpecialRegister]:
    """The special registers that a statement reads."""
    return [register for operand in match.operands.values() for register in _within(operand)]


def _within(operand: OperandClass) -> list[registers.SpecialRegister]:
    if operand.what == SPECIAL:
        return [registers.table()[operand.type]]
    return [register for element in operand.elements for register in _within(element)]
