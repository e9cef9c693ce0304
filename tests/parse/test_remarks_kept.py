"""Remarks stay with the statement or declaration that they belong to, and are printed there again."""

from __future__ import annotations

import pytest

from ptxgen.ir.statements import Comment
from ptxgen.parse.module import parse
from tests.parse.texts import HEADER, module, printed, read_statements


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("// x\nret;", ["// x", "ret;"]),
        ("/* x */ ret;", ["// x", "ret;"]),
        ("ret; // x", ["ret; // x"]),
        ("ret; /* x */ // y", ["ret; // x", "// y"]),
        ("ret;\n// x\n", ["ret;", "// x"]),
        ("/* x\ny */\nret;", ["// x", "// y", "ret;"]),
        ("ret; /* x\ny */", ["ret; // x", "// y"]),
        ("add.u32 a, // x\nb, c;\nret;", ["add.u32 a, b, c; // x", "ret;"]),
        ("add.u32 a,\n// x\nb, c;\nret;", ["add.u32 a, b, c;", "// x", "ret;"]),
        ("L: // x\nret;", ["L: // x", "ret;"]),
        ("{ // x\nret; // y\n} // z", ["{ // x", "ret; // y", "} // z"]),
        (".reg .u32 q; // x\nret;", [".reg .u32 q; // x", "ret;"]),
        (".loc 1 2 3 // x\nret;", [".loc 1 2 3 // x", "ret;"]),
        ("@%p1 bra L; // x\nL: ret; // y", ["@%p1 bra L; // x", "L:", "ret; // y"]),
        ("//\n//  x  \nret;", ["//", "// x", "ret;"]),
        ("ret; // a // b", ["ret; // a // b"]),
        ('.pragma "a // b"; // c', ['.pragma "a // b"; // c']),
    ],
)
def test_of_statements(written: str, lines: list[str]) -> None:
    assert printed(written) == lines
    assert printed("\n".join(lines)) == lines


def test_the_first_in_a_body_is_not_behind_the_brace() -> None:
    text = HEADER + "\n.entry k\n{ // x\n\tret;\n}\n"
    assert parse(text).ptx() == text.replace("{ // x\n", "{\n\t// x\n")


@pytest.mark.parametrize(
    "text",
    [
        "// before\n" + HEADER,
        "// one\n// two\n" + HEADER + "\n.global .u32 x;\n",
        HEADER + "\n// of x\n.global .u32 x;\n",
        HEADER + "\n.global .u32 x; // of x\n.global .u32 y;\n",
        HEADER + "\n.global .u32 x;\n\n// of k\n.entry k\n{\n\tret;\n}\n",
        HEADER + "\n.entry k\n{\n\tret;\n} // behind k\n\n// last\n",
    ],
)
def test_of_a_module(text: str) -> None:
    assert parse(text).ptx() == text


def test_a_banner_comes_before_the_header() -> None:
    found = parse("/* one */ // two\n" + HEADER)
    assert [remark.text for remark in found.banner] == ["one", "two"]
    assert not found.items


def test_places_and_kinds() -> None:
    first, second, _, third = read_statements("// x\n/* y */ ret; // z")
    assert [(each.text, each.trailing) for each in (first, second, third)] == [("x", False), ("y", False), ("z", True)]
    found = module("/* a */ .global .u32 x; // b\n")
    remarks = [item for item in found.items if isinstance(item, Comment)]
    assert [(each.text, each.trailing) for each in remarks] == [("a", False), ("b", True)]
