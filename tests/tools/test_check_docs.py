"""The comparison of specifications with a copy of the manual, on a manual that is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_docs import main
from tools.manual.sections import Section, pieces, read_manual
from tools.specification.specification import GLOBALS, ROOT

MANUAL = """\
---
title: "1.2. Invented Instructions:twist"
---

#### 1.2. Invented Instructions: `twist`, `untwist` (deprecated)

Turn a value around.

Syntax

twist{.rnd}.type  d, a;      // another way
    twist.hi.type     d, a, b;

    .type = { .u32,
              .s32 };
    .rnd = .mode = { .rn };
    .sel = .hxy, where x,y are from { 0, 1 };

Target ISA Notes

Syntax is nothing here: twist.no d;

##### 1.2.1.  [Invented Instructions: `knot`](<#knot>)

Syntax
    knot d;

Description
"""
SPECIFICATION = """\
instruction: "{ twist, untwist }"
summary: Turn a value around.

forms:
  - section: 1.2
    syntax: |
      twist{.rnd}.type  d, a;
      twist.hi.type     d, a, b;

      .type = { .u32, .s32 };
      .rnd = .mode = { .rn };
      .sel = .hxy, where x,y are from { 0, 1 };
    operands:
      d: out .type
      a, b: .type
"""


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    (tmp_path / "manual" / "1").mkdir(parents=True)
    (tmp_path / "manual" / "1" / "1.2.md").write_text(MANUAL)
    return tmp_path / "manual"


def run(manual: Path, specification: str) -> int:
    root = manual.parent / "specs"
    (root / "instructions").mkdir(parents=True)
    for name in GLOBALS:
        (root / f"{name}.yaml").symlink_to(ROOT / f"{name}.yaml")
    (root / "instructions" / "twist.yaml").write_text(specification)
    return main([str(manual), "--specs", str(root)])


def test_sections(manual: Path) -> None:
    assert [(s.number, s.mnemonics) for s in read_manual(manual)] == [
        ("1.2", ("twist", "untwist")),
        ("1.2.1", ("knot",)),
    ]


def test_pieces() -> None:
    assert list(pieces(Section("1.2", "twist", MANUAL).syntax)) == [
        "twist{.rnd}.typed,a",
        "twist.hi.typed,a,b",
        "knotd",
        ".type={.u32,.s32}",
        ".rnd=.mode={.rn}",
        ".sel=.hxy,wherex,yarefrom{0,1}",
    ]


def test_equal(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(manual, SPECIFICATION) == 0
    assert capsys.readouterr().out == "1 sections, 5 lines and sets compared, 0 differ\n"


def test_difference(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(manual, SPECIFICATION.replace("{ .u32, .s32 }", "{ .u32 }")) == 1
    assert "twist.yaml:6: syntax: section 1.2 has '.type={.u32,.s32}'" in capsys.readouterr().err


def test_errata_explain(manual: Path) -> None:
    ours = SPECIFICATION.replace("twist{.rnd}.type  d, a;", "twist{.rnd}.type  d, a, c;")
    errata = '    errata:\n      - replace: ["twist{.rnd}.type d, a;", "twist{.rnd}.type d, a, c;"]\n    operands:'
    kinds = "      a, b, c: .type"
    assert run(manual, ours.replace("    operands:", errata).replace("      a, b: .type", kinds)) == 0


def test_errata_put_a_semicolon(manual: Path) -> None:
    (manual / "1" / "1.2.md").write_text(MANUAL.replace("a, b;", "a, b"))
    errata = '    errata:\n      - replace: ["d, a, b .type", "d, a, b; .type"]\n    operands:'
    assert run(manual, SPECIFICATION.replace("    operands:", errata)) == 0


def test_errata_follow_each_other(manual: Path) -> None:
    (manual / "1" / "1.2.md").write_text(MANUAL.replace("twist.hi.type     d, a, b;", "twist.high.type     d, a_b;"))
    second = '["twist.high.type d, c", "twist.hi.type d, a, b"]'
    errata = f"    errata:\n      - replace: [a_b, c]\n      - replace: {second}\n    operands:"
    assert run(manual, SPECIFICATION.replace("    operands:", errata)) == 0


def test_errata_of_the_block_that_has_the_lines(manual: Path) -> None:
    page = "##### 1.4. Instructions: twist\n\nSyntax\n\n    twist d;\n\n    .type = { .u32 };\n"
    (manual / "1" / "1.2.md").write_text(page)
    forms = [
        ["  - section: 1.2", "    syntax: twist d, a;", '    errata: [ replace: ["twist d;", "twist d, a;"] ]'],
        ["  - section: 1.3", "    syntax: |", "      twist d;", "", "      .type = { .u32 };"],
    ]
    operands = [["    operands: { d: out .u32, a: .u32 }"], ["    operands: { d: out .u32 }"]]
    head = ["instruction: twist", "summary: Turn a value around.", "", "forms:"]
    lines = head + [line for form, more in zip(forms, operands, strict=True) for line in form + more]
    assert run(manual, "\n".join(lines) + "\n") == 0


def test_dropped_line(manual: Path) -> None:
    (manual / "1" / "1.2.md").write_text(MANUAL.replace("    twist.hi.type", "    twist.lo  d;\n    twist.hi.type"))
    errata = "    errata:\n      - drop: twist.lo d;\n    operands:"
    assert run(manual, SPECIFICATION.replace("    operands:", errata)) == 0


def test_idle_errata_are_listed(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    errata = '    errata:\n      - replace: ["twist.older d, a;", "twist.hi.type d, a, b;"]\n    operands:'
    assert run(manual, SPECIFICATION.replace("    operands:", errata)) == 0
    assert "twist.yaml:14: errata: replace: 'twist.older d, a;' is not in this edition" in capsys.readouterr().out


def test_nothing_to_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manual").mkdir()
    assert run(tmp_path / "manual", SPECIFICATION) == 2
    assert "has no syntax of a section that the specification describes" in capsys.readouterr().err


def test_other_sections_are_nothing(manual: Path) -> None:
    assert run(manual, SPECIFICATION.replace("twist", "bend")) == 2


def test_a_title_longer_than_the_mnemonic(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (manual / "1" / "9.7.md").write_text("##### 9.7.1.2. Instructions: twist.hi\n\nSyntax\n\n    twist.hi.no d;\n")
    assert run(manual, SPECIFICATION) == 1
    assert "twist.yaml:6: syntax: section 9.7.1.2 has 'twist.hi.nod'" in capsys.readouterr().err


def test_an_instruction_that_no_file_describes(manual: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (manual / "1" / "9.7.md").write_text("##### 9.7.1.2. Instructions: knot\n\nSyntax\n\n    knot d;\n")
    assert run(manual, SPECIFICATION) == 1
    assert "section 9.7.1.2, Instructions: knot, has syntax that no file describes" in capsys.readouterr().err
