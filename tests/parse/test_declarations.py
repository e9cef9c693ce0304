"""Declarations of registers and variables, with initial values (PTX ISA 5.2 to 5.4, 11.6), read and printed."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen.ir.initial import Field, Generic, Masked
from ptxgen.ir.operands import Float, Integer, Name, Offset, Variable
from ptxgen.ir.statements import Registers
from tests.parse.texts import module, printed, read_statements, wrong, wrong_statements


def variable(text: str, before: str = "") -> Variable[Any]:
    return module(before + text).variables[-1]


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (".reg .u32 x;", ".reg .u32 x;"),
        (".reg.b64 x , y<3>,z ;", ".reg .b64 x, y<3>, z;"),
        (".reg .v2 .f32 x;", ".reg .v2 .f32 x;"),
        (".reg .v4 .b16 x<2>;", ".reg .v4 .b16 x<2>;"),
        (".reg .pred x;", ".reg .pred x;"),
        (".shared .align 16 .b8 x[4];", ".shared .align 16 .b8 x[4];"),
        (".align 16 .shared .b8 x[4];", ".shared .align 16 .b8 x[4];"),
        (".shared .v4 .f32 x[2][3];", ".shared .v4 .f32 x[2][3];"),
        (".local .u32 x<3>;", ".local .u32 x<3>;"),
        (".param .align 8 .b8 x[16];", ".param .align 8 .b8 x[16];"),
        (".global .u32 x[2] = {1, 2};", ".global .u32 x[2] = {1, 2};"),
        (".shared .attribute(.managed) .align 4 .u32 x;", ".shared .attribute(.managed) .align 4 .u32 x;"),
    ],
)
def test_in_a_body(written: str, line: str) -> None:
    assert printed(written) == [line]


def test_registers() -> None:
    (found,) = read_statements(".reg .v2 .f32 x, y<3>;")
    assert isinstance(found, Registers)
    assert (found.type, found.names, found.vector) == ("f32", (("x", 0), ("y", 3)), 2)


def test_each_variable_of_a_list_is_one() -> None:
    found = read_statements(".shared .u32 x, y[2], z<2>;")
    assert [(each.text, each.shape, each.count) for each in found] == [("x", (), 0), ("y", (2,), 0), ("z", (), 2)]


@pytest.mark.parametrize("text", [".reg .u32;", ".shared .u32 ;"])
def test_declarations_without_names_say_nothing(text: str) -> None:
    assert wrong_statements(text) == []


def test_what_a_variable_knows() -> None:
    found = variable(".visible .global .align 16 .attribute(.managed) .v2 .f32 x[2][4];")
    assert (found.linkage, found.space, found.align, found.vector, found.type) == ("visible", ".global", 16, 2, "f32")
    assert (found.shape, found.attributes, found.initial) == ((2, 4), (".managed",), None)
    assert (found.cls.space, found.cls.type) == (".global", "f32")
    assert variable(".extern .shared .u32 x[];").shape == (None,)
    assert variable(".extern .global .u32 x[][4];").shape == (None, 4)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".global .u32 .align 4 x;", ".align stands too late"),
        (".global .v2 .align 8 .u32 x;", ".align stands too late"),
        (".global .u32 .v2 x;", ".v2 stands too late"),
        (".global .visible .u32 x;", ".visible stands too late"),
        (".global .global .u32 x;", "one state space"),
        (".global .u32 .s32 x;", "one type"),
        (".global .v3 .u32 x;", "a vector is .v2 or .v4"),
        (".global .u33 x;", ".u33 is no state space, type or linkage"),
        (".global x;", "the type of the variable is missing"),
        (".align 4 .u32 x;", "a variable has a state space"),
        (".global .u32 x y;", "is missing before 'y'"),
        (".global .u32 x,;", "the name of a variable is missing"),
        (".global .u32 x[;", "the length of an array"),
        (".global .u32 x[2;", "']' of an array is missing"),
        (".global .u32 x = ;", "a constant is missing"),
        (".global .u32 x[2] = {1, 2;", "is missing before ';'"),
        (".global .u32 x[2] = {1, 2,};", "is missing before '}'"),
        (".global .attribute(managed) .u32 x;", "an attribute such as .managed"),
        (".global .u32 x", "the text ends where ',' or ';' after a declaration is missing"),
    ],
)
def test_refused(text: str, says: str) -> None:
    (found,) = wrong(text)
    assert says in found[2]


# ---- initial values


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("x = 5", [5]), ("x = -5", [-5]), ("x[2] = {1, 0x10}", [1, 16]), ("x[2][2] = {{1, 2}, {3}}", [1, 2, 3]),
        ("x[3] = {}", []), ("x[] = {1, 2}", [1, 2]), ("x[2] = { 1 , 2 }", [1, 2]), ("x = 1 << 4", [16]),
        ("x = WARP_SZ", [32]),
    ],
)  # fmt: skip
def test_integers(written: str, values: list[int]) -> None:
    found = variable(f".global .u32 {written};").initial_values()
    assert [value.value if isinstance(value, Integer) else value for value in found] == values


def test_floats() -> None:
    found = variable(".global .f32 x[3] = {1.5, 0f3F800000, -0.0};").initial_values()
    assert all(isinstance(value, Float) for value in found)
    assert [value.value for value in found] == [1.5, 1.0, -0.0]


BEFORE = ".global .u32 a[4]; .func f; .entry k;\n"


@pytest.mark.parametrize(
    ("written", "kind", "text"),
    [
        ("a", Variable, "a"), ("a+4", Offset, "a+4"), ("a + 2*4", Offset, "a+8"), ("a+-4", Offset, "a+-4"),
        ("generic(a)", Generic, "generic(a)"), ("generic(a)+4", Generic, "generic(a)+4"), ("f", Name, "f"),
        ("k", Name, "k"), ("x", Variable, "x"),
    ],
)  # fmt: skip
def test_addresses(written: str, kind: type, text: str) -> None:
    (value,) = variable(f".global .u64 x = {written};", BEFORE).initial_values()
    assert isinstance(value, kind)
    assert getattr(value, "text", "") == text


def test_bytes_of_addresses() -> None:
    first, second = variable(".global .u8 x[2] = {0xff(a), 0xff00(generic(a)+4)};", BEFORE).initial_values()
    assert isinstance(first, Masked)
    assert (first.text, second.text) == ("0xff(a)", "0xff00(generic(a)+4)")


def test_fields_of_opaque_variables() -> None:
    found = variable(".global .samplerref x = { addr_mode_0 = wrap, filter_mode = linear };").initial_values()
    assert all(isinstance(value, Field) for value in found)
    assert [(value.name, value.value) for value in found] == [("addr_mode_0", "wrap"), ("filter_mode", "linear")]
    (width,) = variable(".global .texref x = { width = 64 };").initial_values()
    assert (width.name, width.value) == ("width", 64)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("nobody", "nobody is not declared"), ("4+a", "is missing before 'a'"), ("a-4", "is missing before '-'"),
        ("-a", "a constant is missing before 'a'"), ("generic(a+4)", "')' after generic( is missing"),
        ("a+1.0", "only an integer is added to an address"), ("a[1]", "is missing before '['"),
        ("generic(f)", "f is a name, which has no address"),
    ],
)  # fmt: skip
def test_addresses_refused(written: str, says: str) -> None:
    (found,) = wrong(f"{BEFORE}.global .u64 x = {written};")
    assert says in found[2]


@pytest.mark.parametrize(
    "text",
    [
        ".global .u32 x = 7;", ".const .f64 x = 0d3FF8000000000000;", ".global .u32 x[2][1] = {{1}, {2}};",
        ".visible .global .align 8 .b8 x[4] = {1, 2, 3, 4};", ".extern .global .u32 x[];", ".weak .global .u32 x;",
        ".common .global .u32 x;", ".global .texref x;", ".global .u32 x<4>;", ".global .v2 .u32 x = {1, 2};",
        ".global .surfref x = {width = 4, height = 4};", ".global .attribute(.managed) .u32 x;",
    ],
)  # fmt: skip
def test_printed_as_it_is_read(text: str) -> None:
    assert text in module(text).ptx()
