"""Which statements are certified, and the record of it; ptxas is not asked here."""

from __future__ import annotations

import json
import random

import pytest

from ptxgen.isa import versions
from ptxgen.isa.family import Line, table
from ptxgen.isa.opcodes import readings
from tools.certify import families, page, record, variants
from tools.certify.__main__ import EFFORTS
from tools.certify.availability import Outcome as Available
from tools.certify.availability import Unchecked
from tools.certify.expectation import first_target
from tools.certify.families import Outcome
from tools.certify.overlooked import overlooks
from tools.certify.record import Data, RecordMismatch, Run
from tools.certify.releases import RELEASES
from tools.certify.selection import Coverage, Effort, Selection, shares
from tools.certify.statements import opcodes
from tools.generate.rules import LineRules


def lines(mnemonic: str) -> list[Line]:
    family = table().family(mnemonic)
    assert family is not None
    return list(family.lines)


def legal(text: str) -> bool:
    return first_target(text, families.TARGETS, versions.newest()) is not None


@pytest.mark.parametrize("mnemonic", ["add", "fence", "cvt", "set", "vadd", "shfl", "mov"])
def test_variants_are_the_opcodes_that_the_rules_allow(mnemonic: str) -> None:
    """Against trying every opcode of the line."""
    for line in lines(mnemonic):
        rules, every = LineRules(line), set(opcodes(line, 1 << 20, random.Random(1)))
        for allowed in variants.of_line(line):
            found = [reading.tokens for reading in allowed.draw(len(allowed), random.Random(1))]
            ways = [r for tokens in every for r in readings(line.family, allowed.mnemonic, tokens) if r.line is line]
            assert len(found) == len(allowed) == len(set(found))
            assert {r.tokens for r in ways if rules.hold_for_tokens(r)} <= set(found) <= every


def test_draws_are_spread_and_limited() -> None:
    allowed = max((v for line in lines("ld") for v in variants.of_line(line)), key=len)
    drawn = [reading.tokens for reading in allowed.draw(50, random.Random(1))]
    assert len(set(drawn)) == 50
    assert len({tokens[-1] for tokens in drawn}) > 5
    with pytest.raises(IndexError):
        allowed[len(allowed)]


def test_a_selection_has_every_legal_opcode_once() -> None:
    selection = Selection(lines("prmt")[0].family, EFFORTS["small"][0], legal)
    texts = [text for text, _ in selection.texts()]
    assert len(texts) == len(set(texts))
    assert selection.unmade == []
    assert selection.coverage == [
        Coverage(line.text, c.legal, c.legal) for line, c in zip(lines("prmt"), selection.coverage, strict=True)
    ]
    assert {text.split()[0] for text in texts} >= {"prmt.b32", "prmt.b32.f4e", "prmt.b32.ecr"}
    assert 0 < sum(map(legal, texts)) < len(texts)


def test_a_selection_says_what_it_left_out() -> None:
    selection = Selection(lines("ld")[0].family, Effort(legal=5, opcodes=1, stepped=1, steps=1, mutated=1), legal)
    assert list(selection.texts())
    assert {c.tried for c in selection.coverage if c.legal > 5} == {5}


def test_statements_of_longer_mnemonics_are_left_to_them() -> None:
    selection = Selection(lines("cvt")[0].family, EFFORTS["small"][0], legal)
    assert not [text for text, _ in selection.texts() if text.startswith("cvt.pack")]


@pytest.mark.parametrize(
    ("available", "wanted", "given"),
    [([10, 10], 10, [5, 5]), ([2, 10, 10], 12, [2, 5, 5]), ([1, 1, 1], 100, [1, 1, 1]), ([9, 9, 0], 1, [1, 1, 0])],
)
def test_shares(available: list[int], wanted: int, given: list[int]) -> None:
    assert shares(available, wanted) == given


# ---- the record


def run(*names: str, effort: str = "large", availability: bool = True, wrong: int = 0) -> Run:
    stated = [
        Outcome(name, 10 + wrong, 4, 6, coverage=[Coverage("line", 9, 9), Coverage("wide", 90, 50)]) for name in names
    ]
    probed = [
        Available(
            name,
            rows=2,
            verdicts=7,
            releases={RELEASES[0].name},
            unchecked=[Unchecked("since x", "any: 1.0", "version", "names")],
        )
        for name in names
    ]
    return Run(RELEASES[-1], effort, 1, tuple(stated), tuple(probed) if availability else ())


@pytest.fixture
def known() -> Data:
    return record.merged({"releases": [], "families": {}}, run("abs", "add"))


def kept(data: Data, *names: str, effort: str = "large") -> Data:
    return record.kept(data, families.families(names), RELEASES[-1], effort, 1)


def test_record(known: Data) -> None:
    assert known["totals"]["statements"] == 20
    assert known["totals"]["verdicts on availability"] == 14
    assert known["totals"]["lines of which not every legal opcode was tried"] == 2
    assert known["releases"] == [RELEASES[0].name, RELEASES[-1].name]
    assert known["families"]["abs"]["drawn"] == [["wide", 50, 90]]
    assert known["families"]["abs"]["unjudged"] == {"names": ["since x: version of any: 1.0"]}
    assert json.loads(record.text(known)) == known
    assert "| abs | 2, 1 | 10 | 4 | 2 | 7 | 1 |" in page.text(known)


def test_a_part_is_replaced(known: Data) -> None:
    again = record.merged(kept(known, "add"), run("add", availability=False))
    assert again == known
    assert record.merged(kept(known, "add"), run("add", wrong=1))["totals"]["crashes"] == 1


def test_availability_of_another_table_is_forgotten(known: Data) -> None:
    known["families"]["add"]["table"] = "older"
    assert "availability" not in record.merged(kept(known, "add"), run("add", availability=False))["families"]["add"]


def test_parts_that_were_asked_otherwise_do_not_mix(known: Data) -> None:
    with pytest.raises(RecordMismatch):
        kept(known, "add", effort="full")
    assert record.kept(known, families.families([]), RELEASES[-1], "full", 1)["families"] == {}


def test_modifiers_that_ptxas_reads_over_are_no_disagreement() -> None:
    fragments = "{%s32_0, %s32_1, %s32_2, %s32_3}, {%b32_1, %b32_2, %b32_3, %b32_4}, {%b32_5, %b32_6}"
    operands = f"{fragments}, {{%s32_4, %s32_5, %s32_6, %s32_7}};"
    surplus = f"mma.sync.aligned.m16n8k64.and.row.col.s32.s4.s4.s32 {operands}"
    assert not legal(surplus)
    assert overlooks(surplus, "sm_90", "9.5")
    assert not overlooks(surplus, "sm_75", "9.5")  # which has no such shape
    assert not overlooks(surplus.replace(".and", ".add"), "sm_90", "9.5")
    assert not overlooks(surplus.replace("mma.", "add."), "sm_90", "9.5")
