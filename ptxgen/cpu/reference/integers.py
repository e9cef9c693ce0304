"""The intrinsics of integers: bits, ranges, division, comparison, bytes and halves."""

from __future__ import annotations

import re
from collections.abc import Callable

from ptxgen.cpu.reference.arguments import number, type_, whole, width_of
from ptxgen.cpu.reference.rounding import limited
from ptxgen.cpu.reference.values import Real


def wrap(x: object, t: object) -> int:
    return type_(t).wrap(whole(x))


def clamp(x: object, t: object) -> int | Real:
    """To the range of an integer type, or to the finite numbers of a floating-point one."""
    to = type_(t)
    if to.format is not None:
        return limited(number(x), to.format)
    low, high = to.range
    if isinstance(x, Real):
        if x.is_nan or (x.is_finite and x.magnitude.denominator != 1):
            raise ValueError(f"{x} is no integer; use integral, and decide what a NaN becomes")
        return (low if x.negative else high) if x.is_infinite else max(low, min(high, int(x.rational)))
    return max(low, min(high, whole(x)))


def signed(x: object, n: object) -> int:
    width = width_of(n)
    low = unsigned(x, width)
    return low - (1 << width) if width and low >> width - 1 else low


def unsigned(x: object, n: object) -> int:
    return whole(x) & (1 << width_of(n)) - 1


def bit(x: object, i: object) -> int:
    """Bit `i` of an integer; of a selector such as h10, whether it names part `i`."""
    if isinstance(x, str):
        return int(whole(i) in places(x)[1])
    return whole(x) >> whole(i) & 1


def field(x: object, low: object, n: object) -> int:
    return whole(x) >> whole(low) & (1 << whole(n)) - 1


def with_bit(x: object, i: object, v: object) -> int:
    bit = 1 << whole(i)
    return whole(x) | bit if v else whole(x) & ~bit


def byte(x: object, i: object) -> int:
    return field(x, 8 * whole(i), 8)


def popcount(x: object) -> int:
    if whole(x) < 0:
        raise ValueError("a negative number has no count of bits; use unsigned(x, n)")
    return whole(x).bit_count()


def absolute(x: object) -> int:
    return abs(whole(x))


def least(*xs: object) -> int:
    return min(map(whole, xs))


def greatest(*xs: object) -> int:
    return max(map(whole, xs))


def quotient(a: object, b: object) -> int:
    x, y = whole(a), whole(b)
    if y == 0:
        raise ValueError("division by zero; the text must say what it gives")
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def remainder(a: object, b: object) -> int:
    return whole(a) - whole(b) * quotient(a, b)


_ORDERED: dict[str, Callable[[int], bool]] = {
    "eq": lambda order: order == 0,
    "ne": lambda order: order != 0,
    "lt": lambda order: order < 0,
    "le": lambda order: order <= 0,
    "gt": lambda order: order > 0,
    "ge": lambda order: order >= 0,
}
_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def compare(comparison: object, x: object, y: object) -> bool:
    """Any comparison of PTX; the unordered ones also hold when an operand is a NaN, the ordered ones never."""
    if not isinstance(comparison, str):
        raise TypeError(f"{comparison!r} is no comparison")
    if isinstance(x, Real) or isinstance(y, Real):
        order = number(x).order(number(y))
        if comparison in ("num", "nan"):
            return (order is None) == (comparison == "nan")
        if comparison.endswith("u") and comparison[:-1] in _ORDERED:
            return order is None or _ORDERED[comparison[:-1]](order)
        if comparison in _ORDERED:
            return order is not None and _ORDERED[comparison](order)
    else:
        low, high = whole(x), whole(y)
        known = _UNSIGNED.get(comparison, comparison)
        if known in _ORDERED:
            return _ORDERED[known]((low > high) - (low < high))
    raise ValueError(f"{comparison!r} does not compare {x!r} and {y!r}")


# Parts of a register, as the video instructions select them: b0, h1, b3210, h10


def select(x: object, selector: object, t: object) -> tuple[int, ...]:
    """The selected bytes or halves of `x`, the rightmost digit's first, extended as the type says."""
    size, wanted = places(selector)
    parts = [field(x, size * place, size) for place in wanted]
    return tuple(signed(part, size) if type_(t).signed else part for part in parts)


def insert(x: object, selector: object, value: object) -> int:
    """`x` with the selected bytes or halves replaced by the low bits of `value`."""
    size, wanted = places(selector)
    mask = (1 << size) - 1
    result = whole(x)
    for i, place in enumerate(wanted):
        result = result & ~(mask << size * place) | field(value, size * i, size) << size * place
    return result


def places(selector: object) -> tuple[int, list[int]]:
    """Bits of a part, and the numbers of the parts from the right."""
    if isinstance(selector, str) and (m := re.fullmatch(r"([bh])(\d+)", selector)):
        return (8 if m[1] == "b" else 16), [int(digit) for digit in reversed(m[2])]
    raise TypeError(f"{selector!r} selects no bytes or halves")
