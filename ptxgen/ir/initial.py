"""Initial values of variables that are neither plain numbers nor plain addresses (PTX ISA 5.3, 5.4.4)."""

from __future__ import annotations

from typing import Any

from attrs import define

from ptxgen.ir.operands import Float, Integer, Offset, Variable


@define(eq=False, weakref_slot=False, repr=False)
class Generic:
    """`generic(x)+4`: the generic address of a variable, as an initial value."""

    text: str
    base: Variable[Any] | Offset

    @classmethod
    def of(cls, base: Variable[Any] | Offset) -> Generic:
        """The generic address of a variable, plus a constant."""
        plain, _, offset = base.text.partition("+")
        return cls(f"generic({plain})" + (f"+{offset}" if offset else ""), base)


@define(eq=False, weakref_slot=False, repr=False)
class Masked:
    """`0xff(x)`: one byte of an address or constant, as an initial value."""

    text: str
    mask: Integer | Float
    value: Any

    @classmethod
    def of(cls, mask: Integer | Float, value: Any) -> Masked:
        """One byte of a value."""
        return cls(f"{mask.text}({getattr(value, 'text', value)})", mask, value)


@define(eq=False, weakref_slot=False, repr=False)
class Field:
    """`addr_mode_0 = wrap`: a property of a texture, sampler or surface, as an initial value."""

    text: str
    name: str
    value: int | str
