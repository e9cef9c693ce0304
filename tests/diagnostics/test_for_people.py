"""Findings as a person reads them."""

from __future__ import annotations

import re

import pytest

from ptxgen.diagnostics import Checked, as_text
from ptxgen.errors import Diagnostic

SOURCE = ".version 8.3\n.target sm_80\n\tcvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2; // x\r\n"
FOUND = Diagnostic(
    "unavailable", "error", "cvt.rn.satfinite.e4m3x2.f32 needs sm_89", "cvt.rn.satfinite.e4m3x2.f32", need="sm_89",
    hint="set .target sm_89", file="kernel.ptx", line=3, column=2, end_column=29, count=412,
)  # fmt: skip
ESCAPE = re.compile(r"\x1b\[[0-9;]*[mK]")


def checked(*found: Diagnostic, source: str = SOURCE) -> Checked:
    return Checked.of("kernel.ptx", found, source, "8.3", "sm_80")


def test_place_message_line_caret_count_help() -> None:
    assert as_text(checked(FOUND)) == (
        "kernel.ptx:3:2: error[unavailable]: cvt.rn.satfinite.e4m3x2.f32 needs sm_89\n"
        "    3 |     cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2; // x\n"
        "      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ PTX ISA 9.7.9.21, cvt\n"
        "   = 412 instructions in this module have the same need\n"
        "   = help: set .target sm_89"
    )


def test_without_a_place() -> None:
    found = Diagnostic("arch", "error", "code for sm_90 does not assemble for sm_80", hint="sm_80 assembles sm_80")
    text = "kernel.ptx: error[arch]: code for sm_90 does not assemble for sm_80\n   = help: sm_80 assembles sm_80"
    assert as_text(checked(found)) == text


def test_nothing_found() -> None:
    assert as_text(checked()) == ""


@pytest.mark.parametrize(
    ("column", "end", "caret"),
    [(1, 0, "^"), (1, 4, "^^^"), (3, 4, "  ^"), (3, 99, "  ^^^^"), (9, 0, "      ^")],
)
def test_the_caret(column: int, end: int, caret: str) -> None:
    found = Diagnostic("syntax", "error", "no", line=1, column=column, end_column=end)
    assert as_text(checked(found, source="add a;")).splitlines()[2] == f"      | {caret}"


def test_a_long_line_is_cut_around_the_caret() -> None:
    line = "x" * 1_000_000 + "HERE" + "y" * 1_000_000
    found = Diagnostic("syntax", "error", "no", line=1, column=1_000_001, end_column=1_000_005)
    _, shown, caret = as_text(checked(found, source=line)).splitlines()
    assert len(shown) < 200
    assert shown[caret.index("^") :].startswith("HERE")
    assert caret.strip(" |") == "^^^^"
    assert shown.startswith("    1 | ...x")
    assert shown.endswith("y...")


def test_no_control_character_reaches_the_terminal() -> None:
    line = "add \x1b[31m\x07 \x9b \udcff é;"
    found = Diagnostic("syntax", "error", f"unexpected {line}", hint=line, line=1, column=1)
    text = as_text(checked(found, source=line))
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "é" in text


def test_colours_change_nothing_else() -> None:
    plain, coloured = as_text(checked(FOUND)), as_text(checked(FOUND), color=True)
    assert "\x1b[" not in plain
    assert coloured != plain
    assert ESCAPE.sub("", coloured) == plain
    assert re.search(r"\x1b\[\d+mcvt\x1b", coloured), "the mnemonic is coloured by the lexer"


def test_the_section_of_a_mnemonic_with_a_wrong_modifier() -> None:
    found = Diagnostic("unknown-modifier", "error", "no", "bfi.fast", line=1, column=1)
    assert as_text(checked(found, source="bfi.fast a;")).splitlines()[2].endswith("PTX ISA 9.7.1.20, bfi")


def test_lines_end_at_line_feeds_only() -> None:
    found = Diagnostic("syntax", "error", "no", line=2, column=1)
    assert as_text(checked(found, source="a\x0cb\u2028c\nsecond")).splitlines()[1] == "    2 | second"
