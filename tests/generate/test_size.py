"""What users load is small, and an instruction is there as soon as it is asked for."""

from __future__ import annotations

import pytest

from ptxgen.isa.family import table
from tools.bench import first_use
from tools.generate.__main__ import OUTPUT

MOST_BYTES = 1_000_000
MARGIN = 5  # a busy machine


def test_tables_are_small() -> None:
    tables = {path.name: path.stat().st_size for path in OUTPUT.glob("*.json*") if path.name != "certification.json"}
    assert {"instructions.jsonl", "semantics.jsonl", "types.json"} <= tables.keys()
    assert sum(tables.values()) < MOST_BYTES, tables


@pytest.mark.parametrize("mnemonic", table().mnemonics())
def test_first_use_is_fast(mnemonic: str) -> None:
    assert first_use.measure(mnemonic, 3) < MARGIN * first_use.LIMIT
