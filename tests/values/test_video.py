"""Video instructions on random operands and selectors, after the pseudo-code of the manual (9.7.18)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random

import pytest

from tests.values.statements import result
from tests.values.test_integers import Integer

M32 = 0xFFFF_FFFF
PARTS = ("b0", "b1", "b2", "b3", "h0", "h1")
KINDS = ("u32", "s32")
COUNT = 60

PRIMARY: dict[str, Callable[[int, int], int]] = {
    "vadd": lambda x, y: x + y,
    "vsub": lambda x, y: x - y,
    "vabsdiff": lambda x, y: abs(x - y),
    "vmin": min,
    "vmax": max,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
SECONDARY: dict[str, Callable[[int, int], int]] = {"add": lambda t, c: t + c, "min": min, "max": max}


def part(x: int, kind: str, selector: str) -> int:
    """A byte, halfword or word, as a number of the kind's signedness."""
    if not selector:
        return Integer(kind).of(x)
    size = 8 if selector[0] == "b" else 16
    return Integer(f"{kind[0]}{size}").of(x >> size * int(selector[1]))


def merged(t: int, c: int, selector: str) -> int:
    size = 8 if selector[0] == "b" else 16
    at = size * int(selector[1])
    mask = (1 << size) - 1 << at
    return c & ~mask | t << at & mask


def operand(random: Random) -> int:
    """A word with interesting bytes."""
    return int.from_bytes(
        bytes(random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)]) for _ in range(4)), "big"
    )


def scalar(
    random: Random, opcode: str, kind: str, saturated: bool, t: int, a: str, b: str, abc: dict[str, int]
) -> None:
    """Check one scalar instruction in one of its three shapes; `t` is the result of its primary operation."""
    shape = random.choice(["", "secondary", "merge"])
    dsel = random.choice(PARTS) if shape == "merge" else ""
    if saturated:
        size = 32 if not dsel else 8 if dsel[0] == "b" else 16
        t = Integer(f"{kind[0]}{size}").limit(t)
    c = Integer(kind).of(abc["c"])
    if shape == "secondary":
        secondary = random.choice(list(SECONDARY))
        text, want = f"{opcode}.{secondary} d, {a}, {b}, c;", SECONDARY[secondary](t, c)
    elif shape == "merge":
        text, want = f"{opcode} d.{dsel}, {a}, {b}, c;", merged(t, c, dsel)
    else:
        text, want = f"{opcode} d, {a}, {b};", t
    assert result(text, abc) == want & M32, (text, abc)


def selected(random: Random) -> tuple[str, str]:
    return (random.choice(("", *PARTS)), random.choice(("", *PARTS)))


def written(name: str, selector: str) -> str:
    return f"{name}.{selector}" if selector else name


@pytest.mark.parametrize("mnemonic", PRIMARY)
def test_scalar_arithmetic(mnemonic: str) -> None:
    random = Random(mnemonic)
    for _ in range(COUNT):
        dtype, atype, btype = (random.choice(KINDS) for _ in "dab")
        asel, bsel = selected(random)
        abc = {name: operand(random) for name in "abc"}
        t = PRIMARY[mnemonic](part(abc["a"], atype, asel), part(abc["b"], btype, bsel))
        saturated = random.random() < 0.5
        opcode = f"{mnemonic}.{dtype}.{atype}.{btype}" + (".sat" if saturated else "")
        scalar(random, opcode, dtype, saturated, t, written("a", asel), written("b", bsel), abc)


