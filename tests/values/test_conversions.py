"""Conversions and other one-step floating-point instructions on random bits, against numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from tests.values.statements import statement

FLOAT = {16: np.float16, 32: np.float32, 64: np.float64}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def of_bits(code: int, kind: str) -> Any:
    width = int(kind[1:])
    value = np.array([code], UNSIGNED[width])
    return value.view(FLOAT[width] if kind[0] == "f" else f"{ {'u': 'u', 's': 'i'}[kind[0]] }{width // 8}")[0]


def to_bits(value: Any, kind: str) -> int | None:
    """The bits, None for a NaN."""
    width = int(kind[1:])
    if kind[0] == "f":
        with np.errstate(all="ignore"):
            x = np.array([value]).astype(FLOAT[width])
        return None if np.isnan(x[0]) else int(x.view(UNSIGNED[width])[0])
    return int(value) & (1 << width) - 1


def integer(rounding: Callable[[Any], Any], kind: str) -> Callable[[Any], int]:
    """Rounds, limits to the type, and makes a NaN zero, or the topmost bit where 64 bits are involved."""
    width = int(kind[1:])
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if kind[0] == "s" else (0, (1 << width) - 1)

    def convert(x: Any) -> int:
        if np.isnan(x):
            return 1 << width - 1 if width == 64 or x.dtype == np.float64 else 0
        if np.isinf(x):
            return high if x > 0 else low
        return min(max(int(rounding(x)), low), high)

    return convert


def limited(kind: str) -> Callable[[Any], int]:
    return integer(lambda x: x, kind)


CASES: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "cvt.rni.s32.f32": ("f32", "s32", integer(np.rint, "s32")),
    "cvt.rzi.u32.f32": ("f32", "u32", integer(np.trunc, "u32")),
    "cvt.rmi.s64.f32": ("f32", "s64", integer(np.floor, "s64")),
    "cvt.rpi.u64.f64": ("f64", "u64", integer(np.ceil, "u64")),
    "cvt.rni.u16.f64": ("f64", "u16", integer(np.rint, "u16")),
    "cvt.rzi.s16.f16": ("f16", "s16", integer(np.trunc, "s16")),
    "cvt.rni.f32.f32": ("f32", "f32", np.rint),
    "cvt.rmi.f64.f64": ("f64", "f64", np.floor),
    "cvt.rn.f32.s32": ("s32", "f32", np.float32),
    "cvt.rn.f32.u64": ("u64", "f32", np.float32),
    "cvt.rn.f64.s64": ("s64", "f64", np.float64),
    "cvt.rn.f64.u32": ("u32", "f64", np.float64),
    "cvt.rn.f16.f32": ("f32", "f16", np.float16),
    "cvt.rn.f32.f64": ("f64", "f32", np.float32),
    "cvt.f32.f16": ("f16", "f32", np.float32),
    "cvt.f64.f32": ("f32", "f64", np.float64),
    "cvt.ftz.f32.f16": ("f16", "f32", np.float32),
    "cvt.sat.f32.f32": ("f32", "f32", lambda x: np.float32(0) if np.isnan(x) else np.clip(x, 0, 1) + np.float32(0)),
    "cvt.sat.s8.s32": ("s32", "s8", lambda x: min(max(int(x), -128), 127)),
    "cvt.sat.u16.s32": ("s32", "u16", lambda x: min(max(int(x), 0), 65535)),
    "cvt.sat.s32.u32": ("u32", "s32", lambda x: min(int(x), 2**31 - 1)),
    "cvt.s16.s32": ("s32", "s16", int),
    "cvt.u64.s32": ("s32", "u64", int),
    "abs.f32": ("f32", "f32", np.abs),
    "neg.f64": ("f64", "f64", np.negative),
    "abs.f16": ("f16", "f16", np.abs),
    "sqrt.rn.f32": ("f32", "f32", np.sqrt),
    "rcp.rn.f64": ("f64", "f64", lambda x: np.float64(1) / x),
}
PAIRS: dict[str, tuple[str, Callable[..., Any]]] = {
    "min.f32": ("f32", lambda x, y: np.fmin(x, y)),
    "max.f64": ("f64", lambda x, y: np.fmax(x, y)),
    "max.NaN.f16": ("f16", lambda x, y: np.maximum(x, y)),
    "min.NaN.f32": ("f32", lambda x, y: np.minimum(x, y)),
    "copysign.f64": ("f64", lambda x, y: np.copysign(y, x)),
    "div.rn.f32": ("f32", lambda x, y: x / y),
    "sub.f16": ("f16", lambda x, y: x - y),
    "mul.f64": ("f64", lambda x, y: x * y),
}


def codes(kind: str, seed: int, count: int = 100) -> list[int]:
    """Random bits, numbers of moderate size, and the special ones; no zeros in pairs of two signs."""
    generator = np.random.default_rng(seed)
    width = int(kind[1:])
    found = [int(c) for c in generator.integers(0, 2**width, count, np.uint64 if width == 64 else np.int64)]
    if kind[0] == "f":
        moderate = np.concatenate([generator.normal(0, 100, count), generator.integers(-9, 9, count) / 2, [0, np.inf]])
        found += [int(c) for c in moderate.astype(FLOAT[width]).view(UNSIGNED[width])]
        found.append(int(np.array([np.nan], FLOAT[width]).view(UNSIGNED[width])[0]))
    return found


def check(text: str, want: Callable[..., Any], kinds: tuple[str, ...], samples: Iterable[tuple[int, ...]]) -> None:
    """Every sample of the sources gives what `want` says; `kinds` are the types of the result and of the sources."""
    target, source = kinds[0], kinds[1]
    names = ("a", "b")[: len(kinds) - 1]
    run = statement(text)
    for sample in samples:
        (got,) = run.run(dict(zip(names, sample, strict=True))).values()
        with np.errstate(all="ignore"):
            bits = to_bits(want(*(of_bits(code, source) for code in sample)), target)
        assert np.isnan(of_bits(got, target)) if bits is None else got == bits, (list(map(hex, sample)), hex(got))


@pytest.mark.parametrize("opcode", CASES)
def test_one_operand(opcode: str) -> None:
    source, target, formula = CASES[opcode]
    check(f"{opcode} d, a;", formula, (target, source), ((code,) for code in codes(source, 24)))


@pytest.mark.parametrize("opcode", PAIRS)
def test_two_operands(opcode: str) -> None:
    kind, formula = PAIRS[opcode]
    samples = zip(codes(kind, 25), reversed(codes(kind, 26)), strict=True)
    check(f"{opcode} d, a, b;", formula, (kind, kind, kind), samples)
