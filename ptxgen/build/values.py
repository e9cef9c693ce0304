"""Python values as operands."""

from __future__ import annotations

from typing import Any

from ptxgen.errors import Diagnostic, OperandError
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Operand

OPERANDS = (
    ir.Reg, ir.Selected, ir.Prefixed, ir.Special, ir.Integer, ir.Float, ir.Variable, ir.Offset, ir.Address, ir.Vector,
    ir.Arguments, ir.Pair, ir.Sink, ir.Name,
)  # fmt: skip
_HEX_FROM = 1 << 16  # masks and bit patterns read better in hexadecimal

_integers: dict[int, ir.Integer] = {}


class Missing:
    """The place of an operand that was not given; no variant has its class."""

    cls = None

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
        return value
    if cls is float:
        return ir.float64(value) if width == 64 else ir.float32(value)
    if cls is list:
        return ir.address(*(operand(item, width) for item in value))
    if cls is tuple:
        elements = tuple(operand(item, width) for item in value)
        return ir.arguments(elements) if listed else ir.vector(elements)
    if isinstance(value, Function):
        return ir.name(value.name, "func")
    if hasattr(value, "__index__"):  # bool, numpy integers
        return operand(value.__index__(), width)
    if hasattr(value, "__float__"):
        return operand(float(value), width)
    raise wrong(value)


def wrong(value: Any) -> OperandError:
    """An error for a value that stands for no operand."""
    if value is MISSING:
        have = "nothing"
    elif value is None:
        have = "None"
    else:
        have = f"{type(value).__name__} {value!r}"
    need = "a register, a constant, [an address], (a vector), a variable or a label"
    return OperandError(
        f"{have} is no operand; an operand is {need}", (Diagnostic("operand", "error", f"{have} is no operand", need=need, have=have),)
    )
