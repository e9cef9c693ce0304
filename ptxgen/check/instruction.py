"""Whether an opcode with operands of given classes is legal, and where it is available.

The answer depends on neither names nor values (but for the limits it lists), so it is worked out once per variant.
"""

from __future__ import annotations

from functools import cache

from attrs import define, field

from ptxgen.ir.operands import Address, Arguments, Float, Integer, Operand, Pair, Vector
from ptxgen.isa import availability, opcodes
from ptxgen.isa.availability import Span
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import Tree
from ptxgen.isa.fitting import Path
from ptxgen.isa.kinds import NO_OPTIONS
from ptxgen.isa.matching import Match, matches
from ptxgen.isa.opcodes import Reading
from ptxgen.isa.versions import Version

Spans = tuple[tuple[Match, Span], ...]


@define(eq=False, weakref_slot=False, repr=False)
class Verdict:
    """All that the specification says about one opcode with operands of these classes."""

    opcode: str
    shape: tuple[OperandClass, ...]
    options: frozenset[str]
    readings: tuple[Reading, ...]  # the opcode is one of these lines
    matches: tuple[Match, ...]  # and the operands fit
    legal: tuple[Match, ...] = field(init=False)  # and no rule is broken
    _spans: dict[tuple[str, str], Spans] = field(init=False, factory=dict[tuple[str, str], Spans])

    def __attrs_post_init__(self) -> None:
        legal = [match for match in self.matches if not match.errors()]
        legal.sort(key=lambda match: len(match.broken))  # what the manual has too comes first; the sort is stable
        self.legal = tuple(legal)

    @property
    def limited(self) -> bool:
        """Whether values of constants decide."""
        return any(match.limits for match in self.legal)

    def spans(self, target: str, kind: str = "since") -> Spans:
        """Each legal match with the versions that have it on a target."""
        found = self._spans.get((target, kind))
        if found is None:
            found = tuple((match, availability.span(match, target, kind)) for match in self.legal)
            self._spans[target, kind] = found
        return found

    def available(self, target: str, version: Version) -> tuple[Match, ...]:
        """The legal matches that a target has in a version, the best first."""
        return tuple(match for match, span in self.spans(target) if version in span)


@cache
def readings(opcode: str) -> tuple[Reading, ...]:
    """Every reading of an opcode; empty when it is none."""
    return opcodes.read(opcode)[1]


@cache
def verdict(opcode: str, shape: tuple[OperandClass, ...], options: frozenset[str] = NO_OPTIONS) -> Verdict:
    """The verdict on an opcode and plain operand classes."""
    return judge(readings(opcode), opcode, shape, options)


def judge(known: tuple[Reading, ...], opcode: str, shape: tuple[OperandClass, ...], options: frozenset[str]) -> Verdict:
    """The verdict on an opcode of which the readings are known."""
    matched = tuple(match for reading in known for match in matches(reading, shape, options))
    return Verdict(opcode, shape, options, known, matched)


def within_limits(match: Match, operands: tuple[Operand, ...]) -> bool:
    """Whether every constant has a value that the match allows."""
    return all(value_within(limit, operand_at(operands, path)) for path, limit in match.limits)


def operand_at(operands: tuple[Operand, ...], path: Path) -> Operand:
    """The operand that a path of indices names."""
    operand = operands[path[0]]
    for index in path[1:]:
        if isinstance(operand, Pair):
            operand = operand.first
        assert isinstance(operand, Address | Vector | Arguments)
        operand = operand.elements[index]
    return operand


def value_within(limit: Tree, operand: Operand) -> bool:
    """Whether a constant has one of the values that an `imm` or `flt` kind allows."""
    if isinstance(operand, Integer):
        value = operand.value % (1 << 32) if limit[-1] == "cut" else operand.value
        if limit[1] == "values":
            return value in limit[2]
        low, high, step = limit[2:5]
        return low <= value <= high and (value - low) % step == 0
    if isinstance(operand, Float):
        _, low, high, ends = limit
        above = operand.value > float(low) or (ends[0] == "[" and operand.value == float(low))
        below = operand.value < float(high) or (ends[1] == "]" and operand.value == float(high))
        return above and below
    return True  # WARP_SZ and other symbols: the assembler knows their value
