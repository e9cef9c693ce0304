"""Literals and constant expressions (PTX ISA 4.5): their values, which are those in code that ptxas makes."""

from __future__ import annotations

import pytest

from ptxgen.ir import operands as ir
from tests.parse.texts import module, operand, wrong, wrong_statements

TOP = 1 << 64


@pytest.mark.parametrize(
    ("written", "value"),
    [
        # literals
        ("0", 0), ("00", 0), ("017U", 15), ("0XfFU", 255), ("0b0", 0), ("18446744073709551616", 0),
        ("18446744073709551617", 1), ("0x1" + "0" * 40, 0), ("0x7fffffffffffffff0", TOP - 16),
        # precedence, from the weakest to the strongest
        ("1||0&&0", 1), ("0&&1|1", 0), ("1|2^3", 1), ("1^3&2", 3), ("3&2==2", 1), ("1==0<1", 1), ("0<1<<1", 1),
        ("1<<1+1", 4), ("1+2*3", 7), ("7-2-1", 4), ("100/10/5", 2), ("-2*3", -6), ("!0+1", 2), ("~0*2", TOP - 2),
        ("2+-3", -1), ("9--2", 11), ("- - 5", 5), ("-~5", TOP - (TOP - 6)), ("!!7", 1), ("((3))", 3),
        # signed unless an operand is unsigned
        ("-7/2", -3), ("-7/2U", (TOP - 7) // 2), ("-1>>1", -1), ("(-1U)>>1", (TOP - 1) >> 1), ("-1<1", 1),
        ("-1<1U", 0),
        ("-1>=1U", 1), ("0x8000000000000000>>1", 1 << 62), ("(.s64)0x8000000000000000>>1", -(1 << 62)),
        ("(.u64)-1>>1", (TOP - 1) >> 1), ("(-1&-1)>>1", -1), ("(1?-1:2U)/2", 0), ("(~0)/2", (TOP - 1) // 2),
        ("7 % 4", 3), ("-1 % 16", 15), ("-9223372036854775808U/-1", 0),
        # shifts count modulo 64
        ("1<<64", 1), ("8>>64", 8), ("1<<-1", 1 << 63), ("1<<65", 2),
        # comparisons and conditions give 0 and 1, signed
        ("5!=5", 0), ("5<=5", 1), ("2>3", 0), ("7||0", 1), ("7&&0", 0), ("(1==1)-2", -1), ("0?1:0?2:3", 3),
        ("1?2:1/1", 2),
        ("1.0<2.0", 1), ("1.0==1.5", 0), ("WARP_SZ*2", 64), ("7 % WARP_SZ", 7),
    ],
)  # fmt: skip
def test_integers(written: str, value: int) -> None:
    found = operand(written)
    assert isinstance(found, ir.Integer)
    assert found.value % TOP == value % TOP


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.5+2.25", 3.75), ("-1.5*2.0", -3.0), ("1./4.", 0.25), ("1e3-1e2", 900.0), ("+.5", 0.5), ("09e1", 90.0),
        ("-(1.5)", -1.5), ("1e308*10.0", float("inf")), ("0e999", 0.0), ("0.0e-999", 0.0), ("1.E+2", 100.0),
        ("2.2250738585072014e-308", 2.2250738585072014e-308), ("0d4000000000000000+1.0", 3.0),
    ],
)  # fmt: skip
def test_floats(written: str, value: float) -> None:
    found = operand(written)
    assert isinstance(found, ir.Float)
    assert (found.value, found.width) == (value, 64)


def test_single_precision_literals_stand_alone() -> None:
    assert operand("0f3F800000").bits == operand("(0F3f800000)").bits == 0x3F800000
    for written in ("-0f3F800000", "0f3F800000+0f3F800000", "+0f3F800000", "0f3F800000<1.0"):
        assert len(wrong_statements(f"mov.f32 {written};")) == 1


def test_literals_keep_their_spelling() -> None:
    for written in ("0x1F", "010", "0b11U", "1.50e0", "0f3f800000", "WARP_SZ", "-5", "-0x10"):
        assert operand(written).text == written
    assert operand("1 + 0x10").text == "17"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("018", "018 is no octal number"),
        ("0x80000000000000000", "0x80000000000000000 has more than 64 bits"),
        ("92233720368547758080", "92233720368547758080 has more than 64 bits"),
        ("1/0", "divides by zero"),
        ("1 % (2-2)", "divides by zero"),
        ("1.0/0.0", "divides by zero"),
        ("1+1.0", "between numbers of one kind"),
        ("1.0 % 2.0", "is for integers"),
        ("1.0&1.0", "is for integers"),
        ("~1.0", "~ is not for 1.0"),
        ("!1.0", "! is not for 1.0"),
        ("1?2.0:3.0", "? and : are for integers"),
        ("(.u32)1", "a cast is (.s64) or (.u64), not (.u32)"),
        ("(.s64)1.0", "is for integers"),
        ("1e309", "beyond the range of .f64"),
        ("1e-309", "beyond the range of .f64"),
        ("1 2", "',' or ';' is missing before '2'"),
        ("1+", "a constant is missing before ';'"),
        ("(1", "')' of a constant expression is missing before ';'"),
        ("1?2", "':' of a conditional expression is missing before ';'"),
        ("1< <2", "a constant is missing before '<'"),
    ],
)
def test_refused(written: str, message: str) -> None:
    (found,) = wrong_statements(f"mov.b32 {written};")
    assert message in found[2]


@pytest.mark.parametrize("written", ["5u", "1L", "1UU", "0x", "0b2", "0o17", "1_0", "0f3F80000", "0d0", "7%3", "1.2.3"])
def test_what_is_no_literal(written: str) -> None:
    assert len(wrong_statements(f"mov.b32 a, {written};")) == 1


@pytest.mark.parametrize("open", ["(", "-", "~"])
def test_nesting_has_an_end_that_is_a_finding(open: str) -> None:
    text = open * 100_000 + "1" + ")" * 100_000 * (open == "(")
    (found,) = wrong_statements(f"mov.b32 a, {text};")
    assert found[2] == "a constant expression is nested too deep"


def test_expressions_in_addresses_and_initialisers() -> None:
    assert operand("[a+4*2]").elements[0].value == 8
    (table,) = module(".global .u32 t[2] = { 1 << 4, WARP_SZ / 2 };").variables
    assert [getattr(value, "value", value) for value in table.initial_values()] == [16, 16]


@pytest.mark.parametrize("written", ["x[2+2]", "x[-1]", "x[(2)]", "x<1+1>"])
def test_declarations_take_literals_only(written: str) -> None:
    assert len(wrong(f".global .u32 {written};")) == 1


@pytest.mark.parametrize("literal", ["8", "0x8", "010", "0b1000", "8U"])
def test_any_literal_is_a_length(literal: str) -> None:
    assert module(f".global .align {literal} .u32 x[{literal}];").variables[0].shape == (8,)
