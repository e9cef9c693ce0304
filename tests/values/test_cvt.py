"""cvt between every pair of scalar types, in every rounding mode, against searched neighbours and exact integers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest

from tests.values.grid import BF16, F16, F32, F64, Grid, Number
from tests.values.statements import statement
from tests.values.test_floats import ROUNDINGS, agrees, saturated
from tests.values.test_integers import Integer

INTEGERS = [Integer(f"{kind}{n}") for kind in "us" for n in (8, 16, 32, 64)]
FLOATS = [F16, BF16, F32, F64]
INTEGRAL: dict[str, Callable[[Fraction], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}
COUNT = 16

Scalar = Integer | Grid


def name(t: Scalar) -> str:
    return t.name


def sources(t: Grid, random: Random) -> Iterator[int]:
    """Codes of any size, and those around the ranges of the integer types."""
    for _ in range(COUNT):
        yield t.sample(random)
        near = Fraction(random.randrange(-64, 64), 8) + random.choice([0, 1, -1]) * 2 ** random.randrange(66)
        yield t.round(near, "rn")


@pytest.mark.parametrize("source", INTEGERS, ids=name)
@pytest.mark.parametrize("target", INTEGERS, ids=name)
def test_integers_to_integers(target: Integer, source: Integer) -> None:
    random = Random(target.name + source.name)
    inside = source.range[0] >= target.range[0] and source.range[1] <= target.range[1]
    for _ in range(COUNT):
        x = source.sample(random)
        registers = {"a": x % (1 << source.bits)}
        got = statement(f"cvt.{target.name}.{source.name} d, a;").run(registers)
        assert got == {"d": x % (1 << target.bits)}
        if not inside:
            got = statement(f"cvt.sat.{target.name}.{source.name} d, a;").run(registers)
            assert got == {"d": target.limit(x) % (1 << target.bits)}


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize(("target", "source"), list(itertools.product(FLOATS, INTEGERS)), ids=name)
def test_integers_to_floats(target: Grid, source: Integer, mode: str) -> None:
    random = Random(target.name + source.name)
    run = statement(f"cvt.{mode}.{target.name}.{source.name} d, a;")
    for _ in range(COUNT):
        x = source.sample(random)
        want = target.round(Fraction(x), mode)
        assert run.run({"a": x % (1 << source.bits)}) == {"d": want}, x


@pytest.mark.parametrize("mode", INTEGRAL)
@pytest.mark.parametrize(("target", "source"), list(itertools.product(INTEGERS, FLOATS)), ids=name)
def test_floats_to_integers(target: Integer, source: Grid, mode: str) -> None:
    """Beyond the range the nearest end; NaN is zero, or the topmost bit where 64 bits are involved."""
    run = statement(f"cvt.{mode}.{target.name}.{source.name} d, a;")
    for code in sources(source, Random(target.name + source.name)):
        x = source.number(code)
        if isinstance(x, float) and math.isnan(x):
            want = 1 << target.bits - 1 if target.bits == 64 or source is F64 else 0
        elif isinstance(x, float) and math.isinf(x):
            want = target.range[x > 0]
        else:
            want = target.limit(INTEGRAL[mode](Fraction(x)))
        assert run.run({"a": code}) == {"d": want % (1 << target.bits)}, hex(code)


PAIRS = [(d, a) for d, a in itertools.product(FLOATS, FLOATS) if d is not a]


@pytest.mark.parametrize(("target", "source"), PAIRS, ids=name)
def test_floats_to_floats(target: Grid, source: Grid) -> None:
    narrower = target.bits < source.bits or BF16 in (target, source)
    for mode in ROUNDINGS if narrower else ("",):
        opcode = f"cvt.{mode}.{target.name}.{source.name}".replace("..", ".")
        run = statement(f"{opcode} d, a;")
        random = Random(opcode)
        for code in itertools.chain(sources(source, random), halfway(target, source, random)):
            want = target.round(source.number(code), mode or "rn")
            got = run.run({"a": code})["d"]
            assert agrees(got, want, target), (opcode, hex(code), hex(got))


def halfway(target: Grid, source: Grid, random: Random) -> Iterator[int]:
    """Sources between two codes of the target and close by, subnormal and normal."""
    for _ in range(COUNT):
        code = random.choice([random.randrange(target.least_normal), random.randrange(target.infinity - 1)])
        between = (Fraction(target.load(code)) + Fraction(target.load(code + 1))) / 2
        yield source.round(between, random.choice(["rn", "rz", "rp"]))


@pytest.mark.parametrize("mode", INTEGRAL)
@pytest.mark.parametrize("format_", FLOATS, ids=name)
def test_rounding_to_an_integer_in_place(format_: Grid, mode: str) -> None:
    run = statement(f"cvt.{mode}.{format_.name}.{format_.name} d, a;")
    for code in sources(format_, Random(mode)):
        x = format_.number(code)
        exact: Number = x if isinstance(x, float) else Fraction(INTEGRAL[mode](x))
        want = format_.round(exact, "rn") or code & format_.sign  # a zero keeps the sign
        got = run.run({"a": code})["d"]
        assert agrees(got, want, format_), hex(code)


@pytest.mark.parametrize(
    ("opcode", "target", "source"),
    [
        ("cvt.sat.f32.f32", F32, F32),
        ("cvt.ftz.sat.f32.f32", F32, F32),
        ("cvt.rz.sat.f16.f32", F16, F32),
        ("cvt.rn.ftz.f16.f32", F16, F32),
        ("cvt.rp.ftz.f32.f64", F32, F64),
        ("cvt.ftz.f64.f32", F64, F32),
        ("cvt.ftz.f32.f16", F32, F16),
        ("cvt.sat.f64.f64", F64, F64),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)
def test_saturation_and_flushing(opcode: str, target: Grid, source: Grid) -> None:
    """.ftz concerns .f32 alone, before and after."""
    run, modifiers = statement(f"{opcode} d, a;"), opcode.split(".")
    mode = next((m for m in modifiers if m in ROUNDINGS), "rn")
    for code in sources(source, Random(opcode)):
        flushed = source.flush(code) if "ftz" in modifiers and source is F32 else code
        want = target.round(source.number(flushed), mode)
        want = target.flush(want) if "ftz" in modifiers and target is F32 else want
        want = saturated(want, target) if "sat" in modifiers else want
        got = run.run({"a": code})["d"]
        assert agrees(got, want, target), (hex(code), hex(got), hex(want))


@pytest.mark.parametrize("mode", ["rn", "rz"])
@pytest.mark.parametrize("target", [F16, BF16], ids=name)
def test_pairs_of_halves(target: Grid, mode: str) -> None:
    """The first source goes to the upper half; .relu and .satfinite after and before the rounding."""
    random, kind = Random(mode), f"{target.name}x2"
    for a, b in zip(sources(F32, random), sources(F32, random), strict=True):
        plain = [target.round(F32.number(code), mode) for code in (a, b)]
        got = statement(f"cvt.{mode}.{kind}.f32 d, a, b;").run({"a": a, "b": b})
        assert got == {"d": plain[0] << 16 | plain[1]}
        positive = [0 if code & target.sign and not target.is_nan(code) else code for code in plain]
        got = statement(f"cvt.{mode}.relu.{kind}.f32 d, a, b;").run({"a": a, "b": b})
        assert got == {"d": positive[0] << 16 | positive[1]}
        finite = [code - 1 if code & ~target.sign == target.infinity else code for code in plain]
        got = statement(f"cvt.{mode}.satfinite.{kind}.f32 d, a, b;").run({"a": a, "b": b})
        assert got == {"d": finite[0] << 16 | finite[1]}
