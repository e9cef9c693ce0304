"""Rounding against searches among all neighbours, and against numpy for the nearest."""

import bisect
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from ptxgen.cpu.reference.formats import Format, format_named
from ptxgen.cpu.reference.rounding import MODES, integral, rounded, rounded_stochastically, square_root
from ptxgen.cpu.reference.values import INFINITY, NAN, Real, real

SEARCHED = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "f16"]


def neighbours(fmt: Format) -> list[tuple[Fraction, int]]:
    """All non-negative finite numbers with their codes, in order; one more step above stands for what lies beyond."""
    codes = range(1 << fmt.width - 1)
    found = [(x.rational, c) for c in codes if (x := fmt.decode(c)).is_finite]
    return [*found, (2 * found[-1][0] - found[-2][0], found[-1][1] + 1)]


def searched(grid: list[tuple[Fraction, int]], x: Fraction, mode: str) -> Fraction:
    """The magnitude on the grid that `x` >= 0 rounds to, for a positive number, found by looking."""
    if x >= grid[-1][0]:
        return grid[-2 if mode in ("rz", "rm") else -1][0]
    i = bisect.bisect_right(grid, x, key=lambda entry: entry[0]) - 1
    (low, low_code), (high, _) = grid[i], grid[i + 1]
    if x == low or mode in ("rz", "rm"):
        return low
    if mode == "rp" or x - low > high - x:
        return high
    if x - low < high - x:
        return low
    return high if mode == "rna" or low_code % 2 else low


def samples(grid: list[tuple[Fraction, int]], count: int) -> list[Fraction]:
    random = Random(2)
    found: list[Fraction] = []
    for _ in range(count):
        i = random.randrange(len(grid) - 1)
        low, high = grid[i][0], grid[i + 1][0]
        found += [low, (low + high) / 2, low + (high - low) * Fraction(random.randrange(1, 1000), 1000)]
        found += [(low + high) / 2 + Fraction(1, 10**30), (low + high) / 2 - Fraction(1, 10**30)]
    return [*found, grid[-1][0], grid[-1][0] * 3]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SEARCHED)
def test_rounding_finds_the_right_neighbour(name: str, mode: str) -> None:
    fmt = format_named(name)
    grid = neighbours(fmt)
    for x in samples(grid, 100):
        for sign in (1, -1):
            mirrored = {"rm": "rp", "rp": "rm"}.get(mode, mode) if sign < 0 else mode
            want = searched(grid, x, mirrored)
            got = rounded(Real(x, sign), fmt, mode)
            if want == grid[-1][0]:  # beyond
                expected = {"ieee": got.is_infinite, "top": got.is_nan, "none": got.magnitude == fmt.largest}
                assert expected[fmt.specials], (x, got)
            else:
                assert got.magnitude == want, (x, got)
            assert got.negative == (sign < 0) or got.is_nan
            assert got.format == fmt


@pytest.mark.parametrize("mode", MODES)
def test_wide_formats_by_the_distance_of_neighbours(mode: str) -> None:
    """f32: the result is one of two neighbouring codes, and the right one by its distance."""
    fmt, random = format_named("f32"), Random(3)
    for _ in range(1000):
        code = random.randrange(0x7F7F_FFFF)
        low, high = fmt.decode(code).rational, fmt.decode(code + 1).rational
        x = low + (high - low) * Fraction(random.randrange(1 << 40), 1 << 40)
        up = rounded(Real.of(x), fmt, mode).rational == high
        down = rounded(Real.of(x), fmt, mode).rational == low
        assert up != down
        if mode in ("rn", "rna"):
            assert x - low == high - x or up == (high - x < x - low)
        else:
            assert up == (mode == "rp" and x != low)


@pytest.mark.parametrize(
    ("wide", "narrow"), [(np.float64, np.float32), (np.float64, np.float16), (np.float32, np.float16)]
)
def test_nearest_against_numpy(wide: type, narrow: type) -> None:
    generator = np.random.default_rng(4)
    fmt = format_named(f"f{np.dtype(narrow).itemsize * 8}")
    exponents = generator.integers(-fmt.bias - 20, fmt.bias + 3, 3000)
    with np.errstate(over="ignore", under="ignore"):
        values = np.ldexp(generator.standard_normal(3000), exponents).astype(wide)
        results = values.astype(narrow)
    for value, result in zip(values, results, strict=True):
        if np.isfinite(value):
            got = fmt.encode(rounded(real(float(value)) if value else Real.of(0), fmt, "rn"))
            want = int(result.view(f"u{result.itemsize}"))
            assert got & ~fmt.sign_bit == want & ~fmt.sign_bit, value


def test_bf16_against_truncation_with_carry() -> None:
    """The usual trick on f32 bits: add 0x7fff and the lowest kept bit, then cut."""
    random, f32, bf16 = Random(5), format_named("f32"), format_named("bf16")
    for _ in range(2000):
        bits = random.randrange(0x7F80_0000)
        want = bits + 0x7FFF + (bits >> 16 & 1) >> 16
        assert bf16.encode(rounded(f32.decode(bits), bf16, "rn")) == want
        assert bf16.encode(rounded(f32.decode(bits), bf16, "rz")) == bits >> 16
        tf32 = format_named("tf32")
        assert tf32.encode(rounded(f32.decode(bits), tf32, "rna")) == bits + 0x1000 & ~0x1FFF


