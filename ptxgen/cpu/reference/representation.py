"""The intrinsics of types, and of the bits of values."""

from __future__ import annotations

from ptxgen.cpu.reference.arguments import own_format, type_, whole
from ptxgen.cpu.reference.formats import Value
from ptxgen.cpu.reference.lanes import Lanes, read, write
from ptxgen.cpu.reference.values import Real


def lanes(t: object) -> range:
    return range(type_(t).lanes)


def width(t: object) -> int:
    return type_(t).width


def size(t: object) -> int:
    return type_(t).bits // 8


def is_float(t: object) -> bool:
    return type_(t).format is not None


def bits_of(x: object, t: object = None) -> int:
    if t is not None:
        return write(type_(t), x)
    if isinstance(x, Lanes):
        return x.bits
    if isinstance(x, Real):
        return own_format(x).encode(x)
    return whole(x)


def from_bits(n: object, t: object) -> Value | Lanes:
    return read(type_(t), whole(n))
