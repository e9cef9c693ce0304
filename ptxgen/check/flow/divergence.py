"""Instructions for whole warps where the lanes of a warp surely part.

Sure is a predicate that compares the number of a thread or lane with a constant at which a warp splits, or that elects
one lane; everything else may be the same in all lanes, and is not spoken of. `%tid.x < 32` splits no warp.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from attrs import define, field

from ptxgen.check.flow.events import Events
from ptxgen.check.flow.finding import Finding, advice
from ptxgen.check.flow.graph import Graph, reached
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Integer, Operand, Pair, Prefixed, Reg, Special
from ptxgen.ir.statements import Record
from ptxgen.isa.semantics import text_of

LANES, WARPS = 32, 32
NEARBY = 64  # blocks that are looked at around an instruction; what is farther away is not spoken of
FULL = (1 << LANES) - 1
_NUMBERS = ("%tid.x", "%laneid")  # special registers that tell the lanes of a warp apart
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    ".eq": operator.eq, ".ne": operator.ne, ".lt": operator.lt, ".le": operator.le, ".gt": operator.gt,
    ".ge": operator.ge, ".lo": operator.lt, ".ls": operator.le, ".hi": operator.gt, ".hs": operator.ge,
}  # fmt: skip
_COPY, _MASK = "d = a", "d = a & b"  # the semantics of what keeps the number of a lane, and of what cuts it


def divergent(function: Function, graph: Graph, events: Events) -> Iterator[Finding]:
    """Instructions that every lane of a warp, or of a full mask, has to execute, and that some lanes surely do not."""
    if not events.effects & {"warp-wide", "names-lanes"}:
        return
    predicates = _Predicates(graph, events)
    for block in graph.order:
        rows = [row for row in events.of(block) if row[1] & {"warp-wide", "names-lanes"}]
        if not rows:
            continue
        split = _split(graph, events, predicates, block)
        for index, effects in rows:
            record = graph.body[index]
            if "warp-wide" not in effects and _mask(graph, record) != FULL:
                continue
            guard = record[0].guard
            reason = split if split is not None else guard if predicates.splits(guard) else None
            if reason is not None:
                opcode = events.graph.opcode(index)
                who = "all lanes of the warp" if "warp-wide" in effects else "the lanes that its full mask names"
                yield advice(
                    "divergent", function, index,
                    f"{opcode} stands where {reason.text} holds, which some lanes of a warp reach and others do not; "
                    f"{who} have to execute it",
                    "move it out of the branch, and let the lanes that have nothing to do take part in it",
                    graph.role(record).section,
                )  # fmt: skip


def _split(graph: Graph, events: Events, predicates: _Predicates, block: int) -> Any:
    """The guard of a branch that only some lanes of a warp take to come here; None when there is no such."""
    seen = {block}
    while len(graph.preceding[block]) == 1 and len(seen) < NEARBY:
        (before,) = graph.preceding[block]
        if before in seen:
            return None
        seen.add(before)
        others = [other for other in graph.following[before] if other != block]
        guard = _last_guard(graph, before)
        if others and guard is not None:
            # lanes that end are not waited for, and lanes that execute the same elsewhere may meet these
            meets = any(effects & {"warp-wide", "names-lanes"} for other in others for _, effects in events.of(other))
            if not meets and predicates.splits(guard) and not any(_ends(graph, other, block) for other in others):
                return guard
        block = before
    return None


def _ends(graph: Graph, block: int, beside: int) -> bool:
    """Whether lanes that go to a block end there, and do nothing together with those that go to the one beside it."""
    together = reached(graph.following, beside, NEARBY)
    seen: set[int] = set()
    while block not in seen and len(seen) < NEARBY:
        seen.add(block)
        if block in together and any(not graph.role(record).leaves for _, record in graph.records(block)):
            return False
        if not graph.following[block]:
            return True
        if len(graph.following[block]) > 1:
            return False
        (block,) = graph.following[block]
    return False


def _last_guard(graph: Graph, block: int) -> Any:
    head = graph.heads[graph.end(block) - 1]
    return head.guard if head is not None else None


def _mask(graph: Graph, record: Record) -> int | None:
    """The lanes that a constant membermask names."""
    at = graph.role(record).position("membermask")
    operand = record[at] if at else None
    return operand.value & FULL if isinstance(operand, Integer) else None


def empty_masks(function: Function, graph: Graph, events: Events) -> Iterator[Finding]:
    """Instructions whose membermask names no lane."""
    if "names-lanes" not in events.effects:
        return
    for block in graph.order:
        for index, effects in events.of(block):
            record = graph.body[index]
            if "names-lanes" in effects and _mask(graph, record) == 0:
                yield advice(
                    "membermask-zero", function, index,
                    f"{graph.opcode(index)} has a membermask of 0, which names no lane; who executes it has to "
                    "be named",
                    "name the lanes that execute it, such as 0xffffffff for the whole warp",
                    graph.role(record).section,
                )  # fmt: skip


@define(eq=False, weakref_slot=False, repr=False)
class _Predicates:
    """Which predicates differ among the lanes of some warp."""

    graph: Graph
    events: Events
    known: dict[Reg[Any], bool] = field(factory=dict[Reg[Any], bool])

    def splits(self, guard: Reg[Any] | Prefixed[Any] | None) -> bool:
        """Whether a guard surely holds for some lanes of a warp and not for others."""
        register = guard.register if isinstance(guard, Prefixed) else guard
        if register is None:
            return False
        found = self.known.get(register)
        if found is None:
            found = self.known[register] = self.differs(register)
        return found

    def differs(self, register: Reg[Any]) -> bool:
        """Whether a predicate is set at one place, to what some lanes of a warp have and others do not."""
        record = self.events.values.definition(register)
        if record is None or record[0].guard is not None:
            return False
        role = self.graph.role(record)
        if "elects-lane" in role.effects:
            return isinstance(record[1], Pair) and record[1].second is register
        match = role.match
        slot = match.slots.get(".CmpOp") if match is not None else None
        if match is None or slot is None or len(record) != 4 or ".ftz" in match.tokens:
            return False
        compare = _COMPARISONS.get(match.tokens[slot])
        number, constant = record[2], record[3]
        lanes = self.lanes(number)
        if compare is None or lanes is None or not isinstance(constant, Integer):
            return False
        return any(len({compare(value, constant.value) for value in warp}) == 2 for warp in lanes)

    def lanes(self, number: Any) -> list[list[int]] | None:
        """What an operand is in each lane of each warp of a large row of threads; None where that is not known."""
        operand: Operand = number
        masks: list[int] = []
        for _ in range(8):  # so many copies and masks are followed
            if isinstance(operand, Special):
                break
            record = self.events.values.definition(operand) if isinstance(operand, Reg) else None
            match = self.graph.role(record).match if record is not None else None
            if record is None or match is None or record[0].guard is not None:
                return None
            computes = text_of(match.reading.line).strip()
            if computes == _MASK and isinstance(record[3], Integer):
                masks.append(record[3].value)
            elif computes != _COPY:
                return None
            operand = record[2]
        if not isinstance(operand, Special) or operand.text not in _NUMBERS:
            return None
        return _numbers(operand.text, tuple(masks))


@lru_cache(maxsize=256)
def _numbers(name: str, masks: tuple[int, ...]) -> list[list[int]]:
    """The number that a special register gives each lane, warp by warp, with masks applied."""
    warps = WARPS if name == _NUMBERS[0] else 1
    values = [[warp * LANES + lane for lane in range(LANES)] for warp in range(warps)]
    for mask in masks:
        values = [[value & mask for value in warp] for warp in values]
    return values
