"""Where findings about a text stand, how they are folded, and what a report has of text and check together."""

from __future__ import annotations

import pytest

import ptxgen
from tests.parse.texts import HEADER, KERNEL

FIRST = HEADER.count("\n") + 1  # line of the first item
BODY = HEADER.count("\n") + KERNEL.count("\n") + 1  # line of the first statement


def findings(statements: str, before: str = "") -> list[tuple[str, int, int, int]]:
    """Code, line, column and count of each error and warning."""
    report = ptxgen.check(f"{HEADER}{before}{KERNEL}{statements}\n}}\n")
    return [(d.code, d.line - BODY, d.column, d.count) for d in report.diagnostics if d.severity != "advice"]


def test_an_instruction_is_marked_from_its_opcode_on() -> None:
    text = HEADER + KERNEL + "\n  @%p1 cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;\n}\n"
    (found,) = [d for d in ptxgen.check(text, target="sm_80").diagnostics if d.severity == "error"]
    assert (found.code, found.line, found.column) == ("unavailable", BODY + 1, 8)
    assert found.end_column - found.column == len("cvt.rn.satfinite.e4m3x2.f32")


@pytest.mark.parametrize(
    ("item", "code", "column"),
    [
        (".shared .u32 x = 5;", "variable", 1),
        ("  .global .align 3 .u32 x;", "variable", 3),
        (".entry other .maxntid 0 { ret; }", "directive", 1),
        (".func f { ret; } .func f { ret; }", "redeclared", 18),
        (".entry other(.param .pred p) { ret; }", "parameter", 1),
        (".entry other { .shared .align 3 .u32 x; ret; }", "variable", 16),
    ],
)
def test_declarations_are_marked_where_they_begin(item: str, code: str, column: int) -> None:
    found = [d for d in ptxgen.check(f"{HEADER}{item}\n").diagnostics if d.severity == "error"]
    assert [(d.code, d.line, d.column) for d in found] == [(code, FIRST, column)]


def test_findings_of_one_cause_are_one_with_a_count_at_the_first() -> None:
    statements = "add.u32 a, b, %d1;\nadd.u32 a, c, %d2;\nadd.u32 b, b, %d3;"
    assert findings(statements) == [("operand", 0, 15, 3)]
    assert findings(statements + "\nadd.u32 %d1, b, c;") == [("operand", 0, 15, 3), ("operand", 3, 9, 1)]


def test_errors_of_the_text_and_of_the_check_are_one_report_in_the_order_of_the_text() -> None:
    statements = "add.u32 a, b, %d1;\nadd.u32 a b, c;\nmov.u32 a, nobody;\nfoo.u32 a;"
    found = findings(statements, ".shared .u32 x = 5;\n")
    assert [code for code, *_ in found] == ["variable", "operand", "syntax", "unknown-name", "unknown-instruction"]
    assert [line for _, line, *_ in found] == sorted(line for _, line, *_ in found)


def test_errors_come_before_warnings_before_advice() -> None:
    text = f"{HEADER}.global .u8 x = 256;\n{KERNEL}add.u32 a, b, c;\nadd.u32 a, b, 1.0;\n}}\n"
    assert [d.severity for d in ptxgen.check(text).diagnostics][:2] == ["error", "warning"]
    assert ptxgen.check(text).diagnostics[-1].severity == "advice"


def test_a_module_that_was_built_has_no_places() -> None:
    module = ptxgen.Module("sm_90", "8.0")
    module.entry(lambda k: k.elect.sync(-1), name="kernel")
    (found,) = [d for d in ptxgen.check(module, target="sm_80").diagnostics if d.severity == "error"]
    assert (found.line, found.column) == (0, 0)


def test_an_unknown_header_leaves_the_rest_to_say() -> None:
    """Errors of the text are said even where the target is unknown, and nothing is judged against it."""
    text = HEADER.replace("sm_90", "sm_17") + KERNEL + "add.u32 a b;\nadd.u32 a, b, 1.0;\n}\n"
    assert [d.code for d in ptxgen.check(text).diagnostics] == ["header", "syntax"]


def test_requirements_name_the_line_that_asks() -> None:
    text = HEADER.replace("9.0", "8.0") + KERNEL + "\nelect.sync a|%p1, -1;\nret;\n}\n"
    found = ptxgen.requires(text)
    assert found.version == "8.0"
    assert found.lines["elect.sync"] == BODY + 1
    assert f"elect.sync (PTX 8.0, line {BODY + 1})" in str(found)


def test_retarget_refuses_with_the_place_of_what_stands_against_it() -> None:
    module = ptxgen.parse(HEADER + KERNEL + "elect.sync a|%p1, -1;\nret;\n}\n")
    with pytest.raises(ptxgen.Unavailable) as caught:
        ptxgen.retarget(module, "sm_80")
    assert [(d.code, d.line) for d in caught.value.diagnostics] == [("unavailable", BODY)]
    moved = ptxgen.retarget(module, "sm_100")
    assert (moved.target, moved.version) == ("sm_100", "8.6")
    assert moved.functions == module.functions
