"""What PTX 9.2 to 9.5 added, and what lies next to it: since which version each target has it, by ptxas 13.5.

A cell of the table is the first version that is accepted, "earlier" than 9.2, or nothing.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ptxgen.isa import targets, versions
from tools.certify.expectation import legal

with (Path(__file__).parents[1] / "data" / "additions.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
VERSIONS = ("9.1", "9.2", "9.3", "9.4", "9.5")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["statement"])
def test_since_when(row: dict[str, str]) -> None:
    statement, *_ = row.values()
    for target, cell in list(row.items())[1:]:
        first = "9.1" if cell == "earlier" else cell
        known = [v for v in VERSIONS if versions.parse(v) >= targets.target(target).since]
        said = [v for v in known if legal(statement, target, v)]
        assert said == [v for v in known if first and versions.parse(v) >= versions.parse(first)], target


def test_the_table_has_all_kinds_of_rows() -> None:
    cells = [set(list(row.values())[1:]) for row in ROWS]
    for version in ("9.2", "9.3", "9.4", "9.5"):
        assert any(version in found for found in cells), version
    assert any(found == {""} for found in cells)
