"""Python numbers as the bytes of a PTX scalar."""

from __future__ import annotations

import math
import struct
from numbers import Integral, Real
from typing import Any, cast

from ptxgen.launch.parameters import kind, width

_FLOAT = {16: "<e", 32: "<f", 64: "<d"}


class Unfit(Exception):
    """The value cannot stand for the parameter; the text says what was wanted, `hint` what to do."""

    def __init__(self, wanted: str, hint: str = "") -> None:
        super().__init__(wanted)
        self.hint = hint


def integer_range(ptx_type: str) -> range:
    """The Python ints that a type takes: of a bit type every signed and every unsigned reading."""
    bits = width(ptx_type)
    low = 0 if kind(ptx_type) == "u" else -(1 << bits - 1)
    return range(low, 1 << (bits - 1 if kind(ptx_type) == "s" else bits))


def scalar_bytes(ptx_type: str, value: object) -> bytes:
    """The little-endian bytes of `value` as a PTX scalar; raises Unfit.

    An integer type takes an int in its range, a float type a float or an int, rounded to nearest even. A bit type
    also takes a numpy scalar of its own size, bit for bit.
    """
    if kind(ptx_type) == "f":
        return _float_bytes(ptx_type, value)
    if isinstance(value, Integral):
        allowed = integer_range(ptx_type)
        number = int(value)
        if number not in allowed:
            raise Unfit(f"an int from {allowed.start} to {allowed.stop - 1}")
        return (number % (1 << width(ptx_type))).to_bytes(width(ptx_type) // 8, "little")
    if kind(ptx_type) == "b" and (same := _bits_of_numpy_scalar(value)) is not None:
        if len(same) != width(ptx_type) // 8:
            raise Unfit(f"{width(ptx_type) // 8} bytes")
        return same
    if kind(ptx_type) == "b" and isinstance(value, Real):
        raise Unfit("an int, or a numpy scalar of its size", "numpy.float32(x), numpy.float16(x) ... say which bits")
    raise Unfit("an int")


def _float_bytes(ptx_type: str, value: object) -> bytes:
    if not isinstance(value, Real):
        raise Unfit("a float or an int")
    try:
        number = float(value)
        return struct.pack(_FLOAT[width(ptx_type)], number)
    except OverflowError:
        largest = {16: 65504.0, 32: (2 - 2**-23) * 2.0**127, 64: math.nextafter(math.inf, 0)}[width(ptx_type)]
        raise Unfit(f"a number of magnitude {largest:g} or less, or an infinity") from None


def _bits_of_numpy_scalar(value: object) -> bytes | None:
    """The bytes of a numpy scalar (of any dtype, those of ml_dtypes too); None for anything else."""
    if getattr(value, "shape", None) != () or not hasattr(value, "dtype") or not hasattr(value, "tobytes"):
        return None
    return bytes(cast(Any, value).tobytes())
