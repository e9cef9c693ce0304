"""The effects of statements, as the specification gives them."""

from __future__ import annotations

import pytest

from ptxgen.isa.classes import ADDRESS, REGISTER, VARIABLE, operand_class
from ptxgen.isa.effects import effects_of
from ptxgen.isa.matching import matches
from ptxgen.isa.opcodes import read

B32 = operand_class(REGISTER, "b32")
IN_SHARED = operand_class(ADDRESS, elements=(operand_class(VARIABLE, "b32", ".shared"),))
BY_REGISTER = operand_class(ADDRESS, elements=(operand_class(REGISTER, "b64"),))


@pytest.mark.parametrize(
    ("opcode", "operands", "effects"),
    [
        ("st.shared.b32", (IN_SHARED, B32), {"writes-shared"}),
        ("st.b32.shared::cta", (IN_SHARED, B32), {"writes-shared"}),
        ("st.global.b32", (BY_REGISTER, B32), set[str]()),
        ("atom.shared.add.u32", (B32, IN_SHARED, B32), {"writes-shared", "reads-shared"}),
        ("add.u32", (B32, B32, B32), set[str]()),
        ("trap", (), {"aborts"}),
        ("barrier.cluster.arrive.aligned", (), {"warp-wide", "fences-mbarrier"}),
        ("barrier.cluster.arrive.relaxed", (), set[str]()),
        ("fence.proxy.async", (), {"fences-async-proxy", "fences-mbarrier"}),
        ("fence.acq_rel.cta", (), set[str]()),
    ],
)
def test_effects(opcode: str, operands: tuple[object, ...], effects: set[str]) -> None:
    (reading, *_) = read(opcode)[1]
    match = next(matches(reading, operands))  # type: ignore[arg-type]
    assert effects_of(match) == effects
