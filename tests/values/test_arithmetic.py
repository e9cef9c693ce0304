"""Texts of arithmetic instructions, run on raw bits, against numpy."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ptxgen.cpu.reference import compile_semantics

FLOATS = {"f16": (np.float16, np.uint16), "f32": (np.float32, np.uint32), "f64": (np.float64, np.uint64)}
OPERATIONS = {
    "round(a + b, type, rnd)": np.add,
    "round(a - b, type, rnd)": np.subtract,
    "round(a * b, type, rnd)": np.multiply,
    "divide(a, b, type, rnd)": np.divide,
}


def codes(name: str, count: int, seed: int) -> np.ndarray:
    """Random bit patterns, about a third of them with exponents near one, and the special ones."""
    generator = np.random.default_rng(seed)
    float_type, integer_type = FLOATS[name]
    patterns = generator.integers(0, np.iinfo(integer_type).max, count, dtype=integer_type, endpoint=True)
    near = generator.uniform(-4, 4, count // 2).astype(float_type).view(integer_type)
    special = np.array([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan], dtype=float_type).view(integer_type)
    return np.concatenate([patterns, near, special])


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("text", OPERATIONS)
def test_two_operands(text: str, name: str) -> None:
    float_type, integer_type = FLOATS[name]
    program = compile_semantics(f"d = {text}")
    a, b = codes(name, 400, 8), np.random.default_rng(9).permutation(codes(name, 400, 10))
    with np.errstate(all="ignore"):
        results = OPERATIONS[text](a.view(float_type), b.view(float_type))
    for x, y, want in zip(a, b, results, strict=True):
        operands = {"a": (name, int(x)), "b": (name, int(y))}
        got = program.run(operands, {"d": name}, {"rnd": "rn"}, types={"type": name})["d"]
        if np.isnan(want):
            assert got == {"f16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0xFFF8000000000000}[name]
        else:
            assert got == int(want.view(integer_type)), (hex(x), hex(y))


@pytest.mark.parametrize("name", FLOATS)
def test_square_root(name: str) -> None:
    float_type, integer_type = FLOATS[name]
    program = compile_semantics("d = sqrt(a, type, rnd)")
    a = codes(name, 400, 11)
    with np.errstate(all="ignore"):
        results = np.sqrt(a.view(float_type))
    for x, want in zip(a, results, strict=True):
        got = program.run({"a": (name, int(x))}, {"d": name}, {"rnd": "rn"}, types={"type": name})["d"]
        assert np.isnan(want) or got == int(want.view(integer_type)), hex(x)


def test_fused_multiply_add_of_f32_in_double_precision() -> None:
    """f32 products are exact in f64; sums whose double rounding is harmless there are compared."""
    program = compile_semantics("d = round(a * b + c, f32, rnd)")
    generator = np.random.default_rng(12)
    compared = 0
    for _ in range(500):
        a, b, c = generator.uniform(-100, 100, 3).astype(np.float32)
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        double = np.float64(a) * np.float64(b) + np.float64(c)
        if Fraction(float(double)) != exact:
            continue
        raw = {n: ("f32", int(v.view(np.uint32))) for n, v in (("a", a), ("b", b), ("c", c))}
        assert program.run(raw, {"d": "f32"}, {"rnd": "rn"})["d"] == int(np.float32(double).view(np.uint32))
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("lower", [True, False])
def test_directed_sums_enclose_the_exact_one(lower: bool) -> None:
    program = compile_semantics("d = round(a + b, f32, rnd)")
    a, b = (codes("f32", 300, s) for s in (13, 14))
    for x, y in zip(a, b, strict=True):
        u, v = (np.uint32(c).view(np.float32) for c in (x, y))
        if not (np.isfinite(u) and np.isfinite(v)):
            continue
        exact = Fraction(float(u)) + Fraction(float(v))
        operands = {"a": ("f32", int(x)), "b": ("f32", int(y))}
        got = program.run(operands, {"d": "f32"}, {"rnd": "rm" if lower else "rp"})["d"]
        result = np.array([got], np.uint32).view(np.float32)[0]
        if np.isfinite(result):
            outward = np.nextafter(result, np.float32(math.inf if lower else -math.inf))
            inside = exact - Fraction(float(result)) if lower else Fraction(float(result)) - exact
            assert inside >= 0
            assert not np.isfinite(outward) or inside < abs(Fraction(float(outward)) - Fraction(float(result)))


INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize(
    ("text", "operation"),
    [("a + b", np.add), ("a - b", np.subtract), ("a * b", np.multiply), ("a & b", np.bitwise_and),
     ("a ^ b", np.bitwise_xor), ("min(a, b)", np.minimum), ("max(a, b)", np.maximum)],
)  # fmt: skip
def test_integers_wrap_as_those_of_the_machine(text: str, operation: np.ufunc, name: str) -> None:
    dtype = np.dtype({"u": "uint", "s": "int"}[name[0]] + name[1:])
    unsigned = np.dtype("uint" + name[1:])
    program = compile_semantics(f"d = {text}")
    generator = np.random.default_rng(15)
    top = np.iinfo(unsigned).max
    a, b = (generator.integers(0, top, 100, unsigned, endpoint=True) for _ in range(2))
    with np.errstate(all="ignore"):
        results = operation(a.view(dtype), b.view(dtype)).view(unsigned)
    for x, y, want in zip(a, b, results, strict=True):
        assert program.run({"a": (name, int(x)), "b": (name, int(y))}, {"d": name})["d"] == int(want)
