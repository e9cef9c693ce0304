"""Instructions that look into other lanes, on random warps, against loops over the whole warp."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.values.grid import F32
from tests.values.statements import statement
from tests.values.test_floats import extreme

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


# ---- masks that name some of the lanes


def memberships() -> list[tuple[int, int]]:
    """Active lanes, and a mask that names some of them and perhaps lanes that have left."""
    random = Random(24)
    found = [(M32, M32), (M32, 1), (0xFFFF, M32)]
    return found + [(random.getrandbits(32) | 1, random.getrandbits(32) | 1) for _ in range(6)]


def test_votes_and_matches_among_the_named() -> None:
    random = Random(25)
    for active, mask in memberships():
        values = [{"a": random.randrange(2), "x": random.randrange(3) << 33, "m": mask} for _ in LANES]
        members = [lane for lane in LANES if (active & mask) >> lane & 1]
        truths = {values[lane]["a"] for lane in members}
        expected = {
            "vote.sync.all.pred d, a, m;": int(0 not in truths),
            "vote.sync.any.pred d, a, m;": int(1 in truths),
            "vote.sync.uni.pred d, !a, m;": int(len(truths) == 1),
            "vote.sync.ballot.b32 d, !a, m;": sum((1 - values[lane]["a"]) << lane for lane in members),
        }
        for text, want in expected.items():
            results = warp_results(text, values, active)
            assert all(results[lane] == {"d": want} for lane in members), text
        results = warp_results("match.any.sync.b64 d, x, m;", values, active)
        for lane in members:
            same = sum(1 << other for other in members if values[other]["x"] == values[lane]["x"])
            assert results[lane] == {"d": same}
        alike = len({values[lane]["x"] for lane in members}) == 1
        results = warp_results("match.all.sync.b64 d|p, x, m;", values, active)
        want = {"d": sum(1 << lane for lane in members) if alike else 0, "p": int(alike)}
        assert all(results[lane] == want for lane in members)


def test_shuffles_by_the_pseudo_code_of_the_manual() -> None:
    """9.7.9.6, with another b and c in every lane; lanes that do not take part have no value to give."""
    random = Random(26)
    for mode in ("up", "down", "bfly", "idx"):
        for active, _ in memberships():
            values = [{n: random.getrandbits(32) for n in "abc"} for _ in LANES]
            results = warp_results(f"shfl.sync.{mode}.b32 d|p, a, b, c, 0xffffffff;", values, active)
            for lane in (lane for lane in LANES if active >> lane & 1):
                b, c = values[lane]["b"] & 0x1F, values[lane]["c"]
                clamp, segment = c & 0x1F, c >> 8 & 0x1F
                most, least = lane & segment | clamp & ~segment & 0x1F, lane & segment
                source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": least | b & ~segment}[mode]
                inside = source >= most if mode == "up" else source <= most
                source = source if inside else lane
                assert results[lane]["p"] == inside
                if active >> source & 1:
                    assert results[lane]["d"] == values[source]["a"], (mode, lane, values[lane])


FLOAT_REDUCTIONS = ["min", "max", "min.abs", "max.abs", "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"]


@pytest.mark.parametrize("form", FLOAT_REDUCTIONS)
def test_reductions_of_floats(form: str) -> None:
    """Numbers beat NaNs but for .NaN; +0 is above -0."""
    random = Random(form)
    for active, mask in memberships():
        values = [{"a": F32.sample(random), "m": mask} for _ in LANES]
        members = [lane for lane in LANES if (active & mask) >> lane & 1]
        codes = [values[lane]["a"] for lane in members]
        want = extreme(form[:3], form[3:], F32, codes)
        results = warp_results(f"redux.sync.{form}.f32 d, a, m;", values, active)
        assert all(results[lane] == {"d": want} for lane in members), list(map(hex, codes))


def test_one_named_lane_is_elected() -> None:
    for active, mask in memberships():
        members = [lane for lane in LANES if (active & mask) >> lane & 1]
        if members:
            results = warp_results("elect.sync d|p, m;", [{"m": mask}] * 32, active)
            assert [results[lane] for lane in members] == [
                {"d": members[0], "p": int(lane == members[0])} for lane in members
            ]
