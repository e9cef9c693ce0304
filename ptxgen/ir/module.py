"""Modules and functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from ptxgen.ir.operands import Reg, Variable
from ptxgen.ir.statements import Comment, Directive, Instruction, Raw, Registers, Section, Statement, Variant
from ptxgen.isa.classes import Scope

if TYPE_CHECKING:  # what is built has no text that it was read from
    from ptxgen.ir.source import Source


@define(eq=False, weakref_slot=False, repr=False)
class Function:
    """An entry or a device function.

    `places` has, for each statement of the body, its offset in the module's source; it is empty where there is none.
    """

    name: str
    entry: bool
    parameters: tuple[Variable[Any] | Reg[Any], ...] = ()
    returns: tuple[Variable[Any] | Reg[Any], ...] = ()
    directives: tuple[Directive, ...] = ()
    linkage: str = ""
    declared: bool = False  # a declaration without a body
    scope: Scope | None = None  # of the module that it belongs to
    attributes: tuple[str, ...] = ()  # of .attribute(...)
    body: list[Statement] = field(factory=list[Statement])
    variants: dict[Variant, None] = field(factory=dict[Variant, None])  # of the body: who adds there adds here
    places: list[int] = field(factory=list[int])

    def others(self) -> list[tuple[int, Any]]:
        """What stands in the body and is no instruction, with its indices."""
        return [(at, statement) for at, statement in enumerate(self.body) if statement.__class__ is not tuple]

    def instructions(self) -> Iterator[Instruction]:
        """The instructions of the body, in order."""
        return (Instruction.of(statement) for statement in self.body if isinstance(statement, tuple))


Item: TypeAlias = "Variable[Any] | Registers | Function | Directive | Section | Comment | Raw"


@define(eq=False, weakref_slot=False, repr=False)
class Module:
    """A PTX module. `version` None asks for the lowest PTX ISA version that supports what is used.

    `items` are its declarations, in order; `places` has the offset of each in the source, or is empty.
    """

    target: str
    version: str | None = None
    address_size: int = 64  # 0 where the module does not say
    options: tuple[str, ...] = ()  # of .target: texmode_independent, debug, map_f64_to_f32
    items: list[Item] = field(factory=list[Item])
    banner: tuple[Comment, ...] = ()  # remarks before the header
    source: Source | None = None  # the text that it was read from
    places: list[int] = field(factory=list[int])

    @property
    def variables(self) -> list[Variable[Any]]:
        """The variables of the module, in order."""
        return [item for item in self.items if isinstance(item, Variable)]

    @property
    def functions(self) -> list[Function]:
        """The functions, defined and declared, in order."""
        return [item for item in self.items if isinstance(item, Function)]

    @property
    def directives(self) -> list[Directive]:
        """The directives at the level of functions, in order."""
        return [item for item in self.items if isinstance(item, Directive)]

    def ptx(self) -> str:
        """The module as PTX text, with the lowest sufficient `.version` unless one was given."""
        from ptxgen.check.lowest import lowest_version
        from ptxgen.isa import versions
        from ptxgen.print.module import print_module

        return print_module(self, self.version or versions.text(lowest_version(self)))

    def __str__(self) -> str:
        return self.ptx()
