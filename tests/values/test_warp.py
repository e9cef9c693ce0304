"""Instructions that look into other lanes, on random warps, against loops over the whole warp."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.values.statements import statement

LANES = range(32)
M32 = 0xFFFF_FFFF


def warp_results(text: str, values: list[dict[str, int]], active: int) -> list[dict[str, int]]:
    """The destinations in every active lane, {} in the others; `values` holds the registers of each lane."""
    return statement(text).run_warp(values, active)


def masks() -> list[int]:
    random = Random(19)
    return [M32, 1, 0x80000000, *(random.getrandbits(32) or 1 for _ in range(4))]


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("width", [32, 16, 4])
def test_shuffles_within_segments(mode: str, width: int) -> None:
    """With c = (32 - width) << 8 | 31 (0 for up) the warp falls into segments, and lanes do not look across."""
    random = Random(20)
    c = (32 - width) << 8 | (0 if mode == "up" else 31)
    for _ in range(4):
        a, b = [random.getrandbits(32) for _ in LANES], random.randrange(32)
        values = [{"a": a[lane], "b": b} for lane in LANES]
        results = warp_results(f"shfl.sync.{mode}.b32 d|p, a, b, {c}, 0xffffffff;", values, M32)
        for lane in LANES:
            first = lane - lane % width
            source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": first + b % width}[mode]
            inside = first <= source < first + width
            if mode == "bfly":  # looks back into an earlier segment, but not ahead into a later one
                inside = source < first + width
            assert results[lane] == {"d": a[source] if inside else a[lane], "p": inside}, (lane, b)


def test_votes() -> None:
    random = Random(21)
    for active in masks():
        truths = random.choice([[0] * 32, [1] * 32, [random.randrange(2) for _ in LANES]])
        mask = M32
        values = [{"a": t} for t in truths]
        voters = [lane for lane in LANES if active >> lane & 1]
        expected = {
            "all.pred": all(truths[lane] for lane in voters),
            "any.pred": any(truths[lane] for lane in voters),
            "uni.pred": len({truths[lane] for lane in voters}) == 1,
            "ballot.b32": sum(truths[lane] << lane for lane in voters),
        }
        for form, want in expected.items():
            for result in warp_results(f"vote.sync.{form} d, a, {mask};", values, active):
                assert result in ({}, {"d": int(want)})


def test_matches() -> None:
    random = Random(22)
    for active in masks():
        a = [random.randrange(3) for _ in LANES]
        values = [{"a": x} for x in a]
        members = [lane for lane in LANES if active >> lane & 1]
        one = {a[lane] for lane in members}
        for lane, result in enumerate(warp_results("match.any.sync.b32 d, a, 0xffffffff;", values, active)):
            same = sum(1 << other for other in members if a[other] == a[lane])
            assert result in ({}, {"d": same})
        for same in (values, [{"a": 7}] * 32):
            together = len(one) == 1 or same is not values
            want = {"d": active if together else 0, "p": int(together)}
            for result in warp_results("match.all.sync.b32 d|p, a, 0xffffffff;", same, active):
                assert result in ({}, want)


@pytest.mark.parametrize(
    ("form", "operation"),
    [
        ("add.u32", lambda xs: sum(xs) & M32),
        ("min.u32", min),
        ("max.u32", max),
        ("min.s32", lambda xs: min(xs, key=lambda x: x ^ 0x80000000)),
        ("max.s32", lambda xs: max(xs, key=lambda x: x ^ 0x80000000)),
        ("and.b32", lambda xs: ~_any_zero(xs) & M32),
        ("or.b32", lambda xs: M32 ^ _all_zero(xs)),
        ("xor.b32", lambda xs: sum((sum(x >> i & 1 for x in xs) & 1) << i for i in LANES)),
    ],
)
def test_reductions(form: str, operation: Any) -> None:
    random = Random(23)
    for active in masks():
        a = [random.getrandbits(32) for _ in LANES]
        values = [{"a": x} for x in a]
        want = operation([a[lane] for lane in LANES if active >> lane & 1])
        for result in warp_results(f"redux.sync.{form} d, a, 0xffffffff;", values, active):
            assert result in ({}, {"d": want})


def _any_zero(xs: list[int]) -> int:
    return sum(any(not x >> i & 1 for x in xs) << i for i in LANES)


def _all_zero(xs: list[int]) -> int:
    return sum(all(not x >> i & 1 for x in xs) << i for i in LANES)


def test_one_lane_is_elected() -> None:
    for active in masks():
        results = warp_results(f"elect.sync d|p, {active};", [{}] * 32, active)
        members = [lane for lane in LANES if active >> lane & 1]
        assert {results[lane]["d"] for lane in members} == {members[0]}
        assert [lane for lane in members if results[lane]["p"]] == [members[0]]


def test_active_mask() -> None:
    for active in masks():
        for result in warp_results("activemask.b32 d;", [{}] * 32, active):
            assert result in ({}, {"d": active})
