"""Python values as operands."""

from __future__ import annotations

from typing import Any, TypeGuard

from ptxgen.errors import Diagnostic, OperandError, located
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Operand

OPERANDS = (
    ir.Reg, ir.Selected, ir.Prefixed, ir.Special, ir.Integer, ir.Float, ir.Variable, ir.Offset, ir.Address, ir.Vector,
    ir.Arguments, ir.Pair, ir.Sink, ir.Name,
)  # fmt: skip
_HEX_FROM = 1 << 16  # masks and bit patterns read better in hexadecimal

_LEAST_OFFSET = -(1 << 31)
_OPERAND = "an operand is a register, a constant, [an address], (a vector), a variable or a label"

_integers: dict[int, ir.Integer] = {}


class Missing:
    """The place of an operand that was not given; no variant has its class."""

    cls = "missing"  # not None: leaves compare it with the class that they saw last, at first None

    def __repr__(self) -> str:
        return "nothing"


MISSING: Any = Missing()


def operand(value: Any, width: int = 32, listed: bool = False) -> Operand:
    """The operand that a Python value stands for.

    int is an integer constant, float a constant of `width` bits, a list an address, a tuple a vector (with `listed` a
    parameter list), a function its name.
    """
    cls = value.__class__
    if cls is int:
        found = _integers.get(value)
        if found is None:
            found = ir.integer(value, hex(value) if value >= _HEX_FROM else str(value))
            if len(_integers) < 4096:
                _integers[value] = found
        return found
    if isinstance(value, OPERANDS):
        if cls is ir.Offset and not _LEAST_OFFSET <= value.value <= -_LEAST_OFFSET - 1:  # pyright: ignore
            text: str = value.text  # pyright: ignore
            raise _refused(f"{text}: the constant of an address has 32 bits with its sign", "32 bits", text)
        return value  # pyright: ignore[reportUnknownVariableType]
    if cls is float:
        return _floating(value, width)
    if cls is list:
        return ir.address(*(operand(item, width) for item in value))
    if cls is tuple:
        elements = tuple(operand(item, width) for item in value)
        return ir.arguments(elements) if listed else ir.vector(elements)
    if isinstance(value, Function):
        return ir.name(value.name, "kernel" if value.entry else "func", value.scope)
    try:
        if hasattr(value, "__index__"):  # bool, numpy integers
            return operand(int(value.__index__()), width)
        if hasattr(value, "__float__"):
            return operand(float(value), width)
    except (TypeError, ValueError, OverflowError):  # an array of several numbers, for one
        raise wrong(value) from None
    raise wrong(value)


def _floating(value: float, width: int) -> ir.Float:
    """A constant of 32 or 64 bits."""
    try:
        return ir.float64(value) if width == 64 else ir.float32(value)
    except OverflowError:
        have = repr(value)
        raise _refused(f"{have} is beyond the largest .f{width}", f"a number that .f{width} has", have) from None


def unified(place: list[Any]) -> ir.Address:
    """`[a].unified`: the address is in the unified address space (PTX ISA, ld)."""
    if not is_list(place):
        raise located(wrong(place, "unified([a]) takes an address in brackets"))
    try:
        return ir.address(*(operand(item) for item in place), selector=".unified")
    except OperandError as error:
        raise located(error) from None


def described(value: Any) -> str:
    """What a Python value is, as a noun phrase for messages."""
    try:
        return operand(value).cls.describe()
    except OperandError:
        return _named(value)


def is_integer(value: Any) -> TypeGuard[int]:
    """Whether a value is a size or a count; True and False are none, though Python's bool is an int."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_tuple(value: Any) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a tuple, of whatever."""
    return isinstance(value, tuple)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a value is a list, of whatever."""
    return isinstance(value, list)


def wrong(value: Any, need: str = _OPERAND) -> OperandError:
    """An error for a value that stands for no operand."""
    have = _named(value)
    message = f"{have} is no operand; {need}"
    return OperandError(message, (Diagnostic("operand", "error", message, need=need, have=have),))


def _refused(message: str, need: str, have: str) -> OperandError:
    return OperandError(message, (Diagnostic("operand", "error", message, need=need, have=have),))


def _named(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    try:
        text = repr(value)
    except RecursionError:
        text = "within others, to no end"
    return f"{type(value).__name__} {text if len(text) < 60 else text[:57] + '...'}"
