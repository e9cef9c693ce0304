"""tests/data/modules.jsonl: small modules, each about one question of text, names, scopes or declarations.

A line has the module (`ptx`), whether ptxas takes it (`accept`; null: ptxas dies of it), whether only the pass after
the parser refuses it (`late`), and the question with the reason (`note`). `arch` is there where it is not compute_90,
`encoding` where the text is no UTF-8, `assembles` where making code refuses what the check accepts (null: dies of it).
"""

import random
from collections import Counter, defaultdict
from typing import Any

import pytest

from tests.conformance.differences import UNEXPLAINED, found, recorded, rows
from tools.certify.ptxas import Verdict, module_verdict
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable

NEWEST = RELEASES[-1]
ACCEPT = {Verdict.ACCEPTED: True, Verdict.REJECTED: False, Verdict.CRASHED: None}
SAMPLE = 200


@pytest.fixture(scope="module")
def ptxas() -> Release:
    try:
        NEWEST.path()
    except ReleaseUnavailable as why:
        pytest.skip(f"ptxas {NEWEST.name} cannot be fetched: {why}")
    return NEWEST


def test_modules_are_in_order_and_each_is_there_once() -> None:
    identifiers = [row["id"] for row in rows()]
    assert identifiers == sorted(set(identifiers))
    assert not [text for text, times in Counter(row["ptx"] for row in rows()).items() if times > 1]


def test_every_topic_has_both_verdicts() -> None:
    verdicts: dict[str, set[Any]] = defaultdict(set)
    for row in rows():
        verdicts[row["topic"]].add(row["accept"])
    one_sided = {topic for topic, found in verdicts.items() if not {True, False} <= found}
    assert one_sided == {"flow"}  # what ptxas does not check


def test_check_agrees_with_ptxas() -> None:
    """On all but those of differences.toml, and on none of those: who makes one agree takes it out there."""
    known, differing = recorded(), set(found())
    how = "; look at each, then python -m tests.conformance.differences"
    assert not differing - known.keys(), f"verdicts that differ from those of ptxas{how}"
    assert not known.keys() - differing, f"verdicts that agree by now{how}"


def test_every_difference_has_a_reason_and_is_a_module() -> None:
    known = recorded()
    assert UNEXPLAINED not in known.values()
    assert known.keys() <= {row["id"] for row in rows()}


@pytest.mark.ptxas
def test_ptxas_says_what_is_recorded(ptxas: Release) -> None:
    """A sample, each alone: in one run the numbers of files and the labels of sections of all modules are one."""
    wrong: list[str] = []
    for row in random.Random(1).sample([row for row in rows() if "encoding" not in row], SAMPLE):
        verdict = module_verdict(row["ptx"], ptxas, row.get("arch", "compute_90"))
        if ACCEPT[verdict] is not row["accept"]:
            wrong.append(f"{row['id']} {row['note']}: ptxas {ptxas.name} {verdict.value}")
    assert not wrong, "\n".join(wrong[:20])
