"""Rounding: from an exact real to a value of a format, once and by the definition."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from attrs import evolve

from ptxgen.cpu.reference.formats import Format, floor_log2, infinity_of, nan_of, power_of_two, scalar
from ptxgen.cpu.reference.values import NAN, ZERO, Real

MODES = ("rn", "rz", "rm", "rp", "rna")


def rounded(x: Real, fmt: Format, mode: str) -> Real:
    """The value of `fmt` that `x` rounds to.

    Magnitudes beyond the largest finite number become what the format offers: infinity, or else the NaN of that sign,
    or else the largest number. Where the format has no sign the magnitude is rounded; where it has no NaN, a NaN
    becomes its largest number.
    """
    _check(mode)
    if x.is_nan:
        return _nan(fmt)
    if not fmt.signed:
        x = abs(x)
    if x.is_infinite:
        return _beyond(fmt, x.negative)
    negative = x.negative or (x.sign == 0 and mode == "rm")
    if not x.magnitude:
        return _finite(fmt, ZERO, negative)
    quantum = fmt.quantum(x.magnitude)
    steps = _integer(x.magnitude / quantum, negative, mode)
    result = steps * quantum
    if result > _limit(fmt, negative):
        if mode in ("rn", "rna") or mode == ("rm" if negative else "rp"):
            return _beyond(fmt, negative)
        result = _limit(fmt, negative)
    return _finite(fmt, result, negative)


def rounded_stochastically(x: Real, fmt: Format, random: int, count: int) -> Real:
    """`x` rounded away from zero if its discarded fraction of a step, plus `random` / 2**`count`, reaches a whole step.

    This is the carry of adding `count` random bits to the topmost `count` of the discarded bits.
    """
    if x.is_nan or x.is_infinite or not x.magnitude:
        return rounded(x, fmt, "rz")
    if not fmt.signed:
        x = abs(x)
    quantum = fmt.quantum(x.magnitude)
    steps, discarded = divmod(x.magnitude / quantum, 1)
    steps += int(discarded + Fraction(random & (1 << count) - 1, 1 << count) >= 1)
    if steps * quantum > _limit(fmt, x.negative):
        return _beyond(fmt, x.negative)
    return _finite(fmt, steps * quantum, x.negative)


def integral(x: Real, mode: str) -> Real:
    """The integer that `x` rounds to, as a real; a zero keeps the sign, infinities and NaNs stay."""
    _check(mode)
    if not x.is_finite:
        return x
    return evolve(x, magnitude=Fraction(_integer(x.magnitude, x.negative, mode)))


def square_root(x: Real, fmt: Format) -> Real:
    """The square root of `x`, such that it rounds to `fmt` as the exact one does, whatever the mode.

    An irrational root is replaced by a rational strictly between the same two neighbours of twice the precision.
    """
    if x.is_nan or (x.negative and not x.is_zero):
        return NAN
    if x.is_infinite or x.is_zero:
        return evolve(x, format=None, payload=None)
    return Real(root(x.magnitude, fmt.mantissa_bits + 4))


def root(x: Fraction, precision: int) -> Fraction:
    """The square root of `x` > 0: exact, or off by less than 2**-`precision` of it and no shorter binary fraction."""
    shift = max(0, precision - floor_log2(x) // 2)
    scaled, remainder = divmod(x.numerator << 2 * shift, x.denominator)
    floor = isqrt(scaled)
    inexact = bool(remainder) or floor * floor != scaled
    return (2 * floor + inexact) * power_of_two(-shift - 1)


def limited(x: Real, fmt: Format) -> Real:
    """`x`, or the finite number of `fmt` that is nearest if `x` lies beyond; a NaN stays."""
    if x.is_nan:
        return x
    limit = _limit(fmt, x.negative)
    return Real(limit, x.sign, format=fmt) if x.is_infinite or x.magnitude > limit else x


def _integer(x: Fraction, negative: bool, mode: str) -> int:
    """The magnitude `x` as an integer, rounded for a number of the given sign."""
    floor, rest = divmod(x, 1)
    if mode in ("rn", "rna"):
        half = Fraction(1, 2)
        up = rest > half or (rest == half and (mode == "rna" or floor % 2 == 1))
    else:
        up = rest > 0 and mode == ("rm" if negative else "rp")
    return floor + up


def _limit(fmt: Format, negative: bool) -> Fraction:
    return -fmt.lowest if negative and fmt.signed else fmt.largest


def _beyond(fmt: Format, negative: bool) -> Real:
    if fmt.specials == "ieee":
        return infinity_of(fmt, negative)
    if fmt.specials == "top":
        return nan_of(fmt, negative)
    return _finite(fmt, _limit(fmt, negative), negative)


def _nan(fmt: Format) -> Real:
    return _finite(fmt, fmt.largest, negative=False) if fmt.canonical_nan is None else nan_of(fmt)


def _finite(fmt: Format, magnitude: Fraction, negative: bool) -> Real:
    if not magnitude and not fmt.subnormals:
        magnitude = fmt.smallest_normal
    if not magnitude and fmt.twos_complement:
        negative = False
    return scalar(fmt, Real(magnitude, -1 if negative else 1))


def _check(mode: str) -> None:
    if mode not in MODES:
        raise ValueError(f"{mode!r} is no rounding mode; there are {', '.join(MODES)}")
