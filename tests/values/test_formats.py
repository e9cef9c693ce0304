"""Every code of the narrow formats, and samples of the wide ones, against decoders that know nothing of the tables."""

import math
import struct
from fractions import Fraction

import numpy as np
import pytest

from ptxgen.cpu.reference.formats import Format, format_named, type_named
from ptxgen.cpu.reference.rounding import rounded
from ptxgen.cpu.reference.values import Real, real
from ptxgen.isa import types
from ptxgen.isa.data import load

NARROW = {
    # OCP 8-bit and microscaling formats: widths of sign, exponent and mantissa, bias, what is NaN or infinity
    "e4m3": (1, 4, 3, 7, {0x7F: "nan"}),
    "e5m2": (1, 5, 2, 15, {0x7C: "inf", 0x7D: "nan", 0x7E: "nan", 0x7F: "nan"}),
    "e3m2": (1, 3, 2, 3, {}),
    "e2m3": (1, 2, 3, 1, {}),
    "e2m1": (1, 2, 1, 1, {}),
    "ue4m3": (0, 4, 3, 7, {0x7F: "nan"}),
    "ue5m3": (0, 5, 3, 15, {0xFF: "nan"}),
}

ALL = [name for name in map(str, load("types")["types"]) if types.known(name).kind in ("float", "fixed")]


def same(x: Real, y: float) -> bool:
    if math.isnan(y):
        return x.is_nan
    if math.isinf(y):
        return x.is_infinite and x.negative == (y < 0)
    return x.is_finite and x.rational == Fraction(y) and x.negative == (math.copysign(1, y) < 0)


def meaning(name: str, code: int) -> float:
    """The value of a code, spelt with powers of two and Python floats."""
    sign_bits, e, m, bias, special = NARROW[name]
    digits = f"{code:0{sign_bits + e + m}b}"
    sign = -1.0 if sign_bits and digits[0] == "1" else 1.0
    exponent, mantissa = int(digits[sign_bits : sign_bits + e], 2), int(digits[sign_bits + e :], 2)
    kind = special.get(int(digits[sign_bits:], 2))
    if kind:
        return sign * float(kind)
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - m)
    return sign * (1 + mantissa / 2**m) * 2.0 ** (exponent - bias)


@pytest.mark.parametrize("name", NARROW)
def test_every_code_decodes_by_the_definition_and_encodes_back(name: str) -> None:
    fmt = format_named(name)
    for code in range(1 << fmt.width):
        x = fmt.decode(code)
        assert same(x, meaning(name, code)), (name, hex(code), x)
        assert fmt.encode(x) == code


@pytest.mark.parametrize(
    ("name", "code", "value"),
    [
        # extremes of the OCP tables, and of the manual's 5.2.3 and 5.2.4
        ("e4m3", 0x7E, 448), ("e4m3", 0x08, 2**-6), ("e4m3", 0x01, 2**-9),
        ("e5m2", 0x7B, 57344), ("e5m2", 0x04, 2**-14), ("e5m2", 0x01, 2**-16),
        ("e3m2", 0x1F, 28), ("e3m2", 0x01, 0.0625), ("e2m3", 0x1F, 7.5), ("e2m3", 0x01, 0.125),
        ("e2m1", 0x7, 6), ("e2m1", 0x1, 0.5), ("e2m1", 0xF, -6),
        ("ue8m0", 0x00, 2.0**-127), ("ue8m0", 0x7F, 1), ("ue8m0", 0xFE, 2.0**127),
        ("s2f6", 0x7F, 1.984375), ("s2f6", 0x80, -2), ("s2f6", 0xFF, -(2.0**-6)), ("s2f6", 0x40, 1),
        ("f16", 0x7BFF, 65504), ("f16", 0x0001, 2.0**-24), ("f16", 0x3C00, 1),
        ("bf16", 0x3F80, 1), ("bf16", 0x7F7F, 255 * 2.0**120),
        ("tf32", 0x3F80_2000, 1 + 2.0**-10),
    ],
)  # fmt: skip
def test_landmarks(name: str, code: int, value: float) -> None:
    assert same(format_named(name).decode(code), value)
    assert format_named(name).encode(format_named(name).decode(code)) == code


def test_e2m1_in_full() -> None:
    assert [format_named("e2m1").decode(c).rational for c in range(8)] == [
        Fraction(n, 2) for n in (0, 1, 2, 3, 4, 6, 8, 12)
    ]


