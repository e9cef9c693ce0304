"""What an instruction reads, writes and does, worked out once for each variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import itemgetter
from typing import Any, cast

from attrs import define

from ptxgen.check.instruction import verdict
from ptxgen.ir.operands import Group, Offset, Operand, Pair, Prefixed, Reg, Selected
from ptxgen.ir.statements import Record, Variant
from ptxgen.isa.classes import FLOAT, INTEGER, NAME, REGISTER, SINK, SPECIAL, VARIABLE, VECTOR, OperandClass, plain
from ptxgen.isa.effects import effects_of
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import kind_of
from ptxgen.isa.matching import Match

Take = Callable[[Record], "tuple[Operand, ...]"]

_WITHOUT_REGISTERS = (INTEGER, FLOAT, NAME, SINK, SPECIAL, VARIABLE)
SEVERAL = -1
_PLACES = ("label", "branchtargets")  # the kinds of operands that say where control goes


@define(eq=False, weakref_slot=False, repr=False)
class Role:
    """The role of a variant. Positions count in a record, where the first operand is 1."""

    match: Match | None  # None of a statement that is not legal
    shape: tuple[OperandClass, ...]
    reads: Take  # the operands with registers that are read, and not written
    writes: Take  # the destinations
    single: int  # the position of the destination, if it is one register; 0 where there is none, or SEVERAL
    target: int  # the position of the operand that says where control goes, or 0
    callee: int  # the position of the function that is called, or 0
    leaves: bool  # does not go on to the next statement
    aborts: bool  # goes no further, though nobody would say so
    effects: frozenset[str]
    fragments: tuple[int, ...]  # the positions of what is spread over the registers of a warpgroup

    @property
    def control(self) -> bool:
        """Whether it ends, or may end, a basic block."""
        return bool(self.target or self.callee or self.leaves or self.aborts)

    def position(self, name: str) -> int:
        """The position of the operand that the specification calls so, or 0."""
        if self.match is None:
            return 0
        return next((at for at, template, _ in _bound(self.match, self.shape) if template.name == name), 0)

    @property
    def section(self) -> str:
        """The section of the manual that the statement is of."""
        return self.match.reading.line.block.section.split()[0] if self.match is not None else ""

def registers(operand: Operand) -> tuple[Reg[Any], ...]:
    """The registers in an operand."""
    if isinstance(operand, Reg):
        return (operand,)
    if isinstance(operand, Group):
        elements = operand.elements
        if len(elements) == 1:  # an address, most often
            return registers(elements[0])
        return tuple([register for element in elements for register in registers(element)])
    if isinstance(operand, Offset):
        return registers(operand.base)
    if isinstance(operand, Pair):
        return registers(operand.first) + registers(operand.second)
    if isinstance(operand, (Selected, Prefixed)):  # a union would be made anew each time
        return registers(operand.register)
    return ()


@cache
def role(variant: Variant, options: frozenset[str]) -> Role:
    """The role of a variant in a module with these options."""
    shape = tuple(map(plain, variant.shape))
    legal = verdict(variant.opcode, shape, options).legal
    if not legal:
        everything = _take(tuple(range(1, len(shape) + 1)))  # whatever it sets, nobody is told that it is not set
        return Role(None, shape, _take(()), everything, SEVERAL, 0, 0, False, False, frozenset(), ())
    match = legal[0]
    reads: list[int] = []
    fragments: list[int] = []
    writes: list[int] = []
    target = callee = 0
    for at, template, cls in _bound(match, shape):
        access = _access(match, template)
        if not access and not _without_registers(cls):
            reads.append(at)  # an accumulator may be ignored, as a predicate that is an operand says
        if access and not _without_registers(cls):
            writes.append(at)
        if "warpgroup" in _flags(match, template) and cls.what == VECTOR:
            fragments.append(at)
        base = _base(match, template)
        if base in _PLACES:
            target = at
        elif base == "func":
            callee = at
    traits, effects = match.reading.line.block.traits, effects_of(match)
    one = len(writes) == 1 and shape[writes[0] - 1].what == REGISTER
    whole = one and not shape[writes[0] - 1].selector and shape[writes[0] - 1].second is None
    single = writes[0] if whole else SEVERAL if writes else 0
    return Role(
        match, shape, _take(tuple(reads)), _take(tuple(writes)), single, target, callee,
        "terminator" in traits, "aborts" in effects, effects, tuple(fragments),
    )  # fmt: skip


def _bound(match: Match, shape: tuple[OperandClass, ...]) -> Iterator[tuple[int, Template, OperandClass]]:
    """The position of each operand with its template, in order."""
    at = 0
    for template in match.reading.line.operands:
        if at < len(shape) and _taken(match, template, shape[at]):
            yield at + 1, template, shape[at]
            at += 1


def _taken(match: Match, template: Template, operand: OperandClass) -> bool:
    """Whether an operand stands in the place of this template, which may be optional."""
    match template.shape:
        case "sink":
            return operand.what == SINK
        case "number":
            return operand.what == INTEGER
        case _ if template.inner:
            return all(_taken(match, inner, operand) for inner in template.inner if not inner.group)
        case _:
            return template.name in match.operands


def _access(match: Match, template: Template) -> str:
    """ "out", "inout" or "" of the operand in a place; of a vector, that of its first element."""
    if template.shape == "address":
        return ""
    while template.inner:
        template = template.inner[0]
    kind = kind_of(match.reading, template.name)
    return kind.get("access", "") if kind is not None else ""


def _base(match: Match, template: Template) -> str:
    kind = kind_of(match.reading, template.name) if template.shape == "value" else None
    return str(kind["bases"][0][0]) if kind is not None else ""


def _flags(match: Match, template: Template) -> list[str]:
    kind = kind_of(match.reading, template.name) if template.shape == "value" else None
    return kind.get("flags", []) if kind is not None else []


def _without_registers(cls: OperandClass) -> bool:
    if cls.second is not None and not _without_registers(cls.second):
        return False
    if cls.what in _WITHOUT_REGISTERS:
        return True
    return cls.what != REGISTER and all(map(_without_registers, cls.elements))


def _take(positions: tuple[int, ...]) -> Take:
    """What picks the operands at these positions out of a record."""
    if not positions:
        return _nothing
    first, *others = positions
    return cast("Take", itemgetter(first, *others) if others else itemgetter(slice(first, first + 1)))


def _nothing(_record: Record) -> tuple[Operand, ...]:
    return ()
