"""Operands. Each knows its text as PTX writes it and its class (`ptxgen.isa.classes`), computed once.

Operands are shared between instructions and never changed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from attrs import define

from ptxgen.errors import Diagnostic, UnknownName, WrongOperator, located
from ptxgen.isa.classes import (
    ADDRESS,
    ELEMENT,
    FLOAT,
    INTEGER,
    LIST,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
    Scope,
    operand_class,
)  # fmt: skip
from ptxgen.isa.registers import SpecialRegister

T = TypeVar("T")


@define(eq=False, weakref_slot=False, repr=False)
class Reg(Generic[T]):
    """A register. `cls.scope` is the function that it belongs to."""

    text: str
    cls: OperandClass

    @property
    def type(self) -> str:
        """The declared type, without its dot."""
        return self.cls.type

    def __getitem__(self, selector: str) -> Selected[T]:
        """Bytes or halfwords of the register, as video instructions name them: `a["b3210"]`."""
        if not isinstance(selector, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _wrong(f'{self.text} is one register; a selector such as {self.text}["b0"] is a string')
        return Selected(f"{self.text}.{selector}", _altered(self.cls, selector=f".{selector}"), self)

    def __add__(self, offset: int) -> Offset:
        """Register plus a constant, for an address."""
        if not isinstance(offset, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _wrong("a PTX address is a register plus a constant; use k.add for a sum in a register")
        return Offset(f"{self.text}+{offset}", _altered(self.cls, offset=True), self, offset)

    __radd__ = __add__

    def __sub__(self, offset: int) -> Offset:
        return self + _negative(offset)

    def __invert__(self) -> Prefixed[T]:
        """The complement of a predicate: `!p`."""
        if self.cls.type != "pred":
            raise _wrong(f"~ is for predicates; {self.text} is a .{self.cls.type} register")
        return Prefixed(f"!{self.text}", _altered(self.cls, prefix="!"), self)

    def __neg__(self) -> Prefixed[T]:
        """The negated operand of a video instruction: `-a`."""
        return Prefixed(f"-{self.text}", _altered(self.cls, prefix="-"), self)

    def __bool__(self) -> bool:
        raise _wrong(f"what {self.text} holds is known when the kernel runs; use k.if_({self.text}) or pred=")

    def __repr__(self) -> str:
        return f"<{self.cls.type} register {self.text}>"

    if not TYPE_CHECKING:  # so that these stay errors for a type checker

        def _no_operator(self, _other: object) -> None:
            raise _wrong("registers have no operators: one call is one instruction, such as k.mul.lo.s32(a, b)")

        __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = __and__ = __or__ = __xor__ = _no_operator
        __lshift__ = __rshift__ = __lt__ = __le__ = __gt__ = __ge__ = __matmul__ = __pow__ = __rsub__ = _no_operator
        __iadd__ = __isub__ = _no_operator  # `i += 1` would make an address of the name of a register

        def __iter__(self) -> None:
            raise _wrong(f"{self.text} is one register; a call with an optional second result takes out=(None, None)")

        def __contains__(self, _other: object) -> bool:
            return self.__iter__()

        def __eq__(self, other: object) -> bool:
            if isinstance(other, int | float):
                return self._no_operator(other)
            return self is other  # for `register in registers`

        __hash__ = object.__hash__


@define(eq=False, weakref_slot=False, repr=False)
class Selected(Generic[T]):
    """A register with a selector: `a.b3210`."""

    text: str
    cls: OperandClass
    register: Reg[T]

    def __neg__(self) -> Prefixed[T]:
        return Prefixed(f"-{self.text}", _altered(self.cls, prefix="-"), self.register)


@define(eq=False, weakref_slot=False, repr=False)
class Prefixed(Generic[T]):
    """A complemented predicate or a negated operand: `!p`, `-a`."""

    text: str
    cls: OperandClass
    register: Reg[T]

    def __invert__(self) -> Reg[T]:
        if self.cls.prefix != "!":
            raise _wrong(f"~ is for predicates, not for {self.text}")
        return self.register

    def __bool__(self) -> bool:
        return bool(self.register)


@define(eq=False, weakref_slot=False, repr=False)
class Special(Generic[T]):
    """A special register: `%tid.x`."""

    text: str
    cls: OperandClass

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            message = f"there is no special register {self.text}.{name}"
            raise located(UnknownName(message, (Diagnostic("special-register", "error", message, have=name),)))


@define(eq=False, weakref_slot=False, repr=False)
class Integer:
    """An integer constant."""

    text: str
    value: int
    cls: OperandClass = operand_class(INTEGER)  # noqa: RUF009 - the same for all


@define(eq=False, weakref_slot=False, repr=False)
class Float:
    """A floating-point constant; `width` is 32 or 64, `bits` its pattern."""

    text: str
    bits: int
    width: int
    cls: OperandClass

    @property
    def value(self) -> float:
        """The number that the bits stand for."""
        code = ("<I", "<f") if self.width == 32 else ("<Q", "<d")
        return float(struct.unpack(code[1], struct.pack(code[0], self.bits))[0])


@define(eq=False, weakref_slot=False, repr=False)
class Variable(Generic[T]):
    """A variable, or a parameter of a function, in a state space.

    `shape` gives the array dimensions, () of a scalar, (None,) of an array whose size the linker knows.
    """

    text: str
    cls: OperandClass
    type: str
    space: str  # with its dot
    shape: tuple[int | None, ...] = ()
    align: int | None = None
    vector: int = 1
    initial: tuple[Any, ...] | None = None
    linkage: str = ""  # "extern" | "visible" | "weak" | "common"
    attributes: tuple[str, ...] = ()
    count: int = 0  # `x<n>` stands for x0 ... x(n-1); 0 is one variable of exactly this name

    def initial_values(self) -> list[Any]:
        """The initial values without their nesting; none when there is no initialiser."""
        return list(_flat(self.initial or ()))

    def __add__(self, offset: int) -> Offset:
        """Variable plus a constant."""
        if not isinstance(offset, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _wrong("a PTX address is a variable plus a constant; move the address to a register and use k.add")
        return Offset(f"{self.text}+{offset}", _altered(self.cls, offset=True), self, offset)

    __radd__ = __add__

    def __sub__(self, offset: int) -> Offset:
        return self + _negative(offset)


def _flat(values: tuple[Any, ...]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield value


@define(eq=False, weakref_slot=False, repr=False)
class Offset:
    """A register or variable plus a constant."""

    text: str
    cls: OperandClass
    base: Reg[Any] | Variable[Any]
    value: int

    def __add__(self, offset: int) -> Offset:
        return self.base + (self.value - _negative(offset))

    __radd__ = __add__

    def __sub__(self, offset: int) -> Offset:
        return self.base + (self.value + _negative(offset))


@define(eq=False, weakref_slot=False, repr=False)
class Element:
    """`a[2]`, `a[%r1]`: an element of an array, which is an address without brackets of its own."""

    text: str
    cls: OperandClass
    array: Variable[Any]
    index: Operand


@define(eq=False, weakref_slot=False, repr=False)
class Group:
    """Operands that stand together."""

    text: str
    cls: OperandClass
    elements: tuple[Operand, ...]


class Address(Group):
    """`[a]`, `[a+16]`, `[a, {b, c}]`; `cls.selector` is an operand suffix such as ".unified"."""

    __slots__ = ()


class Vector(Group):
    """`{a, b, c, d}`."""

    __slots__ = ()


class Arguments(Group):
    """`(a, b)`: the parameters of a call."""

    __slots__ = ()


@define(eq=False, weakref_slot=False, repr=False)
class Pair:
    """`d|p`: two destinations in one place."""

    text: str
    cls: OperandClass
    first: Operand
    second: Operand


@define(eq=False, weakref_slot=False, repr=False)
class Sink:
    """`_`: the result is not wanted."""

    text: str = "_"
    cls: OperandClass = operand_class(SINK)  # noqa: RUF009 - the same for all


@define(eq=False, weakref_slot=False, repr=False)
class Name:
    """A label, a function, a prototype or a list of targets, by name."""

    text: str
    cls: OperandClass


Operand: TypeAlias = """(
    Reg[Any] | Selected[Any] | Prefixed[Any] | Special[Any] | Integer | Float | Variable[Any] | Offset | Element
    | Address | Vector | Arguments | Pair | Sink | Name
)"""

sink = Sink()


def register(text: str, type: str, scope: Scope | None = None) -> Reg[Any]:
    """A register of a type, belonging to a function."""
    return Reg(text, operand_class(REGISTER, type, scope=scope))


def special(register: SpecialRegister, field: str = "") -> Special[Any]:
    """A special register, or one field of it."""
    whole = "vector" if register.vector and not field else ""
    text = f"%{register.name}.{field}" if field else f"%{register.name}"
    return Special(text, operand_class(SPECIAL, register.name, whole))


def integer(value: int, text: str = "") -> Integer:
    """An integer constant, printed in the base of `text`."""
    return Integer(text or str(value), value)


def float32(value: float) -> Float:
    """A single-precision constant, the nearest to `value`, as exact bits."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return Float(f"0f{bits:08X}", bits, 32, _FLOAT32)


