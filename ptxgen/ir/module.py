"""Modules, functions and statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import define, field

from ptxgen.ir.operands import Name, Operand, Prefixed, Reg, Variable
from ptxgen.isa.classes import OperandClass, Scope


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
    """A remark; printed after `//`."""

    text: str


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


Statement: TypeAlias = "Record | Label | Comment | Raw | Prototype | Targets | Directive | Variable[Any]"


@define(eq=False, weakref_slot=False, repr=False)
class Function:
    """An entry or a device function."""

    name: str
    entry: bool
    parameters: tuple[Variable[Any] | Reg[Any], ...] = ()
    returns: tuple[Variable[Any] | Reg[Any], ...] = ()
    directives: tuple[Directive, ...] = ()
    linkage: str = ""
    declared: bool = False  # a declaration without a body
    scope: Scope | None = None  # of the module that it belongs to
    # Type, name, count; count 0 is one register.
    registers: list[tuple[str, str, int]] = field(factory=list[tuple[str, str, int]])
    body: list[Statement] = field(factory=list[Statement])
    variants: dict[Variant, None] = field(factory=dict[Variant, None])  # of the body: who adds there adds here

    def instructions(self) -> Iterator[Instruction]:
        """The instructions of the body, in order."""
        return (Instruction.of(statement) for statement in self.body if isinstance(statement, tuple))


@define(eq=False, weakref_slot=False, repr=False)
class Module:
    """A PTX module. `version` None asks for the lowest PTX ISA version that supports what is used."""

    target: str
    version: str | None = None
    address_size: int = 64
    options: tuple[str, ...] = ()  # of .target: texmode_independent, debug, map_f64_to_f32
    variables: list[Variable[Any]] = field(factory=list[Variable[Any]])
    functions: list[Function] = field(factory=list[Function])
    directives: list[Directive] = field(factory=list[Directive])

    def ptx(self) -> str:
        """The module as PTX text, with the lowest sufficient `.version` unless one was given."""
        from ptxgen.check.lowest import lowest_version
        from ptxgen.isa import versions
        from ptxgen.print.module import print_module

        return print_module(self, self.version or versions.text(lowest_version(self)))

    def __str__(self) -> str:
        return self.ptx()


_variants: dict[tuple[str, tuple[OperandClass, ...]], Variant] = {}


def variant(opcode: str, shape: tuple[OperandClass, ...]) -> Variant:
    """The one variant of this opcode and these operand classes."""
    key = (opcode, shape)
    found = _variants.get(key)
    if found is None:
        found = _variants.setdefault(key, Variant(opcode, shape))
    return found