@pytest.mark.parametrize("mnemonic", ["vshl", "vshr"])
def test_scalar_shifts(mnemonic: str) -> None:
    random = Random(mnemonic)
    for _ in range(COUNT):
        dtype, atype, mode = random.choice(KINDS), random.choice(KINDS), random.choice(["clamp", "wrap"])
        asel, bsel = selected(random)
        abc = {"a": operand(random), "b": random.choice([random.randrange(40), operand(random)]), "c": operand(random)}
        distance = part(abc["b"], "u32", bsel)
        distance = min(distance, 32) if mode == "clamp" else distance % 32
        x = part(abc["a"], atype, asel)
        t = x << distance if mnemonic == "vshl" else x >> distance
        saturated = random.random() < 0.5
        opcode = f"{mnemonic}.{dtype}.{atype}.u32" + (".sat" if saturated else "") + f".{mode}"
        scalar(random, opcode, dtype, saturated, t, written("a", asel), written("b", bsel), abc)


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_scalar_comparisons(comparison: str) -> None:
    random = Random(comparison)
    for _ in range(COUNT // 2):
        atype, btype = random.choice(KINDS), random.choice(KINDS)
        asel, bsel = selected(random)
        abc = {name: operand(random) for name in "abc"}
        t = int(COMPARISONS[comparison](part(abc["a"], atype, asel), part(abc["b"], btype, bsel)))
        opcode = f"vset.{atype}.{btype}.{comparison}"
        scalar(random, opcode, "u32", False, t, written("a", asel), written("b", bsel), abc)


def test_multiplication_and_addition() -> None:
    random = Random(1)
    for _ in range(3 * COUNT):
        dtype, atype, btype = (random.choice(KINDS) for _ in "dab")
        asel, bsel = selected(random)
        plus_one, saturated = random.random() < 0.3, random.random() < 0.5
        scale = random.choice(["", ".shr7", ".shr15"])
        product, addend = random.choice([("", ""), ("-", ""), ("", "-")]) if not plus_one else ("", "")
        abc = {name: operand(random) for name in "abc"}
        signed = "s32" in (atype, btype) or bool(product or addend)
        c = Integer("s32" if signed else "u32").of(abc["c"])
        t = part(abc["a"], atype, asel) * part(abc["b"], btype, bsel)
        t = (-t if product else t) + (-c if addend else c) + plus_one
        t >>= int(scale[4:] or 0)
        if saturated:
            t = Integer("s32" if signed else "u32").limit(t)
        opcode = f"vmad.{dtype}.{atype}.{btype}" + (".po" if plus_one else "") + (".sat" if saturated else "") + scale
        sources = f"{product}{written('a', asel)}, {written('b', bsel)}, {addend}c"
        text = f"{opcode} d, {sources};"
        assert result(text, abc) == t & M32, (text, abc)


# ---- two halfwords, four bytes


LANE_WISE: dict[str, Callable[[int, int], int]] = {
    **PRIMARY,
    "vavrg": lambda x, y: (x + y + (x + y >= 0)) >> 1,
    **{f"vset.{name}": lambda x, y, f=f: int(f(x, y)) for name, f in COMPARISONS.items()},
}
MASKS = {
    2: ("h0", "h1", "h10"),
    4: tuple("b" + "".join(s) for n in range(1, 5) for s in itertools.combinations("3210", n)),
}


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("name", LANE_WISE)
def test_lanes(name: str, count: int) -> None:
    random = Random(name)
    mnemonic, _, comparison = name.partition(".")
    size, letter = 32 // count, "h" if count == 2 else "b"
    for _ in range(COUNT // 2):
        dtype, atype, btype = (random.choice(KINDS) for _ in "dab")
        abc = {key: operand(random) for key in "abc"}
        accumulate, saturated = random.random() < 0.4, random.random() < 0.5 and not comparison
        mask = random.choice(("", *MASKS[count]))
        asel, bsel = (
            random.choice(["", letter + "".join(random.choice("01234567"[: 2 * count]) for _ in range(count))])
            for _ in "ab"
        )
        both = abc["a"] | abc["b"] << 32
        lanes = [
            [Integer(f"{kind[0]}{size}").of(both >> size * int(digit)) for digit in reversed(selector[1:] or default)]
            for kind, selector, default in (
                (atype, asel, "3210"[-count:]),
                (btype, bsel, "7654" if count == 4 else "32"),
            )
        ]
        t = [LANE_WISE[name](x, y) for x, y in zip(*lanes, strict=True)]
        if saturated and not accumulate:
            t = [Integer(f"{dtype[0]}{size}").limit(x) for x in t]
        chosen = [int(digit) for digit in mask[1:] or "3210"[-count:]]
        if accumulate:
            want = abc["c"] + sum(t[i] for i in chosen)
        else:
            want = abc["c"]
            for i in chosen:
                want = merged(t[i], want, f"{letter}{i}")
        kinds = f"{atype}.{btype}.{comparison}" if comparison else f"{dtype}.{atype}.{btype}"
        suffix = ".add" if accumulate else ".sat" if saturated else ""
        text = f"{mnemonic}{count}.{kinds}{suffix} {written('d', mask)}, {written('a', asel)}, {written('b', bsel)}, c;"
        assert result(text, abc) == want & M32, (text, abc)
