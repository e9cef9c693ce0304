"""Sections and symbols of a cubin."""

from __future__ import annotations

import pytest

from ptxgen.assemble import find_ptxas
from ptxgen.assemble.elf import sections, symbols

PTX = """.version 7.5
.target sm_75
.address_size 64
.visible .global .align 4 .u32 first = 258;
.visible .global .align 4 .b8 room[12];
.visible .entry kernel() { ret; }
"""


@pytest.fixture
def cubin() -> bytes:
    """A kernel and two variables, one of them with a value."""
    found = find_ptxas()
    if found is None:
        pytest.skip("no ptxas")
    return found.assemble(PTX, ("sm_75",), 60).code


def test_sections(cubin: bytes) -> None:
    found = dict(sections(cubin))
    assert found[".nv.global.init"] == (258).to_bytes(4, "little")
    assert found[".nv.global"] == b"12"  # it has no content in the file
    assert len(found[".text.kernel"]) % 16 == 0


def test_symbols(cubin: bytes) -> None:
    found = {name: (section, value, size) for name, section, value, size, *_ in symbols(cubin)}
    assert found["first"] == (".nv.global.init", 0, 4)
    assert found["room"] == (".nv.global", 0, 12)
    assert found["kernel"][:2] == (".text.kernel", 0)
    assert found["kernel"][2] == len(dict(sections(cubin))[".text.kernel"])
