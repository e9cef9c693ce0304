"""Declare variables: `k.shared.f32("tile", 8)`, `mod.const.u32("table", 4, init=[1, 2, 3, 4])`."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define

from ptxgen.build.values import OPERANDS
from ptxgen.errors import Diagnostic, OperandError
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Variable, float32, float64, variable_class
from ptxgen.isa import types
from ptxgen.isa.classes import Scope

Declare = Callable[[Variable[Any]], None]


@define(eq=False, weakref_slot=False, repr=False)
class Space:
    """A state space; its attributes are the types that variables can have in it."""

    name: str  # with its dot
    scope: Scope
    declare: Declare

    @property
    def of_class(self) -> str:
        """The space as operand classes know it: a `.param` variable of a body is no entry parameter."""
        return ".param::func" if self.name == ".param" else self.name

    def __getattr__(self, type: str) -> Declarator:
        if type.startswith("__"):
            raise AttributeError(type)
        found = types.type_of(type)
        if found is None or (not found.register and found.kind != "opaque") or type == "pred":
            choices = "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 f32 f64"
            message = f"{self.name} has no variables of type .{type}; there are {choices}"
            raise OperandError(message, (Diagnostic("type", "error", message, choices=tuple(choices.split())),))
        return Declarator(self, type)


@define(eq=False, weakref_slot=False, repr=False)
class Declarator:
    """Declares variables of one type in one state space."""

    space: Space
    type: str

    def __call__(
        self,
        name: str,
        shape: int | tuple[int | None, ...] | None = None,
        *,
        align: int | None = None,
        vector: int = 1,
        init: Any = None,
        linkage: str = "",
        managed: bool = False,
    ) -> Variable[Any]:
        """Declare `name`; the variable serves as operand, in addresses and in initialisers of others.

        shape    elements of an array, a tuple for several dimensions; (None,) when the size is known at launch or
                 link time only, which wants linkage="extern"
        align    in bytes; a power of two
        vector   1, 2 or 4
        init     a number, nested sequences of numbers, or variables and functions whose address is meant; .const and
                 .global only
        """
        dimensions = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
        self._validate(name, dimensions, align, vector, init, linkage)
        variable = Variable(
            name, variable_class(self.type, self.space.of_class, self.space.scope), self.type, self.space.name, dimensions,
            align, vector, None if init is None else self._initial(init), linkage, ("managed",) if managed else (),
        )  # fmt: skip
        self.space.declare(variable)
        return variable

    def _validate(
        self, name: str, shape: tuple[int | None, ...], align: int | None, vector: int, init: Any, linkage: str
    ) -> None:
        if align is not None and (align < 1 or align & (align - 1)):
            raise _wrong(name, f"align={align} is no power of two")
        if vector not in (1, 2, 4):
            raise _wrong(name, f"vector={vector}; a vector variable has 2 or 4 elements")
        if any(n is not None and n < 1 for n in shape):
            raise _wrong(name, f"shape {shape} has a dimension below 1")
        if any(n is None for n in shape) and linkage != "extern":
            raise _wrong(name, "an array of unknown size wants linkage='extern'")
        if linkage not in ("", "extern", "visible", "weak", "common"):
            raise _wrong(name, f"linkage={linkage!r} is none of extern, visible, weak, common")
        if init is not None and self.space.name not in (".const", ".global"):
            raise _wrong(name, f"{self.space.name} variables have no initialiser; .const and .global ones have")
        if init is not None and linkage == "extern":
            raise _wrong(name, "an extern variable is initialised where it is defined")

    def _initial(self, init: Any) -> tuple[Any, ...]:
        if isinstance(init, Sequence) and not isinstance(init, str):
            return tuple(self._element(item) for item in init)  # pyright: ignore[reportUnknownVariableType]
        return (self._element(init),)

    def _element(self, value: Any) -> Any:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(self._element(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, OPERANDS):
            return value
        if isinstance(value, Function):
            return value.name
        if self.type == "f64":
            return float64(float(value))
        if self.type == "f32":
            return float32(float(value))
        if self.type == "f16":
            return struct.unpack("<H", struct.pack("<e", float(value)))[0]
        return int(value)


def _wrong(name: str, message: str) -> OperandError:
    text = f"variable {name}: {message}"
    return OperandError(text, (Diagnostic("variable", "error", text),))