def test_ue8m0_and_s2f6_in_full() -> None:
    for code in range(255):
        assert format_named("ue8m0").decode(code).rational == Fraction(2) ** (code - 127)
    assert format_named("ue8m0").decode(255).is_nan
    for code in range(256):
        integer = struct.unpack("b", bytes([code]))[0]
        x = format_named("s2f6").decode(code)
        assert x.rational == Fraction(integer, 64)
        assert format_named("s2f6").encode(x) == code


def test_every_f16_code_against_numpy() -> None:
    codes = np.arange(1 << 16, dtype=np.uint16)
    for code, value in zip(codes, codes.view(np.float16), strict=True):
        x = format_named("f16").decode(int(code))
        assert same(x, float(value))
        assert format_named("f16").encode(x) == code


def test_bf16_is_the_upper_half_of_f32() -> None:
    for code in range(0, 1 << 16, 7):
        assert same(format_named("bf16").decode(code), struct.unpack("<f", struct.pack("<I", code << 16))[0])


@pytest.mark.parametrize(("name", "pack", "width"), [("f32", "f", 32), ("f64", "d", 64)])
def test_wide_formats_against_the_machine(name: str, pack: str, width: int) -> None:
    generator = np.random.default_rng(1)
    fmt = format_named(name)
    codes = [int(c) for c in generator.integers(0, 1 << width, 2000, dtype=np.uint64 if width == 64 else np.int64)]
    codes += [0, 1, 1 << width - 1, fmt.encode(Real(fmt.largest)), fmt.encode(Real(fmt.smallest_normal))]
    for code in codes:
        x = fmt.decode(code)
        integer = {"f": "I", "d": "Q"}[pack]
        assert same(x, struct.unpack("<" + pack, struct.pack("<" + integer, code))[0])
        assert fmt.encode(x) == code


@pytest.mark.parametrize(
    ("name", "nan"),
    [("f32", 0x7FFFFFFF), ("f16", 0x7FFF), ("bf16", 0x7FFF), ("e4m3", 0x7F), ("e5m2", 0x7F), ("ue8m0", 0xFF)],
)
def test_results_that_are_nan_have_the_canonical_code(name: str, nan: int) -> None:
    fmt = format_named(name)
    x = fmt.decode(nan)
    assert x.is_nan
    assert fmt.encode(rounded(x * 0, fmt, "rn")) == nan


def test_a_nan_that_is_only_moved_keeps_its_bits() -> None:
    assert format_named("f32").encode(format_named("f32").decode(0xFFA0_1234)) == 0xFFA0_1234
    assert format_named("f32").encode(-format_named("f32").decode(0xFFA0_1234)) == 0x7FA0_1234


@pytest.mark.parametrize("fmt", [*map(format_named, ALL)], ids=lambda f: f.name)
def test_a_value_between_two_codes_is_refused(fmt: Format) -> None:
    for x in (Real(fmt.smallest_normal + fmt.quantum(fmt.smallest_normal) / 2), Real(fmt.largest * 2)):
        with pytest.raises(ValueError, match="round it first"):
            fmt.encode(x)


@pytest.mark.parametrize(
    ("name", "bits", "lanes", "width"),
    [("u32", 32, 1, 32), ("f16x2", 32, 2, 16), ("s8x4", 32, 4, 8), ("e2m1x2", 8, 2, 4), ("e2m1x4", 16, 4, 4),
     ("e3m2x4", 32, 4, 8), ("e2m3x2", 16, 2, 8), ("ue8m0x2", 16, 2, 8), ("tf32", 32, 1, 32), ("f32x2", 64, 2, 32),
     ("b128", 128, 1, 128), ("pred", 1, 1, 1)],
)  # fmt: skip
def test_types(name: str, bits: int, lanes: int, width: int) -> None:
    t = type_named(name)
    assert (t.bits, t.lanes, t.width) == (bits, lanes, width)


def test_selectors_are_no_types() -> None:
    for name in ("b0", "b1", "b3", "h1", "x2", "rn", "f8", "v4"):
        with pytest.raises(KeyError):
            type_named(name)


def test_real_of_a_python_float_is_exact() -> None:
    assert real(0.1).rational == Fraction(0.1)
