"""Initial values: which variables have them, of which types, how they nest (PTX ISA 5.3, 5.4.4)."""

from __future__ import annotations

import pytest

import ptxgen
from tests.parse.texts import HEADER, errors

BEFORE = ".global .u32 a[4]; .const .u32 c; .func f; .entry k { ret; }\n"


@pytest.mark.parametrize(
    "text",
    [
        ".global .u32 x = 5;", ".const .s8 x = -1;", ".global .f32 x = 1.5;", ".global .f64 x = 0f3F800000;",
        ".global .b32 x = 1.5;", ".global .b16 x = 7;", ".global .u32 x[2] = {1, 2};", ".global .u32 x[2] = {1};",
        ".global .u32 x[2] = {};", ".global .u32 x[] = {1, 2, 3};", ".global .u32 x[2][2] = {{1}, {2, 3}};",
        ".global .v2 .u32 x = {1, 2};", ".global .v2 .u32 x[2] = {{1, 2}, {3, 4}};", ".visible .global .u32 x = 1;",
        ".global .u64 x = a;", ".global .u64 x = a+4;", ".global .u64 x = generic(a)+4;", ".global .u64 x = f;",
        ".global .u64 x = k;", ".global .u64 x[2] = {a, c};", ".global .u32 x = a;", ".global .u8 x = 0xff(a);",
        ".global .u8 x[2] = {0xff(f), 0xff00(generic(a)+1)};", ".global .b8 x = 0xff(5);",
        ".global .texref x = {width = 4};", ".global .surfref x = {height = 4};",
    ],
)  # fmt: skip
def test_legal(text: str) -> None:
    assert errors(BEFORE + text) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".shared .u32 x = 5;", ".shared variables have no initialiser"),
        (".extern .global .u32 x = 5;", "an extern variable is initialised where it is defined"),
        (".global .f32 x = 5;", "a .f32 takes no integer"),
        (".global .u32 x = 1.5;", "a .u32 takes no floating-point number"),
        (".global .f16 x = 1.5;", "PTX has no initial values of type .f16"),
        (".global .u32 x[2] = 5;", "'{' of an initialiser is missing"),
        (".global .u32 x = {5};", "a constant is missing"),
        (".global .u32 x[2] = {1, 2, 3};", "a dimension of 2 takes at most 2 initial values, got 3"),
        (".global .u32 x[2][2] = {1, 2};", "nested less deep than the shape"),
        (".global .u32 x[2] = {{1}, {2}};", "nested deeper than the shape"),
        (".global .v2 .u32 x = {1};", "a vector of 2 takes 2 initial values, got 1"),
        (".global .v2 .u32 x = {1, 2, 3};", "a vector of 2 takes 2 initial values, got 3"),
        (".global .f32 x = a;", "an address is an initial value of"),
        (".global .u16 x = a;", "an address is an initial value of"),
        (".shared .u32 s; .global .u64 x = s;", "s is in .shared; an initial value is the address of"),
        (".global .u8 x = 0xfe(a);", "0xfe is no mask"),
        (".global .texref x = {weight = 4};", "a .texref has no property weight"),
        (".global .texref x = {width = wide};", "width is an integer, not wide"),
    ],
)
def test_illegal(text: str, says: str) -> None:
    (found,) = errors(BEFORE + text)
    assert says in found


@pytest.mark.parametrize("value", ["256", "-129"])
def test_integers_that_do_not_fit_are_beyond_the_manual(value: str) -> None:
    """ptxas keeps their low bits."""
    text = f"{HEADER}.global .u8 x = {value};"
    (found,) = ptxgen.check(text).diagnostics
    assert (found.code, found.severity) == ("beyond-manual", "warning")
    assert f"{value} does not fit in .u8" in found.message
    assert not ptxgen.check(text, strict=True).ok
    assert not ptxgen.check(text.replace(value, "255"), strict=True).diagnostics
