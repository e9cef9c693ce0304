"""Floating-point instructions in all their rounding modes, against a search among the neighbours of exact results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from tests.values import grid
from tests.values.grid import BF16, F16, F32, F64, Grid, Operation
from tests.values.statements import result, statement

ROUNDINGS = ("rn", "rz", "rm", "rp")
OPERATIONS: dict[str, tuple[Operation, int]] = {
    "add": (grid.add, 2),
    "sub": (grid.subtract, 2),
    "mul": (grid.multiply, 2),
    "fma": (grid.fma, 3),
    "div": (grid.divide, 2),
    "rcp": (grid.reciprocal, 1),
}


def agrees(got: int, want: int, format_: Grid) -> bool:
    """Whether two codes are the same, or both NaN where no canonical one is stated."""
    return got == want or (format_.nan is None and format_.is_nan(got) and format_.is_nan(want))


def saturated(code: int, format_: Grid) -> int:
    """To [+0, 1], NaN to +0."""
    one = format_.round(Fraction(1), "rn")
    return 0 if code & format_.sign or format_.is_nan(code) else min(code, one)


def check(
    opcode: str,
    operation: Operation,
    mode: str,
    arity: int,
    format_: Grid,
    count: int,
    before: Callable[[int], int] = lambda code: code,
    after: Callable[[int], int] = lambda code: code,
) -> None:
    """Compare an instruction with rounding by search; `before` and `after` change sources and results."""
    random, names = Random(opcode), "abc"[:arity]
    run = statement(f"{opcode} d, {', '.join(names)};")
    for _ in range(count):
        codes = [format_.sample(random) for _ in names]
        exact = operation(*(format_.number(before(code)) for code in codes), mode)
        want = after(format_.round(exact, mode))
        got = run.run(dict(zip(names, codes, strict=True)))["d"]
        assert agrees(got, want, format_), (list(map(hex, codes)), hex(got), hex(want))


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("format_", [F32, F64], ids=lambda f: f.name)
@pytest.mark.parametrize("mnemonic", OPERATIONS)
def test_every_rounding(mnemonic: str, format_: Grid, mode: str) -> None:
    operation, arity = OPERATIONS[mnemonic]
    check(f"{mnemonic}.{mode}.{format_.name}", operation, mode, arity, format_, 60)


@pytest.mark.parametrize("mnemonic", ["add", "sub", "mul", "fma"])
@pytest.mark.parametrize("format_", [F16, BF16], ids=lambda f: f.name)
def test_half_precision(mnemonic: str, format_: Grid) -> None:
    operation, arity = OPERATIONS[mnemonic]
    check(f"{mnemonic}.rn.{format_.name}", operation, "rn", arity, format_, 100)


@pytest.mark.parametrize("mode", ROUNDINGS[1:])
def test_directed_roundings_of_bf16(mode: str) -> None:
    check(f"fma.{mode}.bf16", grid.fma, mode, 3, BF16, 60)


@pytest.mark.parametrize("relu", ["", ".relu"])
@pytest.mark.parametrize("format_", [F16, BF16], ids=lambda f: f.name)
def test_relu(format_: Grid, relu: str) -> None:
    def positive(code: int) -> int:
        nan = format_.is_nan(code)
        return 0 if relu and code & format_.sign and not nan else code

    check(f"fma.rn{relu}.{format_.name}", grid.fma, "rn", 3, format_, 60, after=positive)


@pytest.mark.parametrize("mnemonic", ["add", "mul", "fma", "div", "rcp"])
@pytest.mark.parametrize("mode", ROUNDINGS)
def test_flush_to_zero(mnemonic: str, mode: str) -> None:
    operation, arity = OPERATIONS[mnemonic]
    check(f"{mnemonic}.{mode}.ftz.f32", operation, mode, arity, F32, 60, F32.flush, F32.flush)


@pytest.mark.parametrize("mnemonic", ["add", "sub", "mul", "fma"])
def test_flush_to_zero_in_half_precision(mnemonic: str) -> None:
    operation, arity = OPERATIONS[mnemonic]
    check(f"{mnemonic}.rn.ftz.f16", operation, "rn", arity, F16, 100, F16.flush, F16.flush)


@pytest.mark.parametrize("mnemonic", ["add", "sub", "mul", "fma"])
@pytest.mark.parametrize("form", ["rn.sat.f32", "rz.sat.f32", "rp.ftz.sat.f32", "rn.sat.f16", "rn.ftz.sat.f16"])
def test_saturation(mnemonic: str, form: str) -> None:
    operation, arity = OPERATIONS[mnemonic]
    format_ = F16 if form.endswith("f16") else F32
    flush: Callable[[int], int] = format_.flush if "ftz" in form else lambda code: code
    check(
        f"{mnemonic}.{form}", operation, form[:2], arity, format_, 60, flush, lambda c: saturated(flush(c), format_)
    )  # fmt: skip


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("format_", [F32, F64], ids=lambda f: f.name)
def test_square_roots(format_: Grid, mode: str) -> None:
    """The neighbours of the root are those whose squares enclose the operand."""
    random, run = Random(mode), statement(f"sqrt.{mode}.{format_.name} d, a;")
    for _ in range(60):
        code = format_.sample(random)
        got, x = run.run({"a": code})["d"], format_.load(code)
        if math.isnan(x) or x < 0:
            assert format_.is_nan(got)
        elif x == 0 or math.isinf(x):
            assert got == code
        else:
            root = Fraction(format_.load(got))
            below, above = (Fraction(format_.load(got + step)) for step in (-1, 1))
            if mode == "rn":
                assert (root + below) ** 2 <= 4 * Fraction(x) <= (root + above) ** 2
            elif mode == "rp":
                assert below**2 < Fraction(x) <= root**2
            else:
                assert root**2 <= Fraction(x) < above**2


@pytest.mark.parametrize(
    "form", ["add.rm.f32", "mul.rp.ftz.f32", "fma.rz.f32", "add.f16", "fma.rn.relu.bf16", "mul.sat.f16"]
)
def test_packed_forms_work_lane_by_lane(form: str) -> None:
    form, _, kind = form.rpartition(".")
    if kind == "f32" and "sat" in form:
        return
    format_, random = {"f16": F16, "bf16": BF16, "f32": F32}[kind], Random(form)
    names = "abc"[: 3 if form.startswith("fma") else 2]
    operands = ", ".join(names)
    for _ in range(20):
        lanes = [{name: format_.sample(random) for name in names} for _ in range(2)]
        whole = {name: lanes[0][name] | lanes[1][name] << format_.bits for name in names}
        low, high = (result(f"{form}.{kind} d, {operands};", each) for each in lanes)
        assert result(f"{form}.{kind}x2 d, {operands};", whole) == low | high << format_.bits


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("narrow", [F16, BF16], ids=lambda f: f.name)
@pytest.mark.parametrize("mnemonic", ["add", "sub", "fma"])
def test_mixed_precision(mnemonic: str, narrow: Grid, mode: str) -> None:
    """Products of half precision are exact in the sum, which is rounded once, to .f32."""
    random = Random(f"{mnemonic}{mode}{narrow.name}")
    operation, arity = OPERATIONS[mnemonic]
    names = "abc" if arity == 3 else "ac"
    text = f"{mnemonic}.{mode}.f32.{narrow.name} d, {', '.join(names)};"
    for _ in range(40):
        codes = {name: (F32 if name == "c" else narrow).sample(random) for name in names}
        numbers = [(F32 if name == "c" else narrow).number(code) for name, code in codes.items()]
        want = F32.round(operation(*numbers, mode), mode)
        assert result(text, codes) == want, codes


# ---- minimum, maximum, signs


def ordered(format_: Grid, code: int) -> int:
    """Numbers in their order, -0 below +0."""
    return -(code & ~format_.sign) - 1 if code & format_.sign else code


FORMS_OF_MINIMUM = {
    F32: ("", ".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs", ".NaN.xorsign.abs"),
    F64: ("",),
    F16: ("", ".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs", ".ftz.NaN.xorsign.abs"),
    BF16: ("", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"),
}


@pytest.mark.parametrize("mnemonic", ["min", "max"])
@pytest.mark.parametrize(
    ("format_", "form"),
    [(format_, form) for format_, forms in FORMS_OF_MINIMUM.items() for form in forms],
    ids=lambda x: getattr(x, "name", x),
)
def test_minimum_and_maximum(mnemonic: str, format_: Grid, form: str) -> None:
    random = Random(mnemonic + form)
    run = statement(f"{mnemonic}{form}.{format_.name} d, a, b;")
    for _ in range(80):
        codes = [format_.sample(random) for _ in "ab"]
        if random.random() < 0.2:
            codes[1] = codes[0] ^ format_.sign
        got = run.run({"a": codes[0], "b": codes[1]})["d"]
        want = extreme(mnemonic, form, format_, codes)
        assert agrees(got, want, format_), (list(map(hex, codes)), hex(got), hex(want))


def extreme(mnemonic: str, form: str, format_: Grid, codes: list[int]) -> int:
    """The smallest or largest; without .NaN the numbers among the operands decide."""
    sign = 0
    if "xorsign" in form:
        for code in codes:
            sign ^= code & format_.sign
    if "abs" in form:
        codes = [code & ~format_.sign for code in codes]
    if "ftz" in form:
        codes = [format_.flush(code) for code in codes]
    numbers = [code for code in codes if not format_.is_nan(code)]
    if not numbers or (".NaN" in form and len(numbers) < len(codes)):
        return format_.infinity + 1 if format_.nan is None else format_.nan
    pick = min if mnemonic == "min" else max
    return pick(numbers, key=lambda code: ordered(format_, code)) | sign


@pytest.mark.parametrize("mnemonic", ["min", "max"])
@pytest.mark.parametrize("form", ["", ".ftz", ".NaN", ".abs", ".ftz.NaN.abs"])
def test_minimum_and_maximum_of_three(mnemonic: str, form: str) -> None:
    random = Random(mnemonic + form)
    for _ in range(80):
        codes = [F32.sample(random) for _ in "abc"]
        got = result(f"{mnemonic}{form}.f32 d, a, b, c;", dict(zip("abc", codes, strict=True)))
        assert got == extreme(mnemonic, form, F32, codes), list(map(hex, codes))


@pytest.mark.parametrize("format_", [F16, BF16, F32, F64], ids=lambda f: f.name)
def test_signs(format_: Grid) -> None:
    random, name = Random(format_.name), format_.name
    for _ in range(60):
        a, b = format_.sample(random), format_.sample(random)
        if not format_.is_nan(a):
            assert result(f"abs.{name} d, a;", {"a": a}) == a & ~format_.sign
            assert result(f"neg.{name} d, a;", {"a": a}) == a ^ format_.sign
        if format_ in (F32, F64):
            want = b & ~format_.sign | a & format_.sign
            assert result(f"copysign.{name} d, a, b;", {"a": a, "b": b}) == want


PROPERTIES: dict[str, Callable[[Grid, int], bool]] = {
    "finite": lambda f, code: code & ~f.sign < f.infinity,
    "infinite": lambda f, code: code & ~f.sign == f.infinity,
    "number": lambda f, code: not f.is_nan(code),
    "notanumber": lambda f, code: f.is_nan(code),
    "normal": lambda f, code: code & ~f.sign == 0 or f.least_normal <= code & ~f.sign < f.infinity,
    "subnormal": lambda f, code: 0 < code & ~f.sign < f.least_normal,
}


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("format_", [F32, F64], ids=lambda f: f.name)
def test_properties(name: str, format_: Grid) -> None:
    random = Random(name)
    for _ in range(60):
        code = format_.sample(random)
        assert result(f"testp.{name}.{format_.name} p, a;", {"a": code}) == PROPERTIES[name](format_, code), hex(code)


# ---- comparisons


ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x < y or x > y,  # false with a NaN, unlike Python's
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
FLOATING: dict[str, Callable[[float, float], bool]] = {
    **ORDERED,
    **{f"{name}u": lambda x, y, f=f: f(x, y) or x != x or y != y for name, f in ORDERED.items()},
    "num": lambda x, y: x == x and y == y,
    "nan": lambda x, y: x != x or y != y,
}
COMBINED: dict[str, Callable[[int, int], int]] = {
    "and": lambda t, c: t & c,
    "or": lambda t, c: t | c,
    "xor": lambda t, c: t ^ c,
}


@pytest.mark.parametrize("comparison", FLOATING)
@pytest.mark.parametrize("format_", [F16, BF16, F32, F64], ids=lambda f: f.name)
def test_comparisons(comparison: str, format_: Grid) -> None:
    random, name = Random(comparison), format_.name
    codes = [format_.sample(random) for _ in range(6)]
    codes += [0, format_.sign, 1, format_.infinity, format_.infinity + 1]
    ftz = ".ftz" if format_ in (F16, F32) else ""
    for a, b in itertools.product(codes, repeat=2):
        x, y = format_.load(a), format_.load(b)
        flushed = [format_.load(format_.flush(code)) for code in (a, b)]
        c = random.randrange(2)
        values, truth = {"a": a, "b": b, "c": c}, int(FLOATING[comparison](x, y))
        if format_ in (F32, F64):
            got = statement(f"setp.{comparison}.{name} p|q, a, b;").run(values)
            assert got == {"p": truth, "q": 1 - truth}, (hex(a), hex(b))
        else:
            assert result(f"setp.{comparison}.{name} p, a, b;", values) == truth
        if ftz:
            want = FLOATING[comparison](*flushed)
            assert result(f"setp.{comparison}{ftz}.{name} p, a, b;", values) == want
        for operation, combine in COMBINED.items():
            got = statement(f"setp.{comparison}.{operation}.{name} p, a, b, !c;").run(values)
            assert got == {"p": combine(truth, 1 - c)}
        assert result(f"set.{comparison}.u32.{name} d, a, b;", values) == truth * 0xFFFFFFFF
        if format_ in (F32, F64):
            assert result(f"set.{comparison}.f32.{name} d, a, b;", values) == truth * 0x3F800000
            got = result(f"set.{comparison}.xor.s32.{name} d, a, b, c;", values)
            assert got == (truth ^ c) * 0xFFFFFFFF


INTEGRAL: dict[str, Callable[[int, int], bool]] = {
    **ORDERED,
    "lo": lambda x, y: x < y,
    "ls": lambda x, y: x <= y,
    "hi": lambda x, y: x > y,
    "hs": lambda x, y: x >= y,
}


@pytest.mark.parametrize("kind", ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"])
def test_comparisons_of_integers(kind: str) -> None:
    random, n = Random(kind), int(kind[1:])
    half = 1 << n - 1
    codes = [0, 1, half - 1, half, 2 * half - 1, random.getrandbits(n)]
    names = list(INTEGRAL)[: {"b": 2, "s": 6, "u": 10}[kind[0]]]
    for comparison, a, b, c in itertools.product(names, codes, codes, (0, 1)):
        x, y = ((code ^ half) - half if kind[0] == "s" else code for code in (a, b))
        truth = int(INTEGRAL[comparison](x, y))
        values = {"a": a, "b": b, "c": c}
        got = statement(f"setp.{comparison}.or.{kind} p|q, a, b, c;").run(values)
        assert got == {"p": truth | c, "q": (1 - truth) | c}
        assert result(f"set.{comparison}.and.u32.{kind} d, a, b, c;", values) == (truth & c) * 0xFFFFFFFF


@pytest.mark.parametrize("kind", ["f16x2", "bf16x2"])
def test_comparisons_of_pairs(kind: str) -> None:
    format_, random = (F16 if kind == "f16x2" else BF16), Random(kind)
    for comparison in FLOATING:
        for _ in range(10):
            lanes = [(format_.sample(random), format_.sample(random)) for _ in range(2)]
            truths = [int(FLOATING[comparison](format_.load(a), format_.load(b))) for a, b in lanes]
            values = {"a": lanes[0][0] | lanes[1][0] << 16, "b": lanes[0][1] | lanes[1][1] << 16}
            assert statement(f"setp.{comparison}.{kind} p|q, a, b;").run(values) == {"p": truths[0], "q": truths[1]}
            ones = format_.round(Fraction(1), "rn")
            want = truths[0] * ones | truths[1] * ones << 16
            assert result(f"set.{comparison}.{kind}.{kind} d, a, b;", values) == want
            assert (
                result(f"set.{comparison}.u32.{kind} d, a, b;", values) == truths[0] * 0xFFFF | truths[1] * 0xFFFF0000
            )
