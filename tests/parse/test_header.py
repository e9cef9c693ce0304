"""The header of PTX text: `.version`, `.target`, `.address_size`, and what is against them."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen import ParseError

BODY = "\n.entry k() { ret; }\n"


@pytest.mark.parametrize(
    ("text", "version", "target", "options", "size"),
    [
        (".version 9.0\n.target sm_90\n.address_size 64", "9.0", "sm_90", (), 64),
        ("/* c */ .version\t9.0.target sm_90.address_size 0x40", "9.0", "sm_90", (), 64),
        (".version 09.05 // c\n.target sm_90", "9.5", "sm_90", (), 0),
        (".version 9.0\n.target sm_80, debug\n.target sm_90", "9.0", "sm_90", ("debug",), 0),
        (".version 9.0\n.target sm_80, sm_90", "9.0", "sm_90", (), 0),
        (".version 9.0\n.target compute_90", "9.0", "sm_90", (), 0),
        (".version 9.0\n.target sm_090x", "9.0", "sm_90", (), 0),
        (".version 9.0\n.target sm_90xa", "9.0", "sm_90a", (), 0),
        (".version 9.0\n.target sm_90ab", "9.0", "sm_90", (), 0),
        (".version 4294967305.0\n.target sm_90", "9.0", "sm_90", (), 0),
    ],
)  # fmt: skip
def test_a_header(text: str, version: str, target: str, options: tuple[str, ...], size: int) -> None:
    module = ptxgen.parse(text + BODY)
    assert (module.version, module.target, module.options, module.address_size) == (version, target, options, size)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".version\n9.0\n.target sm_90", ".version takes a number such as 8.3, on the same line"),
        (".version 9\n.target sm_90", ".version takes a number such as 8.3, on the same line"),
        (".version 9.0.1\n.target sm_90", ".version takes a number such as 8.3, on the same line"),
        (".version 9.0U\n.target sm_90", ".version takes a number such as 8.3, on the same line"),
        (".target sm_90\n.version 9.0", ".version comes before .target"),
        (".version 9.0\n.version 9.0\n.target sm_90", "a module has one .version"),
        (".version 9.0\n.address_size 64\n.target sm_90", ".target comes before .address_size"),
        (".version 9.0\n.target sm_90\n.address_size 64\n.target sm_90", ".target follows .version at once"),
        (".version 9.0\n.target sm_90\n.global .u32 x;\n.address_size 64", "a module has one .address_size"),
        (".version 9.0\n.file 1 \"f\"\n.target sm_90", ".target follows .version at once"),
        (".version 9.0\n.target debug", ".target names an architecture first"),
        (".version 9.0\n.target sm_90,", "an option of .target is missing"),
        (".version 9.0", "the module has no .target"),
        ("", "the module has no .target"),
    ],
)  # fmt: skip
def test_no_header(text: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        ptxgen.parse(text + BODY)


def test_what_ptxas_reads_beyond_the_manual_is_a_warning() -> None:
    report = ptxgen.check(".version 9.0\n.target sm_80, compute_90" + BODY)
    assert [(found.code, found.severity, found.line, found.message) for found in report.diagnostics] == [
        ("beyond-manual", "warning", 2, "ptxas reads .target compute_90 as sm_90"),
        ("beyond-manual", "warning", 2, ".target names sm_80 and sm_90; the last one counts"),
    ]
    assert not ptxgen.check(".version 9.0\n.target compute_90" + BODY, strict=True).ok
    assert ptxgen.check(".version 9.0\n.target sm_90" + BODY, strict=True).diagnostics == ()


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        (".entry k() .maxntd 32 { ret; }", ".maxntd begins nothing in the head of a kernel", ".maxntid"),
        (".entry k() { .sharde .u32 x; ret; }", ".sharde begins nothing in the body of a function", ".shared"),
        (".glbal .u32 x;", ".glbal begins nothing in a module", ".global"),
        (".qqqqqq .u32 x;", ".qqqqqq begins nothing in a module", "there are "),
        (".entry k() { .section .x { } ret; }", ".section stands in a module, not in the body of a function", ""),
        (".loc 1 1 1", ".loc stands in the body of a function, not in a module", ""),
    ],
)
def test_unknown_directives(text: str, says: str, hint: str) -> None:
    (found,) = ptxgen.check(".version 9.0\n.target sm_90\n" + text).diagnostics
    assert (found.code, found.message) == ("directive", says)
    assert hint in found.hint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('.file 1 "é.cu"', "'é' stands here; outside remarks PTX has ASCII only"),
        ("// \0", "a NUL stands here"),
    ],
)
def test_characters_that_ptx_has_not(text: str, says: str) -> None:
    (found,) = ptxgen.check(f".version 9.0\n.target sm_90\n{text}\n").diagnostics
    assert (found.code, found.line) == ("syntax", 3)
    assert found.message.startswith(says)


def test_remarks_have_any_character() -> None:
    assert ptxgen.check(".version 9.0\n.target sm_90\n// é /* \x7f\n/* ü \" */\n").diagnostics == ()
