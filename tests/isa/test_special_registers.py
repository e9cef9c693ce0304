"""Special registers as operands: alone, four fields at once, and in vectors. As ptxas 13.5 judges."""

from __future__ import annotations

import pytest

from ptxgen.isa import versions
from tools.certify.expectation import examine, legal

TARGET, VERSION = "sm_90", "9.5"


@pytest.mark.parametrize(
    ("statement", "accepted"),
    [
        ("mov.v4.u32 {%u32_1, %u32_2, %u32_3, _}, %tid;", True),
        ("mov.v4.s16 {%s16_1, %s16_2, %s16_3, %s16_4}, %ntid;", True),
        ("mov.v4.u16 {%u16_1, %u16_2, %u16_3, %u16_4}, %clusterid;", False),  # which never had 16 bits
        ("mov.v4.f32 {%f32_1, %f32_2, %f32_3, %f32_4}, %tid;", False),
        ("mov.v2.u32 {%u32_1, %u32_2}, %tid;", False),
        ("mov.v4.u32 %u32_1, %tid;", False),
        ("mov.b128 %b128_1, %tid;", True),
        ("mov.b128 {%b64_1, %b64_2}, %tid;", False),
        ("mov.v2.u32 {%u32_1, %u32_2}, {%tid.x, %laneid};", True),
        ("mov.v2.f32 {%f32_1, %f32_2}, {%tid.x, %f32_3};", True),  # it counts for a .b32 register
        ("mov.v2.u16 {%u16_1, %u16_2}, {%tid.x, %tid.y};", False),  # of 32 bits, here
        ("mov.v2.u64 {%u64_1, %u64_2}, {%clock64, %u64_3};", True),
        ("mov.v2.u64 {%u64_1, %u64_2}, {%laneid, %u64_3};", False),
        ("mov.v2.u32 {%u32_1, %u32_2}, {%laneid, 1};", True),
        ("mov.v2.u32 {%u32_1, %u32_2}, {%tid.x, 1};", False),  # a field, beside a constant
        ("mov.v2.u32 {%u32_1, %u32_2}, {%tid, %u32_3};", False),
        ("mov.b64 %b64_1, {%tid.x, %f32_1};", True),
        ("mov.b64 %b64_1, {%tid.x, %clock64};", False),
        ("mov.b32 {%b16_1, %b16_2}, %laneid;", True),
        ("add.u32 %u32_1, %tid.x, 1;", False),
    ],
)
def test_judged(statement: str, accepted: bool) -> None:
    assert legal(statement, TARGET, VERSION) == accepted


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("mov.v4.u32 {%u32_1, %u32_2, %u32_3, %u32_4}, %tid;", set[str]()),
        ("mov.b64 %b64_1, {%tid.x, %tid.y};", set[str]()),
        ("mov.v4.u32 {%u32_1, %u32_2, %u32_3, _}, %tid;", {"not _"}),
        ("mov.v2.u32 {%u32_1, %u32_2}, %laneid;", {"a is vec"}),
        ("mov.b64 {%b32_1, %b32_2}, %clock64;", {"not a is sreg"}),
    ],
)
def test_what_the_manual_lacks(statement: str, said: set[str]) -> None:
    found = examine(statement)
    assert found is not None
    (match,) = found[0].legal
    assert {row.text for row in match.beyond_manual()} == said


def test_an_element_has_its_own_availability() -> None:
    statement = "mov.b64 %b64_1, {%clusterid.x, %clusterid.y};"
    assert [legal(statement, "sm_90", version) for version in ("7.7", "7.8")] == [False, True]
    assert not legal(statement, "sm_89", versions.text(versions.newest()))
