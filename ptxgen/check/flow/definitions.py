"""Registers that are read before they are set.

Most registers are set in a block that control cannot go around, and read after it. Such a block, which no branch
passes over, dominates all that stand behind it; what it sets is known from there on. Only what is left over is
solved for, as bits of a number, over the blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from ptxgen.check.flow.graph import Graph
from ptxgen.check.flow.roles import registers
from ptxgen.ir.operands import Reg

CHUNK = 2048  # registers that are solved for together: so much memory a block is taken at a time
NEARBY = 32  # blocks that are looked at for a register before it is solved for

_Reads = dict[Reg[Any], int]  # register -> the statement that reads it first


@define(eq=False, weakref_slot=False, repr=False)
class _Sets:
    """Of each block, the registers that it sets, and those that it reads which may not have been set before."""

    defined: dict[int, set[Any]] = field(factory=dict[int, set[Any]])
    exposed: dict[int, _Reads] = field(factory=dict[int, _Reads])


def unset(graph: Graph, given: tuple[Any, ...]) -> Iterator[tuple[int, Reg[Any], bool]]:
    """Statement and register of each first read of what may not have been set; True if no path sets it."""
    sets = _collect(graph, given)
    wanted = list(
        dict.fromkeys(
            register
            for block, reads in sets.exposed.items()
            for register in reads
            if not _set_nearby(graph, sets, block, register)
        )
    )
    found: dict[Reg[Any], tuple[int, bool]] = {}
    for first in range(0, len(wanted), CHUNK):
        bits = {register: 1 << at for at, register in enumerate(wanted[first : first + CHUNK])}
        everywhere, anywhere = _solve(graph, sets, bits)
        for block, reads in sets.exposed.items():
            for register, index in reads.items():
                bit = bits.get(register, 0)
                if bit and not everywhere[block] & bit:
                    never = not anywhere[block] & bit
                    before = found.get(register)
                    if before is None or (never, -index) > (before[1], -before[0]):
                        found[register] = (index, never)
    for register, (index, never) in sorted(found.items(), key=lambda item: item[1][0]):
        yield index, register, never


def _collect(graph: Graph, given: tuple[Any, ...]) -> _Sets:
    """Go through the blocks once, in the order of the body."""
    sets = _Sets()
    firm: set[Any] = set(given)  # set wherever control stands from here on
    known: set[Any] = set(given)  # registers that are set, or were asked for; and operands made of such
    roles, body, starts, following = graph.roles, graph.body, graph.starts, graph.following
    live = set(graph.order)
    reach = 0  # the farthest block that a branch so far goes to
    ends = [*starts[1:], len(body)]
    for block, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if block not in live:
            continue
        defined: set[Any] = set()
        looked: list[Any] = []
        exposed: _Reads = {}
        for index, record in enumerate(body[start:end], start):
            if record.__class__ is not tuple:
                continue
            head = record[0]
            role = roles.get(head)
            if role is None:
                role = roles[head.variant]
                if head.guard not in known:
                    _look((head.guard,), index, known, looked, exposed)
            operands = role.reads(record)
            if not known.issuperset(operands):
                _look(operands, index, known, looked, exposed)
            single = role.single
            if single > 0:
                register = record[single]
                known.add(register)
                defined.add(register)
            elif single:
                for operand in role.writes(record):
                    found = registers(operand)
                    known.update(found)
                    defined.update(found)
        sets.defined[block] = defined
        if exposed:
            sets.exposed[block] = exposed
        if reach > block:  # a branch passes over it: what it sets may not be set behind it
            known.difference_update(defined.difference(firm), looked)
        else:
            firm |= defined
        reach = max(reach, *following[block], 0)
    return sets


def _look(operands: tuple[Any, ...], index: int, known: set[Any], looked: list[Any], exposed: _Reads) -> None:
    """Note the registers that are not known to be set; each once in a block."""
    for operand in operands:
        if operand in known:
            continue
        if operand.__class__ is Reg:
            exposed[operand] = index
        else:
            for register in registers(operand):
                if register not in known:
                    exposed[register] = index
                    known.add(register)
                    looked.append(register)
        known.add(operand)
        looked.append(operand)


def _set_nearby(graph: Graph, sets: _Sets, block: int, register: Reg[Any]) -> bool:
    """Whether all paths to a block set a register, as a look at the blocks around it shows."""
    seen = {block}
    waiting = [block]
    while waiting:
        here = waiting.pop()
        if here == 0 or len(seen) > NEARBY:
            return False
        for before in graph.preceding[here]:
            if before not in seen and register not in sets.defined[before]:
                seen.add(before)
                waiting.append(before)
    return True


def _solve(graph: Graph, sets: _Sets, bits: dict[Reg[Any], int]) -> tuple[list[int], list[int]]:
    """For each block, the registers that all paths to it set, and those that some path sets."""
    every = (1 << len(bits)) - 1
    gained = [0] * len(graph.starts)
    for block, defined in sets.defined.items():
        for register in defined if len(defined) < len(bits) else bits:
            if register in defined:
                gained[block] |= bits.get(register, 0)
    everywhere = [every] * len(graph.starts)
    anywhere = [0] * len(graph.starts)
    everywhere[0] = 0
    changed = True
    while changed:
        changed = False
        for block in graph.order:
            all_, some = (every, 0) if block else (0, 0)
            for before in graph.preceding[block]:
                all_ &= everywhere[before] | gained[before]
                some |= anywhere[before] | gained[before]
            if all_ != everywhere[block] or some != anywhere[block]:
                everywhere[block], anywhere[block] = all_, some
                changed = True
    return everywhere, anywhere
