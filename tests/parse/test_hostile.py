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
