"""tests/data/modules.jsonl: small modules, each about one question of text, names, scopes or declarations.

A line has the module (`ptx`), whether ptxas takes it (`accept`; null: ptxas dies of it), whether only the pass after
the parser refuses it (`late`), and the question with the reason (`note`). `arch` is there where it is not compute_90,
`encoding` where the text is no UTF-8, `assembles` where making code refuses what the check accepts (null: dies of it).
"""

import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tools.certify.ptxas import Verdict, module_verdict
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable

DATA = Path(__file__).parents[1] / "data" / "modules.jsonl"
NEWEST = RELEASES[-1]
ACCEPT = {Verdict.ACCEPTED: True, Verdict.REJECTED: False, Verdict.CRASHED: None}
SAMPLE = 200


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in DATA.read_text(encoding="ascii").splitlines()]


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


@pytest.mark.ptxas
def test_ptxas_says_what_is_recorded(ptxas: Release) -> None:
    """A sample, each alone: in one run the numbers of files and the labels of sections of all modules are one."""
    wrong: list[str] = []
    for row in random.Random(1).sample([row for row in rows() if "encoding" not in row], SAMPLE):
        verdict = module_verdict(row["ptx"], ptxas, row.get("arch", "compute_90"))
        if ACCEPT[verdict] is not row["accept"]:
            wrong.append(f"{row['id']} {row['note']}: ptxas {ptxas.name} {verdict.value}")
    assert not wrong, "\n".join(wrong[:20])
