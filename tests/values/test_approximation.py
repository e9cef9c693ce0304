"""The elementary functions against the machine's double precision, and at the arguments that the manual tabulates."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ptxgen.cpu.reference.approximation import approximation
from ptxgen.cpu.reference.formats import format_named
from ptxgen.cpu.reference.rounding import rounded
from ptxgen.cpu.reference.values import INFINITY, NAN, Real, real

DOUBLE: dict[str, tuple[Callable[[float], float], float, float]] = {
    "sin": (math.sin, -1e6, 1e6),
    "cos": (math.cos, -1e6, 1e6),
    "lg2": (math.log2, 1e-30, 1e30),
    "ex2": (math.exp2, -140, 120),
    "sin2pi": (lambda x: math.sin(2 * math.pi * math.fmod(x, 1)), -0.24, 0.24),
    "cos2pi": (lambda x: math.cos(2 * math.pi * math.fmod(x, 1)), -0.24, 0.24),
    "tanh": (math.tanh, -10, 10),
    "rcp": (lambda x: 1 / x, -1e30, 1e30),
    "sqrt": (math.sqrt, 0, 1e30),
    "rsqrt": (lambda x: 1 / math.sqrt(x), 1e-30, 1e30),
}


@pytest.mark.parametrize("function", DOUBLE)
def test_agrees_with_double_precision(function: str) -> None:
    machine, low, high = DOUBLE[function]
    generator = np.random.default_rng(16)
    scaled = np.concatenate([generator.uniform(low, high, 100), generator.uniform(max(low, -2), min(high, 2), 100)])
    for x in (float(np.float32(v)) for v in scaled):
        got, want = approximation(function, real(x)), machine(x)
        assert abs(got.rational - Fraction(want)) <= abs(Fraction(want)) * Fraction(1, 2**48), x


@pytest.mark.parametrize(
    ("function", "argument", "result"),
    # tables of 9.7.3.13, .15, .16 and .18 to .22
    [
        ("rcp", -math.inf, -0.0), ("rcp", -0.0, -math.inf), ("rcp", 0.0, math.inf), ("rcp", math.inf, 0.0),
        ("sqrt", -math.inf, math.nan), ("sqrt", -1.0, math.nan), ("sqrt", -0.0, -0.0), ("sqrt", 0.0, 0.0),
        ("sqrt", math.inf, math.inf),
        ("rsqrt", -math.inf, math.nan), ("rsqrt", -1.0, math.nan), ("rsqrt", -0.0, -math.inf),
        ("rsqrt", 0.0, math.inf), ("rsqrt", math.inf, 0.0),
        ("sin", -math.inf, math.nan), ("sin", -0.0, -0.0), ("sin", 0.0, 0.0), ("sin", math.inf, math.nan),
        ("cos", -math.inf, math.nan), ("cos", -0.0, 1.0), ("cos", 0.0, 1.0), ("cos", math.inf, math.nan),
        ("lg2", -math.inf, math.nan), ("lg2", -1.0, math.nan), ("lg2", -0.0, -math.inf), ("lg2", 0.0, -math.inf),
        ("lg2", math.inf, math.inf), ("lg2", 1.0, 0.0), ("lg2", 0.125, -3.0), ("lg2", 2.0**-149, -149.0),
        ("ex2", -math.inf, 0.0), ("ex2", -0.0, 1.0), ("ex2", 0.0, 1.0), ("ex2", math.inf, math.inf),
        ("ex2", -3.0, 0.125), ("ex2", -1e30, 0.0), ("ex2", 1e30, math.inf),
        ("tanh", -math.inf, -1.0), ("tanh", -0.0, -0.0), ("tanh", 0.0, 0.0), ("tanh", math.inf, 1.0),
        ("tanh", 1e30, 1.0),
        ("sin2pi", -0.0, -0.0), ("sin2pi", 0.25, 1.0), ("sin2pi", -0.75, 1.0), ("sin2pi", 3.0, 0.0),
        ("cos2pi", 0.25, 0.0), ("cos2pi", -0.5, -1.0), ("cos2pi", 1e30, 1.0), ("cos2pi", math.inf, math.nan),
    ],
)  # fmt: skip
def test_tabulated_arguments(function: str, argument: float, result: float) -> None:
    f32 = format_named("f32")
    minus = math.copysign(1, argument) < 0
    x = (INFINITY if math.isinf(argument) else real(argument)).with_sign(minus)
    got = rounded(approximation(function, x), f32, "rn")
    want = np.float32(result)
    assert got.is_nan if np.isnan(want) else f32.encode(got) == int(want.view(np.uint32))


@pytest.mark.parametrize("function", DOUBLE)
def test_a_nan_gives_a_nan(function: str) -> None:
    assert approximation(function, NAN).is_nan


@pytest.mark.parametrize("function", ["sin", "tanh"])
def test_small_arguments_stay(function: str) -> None:
    """Both functions are the identity to f32 precision below 2**-13, down to the least subnormal."""
    f32 = format_named("f32")
    for code in (1, 2, 0x0012_3456, 0x0080_0000, 0x2000_0001, 0x3800_0000):
        assert f32.encode(rounded(approximation(function, f32.decode(code)), f32, "rn")) == code


def test_sine_of_the_largest_argument() -> None:
    """Range reduction with all of pi that it takes, against a C library that does the same."""
    for function, machine in (("sin", math.sin), ("cos", math.cos)):
        got = approximation(function, Real.of(2**127)).rational
        assert abs(got - Fraction(machine(2.0**127))) < Fraction(1, 2**50)


def test_quotient() -> None:
    assert approximation("div", Real.of(1), Real.of(3)).rational == Fraction(1, 3)
    assert approximation("div", Real.of(1), Real.of(0)).is_infinite