def float64(value: float) -> Float:
    """A double-precision constant as exact bits."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return Float(f"0d{bits:016X}", bits, 64, _FLOAT64)


def address(*elements: Operand, selector: str = "") -> Address:
    """Operands in brackets."""
    text = f"[{', '.join(e.text for e in elements)}]{selector}"
    classes = tuple(e.cls for e in elements)
    return Address(text, operand_class(ADDRESS, elements=classes, selector=selector), elements)


def element(array: Variable[Any], index: Operand) -> Element:
    """An element of an array, by a constant or a register."""
    return Element(f"{array.text}[{index.text}]", _altered(array.cls, offset=True, selector=ELEMENT), array, index)


def vector(elements: tuple[Operand, ...]) -> Vector:
    """Operands in braces."""
    classes = tuple(e.cls for e in elements)
    return Vector(f"{{{', '.join(e.text for e in elements)}}}", operand_class(VECTOR, elements=classes), elements)


def arguments(elements: tuple[Operand, ...]) -> Arguments:
    """Operands in parentheses."""
    classes = tuple(e.cls for e in elements)
    return Arguments(f"({', '.join(e.text for e in elements)})", operand_class(LIST, elements=classes), elements)


def pair(first: Operand, second: Operand) -> Pair:
    """Two destinations in one place."""
    cls = first.cls
    joined = operand_class(
        cls.what, cls.type, cls.space, cls.elements, cls.offset, cls.prefix, cls.selector, second.cls, cls.scope
    )  # fmt: skip
    return Pair(f"{first.text}|{second.text}", joined, first, second)


def name(text: str, what: str = "", scope: Scope | None = None) -> Name:
    """A name of a label, function or table; `what` is its kind, "" when not known yet."""
    return Name(text, operand_class(NAME, what, scope=scope))


def variable_class(type: str, space: str, scope: Scope | None = None) -> OperandClass:
    """The class of a variable in a state space."""
    return operand_class(VARIABLE, type, space, scope=scope)


def _negative(offset: int) -> int:
    if not isinstance(offset, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _wrong("only an integer constant is added to, or taken from, the base of an address")
    return -offset


def _wrong(message: str) -> WrongOperator:
    return located(WrongOperator(message, (Diagnostic("operator", "error", message),)))


def _altered(
    cls: OperandClass, *, offset: bool = False, prefix: str = "", selector: str = ""
) -> OperandClass:  # fmt: skip
    return operand_class(
        cls.what, cls.type, cls.space, cls.elements, offset or cls.offset, prefix or cls.prefix,
        selector or cls.selector, cls.second, cls.scope,
    )  # fmt: skip


_FLOAT32 = operand_class(FLOAT, "f32")
_FLOAT64 = operand_class(FLOAT, "f64")
