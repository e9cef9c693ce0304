"""The record of the manual: what a new edition has otherwise, on an edition that is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.manual import record
from tools.manual.__main__ import main

TWIST = """\
#### 1.2. Invented Instructions: `twist`\uf0c1

Turn a value around.

Syntax

twist{.rnd}.type  d, a;   // another way
    .type = { .u32, .s32 };

Description
"""
KNOT = "#### 1.3. [Invented Instructions: knot](<#knot>)\n\nSyntax\n\n    knot d;\n"
TEXT = "### 1.1. Inventions\n\nThere are some.\n"


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    folder = tmp_path / "manual"
    folder.mkdir()
    for name, text in {"1.1": TEXT, "1.2": TWIST, "1.3": KNOT}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def run(manual: Path, *options: str) -> int:
    return main([str(manual), "--file", str(manual.parent / "manual.json"), *options])


@pytest.fixture
def recorded(manual: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert run(manual, "--record", "9.1") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 sections: 3 new, 0 changed, 0 gone; * with syntax"
    return manual


def test_nothing_differs(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(recorded) == 0
    assert capsys.readouterr().out == "3 sections: 0 new, 0 changed, 0 gone; * with syntax\n"


def test_white_space_and_links_are_nothing(recorded: Path) -> None:
    (recorded / "1.2.md").write_text(TWIST.replace(".type  d", ".type d").replace("`twist`\uf0c1", "twist"))
    (recorded / "1.3.md").write_text("---\nsection: 1.3\n---\n" + KNOT.replace("[Inv", "Inv").replace("](<#knot>)", ""))
    assert run(recorded) == 0


def test_new_changed_and_gone(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded / "1.1.md").unlink()
    (recorded / "1.2.md").write_text(TWIST.replace(".s32", ".s32, .s64"), encoding="utf-8")
    (recorded / "1.4.md").write_text(KNOT.replace("knot", "loop").replace("1.3", "1.4"), encoding="utf-8")
    assert run(recorded) == 1
    assert capsys.readouterr().out.splitlines() == [
        "new     * 1.4            Invented Instructions: loop",
        "changed * 1.2            Invented Instructions: twist",
        "gone      1.1            Inventions",
        "3 sections: 1 new, 1 changed, 1 gone; * with syntax",
    ]


def test_a_number_is_no_change(recorded: Path) -> None:
    (recorded / "1.3.md").write_text(KNOT.replace("1.3", "2.7"), encoding="utf-8")
    assert run(recorded) == 0


def test_later_editions_stand_beside_the_first(recorded: Path) -> None:
    first = record.load(recorded.parent / "manual.json")
    (recorded / "1.2.md").write_text(TWIST.replace(".s32", ".s32, .s64"), encoding="utf-8")
    assert run(recorded, "--record", "9.10") == 0
    assert run(recorded) == 0
    known = record.load(recorded.parent / "manual.json")
    assert known[:3] == first
    assert [(s.edition, s.number) for s in known[3:]] == [("9.10", "1.2")]
    assert known[3].syntax[0] == first[1].syntax[0]
    assert known[3].syntax[1] != first[1].syntax[1]


def test_an_edition_is_recorded_after_a_later_one(recorded: Path) -> None:
    (recorded / "1.2.md").write_text(TWIST.replace(".s32", ".s32, .s64"), encoding="utf-8")
    assert run(recorded, "--record", "9.10") == 0
    (recorded / "1.2.md").write_text(TWIST.replace(".s32", ".s32, .b32"), encoding="utf-8")
    assert run(recorded, "--record", "9.9") == 0
    (recorded / "1.2.md").write_text(TWIST, encoding="utf-8")
    assert run(recorded, "--record", "9.8") == 0
    known = record.load(recorded.parent / "manual.json")
    assert [(s.edition, s.number) for s in known[3:]] == [("9.9", "1.2"), ("9.10", "1.2")]


def test_syntax_without_text(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recorded / "1.2.md").write_text(TWIST.replace("Turn a value around.", ""), encoding="utf-8")
    (recorded / "1.3.md").write_text(KNOT.replace("knot d;", "knot d, a;"), encoding="utf-8")
    assert run(recorded, "--syntax", "--record", "9.2") == 0
    assert [(s.number, s.text) for s in record.load(recorded.parent / "manual.json")[3:]] == [("1.3", "")]
    capsys.readouterr()
    assert run(recorded) == 1
    assert "changed * 1.2" in capsys.readouterr().out


def test_no_manual(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 2
    assert "has no section of the manual" in capsys.readouterr().err
