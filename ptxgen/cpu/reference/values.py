"""Exact extended reals: what a floating-point operand means, and what the sums and products of operands are.

A `Real` is a rational, an infinity or a NaN, and has a sign. Arithmetic is exact; only `rounding` loses anything. The
sign of an exact zero sum, such as 1 - 1 or +0 + -0, depends on the rounding direction that comes later, so it stays
undetermined until then.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import evolve, frozen

if TYPE_CHECKING:
    from ptxgen.cpu.reference.formats import Format

ZERO = Fraction(0)


class Kind(Enum):
    """What sort of value a `Real` is."""

    FINITE = "finite"
    INFINITE = "infinite"
    NAN = "nan"


@frozen(eq=False, repr=False)
class Real:
    """An exact extended real.

    `magnitude` is the absolute value of a finite one. `sign` is 1 or -1, or 0 for a zero whose sign the rounding
    decides. `format` is the format that the value was read from or rounded to, None for the exact result of an
    operation. `payload` holds the bits of a NaN that was read, so that moving it does not change it.
    """

    magnitude: Fraction
    sign: int = 1
    kind: Kind = Kind.FINITE
    format: Format | None = None
    payload: int | None = None

    @classmethod
    def of(cls, x: int | Fraction) -> Real:
        """The real of a rational; zero is +0."""
        return cls(abs(Fraction(x)), -1 if x < 0 else 1)

    @property
    def is_nan(self) -> bool:
        return self.kind is Kind.NAN

    @property
    def is_infinite(self) -> bool:
        return self.kind is Kind.INFINITE

    @property
    def is_finite(self) -> bool:
        return self.kind is Kind.FINITE

    @property
    def is_zero(self) -> bool:
        return self.is_finite and not self.magnitude

    @property
    def negative(self) -> bool:
        """Whether the sign is minus; an undetermined zero counts as +0."""
        return self.sign < 0

    @property
    def rational(self) -> Fraction:
        """The value of a finite real."""
        return -self.magnitude if self.negative else self.magnitude

    def __neg__(self) -> Real:
        return evolve(self, sign=-self.sign, payload=self._payload_with_sign(-self.sign))

    def __abs__(self) -> Real:
        return evolve(self, sign=1, payload=self._payload_with_sign(1))

    def with_sign(self, negative: bool) -> Real:
        """The same magnitude with the given sign."""
        sign = -1 if negative else 1
        return evolve(self, sign=sign, payload=self._payload_with_sign(sign))

    def _payload_with_sign(self, sign: int) -> int | None:
        if self.payload is None or self.format is None or not self.format.signed:
            return self.payload
        top = self.format.sign_bit
        return self.payload | top if sign < 0 else self.payload & ~top

    def __add__(self, other: Real | int) -> Real:
        x, y = self, real(other)
        if x.is_nan or y.is_nan:
            return NAN
        if x.is_infinite or y.is_infinite:
            if x.is_infinite and y.is_infinite and x.sign != y.sign:
                return NAN
            return INFINITY.with_sign((x if x.is_infinite else y).negative)
        total = x.rational + y.rational
        if total:
            return Real.of(total)
        return Real(ZERO, x.sign if x.is_zero and y.is_zero and x.sign == y.sign else 0)

    def __sub__(self, other: Real | int) -> Real:
        return self + -real(other)

    def __mul__(self, other: Real | int) -> Real:
        x, y = self, real(other)
        if x.is_nan or y.is_nan:
            return NAN
        sign = x.sign * y.sign
        if x.is_infinite or y.is_infinite:
            return NAN if x.is_zero or y.is_zero else INFINITY.with_sign(sign < 0)
        return Real(x.magnitude * y.magnitude, sign)

    def __truediv__(self, other: Real | int) -> Real:
        x, y = self, real(other)
        if x.is_nan or y.is_nan or (x.is_infinite and y.is_infinite) or (x.is_zero and y.is_zero):
            return NAN
        sign = x.sign * y.sign
        if x.is_infinite or y.is_zero:
            return INFINITY.with_sign(sign < 0)
        return Real(ZERO if y.is_infinite else x.magnitude / y.magnitude, sign)

    def __radd__(self, other: int) -> Real:
        return real(other) + self

    def __rsub__(self, other: int) -> Real:
        return real(other) - self

    def __rmul__(self, other: int) -> Real:
        return real(other) * self

    def __rtruediv__(self, other: int) -> Real:
        return real(other) / self

    def order(self, other: Real | int) -> int | None:
        """-1, 0 or 1 as `self` is below, equal to or above `other`; None if one is a NaN. -0 equals +0."""
        x, y = self, real(other)
        if x.is_nan or y.is_nan:
            return None
        left, right = (v.sign if v.is_infinite else 0 for v in (x, y))
        if left or right:
            return (left > right) - (left < right)
        return (x.rational > y.rational) - (x.rational < y.rational)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real | int) and self.order(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Real | int) -> bool:
        return self.order(other) == -1

    def __le__(self, other: Real | int) -> bool:
        return self.order(other) in (-1, 0)

    def __gt__(self, other: Real | int) -> bool:
        return self.order(other) == 1

    def __ge__(self, other: Real | int) -> bool:
        return self.order(other) in (0, 1)

    def __bool__(self) -> bool:
        raise TypeError("a floating-point value has no truth value; compare it")

    def __repr__(self) -> str:
        sign = "-" if self.negative else ""
        return sign + (str(self.magnitude) if self.is_finite else {Kind.INFINITE: "inf", Kind.NAN: "nan"}[self.kind])


INFINITY = Real(ZERO, kind=Kind.INFINITE)
NAN = Real(ZERO, kind=Kind.NAN)


def real(x: Real | int | float | Fraction) -> Real:
    """`x` as an exact real. A Python float stands for the rational that it is."""
    if isinstance(x, Real):
        return x
    if isinstance(x, bool):
        raise TypeError("a predicate is not a number; use 1 if p else 0")
    return Real.of(Fraction(x))


def minimum(x: Real, y: Real) -> Real:
    """The smaller; a number beats a NaN, and -0 is below +0."""
    if x.is_nan or y.is_nan:
        return _number_of(x, y)
    if x.order(y) == 0:
        return x if x.negative else y
    return x if x < y else y


def maximum(x: Real, y: Real) -> Real:
    """The larger; a number beats a NaN, and +0 is above -0."""
    if x.is_nan or y.is_nan:
        return _number_of(x, y)
    if x.order(y) == 0:
        return y if x.negative else x
    return x if x > y else y


def _number_of(x: Real, y: Real) -> Real:
    if x.is_nan and y.is_nan:
        return evolve(NAN, format=x.format or y.format)
    return y if x.is_nan else x
