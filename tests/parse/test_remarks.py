"""Remarks stay with what they stand beside, and where they stood is where they are found again."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen.ir.equal import difference

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
BODY = HEADER + "\n.entry k\n{\n\t.reg .b32 %r<4>;\n"


def printed(text: str) -> str:
    """The text of a module in canonical form, which is read again as it was written."""
    module = ptxgen.parse(text)
    again = ptxgen.parse(module.ptx())
    assert difference(module, again) == ""
    assert again.ptx() == module.ptx()
    return module.ptx()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("ret; // a", "\tret; // a\n"),
        ("ret; /* a */", "\tret; // a\n"),
        ("// a\nret;", "\t// a\n\tret;\n"),
        ("/* a\n b */ ret;", "\t// a\n\t// b\n\tret;\n"),
        ("ret; /* a */ /* b */", "\tret; // a\n\t// b\n"),
        ("/***//****/ ret;", "\t// *\n\t// **\n\tret;\n"),
        ("add.u32 %r1, /*a*/ %r2, /*b*/ %r3;", "\tadd.u32 %r1, %r2, %r3; // a\n\t// b\n"),
        ("add.u32 %r1,\n// a\n%r2, %r3;\nret;", "\tadd.u32 %r1, %r2, %r3;\n\t// a\n\tret;\n"),
        ("ret;\n// a\n", "\tret;\n\t// a\n"),
        ("ret; // a // b", "\tret; // a // b\n"),
        ("//\n//  a  \nret;", "\t//\n\t// a\n\tret;\n"),
        ("{ // a\nret; // b\n} // c", "\t{ // a\n\tret; // b\n\t} // c\n"),
        (".reg .b32 q; // a\nret;", "\t.reg .b32 q; // a\n\tret;\n"),
        (".loc 1 2 3 // a\nret;", "\t.loc 1 2 3 // a\n\tret;\n"),
        ('.pragma "a // b"; // c', '\t.pragma "a // b"; // c\n'),
        ("L/*a*/:/*b*/ ret;", "L: // a\n\t// b\n\tret;\n"),
        ("P/*a*/:/*b*/.callprototype _ /*c*/ ();", "P: .callprototype _ (); // a\n\t// b\n\t// c\n"),
    ],
)
def test_in_a_body(written: str, kept: str) -> None:
    assert printed(f"{BODY}{written}\n}}\n") == f"{BODY}{kept}}}\n"


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
def test_in_a_module(text: str) -> None:
    assert printed(text) == text


def test_a_banner_comes_before_the_header() -> None:
    found = ptxgen.parse("/* one */ // two\n" + HEADER)
    assert [remark.text for remark in found.banner] == ["one", "two"]
    assert not found.items


def test_behind_the_opening_brace() -> None:
    text = f"{HEADER}\n.entry k() {{ // a\nret;\n}}\n"
    assert printed(text) == f"{HEADER}\n.entry k\n{{\n\t// a\n\tret;\n}}\n"


def test_in_the_head_of_a_function_they_come_before_it() -> None:
    text = f"{HEADER}\n.global .u32 x;\n.entry k( // a\n.param .u32 p // b\n)\n{{\n\tret;\n}}\n"
    head = "// a\n// b\n.entry k(\n\t.param .u32 p\n)\n"
    assert printed(text) == f"{HEADER}\n.global .u32 x;\n\n{head}{{\n\tret;\n}}\n"


def test_in_a_header() -> None:
    text = ".version 9.0 // a\n.target sm_90 // b\n.address_size/**/64\n"
    assert printed(text) == ".version 9.0\n.target sm_90\n.address_size 64 // a\n\n// b\n//\n"


def test_between_declarations() -> None:
    text = f"{HEADER}\n.global .u32 x[2] = {{ 1, // one\n 2 // two\n}};\n"
    assert printed(text) == f"{HEADER}\n.global .u32 x[2] = {{1, 2}}; // one\n\n// two\n"


def test_in_a_section() -> None:
    lines = "// before }\nlabel: // a name\n.b8 1 // one\n.b8 2, 3 // two // three\n.b8 4\n.b8 5 // five\n.b8 6\n"
    lines += "// after\n"
    text = f"{HEADER}\n.section .debug_str\n{{\n{lines}}}\n"
    assert printed(text) == text
    assert ptxgen.parse(text).items[0].lines == tuple(lines.splitlines())  # type: ignore[union-attr]


def test_of_a_section_every_kind() -> None:
    text = f"{HEADER}\n.section .debug_str {{ /* a */ .b8 1 /* b */ /* c\nd */, 2\n}}\n"
    kept = "// a\n.b8 1, 2 // b // c\n// d\n"
    assert printed(text) == f"{HEADER}\n.section .debug_str\n{{\n{kept}}}\n"
