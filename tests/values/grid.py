"""Rounding by search: the finite numbers of a format, asked from the machine one by one, and the rules of IEEE 754.

Nothing here shares a line with the interpreter: codes become numbers through the `struct` module, and the neighbours of
an exact result are found by bisection.
"""

from __future__ import annotations

import bisect
import math
import struct
from collections.abc import Callable
from fractions import Fraction
from random import Random

from attrs import frozen

Number = Fraction | float  # exact, or one of inf, -inf, nan, -0.0


@frozen
class Grid:
    """A format of IEEE 754's shape; `load` gives the machine's number for a code."""

    name: str
    bits: int
    mantissa: int
    nan: int | None  # the canonical NaN; None where any will do

    @property
    def sign(self) -> int:
        return 1 << self.bits - 1

    @property
    def infinity(self) -> int:
        return self.sign - (1 << self.mantissa)

    @property
    def least_normal(self) -> int:
        return 1 << self.mantissa

    def load(self, code: int) -> float:
        if self.name == "bf16":
            code, format_ = code << 16, "f"
        else:
            format_ = {16: "e", 32: "f", 64: "d"}[self.bits]
        return struct.unpack(f"<{format_}", struct.pack("<" + {"e": "H", "f": "I", "d": "Q"}[format_], code))[0]

    def number(self, code: int) -> Number:
        """The number of a code: exact, but for what no fraction is."""
        x = self.load(code)
        return Fraction(x) if math.isfinite(x) and (x or not code) else x

    def is_nan(self, code: int) -> bool:
        return code & ~self.sign > self.infinity

    def flush(self, code: int) -> int:
        """The zero of its sign for a subnormal."""
        return code & self.sign if code & ~self.sign < self.least_normal else code

    def round(self, x: Number, mode: str) -> int:
        """The code of the neighbour that the mode wants."""
        if isinstance(x, float):
            if math.isnan(x):
                return self.infinity + 1 if self.nan is None else self.nan
            return (self.sign if math.copysign(1, x) < 0 else 0) | (self.infinity if x else 0)
        below = self.sign if x < 0 else 0
        up, down = (mode == ("rm" if below else "rp")), (mode in ("rz", "rp" if below else "rm"))
        return below | self._magnitude(abs(x), up, down)

    def _magnitude(self, x: Fraction, up: bool, down: bool) -> int:
        """Codes are as ordered as the numbers; infinity stands where the next number would be."""
        low = bisect.bisect_right(range(self.infinity), x, key=lambda code: Fraction(self.load(code))) - 1
        step = Fraction(self.load(low)) - Fraction(self.load(low - 1)) if low == self.infinity - 1 else None
        bottom = Fraction(self.load(low))
        top = Fraction(self.load(low + 1)) if step is None else bottom + step
        if x == bottom or down:
            return low
        if up or x - bottom > top - x:
            return low + 1
        if x - bottom < top - x:
            return low
        return low + low % 2

    def sample(self, random: Random) -> int:
        """A code: a special one, of moderate size, or any."""
        if random.random() < 0.15:
            special = [0, 1, self.least_normal - 1, self.least_normal, self.infinity - 1, self.infinity]
            return random.choice([*special, self.infinity + 1]) | random.choice([0, self.sign])
        if random.random() < 0.5:  # near one, some with few digits, so that there are ties
            one = self.infinity >> 1 & ~(self.least_normal - 1)
            code = one + random.randrange(-4 * self.least_normal, 4 * self.least_normal)
            if random.random() < 0.4:
                code &= ~((1 << random.randrange(self.mantissa)) - 1)
            return code | random.choice([0, self.sign])
        return random.getrandbits(self.bits)


F16 = Grid("f16", 16, 10, 0x7FFF)
BF16 = Grid("bf16", 16, 7, 0x7FFF)
F32 = Grid("f32", 32, 23, 0x7FFFFFFF)
F64 = Grid("f64", 64, 52, None)


def _shadow(x: Number) -> float:
    """A float with the same sign that is as zero, infinite or NaN as the number."""
    return x if isinstance(x, float) else math.copysign(1, x) if x else 0.0


def is_zero(x: Number) -> bool:
    return x == 0


def negative(x: Number) -> bool:
    return math.copysign(1, _shadow(x)) < 0


def _signed_zero(minus: bool) -> Number:
    return -0.0 if minus else Fraction(0)


def _exact(x: Number) -> Fraction:
    return Fraction(x)  # of -0.0, too


def _special(*xs: Number) -> bool:
    return any(isinstance(x, float) and not math.isfinite(x) for x in xs)


def add(x: Number, y: Number, mode: str) -> Number:
    """The exact sum; a zero has the sign that the rounding gives it."""
    if _special(x, y):
        return _shadow(x) + _shadow(y)
    total = _exact(x) + _exact(y)
    if total:
        return total
    alike = is_zero(x) and is_zero(y) and negative(x) == negative(y)
    return _signed_zero(negative(x) if alike else mode == "rm")


def subtract(x: Number, y: Number, mode: str) -> Number:
    return add(x, -0.0 if is_zero(y) and not negative(y) else Fraction(0) if is_zero(y) else -y, mode)


def multiply(x: Number, y: Number, mode: str) -> Number:
    if _special(x, y):
        return _shadow(x) * _shadow(y)
    product = _exact(x) * _exact(y)
    return product or _signed_zero(negative(x) != negative(y))


def fma(x: Number, y: Number, z: Number, mode: str) -> Number:
    if _special(x, y, z):
        return _shadow(x) * _shadow(y) + _shadow(z)
    return add(multiply(x, y, mode), z, mode)


def divide(x: Number, y: Number, mode: str) -> Number:
    minus = negative(x) != negative(y)
    if any(isinstance(v, float) and math.isnan(v) for v in (x, y)):
        return math.nan
    if is_zero(y) or (isinstance(x, float) and math.isinf(x)):
        both = is_zero(x) if is_zero(y) else isinstance(y, float) and math.isinf(y)
        return math.nan if both else -math.inf if minus else math.inf
    if isinstance(y, float):
        return _signed_zero(minus)
    return _exact(x) / y or _signed_zero(minus)


def reciprocal(x: Number, mode: str) -> Number:
    return divide(Fraction(1), x, mode)


Operation = Callable[..., Number]
