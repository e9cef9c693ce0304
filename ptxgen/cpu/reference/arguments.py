"""Checks of the arguments of intrinsics: a text that mixes up the sorts is wrong even where Python would go on."""

from __future__ import annotations

from ptxgen.cpu.reference.formats import Format, Type
from ptxgen.cpu.reference.values import Real, real


def whole(x: object) -> int:
    if isinstance(x, int):
        return int(x)
    raise TypeError(f"{x!r} is not an integer")


def number(x: object) -> Real:
    if isinstance(x, Real):
        return x
    if isinstance(x, int) and not isinstance(x, bool):
        return real(x)
    raise TypeError(f"{x!r} is not a number")


def floating(x: object) -> Real:
    if isinstance(x, Real):
        return x
    raise TypeError(f"{x!r} is not a floating-point value")


def type_(t: object) -> Type:
    if isinstance(t, Type):
        return t
    raise TypeError(f"{t!r} is not a type")


def format_(t: object) -> Format:
    if (fmt := type_(t).format) is None:
        raise TypeError(f"{type_(t).name} is not a floating-point type")
    return fmt


def own_format(x: object) -> Format:
    if (fmt := floating(x).format) is None:
        raise TypeError(f"{x!r} is the exact result of an operation and has no format; round it first")
    return fmt


def width_of(n: object) -> int:
    return n.width if isinstance(n, Type) else whole(n)


def rounding_mode(mode: object) -> str:
    if not isinstance(mode, str):
        raise TypeError(f'{mode!r} is no rounding mode; use a slot, or "rn"')
    return mode
