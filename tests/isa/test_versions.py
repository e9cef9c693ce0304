"""PTX ISA versions, and the toolkits and drivers that go with them."""

from __future__ import annotations

import pytest

from ptxgen.isa import versions


@pytest.mark.parametrize(("text", "version"), [("1.0", (1, 0)), ("8.10", (8, 10)), ("9.5", (9, 5))])
def test_parse(text: str, version: versions.Version) -> None:
    assert versions.parse(text) == version
    assert versions.text(version) == text


@pytest.mark.parametrize("text", ["", "8", "8.", ".3", "8.x", "8.3.1", "-8.3", "8,3", "٨.٣"])
def test_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="one looks like"):
        versions.parse(text)


def test_known() -> None:
    assert versions.known()[0] == (1, 0)
    assert versions.newest() == versions.known()[-1]
    assert list(versions.known()) == sorted(set(versions.known()))


def test_numbers_are_compared_as_numbers() -> None:
    assert versions.parse("8.10") > versions.parse("8.9")


@pytest.mark.parametrize(
    ("toolkit", "version"),
    [("11.8", (7, 8)), ("12.0", (8, 0)), ("12.5", (8, 5)), ("12.6.85", (8, 5)), ("13.0.88", (9, 0)), ("99.0", None)],
)
def test_of_toolkit(toolkit: str, version: versions.Version | None) -> None:
    assert versions.of_toolkit(toolkit) == version


def test_drivers_take_what_their_toolkit_takes() -> None:
    for version in versions.known():
        driver = versions.oldest_driver(version)
        newest = versions.of_driver(driver) if driver else None
        assert not driver or (newest is not None and newest >= version), version


def test_toolkits_of_a_version() -> None:
    assert versions.toolkits((8, 5))[:2] == ["12.5", "12.6"]
    assert set(versions.toolkits(versions.newest())) <= set(versions.toolkits((1, 0)))


def test_unknown_driver() -> None:
    with pytest.raises(ValueError, match="no driver version"):
        versions.of_driver("new")
