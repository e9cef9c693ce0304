"""The record of certification: there or not, of this specification or of an older one."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen.isa import data
from ptxgen.isa.certification import certificate, fingerprint, shared_fingerprint
from ptxgen.isa.family import table


def record(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]) -> None:
    monkeypatch.setattr(data, "optional", lambda name: found if name == "certification" else {})


def entry(table_: str, shared: str) -> dict[str, Any]:
    row = {"table": table_, "statements": 1460, "legal": 420, "illegal": 1040, "disagreements": 0}
    return {"ptxas": "13.5", "shared": shared, "families": {"bfi": row}}


def test_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    record(monkeypatch, entry(fingerprint("bfi"), shared_fingerprint()))
    assert certificate("bfi").current
    assert str(certificate("bfi")) == (
        "certified: 1,460 statements put to ptxas 13.5, 420 legal and 1,040 illegal, 0 judged otherwise"
    )


@pytest.mark.parametrize(
    ("table_", "shared"), [(fingerprint("bfe"), shared_fingerprint()), (fingerprint("bfi"), "0123456789ab")]
)
def test_changed_since(monkeypatch: pytest.MonkeyPatch, table_: str, shared: str) -> None:
    record(monkeypatch, entry(table_, shared))
    assert not certificate("bfi").current
    assert str(certificate("bfi")) == "not certified: the specification has changed since ptxas 13.5 judged it"


@pytest.mark.parametrize("found", [{}, {"ptxas": "13.5", "shared": "", "families": {}}])
def test_no_record(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]) -> None:
    record(monkeypatch, found)
    assert str(certificate("bfi")) == "not certified: there is no record of this specification"


def test_a_file_that_is_not_there() -> None:
    assert data.optional("nothing") == {}
    assert "versions" in data.optional("versions")  # the seal is taken off


def test_a_line_is_that_of_the_family() -> None:
    assert table().text("vsub").startswith('{"name":"vadd"')
