"""The operators of the language, with the sorts of operands that they take."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from ptxgen.cpu.reference.arguments import number
from ptxgen.cpu.reference.destinations import sequence
from ptxgen.cpu.reference.values import Real

#: No shift of PTX moves further; a register used as a distance without a limit would make numbers of any length.
FARTHEST_SHIFT = 4096

_Binary = Callable[[Any, Any], Any]
INTEGER: dict[type[ast.operator], _Binary] = {
    ast.FloorDiv: lambda x, y: x // y,
    ast.Mod: lambda x, y: x % y,
    ast.Pow: lambda x, y: x**y,
    ast.LShift: lambda x, y: x << y,
    ast.RShift: lambda x, y: x >> y,
    ast.BitAnd: lambda x, y: x & y,
    ast.BitOr: lambda x, y: x | y,
    ast.BitXor: lambda x, y: x ^ y,
}
NUMBER: dict[type[ast.operator], _Binary] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
}
COMPARISON: dict[type[ast.cmpop], _Binary] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda x, y: x in y,
    ast.NotIn: lambda x, y: x not in y,
}


def binary(op: ast.operator, x: object, y: object) -> object:
    """Arithmetic, exact on reals; `/` is for reals only, and bits are of integers only."""
    for each in (x, y):
        if not isinstance(each, int | Real):
            raise TypeError(f"{each!r} is not a number")
    kind = type(op)
    if kind in NUMBER:
        return NUMBER[kind](x, y)
    if isinstance(x, int) and isinstance(y, int):
        if isinstance(op, ast.Div):
            raise TypeError("/ is for floating point; use quotient(a, b) for integers")
        if isinstance(op, ast.LShift | ast.RShift | ast.Pow) and not 0 <= y <= FARTHEST_SHIFT:
            raise ValueError(f"{kind.__name__} by {y}; limit the amount first")
        return INTEGER[kind](x, y)
    if isinstance(op, ast.Div):
        return number(x) / number(y)
    raise TypeError(f"no {kind.__name__} of floating-point values")


def unary(op: ast.unaryop, x: object) -> object:
    """`-` of a number, `+` and `~` of an integer."""
    if isinstance(x, Real) and isinstance(op, ast.USub):
        return -x
    if not isinstance(x, int) or isinstance(x, bool):
        raise TypeError(f"no {type(op).__name__} of {x!r}")
    return ~x if isinstance(op, ast.Invert) else -x if isinstance(op, ast.USub) else x


def compared(op: ast.cmpop, x: object, y: object) -> bool:
    """A comparison; a token is compared with tokens only, so that a flag cannot stand for one by mistake."""
    if (isinstance(x, str) and isinstance(y, bool)) or (isinstance(x, bool) and isinstance(y, str)):
        raise TypeError(f"{x!r} is compared with {y!r}: a token with a flag")
    return bool(COMPARISON[type(op)](x, y))


def element(whole: object, index: int) -> object:
    """An element of a sequence; element 0 of a single value is that value."""
    if index == 0 and isinstance(whole, int | Real):
        return whole
    elements = sequence(whole)
    if index >= len(elements):
        raise IndexError(f"there is no element {index}")
    return elements[index]
