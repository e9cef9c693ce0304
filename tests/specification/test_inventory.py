"""Every instruction of the inventory is specified, from the version and for the targets that it says."""

from __future__ import annotations

import pytest

from ptxgen.isa import targets, versions
from ptxgen.isa.family import table
from tests.specification.inventory import Row, first, rows

INVENTORY = rows()


@pytest.mark.parametrize("row", INVENTORY, ids=str)
def test_row(row: Row) -> None:
    found = first(row)
    assert found is not None, "no specification has it"
    assert versions.text(found.version) == row.version
    if row.target == "all":
        assert found.targets >= {name for name in targets.names() if targets.target(name).since == (1, 0)}
    else:
        assert row.target in found.targets
        assert found.lowest == targets.target(row.target).number


def test_every_mnemonic_is_in_the_inventory() -> None:
    listed = {table().split(row.name)[0] for row in INVENTORY}
    assert [mnemonic for mnemonic in table().mnemonics() if mnemonic not in listed] == []


def test_rows_are_different() -> None:
    assert len({(row.name, row.section) for row in INVENTORY}) == len(INVENTORY)
