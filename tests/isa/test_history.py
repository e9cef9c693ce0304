"""What versions changed."""

from __future__ import annotations

import pytest

from ptxgen.isa import versions
from ptxgen.isa.history import Period, additions, changes

EVERYTHING = changes(Period((0, 0), versions.newest()))


def found(version: str, what: str, sort: str) -> dict[str, str]:
    return {one.name: one.text for one in EVERYTHING if (one.version, one.what, one.sort) == (version, what, sort)}


@pytest.mark.parametrize(
    ("version", "what", "sort", "name", "text"),
    [
        ("2.0", "added", "instruction", "bfi", "Insert a bit field of one value into another."),
        ("9.5", "added", "form", "cos", "cos.approx.ftz.2pi.f32 d, a"),
        ("9.2", "added", "condition", "neg", ".s8x4"),
        ("6.4", "removed", "form", "shfl", "shfl.mode.b32 d[|p], a, b, c"),
        ("6.0", "deprecated", "form", "shfl", "shfl.mode.b32 d[|p], a, b, c"),
        ("1.4", "removed", "condition", "sin", "not .approx"),
        ("9.5", "added", "special register", "%locality_domain_id", "Locality domain that the thread runs in."),
        ("9.4", "added", "directive", ".minperctamemory", "Bytes of global memory for each CTA."),
        ("2.1", "removed", "directive", ".maxnctapersm", "Former name of .minnctapersm."),
        ("2.0", "deprecated", "directive", ".maxnctapersm", "Former name of .minnctapersm."),
        ("9.3", "added", "pragma", "mma_throughput", "Favour throughput of matrix instructions."),
        ("9.4", "added", "target", "sm_107f", "family sm_10x"),
        ("9.0", "renamed", "target", "sm_101a", "sm_110a"),
    ],
)
def test_changes(version: str, what: str, sort: str, name: str, text: str) -> None:
    assert found(version, what, sort)[name] == text


def test_a_new_instruction_counts_as_a_whole() -> None:
    assert [one.sort for one in EVERYTHING if one.name == "elect.sync"] == ["instruction"]


def test_further_targets_are_news() -> None:
    ones = [one for one in EVERYTHING if one.name == "redux" and one.version == "8.8"]
    assert [(one.sort, one.text, one.needs) for one in ones] == [
        ("form", "redux.sync.op{.abs}{.NaN}.f32 dst, src, membermask", {"sm_100f": "8.8"})
    ]


def test_oldest_first_and_each_once() -> None:
    order = [versions.parse(one.version) for one in EVERYTHING]
    assert order == sorted(order)
    assert len({str(one) for one in EVERYTHING}) == len(EVERYTHING)


def test_a_period_without_news() -> None:
    assert changes(Period((9, 5), (9, 5))) == []


def test_additions_for_a_target() -> None:
    ones = {(one.name, one.text): (one.version, one.needs) for one in additions(Period((9, 1), (9, 5), "sm_107a"))}
    assert ones["add", ".{u8x4, s8x4}"] == ("9.2", {"sm_107f": "9.2"})
    assert ones["cvt", ".pzo"] == ("9.4", {"sm_107f": "9.4"})
    assert ones["cvt", "cvt.rs{.relu}{.satfinite}.f16x2.f32 d, a, b, rbits"] == ("9.4", {"sm_107a": "9.4"})
    assert ("max", ".{u8x4, s8x4}") not in ones  # against the manual there


def test_additions_that_a_target_lacks() -> None:
    names = {(one.name, one.text) for one in additions(Period((9, 1), (9, 5), "sm_90"))}
    assert ("cos", "cos.approx.ftz.2pi.f32 d, a") in names
    assert not any(name == "neg" for name, _ in names)
