"""The record of certification is of the tables as they are, complete, and without a disagreement."""

from __future__ import annotations

import pytest

from ptxgen.isa.family import Family
from tools.certify import families, page, record
from tools.certify.record import Data
from tools.certify.releases import RELEASES

STATEMENTS = 2_000_000  # different ones, at the newest ptxas
VERDICTS = 200_000  # on availability
MOST_BYTES = 100_000
AGAIN = "python -m tools.certify --record --effort large --availability"

FAMILIES = families.families([])


@pytest.fixture(scope="module")
def data() -> Data:
    found = record.load()
    assert found is not None, f"there is no record; {AGAIN}"
    return found


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_family_is_recorded_as_it_is(family: Family, data: Data) -> None:
    again = f"{AGAIN} {family.name}"
    assert family.name in data["families"], again
    entry = data["families"][family.name]
    assert entry["table"] == record.fingerprint(family.name), f"its specification has changed since; {again}"
    assert entry["lines"] == len(family.lines)
    assert entry["statements"] > 0 < entry["legal"], again
    assert "unmade" not in entry
    assert entry["disagreements"] == 0
    assert entry["availability"]["disagreements"] == 0, again
    assert entry["availability"]["verdicts"] > 0, again


def test_of_the_tables_as_they_are(data: Data) -> None:
    assert list(data["families"]) == [family.name for family in FAMILIES]
    assert data["shared"] == record.shared_fingerprint(), f"types, targets or versions have changed since; {AGAIN}"
    assert data["ptxas"] == RELEASES[-1].name
    assert data["effort"] == "large"


def test_totals_are_sums(data: Data) -> None:
    assert data["totals"] == record.totals(data["families"])
    for entry in data["families"].values():
        assert entry["statements"] == entry["legal"] + entry["illegal"] + entry["crashes"]


def test_enough_was_asked(data: Data) -> None:
    assert data["totals"]["statements"] >= STATEMENTS
    assert data["totals"]["verdicts on availability"] >= VERDICTS
    assert data["totals"]["disagreements"] == 0


def test_legal_opcodes_are_left_out_only_where_there_are_too_many(data: Data) -> None:
    for name, entry in data["families"].items():
        for line, tried, legal in entry.get("drawn", ()):
            assert 50_000 <= tried < legal, f"{name}: {line}"


def test_the_page_is_of_the_record(data: Data) -> None:
    assert page.PATH.read_text(encoding="utf-8") == page.text(data)


def test_written_as_it_would_be(data: Data) -> None:
    written = record.PATH.read_text(encoding="utf-8")
    assert written == record.text(data)
    assert len(written.encode()) < MOST_BYTES
