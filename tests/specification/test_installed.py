"""Tables that are not written yet are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptxgen.errors import SpecError
from ptxgen.isa import data, targets, types
from tests.specification.test_wrong import WRONG, faults
from tools.specification.installed import installed
from tools.specification.specification import load_specification

TABLES = {"targets": {"targets": {"sm_1": {"since": "1.0"}}, "options": {}}}


def test_in_the_block_only() -> None:
    before = targets.names()
    with installed(TABLES):
        assert targets.names() == ("sm_1",)
    assert targets.names() == before


def test_after_an_error() -> None:
    with pytest.raises(SpecError), installed(TABLES):
        raise SpecError("")
    assert data.load("targets") is not TABLES["targets"]


def test_an_audit_leaves_nothing(tmp_path: Path) -> None:
    before = data.load("types")
    tables = load_specification().tables
    assert data.load("types") is not tables["types"]
    faults(tmp_path, WRONG / "rule-never-true.yaml")
    assert data.load("types") == before
    assert types.type_of("u32") is types.type_of("u32")
