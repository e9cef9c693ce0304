"""What stands within brackets and braces: judged as ptxas 13.5 does, and what the manual has otherwise is told."""

from __future__ import annotations

import pytest

from tools.certify.expectation import examine, legal

TARGET, VERSION = "sm_107a", "9.5"
TENSOR = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
OVERRIDE = f"{TENSOR}.override::global_address.override::global_dim_stride"
SIZES = "[gv, %u64_1, {%u8_1, %u8_2}"
BULK = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
FABRIC = "fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.b128"


@pytest.mark.parametrize(
    ("statement", "accepted"),
    [
        (f"{TENSOR} [gv, {{%s32_1, 3}}], [sv];", True),
        (f"{TENSOR} [gv, {{%s32_1}}], [sv];", False),
        (f"{TENSOR} [gv, {{%f16x2_1, %f16x2_2}}], [sv];", False),  # a type that the instruction fixes
        (f"{TENSOR} [gv+16, {{%s32_1, %s32_2}}], [sv];", False),  # no offset beside other elements
        (f"{FABRIC} [sv], [%u32_1, %u64_1+16], 16, [sv];", False),
        (f"{OVERRIDE} {SIZES}, {{%b32_1}}, %u16_1, {{0, 0}}], [sv];", True),
        (f"{OVERRIDE} {SIZES}, {{%b32_1}}, %u16_1, {{0, 1}}], [sv];", False),  # `imm` restricts elements
        (f"{OVERRIDE} {SIZES}, {{1}}, %u16_1, {{0, 0}}], [sv];", False),  # integers alone are no .b32
        (f"{BULK} [sv], [gv], 16, [%u32_1];", True),
        (f"{BULK} [sv], [gv], 16, [%u16_1];", False),
        (f"{BULK}.L2::cache_hint [sv], [gv], 16, [%u16_1], %u64_1;", True),
    ],
)
def test_judged(statement: str, accepted: bool) -> None:
    assert legal(statement, TARGET, VERSION) == accepted


@pytest.mark.parametrize(
    "statement",
    [
        f"{TENSOR} [gv, {{%s32_1, %s32_2}}], sv;",
        f"{TENSOR} [gv, {{%s32_1, %s32_2}}], %u64_1;",
        f"{TENSOR} [%f64_1, {{%s32_1, %s32_2}}], [sv];",
        f"{TENSOR}.finite [gv, {{%s32_1, %s32_2}}], [sv];",
        f"{TENSOR}.gpu [gv, {{%s32_1, %s32_2}}], [sv];",
    ],
)
def test_only_ptxas_takes_it(statement: str) -> None:
    found = examine(statement)
    assert found is not None
    assert found[0].legal
    assert all(match.beyond_manual() for match in found[0].legal)


def test_what_is_read_over_may_belong_to_an_instruction() -> None:
    assert not legal("tensormap.replace.tile.rank.box_dim.b1024.b32 [gv], 1;", TARGET, VERSION)
    assert legal("tensormap.replace.tile.rank.finite.b1024.b32 [gv], 1;", TARGET, VERSION)