def test_zero_sums_take_their_sign_from_the_direction() -> None:
    one, zero, fmt = Real.of(1), Real.of(0), format_named("f32")
    for total in (one - one, zero + -zero, zero - zero):
        assert not rounded(total, fmt, "rn").negative
        assert not rounded(total, fmt, "rp").negative
        assert rounded(total, fmt, "rm").negative
    assert rounded(-zero + -zero, fmt, "rp").negative
    assert not rounded(zero + zero, fmt, "rm").negative
    assert rounded(-zero * one, fmt, "rp").negative


@pytest.mark.parametrize(
    ("name", "x", "mode", "code"),
    [
        ("e4m3", -1000, "rn", 0xFF), ("e4m3", -1000, "rp", 0xFE),
        ("e4m3", 464, "rn", 0x7E), ("e4m3", Fraction(4641, 10), "rn", 0x7F), ("e4m3", 10**6, "rz", 0x7E),
        ("e2m1", 5, "rn", 0x6), ("e2m1", 100, "rn", 0x7), ("e2m1", -100, "rz", 0xF),
        ("ue8m0", 3, "rz", 0x80), ("ue8m0", 3, "rp", 0x81), ("ue8m0", 0, "rz", 0x00), ("ue8m0", 2**128, "rz", 0xFE),
        ("ue8m0", 2**127 + 1, "rp", 0xFF), ("ue8m0", Fraction(1, 2**140), "rp", 0x00),
        ("s2f6", 5, "rn", 0x7F), ("s2f6", -5, "rn", 0x80), ("s2f6", Fraction(-1, 1000), "rn", 0x00),
        ("s2f6", Fraction(3, 128), "rn", 0x02),
        ("ue5m3", 114688, "rn", 0xFE),
    ],
)  # fmt: skip
def test_ends_of_narrow_formats(name: str, x: int | Fraction, mode: str, code: int) -> None:
    assert format_named(name).encode(rounded(Real.of(x), format_named(name), mode)) == code


def test_nan_and_infinity_where_the_format_has_none() -> None:
    assert rounded(NAN, format_named("e2m1"), "rn").rational == 6
    assert rounded(-INFINITY, format_named("e2m3"), "rn").rational == Fraction(-15, 2)
    assert rounded(INFINITY, format_named("e4m3"), "rz").is_nan


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
@pytest.mark.parametrize("mode", MODES)
def test_square_roots(name: str, mode: str) -> None:
    """The rounded root r of x is right if x lies between the squares that bound the interval rounding to r."""
    fmt, random = format_named(name), Random(6)
    for _ in range(150):
        x = fmt.decode(random.randrange(1, fmt.encode(Real(fmt.largest))))
        code = fmt.encode(rounded(square_root(x, fmt), fmt, mode))
        below, r, above = (fmt.decode(code + d).rational for d in (-1, 0, 1))
        square = x.rational
        if mode in ("rn", "rna"):
            assert ((below + r) / 2) ** 2 <= square <= ((r + above) / 2) ** 2
        elif mode == "rp":
            assert below**2 < square <= r**2
        else:
            assert r**2 <= square < above**2


def test_square_roots_that_are_exact_or_special() -> None:
    fmt = format_named("f32")
    assert square_root(Real.of(Fraction(9, 16)), fmt).rational == Fraction(3, 4)
    assert square_root(-Real.of(0), fmt).negative
    assert square_root(Real.of(-1), fmt).is_nan
    assert square_root(INFINITY, fmt).is_infinite


@pytest.mark.parametrize(
    ("x", "mode", "want"),
    [("2.5", "rn", 2), ("3.5", "rn", 4), ("2.5", "rna", 3), ("-2.5", "rn", -2), ("-2.5", "rm", -3), ("-2.5", "rp", -2),
     ("-2.5", "rz", -2), ("0.49", "rn", 0), ("7", "rp", 7)],
)  # fmt: skip
def test_integral(x: str, mode: str, want: int) -> None:
    assert integral(Real.of(Fraction(x)), mode).rational == want


def test_integral_keeps_the_sign_of_zero() -> None:
    assert integral(Real.of(Fraction("-0.4")), "rn").negative


def test_stochastic_rounding_is_the_carry_of_an_addition() -> None:
    """For normal results the definition on f32 bits: add the random bits to those that are cut off."""
    random, f32 = Random(7), format_named("f32")
    for name, count, shift in (("f16", 13, 13), ("bf16", 16, 16)):
        fmt = format_named(name)
        for _ in range(500):
            bits = random.randrange(0x3880_0000, 0x4700_0000)  # normal in f16
            noise = random.randrange(1 << count)
            want = f32.decode((bits + noise) >> shift << shift)
            got = rounded_stochastically(f32.decode(bits), fmt, noise, count)
            assert got.rational == want.rational
