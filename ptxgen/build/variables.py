"""Declare variables: `k.shared.f32("tile", 8)`, `mod.const.u32("table", 4, init=[1, 2, 3, 4])`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import define
from ptxgen_isa.builder import VariableTypes

from ptxgen.build.values import OPERANDS, is_integer, is_list, is_tuple, operand
from ptxgen.check.variables import declared_in, wrong
from ptxgen.errors import Diagnostic, OperandError, UnknownName, located
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Variable, variable_class
from ptxgen.isa import types
from ptxgen.isa.classes import Scope, scopes

T = TypeVar("T")
Declare = Callable[[Variable[Any]], None]


@define(eq=False, weakref_slot=False, repr=False)
class Space(VariableTypes):
    """A state space; its attributes are the types that variables can have in it."""

    name: str  # with its dot
    scope: Scope
    declare: Declare

    @property
    def of_class(self) -> str:
        """The space as operand classes know it: a `.param` variable of a body is no entry parameter."""
        return ".param::func" if self.name == ".param" else self.name

    if not TYPE_CHECKING:

        def __getattr__(self, type: str) -> Declarator[Any]:
            if type.startswith("__"):
                raise AttributeError(type)
            if self.name not in declared_in(type):
                choices = tuple(name for name in types.names() if self.name in declared_in(name))
                message = f"{self.name} has no variables of type .{type}; there are {' '.join(choices)}"
                raise located(UnknownName(message, (Diagnostic("type", "error", message, have=type, choices=choices),)))
            return Declarator(self, type)


@define(eq=False, weakref_slot=False, repr=False)
class Declarator(Generic[T]):
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
    ) -> Variable[T]:
        """Declare `name`; the variable serves as operand, in addresses and in initialisers of others.

        shape    elements of an array, a tuple for several dimensions; (None,) when the size is known at launch or
                 link time only, which wants linkage="extern"
        align    in bytes; a power of two
        vector   1, 2 or 4
        init     a number, nested sequences of numbers, or variables and functions whose address is meant; .const and
                 .global only
        """
        given: Any = () if shape is None else (shape,) if is_integer(shape) else shape
        if not is_tuple(given) and not is_list(given):
            raise _wrong(name, f"shape={shape!r}; it is a number or a tuple of numbers")
        dimensions: tuple[Any, ...] = tuple(given)
        if not all(n is None or is_integer(n) for n in dimensions):
            raise _wrong(name, f"shape={shape!r} holds what is no integer")
        for field, value in (("align", align), ("vector", vector)):
            if not is_integer(value) and not (field == "align" and value is None):
                raise _wrong(name, f"{field}={value!r} is no integer")
        init = init.tolist() if hasattr(init, "tolist") else init  # an array of numpy's, or one of its numbers
        if not isinstance(managed, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _wrong(name, f"managed={managed!r} is neither True nor False")
        if not isinstance(linkage, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _wrong(name, f"linkage={linkage!r} is no string")
        if init is not None and _is_sequence(init) != bool(dimensions or vector != 1):
            wanted = "a sequence of initial values" if dimensions or vector != 1 else "one initial value"
            raise _wrong(name, f"{wanted} needed, got {init!r}")
        cls = variable_class(self.type, self.space.of_class, self.space.scope)
        variable: Variable[T] = Variable(
            name, cls, self.type, self.space.name, dimensions, align, vector, None, linkage,
            (".managed",) if managed else (),
        )  # fmt: skip
        if init is not None:
            variable.initial = self._initial(name, init)
        self.space.declare(variable)
        return variable

    def _initial(self, name: str, init: Any) -> tuple[Any, ...]:
        found = self._element(name, init)
        return found if is_tuple(found) else (found,)

    def _element(self, name: str, value: Any) -> Any:
        if hasattr(value, "tolist"):
            value = value.tolist()
        if _is_sequence(value):
            return tuple(self._element(name, item) for item in value)
        if isinstance(value, OPERANDS):
            if any(scope is not self.space.scope for scope in scopes(value.cls)):  # pyright: ignore
                raise _wrong(name, f"{value.text} does not belong to the module; an initial value does")  # pyright: ignore
            return value  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, Function):
            if value.scope is not self.space.scope:
                raise _wrong(name, f"{value.name} belongs to another module")
            return operand(value)
        width = self._width()
        try:
            number = hasattr(value, "__float__") or hasattr(value, "__index__")
            if width and number and (isinstance(value, float) or types.is_float(self.type)):
                return operand(float(value), width)
            return int(value.__index__()) if hasattr(value, "__index__") else value
        except (TypeError, ValueError, OverflowError, OperandError):
            raise _wrong(name, f"{value!r} is no initial value of a .{self.type}") from None

    def _width(self) -> int:
        """Bits of a floating-point initial value; 0 where there is none."""
        bits = types.known(self.type).bits
        return bits if self.type in ("f32", "f64", "b32", "b64") else 0


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _wrong(name: Any, message: str) -> OperandError:
    return located(OperandError.of(wrong(str(name), message)))  # pyright: ignore[reportReturnType]
