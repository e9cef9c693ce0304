"""The intrinsics of floating-point values."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from ptxgen.cpu.reference import rounding, values
from ptxgen.cpu.reference.approximation import approximation
from ptxgen.cpu.reference.arguments import floating, format_, number, own_format, rounding_mode, whole
from ptxgen.cpu.reference.formats import format_named, infinity_of, nan_of
from ptxgen.cpu.reference.values import ZERO, Real


def round_to(x: object, t: object, mode: object) -> Real:
    return rounding.rounded(number(x), format_(t), rounding_mode(mode))


def round_stochastic(x: object, t: object, random: object) -> Real:
    """With as many random bits as the significand of an .f32 has more than that of the type."""
    fmt = format_(t)
    count = format_named("f32").mantissa_bits - fmt.mantissa_bits
    return rounding.rounded_stochastically(number(x), fmt, whole(random), count)


def flush(x: object) -> Real:
    """Subnormals become zero of the same sign."""
    fmt, value = own_format(x), floating(x)
    return evolve(value, magnitude=ZERO) if fmt.is_subnormal(value) else value


def saturate(x: object) -> Real:
    """To [+0, 1]; a NaN becomes +0."""
    value = floating(x)
    if value.is_nan or value.negative or value.is_zero:
        return Real(ZERO, format=value.format)
    return Real(Fraction(1), format=value.format) if value > 1 else value


def relu(x: object) -> Real:
    """Negative numbers and -0 become +0; a NaN becomes the canonical one."""
    value = floating(x)
    if value.is_nan:
        return evolve(value, sign=1, payload=None)
    return Real(ZERO, format=value.format) if value.negative or value.is_zero else value


def is_nan(x: object) -> bool:
    return floating(x).is_nan


def is_infinite(x: object) -> bool:
    return floating(x).is_infinite


def is_finite(x: object) -> bool:
    return floating(x).is_finite


def is_zero(x: object) -> bool:
    return floating(x).is_zero


def is_subnormal(x: object) -> bool:
    return own_format(x).is_subnormal(floating(x))


def is_normal(x: object) -> bool:
    value = floating(x)
    return value.is_finite and not value.is_zero and not is_subnormal(x)


def negative(x: object) -> bool:
    return x.negative if isinstance(x, Real) else whole(x) < 0


def negate(x: object) -> Real:
    return -floating(x)


def absolute(x: object) -> Real:
    return abs(floating(x))


def minimum(x: object, y: object) -> Real:
    return values.minimum(number(x), number(y))


def maximum(x: object, y: object) -> Real:
    return values.maximum(number(x), number(y))


def nan(t: object) -> Real:
    return nan_of(format_(t))


def infinity(t: object) -> Real:
    return infinity_of(format_(t))


def copysign(magnitude: object, sign: object) -> Real:
    return number(magnitude).with_sign(negative(sign))


def divide(x: object, y: object, t: object, mode: object) -> Real:
    return rounding.rounded(number(x) / number(y), format_(t), rounding_mode(mode))


def sqrt(x: object, t: object, mode: object) -> Real:
    return rounding.rounded(rounding.square_root(number(x), format_(t)), format_(t), rounding_mode(mode))


def integral(x: object, mode: object) -> Real:
    """Modes with or without the `i` of PTX: "rni" is "rn"."""
    return rounding.integral(floating(x), rounding_mode(mode).removesuffix("i"))


def approximate(function: object, t: object, x: object, y: object = None) -> Real:
    if not isinstance(function, str):
        raise TypeError("the function is a string")
    return rounding.rounded(approximation(function, number(x), None if y is None else number(y)), format_(t), "rn")
