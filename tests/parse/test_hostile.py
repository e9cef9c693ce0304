"""Text that once ended in an error of Python: now it is a finding with a place."""

from __future__ import annotations

import pytest

import ptxgen

HEADER = ".version 8.3\n.target sm_80\n.address_size 64\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".entry k()\n{\n.align 4 .b8 x[4];\nret;\n}", "a variable has a state space"),
        (f".global .u64 x[2] = {{ 1, {'9' * 5000} }};", f"{'9' * 24}... has more than 64 bits"),
        (f".global .u64 x[2] = {{ 1, 0x{'f' * 5000} }};", f"0x{'f' * 22}... has more than 64 bits"),
    ],
)
def test_a_finding(text: str, says: str) -> None:
    first, *more = ptxgen.check(HEADER + text).diagnostics
    assert not more
    assert first.severity == "error"
    assert says in first.message
    assert first.line >= 4


@pytest.mark.parametrize(
    "text",
    [
        f".entry k()\n{{\n.reg .b32 %r<{'9' * 5000}>;\nret;\n}}",
        f".entry k()\n{{\n.reg .b32 %r<{'0' * 5000}>;\nret;\n}}",
        f".entry k()\n{{\n.param .align {'9' * 5000} .b8 p[{'9' * 5000}];\nret;\n}}",
    ],
)
def test_huge_numbers(text: str) -> None:
    assert all(found.line >= 5 for found in ptxgen.check(HEADER + text).diagnostics)


@pytest.mark.parametrize("text", [".const[10] .u32 a;", ".extern .const[1] .u32 a[];"])
def test_banks_of_constants_are_printed_as_they_are_read(text: str) -> None:
    assert text in ptxgen.parse(f".version 2.1\n.target sm_20\n{text}\n").ptx()


@pytest.mark.parametrize("text", ["\n?;" * 12_000, ".entry k()\n{\n" + "\n?;" * 12_000 + "}", "?;" * 12_000], ids=len)
def test_after_many_errors_the_rest_is_not_read(text: str) -> None:
    found = ptxgen.check(HEADER + text).diagnostics
    assert found[0].count == 10_000
    assert [one.message for one in found[1:]] == ["there are 10000 errors; what follows is not read"]


def test_scopes_nested_too_deep() -> None:
    kernel = ".entry k()\n{{\n.reg .b32 r;\n{}mov.b32 r, 1;{}\n}}\n"
    right, wrong = (kernel.format("{" * depth, "}" * depth) for depth in (1663, 1664))
    assert ptxgen.check(HEADER + right).ok
    (found,) = ptxgen.check(HEADER + wrong + ".entry j() { ret; }\n").diagnostics
    assert (found.line, found.column, found.message[:29]) == (7, 1664, "scopes are nested deeper than")


@pytest.mark.parametrize("wrong", ["bra.uni$there;", ".reg .u32$x;", "add$.u32 r, r, 1;"])
def test_a_dollar_sign_belongs_to_the_word_before(wrong: str) -> None:
    kernel = ".entry k()\n{{\n.reg .b32 r;\n{}\n$there:\nret;\n}}\n"
    assert ptxgen.check(HEADER + kernel.format("")).ok
    assert [one.line for one in ptxgen.check(HEADER + kernel.format(wrong)).diagnostics] == [7]


def test_a_list_of_targets_ends_at_the_first_label_that_is_missing() -> None:
    """However long it says it is."""
    kernel = ".entry k()\n{\na0: a1:\nL: .branchtargets a<4294967295>;\nret;\n}\n"
    (found,) = ptxgen.check(HEADER + kernel).diagnostics
    assert (found.code, found.message) == ("unknown-name", "a2 is not declared")


@pytest.mark.parametrize(
    ("first", "second", "right"),
    [
        ("x5", "x<4294967295>", False), ("x5", "x<5>", True), ("x05", "x<9>", True), ("x0", "x<1>", False),
        ("x12", "x1<5>", True), ("x<9>", "x5", False), ("x<5>", "x5", True),
    ],
)  # fmt: skip
def test_ranges_and_names_that_meet(first: str, second: str, right: bool) -> None:
    kernel = f".entry k()\n{{\n.reg .b32 {first};\n.reg .b32 {second};\nret;\n}}\n"
    assert ptxgen.check(HEADER + kernel).ok is right


def test_huge_octal_numbers() -> None:
    kernel = ".entry k()\n{{\n.reg .b32 r;\nmov.b32 r, 0{};\nret;\n}}\n"
    assert ptxgen.check(HEADER + kernel.format("0" * 5000 + "7")).ok
    (found,) = ptxgen.check(HEADER + kernel.format("7" * 5000 + "8")).diagnostics
    assert (found.line, found.message[-18:]) == (7, "is no octal number")


def test_requires_of_a_target_that_nobody_knows() -> None:
    with pytest.raises(ptxgen.Unavailable, match="no target is called 'test_add'"):
        ptxgen.requires(".version 9.0\n.target test_add\n")


def test_remarks_in_sections_stay_with_their_lines() -> None:
    """Also where the next line has none."""
    section = ".section .debug_info\n{\n.b32 51 // length\n.b8 2\n.b8 0 // version\n// alone\n.b8 1, 2\n.b8 3\n}\n"
    printed = ptxgen.parse(HEADER + section).ptx()
    assert section in printed
    assert ptxgen.parse(printed).ptx() == printed


@pytest.mark.parametrize("number", ["abc", "08", "1x", ""])
def test_the_file_of_source_text_is_a_number(number: str) -> None:
    section = ".nv_intermediate_source_section {\n.code_block { .ir_name: \"x\" .sourceFileName: %s .source_begin\n"
    text = ".version 9.4\n.target sm_90\n.file 1 \"x\"\n" + section % number + "a\n.source_end\n}\n}\n"
    assert ptxgen.check(text.replace(f": {number} .s", ": 1 .s")).ok
    first = ptxgen.check(text).diagnostics[0]
    assert (first.severity, first.line) == ("error", 5)
