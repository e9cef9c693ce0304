"""After an error the reader goes on at the next statement: each error of a file is one finding, at its place."""

from __future__ import annotations

import pytest

import ptxgen
from tests.parse.texts import HEADER, KERNEL, wrong, wrong_statements


def places(found: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
    return [(line, column) for line, column, _ in found]


BAD = [  # statements, and the column of what is wrong with each
    ("add.u32 a b, c;", 11),
    ("add.u32 a, b, 08;", 15),
    ("ld.global.v2.u32 {a, 08}, [%d1];", 22),
    ("ld.global.v2.u32 {a, b, [%d1];", 25),
    ("st.v4.b32 [a], {b, b, b c};", 25),
    ("ld.u32 a, [%d1-4];", 15),
    ("ld.u32 a, [%d1;", 15),
    ("mov.u32 a, 1 + ;", 16),
    ("mov.u32 a, nothing;", 12),
    ("@a ret;", 2),
    ("@%p1 5;", 6),
    (".reg .u32 5;", 11),
    (".reg .u33 x;", 6),
    (".shared .u32 q[2;", 17),
    (".foo 5;", 1),
    (".pragma 5;", 9),
    (".reg .u32 a;", 11),
    ("5 + 3;", 1),
    (";", 1),
    ("?;", 1),
    ("L: .branchtargets 5;", 19),
    ("P: .callprototype f ();", 19),
    ("call (a, b;", 11),
    ('.pragma "a" "b";', 13),
    (".loc 1 2;", 9),
]


@pytest.mark.parametrize(("statement", "column"), BAD)
def test_one_finding_for_one_error(statement: str, column: int) -> None:
    assert places(wrong_statements(f"ret;\n{statement}\nadd.u32 a, b, c;\n{{ ret; }}")) == [(2, column)]


@pytest.mark.parametrize(("statement", "column"), BAD)
def test_the_statement_behind_it_is_read(statement: str, column: int) -> None:
    assert places(wrong_statements(f"{statement}\nadd.u32 a, b, nobody;")) == [(1, column), (2, 15)]
    assert places(wrong_statements(f"{{ {statement} }}\nadd.u32 a, b, nobody;"))[-1] == (2, 15)


def test_all_errors_of_a_file_in_the_order_of_the_text() -> None:
    statements = "\n".join(statement for statement, _ in BAD)
    expected = [(line, column) for line, (_, column) in enumerate(BAD, 1)]
    assert places(wrong_statements(statements)) == expected


@pytest.mark.parametrize(
    ("item", "column"),
    [
        (".global .u32 x[2] = { 1, 08 };", 26),
        (".global .u32 x[2][2] = { {1, 08}, {3, 4} };", 30),
        (".global .u32 x = 1 2;", 20),
        (".global .u32 x[2;", 17),
        (".global .u33 x;", 9),
        (".global .shared .u32 x;", 9),
        (".global u32 x;", 9),
        (".visible .extern .global .u32 x;", 10),
        (".foo x;", 1),
        ("ret;", 1),
        (";", 1),
        (".entry k(.param .u33 x) { add.u32 a, b, c; ret; }", 17),
        (".entry k(.global .u32 x) { { ret; } ret; }", 10),
        (".func f(.reg .u32) { ret; }", 18),
        (".entry k() 5 { ret; }", 12),
        (".entry { ret; }", 8),
        (".pragma 5;", 9),
        (".section .debug_x { .b8 zz zz }", 25),
        ('.file "x"', 7),
        (".alias f;", 9),
    ],
)
def test_items_of_a_module(item: str, column: int) -> None:
    """The next item is read, whether it stands on a new line or behind the first."""
    for between in ("\n", " ") if item[-1] in ";}" else ("\n",):
        found = wrong(f"{item}{between}.entry other() {{ mov.u32 %r1, 1; }}")
        assert found[0][:2] == (1, column)
        assert [message for _, _, message in found[1:]] == ["%r1 is not declared"]


def test_a_missing_semicolon() -> None:
    assert places(wrong_statements("add.u32 a, b, c\nret;\nadd.u32 a, b, c")) == [(2, 1), (4, 1)]
    assert places(wrong(".global .u32 x\n.global .u32 y;\n.entry k() { mov.b64 %d1, y; }")) == [(2, 1), (3, 22)]


def test_a_missing_brace() -> None:
    (found,) = wrong(".entry k()\n{\n{ ret;\n}\n")
    assert found == (5, 1, "the body of k has no end; it wants a closing brace")


def test_a_brace_too_many() -> None:
    found = wrong(".entry k() { ret; } }\n.entry l() { mov.u32 %r1, 1; }")
    assert places(found) == [(1, 21), (2, 22)]


def test_an_error_hides_no_declaration() -> None:
    """What is declared beside an error is known further down."""
    assert places(wrong_statements(".reg .u32 x, 5;\nmov.u32 x, 1;")) == [(1, 14)]
    assert places(wrong_statements(".reg .u32 x y;\nmov.u32 x, 1;")) == [(1, 13)]
    assert places(wrong(".func f() { 5; }\n.func g() { call f; }")) == [(1, 13)]


def test_parse_raises_with_all_of_them_and_check_reports_them_with_its_own() -> None:
    text = HEADER + KERNEL + "add.u32 a b;\nadd.u32 a, b, 1.0;\nmov.u32 a, nothing;\n}\n"
    with pytest.raises(ptxgen.ParseError) as caught:
        ptxgen.parse(text, "x.ptx")
    assert [(d.file, d.line, d.code) for d in caught.value.diagnostics] == [
        ("x.ptx", 7, "syntax"),
        ("x.ptx", 9, "unknown-name"),
    ]
    report = ptxgen.check(text)
    assert [(d.line, d.code) for d in report.diagnostics] == [(7, "syntax"), (8, "operand"), (9, "unknown-name")]


def test_what_flows_is_not_judged_when_not_all_was_read() -> None:
    """The statement that cannot be read may be what sets the register."""
    text = HEADER + KERNEL + "mov.u32 a 1;\nst.global.u32 [%d1], a;\nret;\n}\n"
    assert [d.code for d in ptxgen.check(text).diagnostics] == ["syntax"]
    assert "uninitialised" in [d.code for d in ptxgen.check(text.replace("a 1", "b, 1")).diagnostics]


@pytest.mark.parametrize("text", ["", "   ", "// only a remark", "\n\n"])
def test_no_module_at_all(text: str) -> None:
    found = ptxgen.check(text).diagnostics
    assert [d.message for d in found] == ["the module has no .target", "the module has no .version"]
