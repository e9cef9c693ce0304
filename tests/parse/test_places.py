"""Places: the offset of each statement and item, and lines and columns of offsets."""

from __future__ import annotations

import pytest

from ptxgen.ir.source import Source
from ptxgen.ir.statements import Label
from ptxgen.parse.module import parse
from tests.parse.texts import HEADER

BODY = [  # what a statement is written as, and where in it its place is
    (".reg .u32 a, b;", ".reg"),
    (".reg .v2 .f32 v;", ".reg"),
    (".param .align 8 .b8 p[16];", ".param"),
    (".shared .u32 s[4];", ".shared"),
    ("add.u32 a, b, 1;", "add"),
    ("@%p1 add.u32 a, b, 1;", "add"),
    ("@!%p1\tadd.u32\ta , b , 1 ;", "add"),
    ("add .u32 a, b, (1);", "add"),
    ("@ %p1 add /* x */ .u32 a, b, 1;", "add"),
    ("L:", "L"),
    ("M :", "M"),
    (".loc 1 2 3", ".loc"),
    ('.pragma "x";', ".pragma"),
    ("T: .branchtargets L, M;", "T"),
    ("P: .callprototype _ ();", "P"),
    ("{", "{"),
    ("}", "}"),
    ("// a remark", "//"),
]


@pytest.mark.parametrize("indent", ["", "   ", "\t"])
def test_of_statements(indent: str) -> None:
    lines = "".join(f"{indent}{written}\n" for written, _ in BODY)
    text = f"{HEADER}.entry k()\n{{\n.reg .pred %p<2>;\n{lines}}}\n"
    (function,) = parse(text).functions
    assert len(function.places) == len(function.body)
    found = [text[place:] for place in function.places[1:]]
    found = [each for each in found if not each.startswith("/*")]
    assert len(found) == len(BODY)
    for here, (written, mark) in zip(found, BODY, strict=True):
        assert here.startswith(written[written.index(mark) :]), written


def test_of_items() -> None:
    items = [
        ".visible .global .u32 x;", "// remark", ".const .u32 y = 1;", '.file 1 "f"', ".section .debug_x { .b8 1 }",
        ".func f { ret; }", ".visible .entry k() { ret; }", '.pragma "x";',
    ]  # fmt: skip
    text = HEADER + "\n\n  ".join(items) + "\n"
    found = parse(text)
    assert len(found.items) == len(found.places) == len(items)
    for item, place in zip(items, found.places, strict=True):
        assert text[place:].startswith(item)


def test_several_variables_of_one_declaration() -> None:
    text = f"{HEADER}.global .u32 x, y;\n"
    assert len(parse(text).places) == 2


def test_instructions_on_one_line() -> None:
    text = f"{HEADER}.entry k() {{ .reg .u32 a; add.u32 a, a, 1; L: ret; }}"
    (function,) = parse(text).functions
    assert [text[place] for place in function.places] == [".", "a", "L", "r"]
    assert isinstance(function.body[2], Label)


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)), ("abc", 0, (1, 1)), ("abc", 3, (1, 4)), ("a\nbc", 1, (1, 2)), ("a\nbc", 2, (2, 1)),
        ("a\nbc", 3, (2, 2)), ("a\n", 2, (2, 1)), ("\n\n\n", 2, (3, 1)), ("a\r\nb", 3, (2, 1)), ("a", 99, (1, 100)),
    ],
)  # fmt: skip
def test_lines_and_columns(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Source(text).line_column(offset) == place


def test_text_of_lines() -> None:
    source = Source("one\r\ntwo\n\nlast")
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["one", "two", "", "last"]
