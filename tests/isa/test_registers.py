"""Special registers: found by name and field, with numbered families spelled out."""

from __future__ import annotations

import pytest

from ptxgen.isa import registers, targets, types, versions


@pytest.mark.parametrize(
    ("text", "name", "field"),
    [
        ("%tid.x", "tid", "x"),
        ("%tid", "tid", ""),
        ("%ctaid.b", "ctaid", "z"),
        ("%laneid", "laneid", ""),
        ("%envreg31", "envreg31", ""),
        ("%pm7", "pm7", ""),
        ("%pm7_64", "pm7_64", ""),
        ("%reserved_smem_offset_1", "reserved_smem_offset_1", ""),
        ("clock64", "clock64", ""),
    ],
)
def test_find(text: str, name: str, field: str) -> None:
    found = registers.find(text)
    assert found is not None
    assert (found[0].name, found[1]) == (name, field)


@pytest.mark.parametrize(
    "text", ["%tid.v", "%tid.xy", "%laneid.x", "%envreg32", "%pm8", "%reserved_smem_offset_2", "%r1", ""]
)
def test_not_found(text: str) -> None:
    assert registers.find(text) is None


def test_numbered_families() -> None:
    assert len([name for name in registers.table() if name.startswith("envreg")]) == 32
    assert registers.table()["envreg0"].since == registers.table()["envreg31"].since


def test_rows() -> None:
    for register in registers.table().values():
        found = types.type_of(register.type)
        assert found is not None, register.name
        assert register.summary.endswith("."), register.name
        assert all(types.known(name).bits < found.bits for name in register.legacy), register.name
        for needs in (register.since, register.ungated):
            assert all(not target or target in targets.names() for target in needs), register.name
            assert all(versions.parse(version) <= versions.newest() for version in needs.values()), register.name


@pytest.mark.parametrize(
    ("type", "name", "wider", "whether"),
    [
        ("u32", "tid", False, True),
        ("b32", "tid", False, True),
        ("s32", "laneid", False, True),
        ("u16", "tid", False, True),
        ("u16", "laneid", False, False),
        ("u64", "tid", False, False),
        ("f32", "tid", False, False),
        ("u64", "clock64", False, True),
        ("u32", "clock64", False, False),
        ("u32", "clock64", True, True),
        ("pred", "is_explicit_cluster", False, True),
        ("pred", "tid", False, False),
    ],
)
def test_reads(type: str, name: str, wider: bool, whether: bool) -> None:
    assert registers.reads(type, name, wider) is whether
