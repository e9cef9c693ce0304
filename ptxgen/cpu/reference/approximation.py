"""The elementary functions behind the `.approx` instructions.

Hardware delivers some approximation within an error bound of the manual. Here each function is computed to more than
400 bits, in fixed point on Python integers. The functions that are not algebraic exist for formats of up to 24 bits,
so rounding that gives the correctly rounded value. Results are thus the best that the manual allows, and not bit for
bit those of a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ptxgen.cpu.reference.formats import floor_log2, power_of_two
from ptxgen.cpu.reference.rounding import root
from ptxgen.cpu.reference.values import INFINITY, NAN, ZERO, Real

#: Fraction bits of the fixed-point numbers; the smallest f32 argument, 2**-149, still has 450 bits.
P = 600
ONE = 1 << P


def approximation(function: str, x: Real, y: Real | None = None) -> Real:
    """The function's value at `x` (for "div": of x / y), unrounded."""
    if function == "div":
        if y is None:
            raise ValueError("div has two arguments")
        return x / y
    if function not in FUNCTIONS:
        raise ValueError(f"no function is called {function!r}; there are {', '.join(FUNCTIONS)}, div")
    if y is not None:
        raise ValueError(f"{function} has one argument")
    return NAN if x.is_nan else FUNCTIONS[function](x)


def _sine(x: Real) -> Real:
    if x.is_infinite:
        return NAN
    return x if x.is_zero else _fixed(_sine_cosine(x.rational)[0])


def _cosine(x: Real) -> Real:
    return NAN if x.is_infinite else _fixed(_sine_cosine(x.rational)[1])


def _in_turns(function: Callable[[Real], Real]) -> Callable[[Real], Real]:
    """The function of an angle that is given in full turns."""

    def of_turns(x: Real) -> Real:
        if x.is_infinite or x.is_zero:
            return function(x)
        turns = x.magnitude % 1
        if turns.denominator in (1, 2, 4):  # on an axis, where the result is exact
            quadrant = int(turns * 4)
            sine, cosine = ((0, 1), (1, 0), (0, -1), (-1, 0))[quadrant]
            if function is _cosine:
                return Real.of(cosine)
            return Real(Fraction(abs(sine)), x.sign if sine >= 0 else -x.sign)
        return function(Real(2 * _pi(P + 16) * turns, x.sign))

    return of_turns


def _logarithm(x: Real) -> Real:
    if x.is_zero:
        return -INFINITY
    if x.negative:
        return NAN
    if x.is_infinite:
        return INFINITY
    exponent = floor_log2(x.magnitude)
    m = x.magnitude / power_of_two(exponent)
    if m > Fraction(4, 3):
        exponent, m = exponent + 1, m / 2
    if m == 1:
        return Real.of(exponent)
    return Real.of(exponent + Fraction(2 * _atanh((m - 1) / (m + 1)), ONE) / _log_two())


def _exponential(x: Real) -> Real:
    if x.is_infinite:
        return Real.of(0) if x.negative else INFINITY
    if x.magnitude >= 1 << 20:  # far outside every format; the sign of the exponent says all
        return Real.of(power_of_two(-(1 << 20) if x.negative else 1 << 20))
    whole, part = divmod(x.rational, 1)
    return Real.of(power_of_two(whole) * Fraction(_exp(part * _log_two()), ONE))


def _tangent(x: Real) -> Real:
    """The hyperbolic tangent."""
    if x.is_zero:
        return x
    if x.is_infinite or x.magnitude > 128:
        return Real(Fraction(ONE - 1, ONE) if x.is_finite else Fraction(1), x.sign)
    if x.magnitude < power_of_two(-40):
        return Real(x.magnitude - x.magnitude**3 / 3, x.sign)  # the next term is below 2**-160 of it
    e = _power_of_e(2 * x.magnitude)
    return Real((e - 1) / (e + 1), x.sign)


def _reciprocal(x: Real) -> Real:
    return 1 / x


def _root(x: Real) -> Real:
    if x.negative and not x.is_zero:
        return NAN
    return x if x.is_infinite or x.is_zero else Real(root(x.magnitude, P))


def _reciprocal_root(x: Real) -> Real:
    return 1 / _root(x)


FUNCTIONS: dict[str, Callable[[Real], Real]] = {
    "sin": _sine,
    "cos": _cosine,
    "sin2pi": _in_turns(_sine),
    "cos2pi": _in_turns(_cosine),
    "lg2": _logarithm,
    "ex2": _exponential,
    "tanh": _tangent,
    "rcp": _reciprocal,
    "sqrt": _root,
    "rsqrt": _reciprocal_root,
}


def _fixed(n: int) -> Real:
    return Real(Fraction(abs(n), ONE) if n else ZERO, -1 if n < 0 else 1)


def _exp(x: Fraction) -> int:
    """e**x in fixed point, for 0 <= x <= 1."""
    argument = int(x * ONE)
    total = term = ONE
    k = 1
    while term:
        term = term * argument // (k << P)
        total += term
        k += 1
    return total


def _power_of_e(x: Fraction) -> Fraction:
    whole, part = divmod(x, _log_two())
    return power_of_two(int(whole)) * Fraction(_exp(part), ONE)


def _atanh(x: Fraction) -> int:
    """The inverse hyperbolic tangent in fixed point, for |x| <= 1/3."""
    argument = int(x * ONE)
    square = argument * argument >> P
    total, power, k = 0, argument, 1
    while power not in (0, -1):
        total += power // k
        power = power * square >> P
        k += 2
    return total


@cache
def _log_two() -> Fraction:
    """The natural logarithm of 2, twice the inverse hyperbolic tangent of 1/3."""
    return Fraction(2 * _atanh(Fraction(1, 3)), ONE)


@cache
def _pi(bits: int) -> Fraction:
    """Pi with an error below 2**-bits, by Machin's formula."""
    one = 1 << bits + 16

    def arctangent(n: int) -> int:
        total, power, k = 0, one // n, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= n * n
            k += 2
        return total

    return Fraction(4 * (4 * arctangent(5) - arctangent(239)), one)


def _sine_cosine(x: Fraction) -> tuple[int, int]:
    """Sine and cosine in fixed point. Pi is taken as long as the argument asks for."""
    pi = _pi(P + 16 + max(0, floor_log2(abs(x)) if x else 0))
    quadrant = round(x / (pi / 2))
    r = int((x - quadrant * pi / 2) * ONE)
    sine, cosine = _taylor(r, r, 1), _taylor(r, ONE, 0)
    return [(sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine)][quadrant % 4]


def _taylor(r: int, first: int, k: int) -> int:
    """The alternating series that begins with `first` = r**k / k!."""
    square = r * r >> P
    total, term = 0, first
    while term not in (0, -1):
        total += term
        term = -(term * square) // ((k + 1) * (k + 2) << P)
        k += 2
    return total
