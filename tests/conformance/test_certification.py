"""The specification against the newest ptxas: a sample of every instruction. `python -m tools.certify` does all."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from ptxgen.check import instruction
from ptxgen.isa.data import load
from ptxgen.isa.family import Family, table
from tools.certify import __main__ as command
from tools.certify import availability, directives, families
from tools.certify.differences import explanation, known
from tools.certify.families import Disagreement
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable, release
from tools.certify.selection import Effort

pytestmark = pytest.mark.ptxas

STATEMENTS, PROBES = command.EFFORTS["small"]
FAMILIES = families.families([])
Change: TypeAlias = Callable[[str, str, str, dict[str, str]], None]


@pytest.fixture(scope="module")
def ptxas() -> Release:
    newest = RELEASES[-1]
    try:
        newest.path()
    except ReleaseUnavailable as why:
        pytest.skip(f"ptxas {newest.name} cannot be fetched: {why}")
    return newest


def told(wrong: list[Disagreement]) -> str:
    return "\n".join(
        f"{d.statement} on {d.target} in {d.version}: ptxas {d.release} {d.verdict.value}" for d in wrong[:20]
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_statements(family: Family, ptxas: Release) -> None:
    outcome = families.certify(family, ptxas, STATEMENTS)
    assert outcome.legal
    assert not outcome.disagreements, told(outcome.disagreements)


def test_availability(ptxas: Release) -> None:
    outcomes = availability.certify(FAMILIES, ptxas, PROBES)
    assert [outcome.family for outcome in outcomes if not outcome.verdicts] == []
    wrong = [d for outcome in outcomes for d in outcome.disagreements]
    assert not wrong, told(wrong)


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """Lets a test change what a row of availability says: mnemonic, key, condition, new value."""

    def change(mnemonic: str, key: str, condition: str, needs: dict[str, str]) -> None:
        family = table().family(mnemonic)
        assert family is not None
        rows = [row for block in family.blocks for row in getattr(block, key) if row.text == condition]
        assert rows
        for row in rows:
            monkeypatch.setattr(row, "needs", needs)
        instruction.verdict.cache_clear()

    yield change
    instruction.verdict.cache_clear()


@pytest.mark.parametrize(
    ("mnemonic", "key", "condition", "needs"),
    [
        ("lop3", "since", "lop3", {"sm_50": "4.2"}),
        ("lop3", "since", "lop3", {"sm_50": "5.0"}),
        ("lop3", "since", "lop3", {"sm_30": "4.3"}),
        ("lop3", "since", "lop3", {"sm_52": "4.3"}),
        ("lop3", "since", "lop3", {"": "4.3"}),
        ("shfl", "removed", "shfl", {"sm_70": "6.3"}),
        ("shfl", "removed", "shfl", {"sm_70": "6.5"}),
        ("shfl", "removed", "shfl", {"sm_75": "6.4"}),
        ("shfl", "removed", "shfl", {"": "6.4"}),
    ],
)
def test_a_wrong_row_is_found(
    mnemonic: str, key: str, condition: str, needs: dict[str, str], change: Change, ptxas: Release
) -> None:
    change(mnemonic, key, condition, needs)
    (outcome,) = availability.certify(families.families([mnemonic]), ptxas, PROBES)
    assert outcome.disagreements


def test_the_parts_of_a_row_that_are_checked(ptxas: Release) -> None:
    """`lop3: { sm_50: 4.3 }` shows on sm_50, which 4.0 has, and on sm_30; `.BoolOp: { sm_70: 8.2 }` likewise."""
    (outcome,) = availability.certify(families.families(["lop3"]), ptxas, PROBES)
    assert (outcome.rows, outcome.checked, outcome.unchecked) == (2, 4, [])


def test_the_command_writes_the_same_record_twice(ptxas: Release, tmp_path: Path) -> None:
    arguments = ["lop3", "--availability", "--effort", "small", "--record"]
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert [command.main([*arguments, str(file)]) for file in (first, second)] == [0, 0]
    assert first.read_bytes() == second.read_bytes()
    record = json.loads(first.read_text(encoding="utf-8"))
    assert record["ptxas"] == ptxas.name
    assert record["totals"]["disagreements"] == 0
    assert list(record["families"]) == ["lop3"]
    assert "| lop3 |" in first.with_suffix(".md").read_text(encoding="utf-8")


def test_processes_change_nothing(ptxas: Release) -> None:
    """Several families are certified in several processes, one in this one."""
    chosen = families.families(["lop3", "bfi"])
    together = command.certify(chosen, ptxas, "small", 1, True)
    alone = [command.certify([family], ptxas, "small", 1, True) for family in chosen]
    assert list(together.statements) == [run.statements[0] for run in alone]
    assert list(together.availability) == [run.availability[0] for run in alone]


def test_a_disagreement_fails(change: Change, ptxas: Release, capsys: pytest.CaptureFixture[str]) -> None:
    change("lop3", "since", "lop3", {"sm_50": "5.0"})
    assert command.main(["lop3", "--availability", "--effort", "small"]) == 1
    assert "the specification rejects, ptxas" in capsys.readouterr().out


def test_checking_nothing_fails(
    ptxas: Release, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.EFFORTS, "small", (Effort(legal=0, opcodes=0, stepped=0, mutated=0), PROBES))
    assert command.main(["lop3", "--effort", "small"]) == 1
    assert "nothing was checked" in capsys.readouterr().out


def test_what_is_known_of_older_releases() -> None:
    statement = "isspacep.shared::cta %pred_0, %u32_1;"
    assert explanation(statement, release("11.7"), accepted=True)
    assert not explanation(statement, release("11.7"), accepted=False)
    assert not explanation(statement, release("11.8"), accepted=True)
    assert not any(row.explains(statement, RELEASES[-1], accepted) for row in known() for accepted in (True, False))


@pytest.mark.parametrize(
    ("mnemonic", "row"), [("st", "since .param::func"), ("ld", "since .unified"), ("ld", "ungated .unified")]
)
def test_rows_of_parameters_and_suffixes_are_decided(mnemonic: str, row: str, ptxas: Release) -> None:
    (outcome,) = availability.certify(families.families([mnemonic]), ptxas, PROBES)
    assert row not in {unchecked.row for unchecked in outcome.unchecked}
    assert not outcome.disagreements, told(outcome.disagreements)


def test_directives(ptxas: Release) -> None:
    """`.unified` needs an option of ptxas; what a kernel's body has is there anew, for calls, from PTX 2.0 on."""
    outcome = directives.certify(ptxas, PROBES)
    assert [unchecked.row for unchecked in outcome.unchecked] == ["attributes .unified", "spaces .param kernel"]
    assert not outcome.disagreements, told(outcome.disagreements)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("performance", ".reqntid", "since"), "2.2"),
        (("performance", ".noreturn", "since"), {"sm_20": "6.4"}),
        (("performance", ".maxnctapersm", "removed"), "2.0"),
        (("functions", ".entry", "parameters", "space", ".param"), "1.3"),
    ],
)
def test_a_wrong_row_of_a_directive_is_found(
    place: tuple[str, ...], value: object, monkeypatch: pytest.MonkeyPatch, ptxas: Release
) -> None:
    found = load("directives")
    for key in place[:-1]:
        found = found[key]
    monkeypatch.setitem(found, place[-1], value)
    concerned = [row for row in directives.rows() if " ".join(place).startswith(row.name)]
    monkeypatch.setattr(directives, "rows", lambda: concerned)
    assert directives.certify(ptxas, PROBES).disagreements


def test_an_example_belongs_to_a_row() -> None:
    with pytest.raises(ValueError, match=r"examples: no row is called performance \.nosuch"):
        directives.rows({"performance .nosuch": ".entry e () { ret; }"})
