"""Statements: what stands in the body of a function.

An instruction is a tuple, everything else an object. A body is a flat list; `Open` and `Close` mark nested scopes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import define

from ptxgen.ir.operands import Name, Operand, Prefixed, Reg, Variable
from ptxgen.isa.classes import OperandClass


@define(eq=False, weakref_slot=False, repr=False)
class Variant:
    """An opcode with the classes of its operands: all that most checks depend on. Interned by `variant`."""

    opcode: str
    shape: tuple[OperandClass, ...]
    text: str = ""  # what the printer writes before the operands
    guard: None = None

    def __attrs_post_init__(self) -> None:
        self.text = f"\t{self.opcode} " if self.shape else f"\t{self.opcode}"

    @property
    def variant(self) -> Variant:
        """Itself: a head of a record is a Variant or a Guarded one."""
        return self


@define(eq=False, weakref_slot=False, repr=False)
class Guarded:
    """A variant under a guard, a predicate register or its complement."""

    variant: Variant
    guard: Reg[Any] | Prefixed[Any]
    text: str = ""

    def __attrs_post_init__(self) -> None:
        self.text = f"\t@{self.guard.text} {self.variant.text[1:]}"


# An instruction in a body is the tuple (head, operand, operand, ...), its head a Variant or a Guarded one. There may be
# a hundred thousand of them, and an object apiece would take a third of the time that building them takes.
Record: TypeAlias = "tuple[Any, ...]"


@define(eq=False, weakref_slot=False, repr=False)
class Instruction:
    """An instruction with names for its parts; `record` is what stands in a body."""

    variant: Variant
    operands: tuple[Operand, ...]
    guard: Reg[Any] | Prefixed[Any] | None = None

    @property
    def opcode(self) -> str:
        return self.variant.opcode

    @property
    def record(self) -> Record:
        """The instruction as it stands in a body."""
        head = self.variant if self.guard is None else Guarded(self.variant, self.guard)
        return (head, *self.operands)

    @classmethod
    def of(cls, record: Record) -> Instruction:
        """The instruction of a record."""
        head, *operands = record
        return cls(head.variant, tuple(operands), head.guard)


@define(eq=False, weakref_slot=False, repr=False)
class Label:
    """A place in the code."""

    name: str


@define(eq=False, weakref_slot=False, repr=False)
class Comment:
    """A remark, without its marks; printed after `//`. One of several lines is read and built as so many remarks."""

    text: str
    trailing: bool = False  # stands behind what comes before it, on the same line


@define(eq=False, weakref_slot=False, repr=False)
class Raw:
    """Text that was not validated."""

    text: str


@define(eq=False, weakref_slot=False, repr=False)
class Prototype:
    """`.callprototype`: the signature of an indirect call."""

    name: str
    returns: tuple[Variable[Any] | Reg[Any], ...]
    parameters: tuple[Variable[Any] | Reg[Any], ...]
    directives: tuple[Directive, ...] = ()


@define(eq=False, weakref_slot=False, repr=False)
class Targets:
    """`.branchtargets` or `.calltargets`: the places that an indirect branch or call may reach."""

    name: str
    directive: str
    targets: tuple[Name, ...]


@define(eq=False, weakref_slot=False, repr=False)
class Directive:
    """A directive with its arguments as text: `.maxntid 256, 1, 1`, `.pragma "nounroll"`."""

    name: str  # with its dot
    arguments: tuple[str, ...] = ()


@define(eq=False, weakref_slot=False, repr=False)
class Registers:
    """`.reg .b32 %r<10>, %x;`: registers of one type. A name with a count stands for so many, numbered from 0."""

    type: str  # without its dot
    names: tuple[tuple[str, int], ...]  # name, count; count 0 is one register of exactly that name
    vector: int = 1


@define(eq=False, weakref_slot=False, repr=False)
class Open:
    """`{`: a scope begins in which names may be declared anew."""


@define(eq=False, weakref_slot=False, repr=False)
class Close:
    """`}`: the innermost scope ends."""


@define(eq=False, weakref_slot=False, repr=False)
class Section:
    """A section with text of its own kind: `.section .debug_info { ... }`, or source in another language."""

    name: str  # with the directive: ".section .debug_info"
    lines: tuple[str, ...]
    features: tuple[str, ...] = ()  # of specs/directives.yaml that the lines use


Statement: TypeAlias = (
    "Record | Label | Comment | Raw | Prototype | Targets | Directive | Variable[Any] | Registers | Open | Close"
)


_variants: dict[tuple[str, tuple[OperandClass, ...]], Variant] = {}


def variant(opcode: str, shape: tuple[OperandClass, ...]) -> Variant:
    """The one variant of this opcode and these operand classes."""
    key = (opcode, shape)
    found = _variants.get(key)
    if found is None:
        found = _variants.setdefault(key, Variant(opcode, shape))
    return found
