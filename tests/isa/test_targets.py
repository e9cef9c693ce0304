"""Targets: when each came, and what the predicates of availability rows mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ptxgen.isa import targets, versions
from ptxgen.isa.targets import UnknownTarget, accepts, meets, portable, target

MATRIX = Path(__file__).parents[3] / "shared" / "isa" / "version-target-matrix.json"


@pytest.mark.skipif(not MATRIX.exists(), reason="the measurements are no part of the repository")
def test_measured_pairs_of_version_and_target() -> None:
    """What ptxas says of `.version` and `.target` alone, over all versions and many numbers that are no targets."""
    rows = json.loads(MATRIX.read_text(encoding="utf-8"))
    assert len(rows) > 2500
    wrong = [
        (row["version"], row["target"])
        for row in rows
        # an artefact of measuring: ptxas refused to compile sm_101a for the architecture it was given
        if "future architecture" not in row["error"] and _accepted(row["version"], row["target"]) != row["accept"]
    ]
    assert not wrong


def _accepted(version: str, name: str) -> bool:
    return name in targets.names() and accepts(versions.parse(version), name)


@pytest.mark.parametrize(
    ("name", "number", "suffix", "since"),
    [
        ("sm_10", 10, "", (1, 0)),
        ("sm_90", 90, "", (7, 8)),
        ("sm_90a", 90, "a", (8, 0)),
        ("sm_100f", 100, "f", (8, 8)),
        ("sm_121a", 121, "a", (8, 8)),
    ],
)
def test_target(name: str, number: int, suffix: str, since: tuple[int, int]) -> None:
    found = target(name)
    assert (found.number, found.suffix, found.since, str(found)) == (number, suffix, since, name)
    assert accepts(since, name)
    assert not accepts((since[0], since[1] - 1) if since[1] else (since[0] - 1, 9), name)


def test_unknown_target() -> None:
    with pytest.raises(UnknownTarget, match="sm_90a"):
        target("sm_90f")
    with pytest.raises(UnknownTarget, match="sm_75"):
        target("sm_42")


@pytest.mark.parametrize(
    ("name", "predicate", "met"),
    [
        ("sm_20", "", True),
        ("sm_90", "sm_90", True),
        ("sm_90a", "sm_90", True),
        ("sm_121f", "sm_90", True),
        ("sm_89", "sm_90", False),
        ("sm_100a", "sm_100a", True),
        ("sm_103a", "sm_100a", False),
        ("sm_100f", "sm_100a", False),
        ("sm_100f", "sm_100f", True),
        ("sm_100a", "sm_100f", True),
        ("sm_103a", "sm_100f", True),
        ("sm_103f", "sm_100f", True),
        ("sm_100", "sm_100f", False),
        ("sm_100a", "sm_103f", False),
        ("sm_120a", "sm_100f", False),
        ("sm_121f", "sm_120f", True),
        ("sm_110a", "sm_101a", True),  # renamed
        ("sm_101a", "sm_110a", True),
        ("sm_101", "sm_103", True),
        ("sm_110f", "sm_101f", True),
    ],
)
def test_predicates(name: str, predicate: str, met: bool) -> None:
    assert meets(name, predicate) is met


def test_every_target_meets_itself() -> None:
    assert all(meets(name, name) for name in targets.names())


def test_families_and_suffixes_are_complete() -> None:
    for name in targets.names():
        assert portable(name) in targets.names()
        if target(name).suffix == "f":
            assert f"{portable(name)}a" in targets.names()
            assert target(name).family == target(portable(name)).family != ""


def test_order() -> None:
    numbers = [target(name).number for name in targets.names()]
    assert numbers == sorted(numbers)


def test_options() -> None:
    assert {"texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"} <= targets.options().keys()


@pytest.mark.parametrize(
    ("target", "arch", "able"),
    [
        ("sm_80", "sm_80", True),
        ("sm_80", "sm_90a", True),
        ("sm_90", "sm_80", False),
        ("sm_90a", "sm_90a", True),
        ("sm_90a", "sm_90", False),
        ("sm_90a", "sm_100a", False),
        ("sm_100f", "sm_100f", True),
        ("sm_100f", "sm_103a", True),
        ("sm_100f", "sm_103f", True),
        ("sm_103f", "sm_100f", False),
        ("sm_100f", "sm_120f", False),
        ("sm_100a", "sm_103a", False),
        ("sm_100", "sm_121", True),
        ("sm_100f", "sm_103", True),
        ("sm_101", "sm_103", True),
        ("sm_110", "sm_101", False),
        ("sm_101f", "sm_110", True),
        ("sm_101a", "sm_110a", True),
        ("sm_110a", "sm_101a", False),
    ],
)
def test_assembles(target: str, arch: str, able: bool) -> None:
    """`a` code runs on its architecture alone, `f` code on later ones of its family (PTX ISA 11.1.2).

    Numbers count as they are written, whatever the target is called now.
    """
    assert targets.assembles(target, arch) == able


@pytest.mark.parametrize(
    ("arch", "first", "last"),
    [
        ("sm_10", "1.0", "6.0"), ("sm_70", "9.0", "12.9"), ("sm_75", "10.0", "13.5"), ("sm_90", "11.8", "13.5"),
        ("sm_101f", "12.9", "12.9"), ("sm_107a", "13.4", "13.5"),
    ],
)  # fmt: skip
def test_toolkits(arch: str, first: str, last: str) -> None:
    """The column `assembled` of targets.yaml, whose open left end is the target's PTX version."""
    found = targets.toolkits(arch)
    assert (found[0], found[-1]) == (first, last)
    assert targets.assembled_by(arch, f"{last}.1")
    assert not targets.assembled_by(arch, "99.0")


def test_every_target_has_a_toolkit() -> None:
    assert all(targets.toolkits(name) for name in targets.names())


def test_availability_in_either_form() -> None:
    assert targets.needs("7.8") == {"": "7.8"}
    assert targets.needs({"sm_90": "7.8"}) == {"sm_90": "7.8"}
