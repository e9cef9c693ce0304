"""Operands of the IR: their text, and the classes that decide where they may stand."""

from __future__ import annotations

import math
import operator
import struct

import pytest

from ptxgen.errors import WrongOperator
from ptxgen.ir import operands as ir
from ptxgen.isa.classes import INTEGER, Scope, operand_class, plain, scopes


def test_texts() -> None:
    a, b, p = ir.register("%a", "u32"), ir.register("%b", "f32"), ir.register("%p", "pred")
    table = ir.Variable("table", ir.variable_class("f32", ".global"), "f32", ".global")
    assert [o.text for o in (a["b3210"], -a, ~p, -(a["h1"]), a + 16, a - 16, a + -4, table + 0, (table + 8) - 12)] == [
        "%a.b3210", "-%a", "!%p", "-%a.h1", "%a+16", "%a+-16", "%a+-4", "table+0", "table+-4",
    ]  # fmt: skip
    assert ir.address(a + 4).text == "[%a+4]"
    assert ir.address(a, ir.vector((a, b))).text == "[%a, {%a, %b}]"
    assert ir.address(a, selector=".unified").text == "[%a].unified"
    assert ir.vector(()).text == "{}"
    assert ir.arguments((a, ir.integer(5))).text == "(%a, 5)"
    assert ir.pair(a, p).text == "%a|%p"
    assert ir.pair(ir.sink, p).text == "_|%p"
    assert ir.integer(255, "0xff").text == "0xff"


@pytest.mark.parametrize(
    ("value", "single", "double"),
    [
        (0.0, "0f00000000", "0d0000000000000000"),
        (-0.0, "0f80000000", "0d8000000000000000"),
        (1.0, "0f3F800000", "0d3FF0000000000000"),
        (-2.5, "0fC0200000", "0dC004000000000000"),
        (math.inf, "0f7F800000", "0d7FF0000000000000"),
        (2.0**-149, "0f00000001", "0d36A0000000000000"),
        (math.pi, "0f40490FDB", "0d400921FB54442D18"),
    ],
)
def test_constants_are_exact_bits(value: float, single: str, double: str) -> None:
    assert ir.float32(value).text == single
    assert ir.float64(value).text == double
    assert ir.float64(value).value == value
    assert ir.float32(value).value == struct.unpack("f", struct.pack("f", value))[0]


def test_nan() -> None:
    assert ir.float32(math.nan).bits & 0x7F800000 == 0x7F800000
    assert math.isnan(ir.float64(math.nan).value)


def test_classes_are_interned() -> None:
    assert ir.integer(1).cls is ir.integer(2).cls is operand_class(INTEGER)
    scope = Scope("f")
    a, b = ir.register("%a", "u32", scope), ir.register("%b", "u32", scope)
    assert a.cls is b.cls
    assert ir.address(a + 4).cls is ir.address(b + 8).cls
    assert ir.address(a + 4).cls is not ir.address(a).cls
    assert ir.register("%a", "u32", Scope("f")).cls is not a.cls
    assert plain(ir.address(a).cls) is ir.address(ir.register("%c", "u32")).cls


def test_scopes() -> None:
    """Every function that a part of an operand belongs to, however deep."""
    mine, other = Scope("mine"), Scope("other")
    a, p = ir.register("%a", "u32", mine), ir.register("%p", "pred", other)
    for operand in (ir.pair(a, p), ir.pair(p, a), ir.vector((a, p)), ir.vector((p, a)), ir.address(a, ir.vector((p,)))):
        assert set(scopes(operand.cls)) == {mine, other}
    assert scopes(ir.integer(1).cls) == []
    assert set(scopes((a + 4).cls)) == set(scopes(a["b0"].cls)) == {mine}
    assert set(scopes(ir.pair(ir.sink, p).cls)) == {other}


@pytest.mark.parametrize(
    ("operand", "words"),
    [
        (ir.register("%a", "u32"), "a .u32 register"),
        (~ir.register("%p", "pred"), "a .pred register with !"),
        (ir.register("%a", "u32")["b0"], "a .u32 register with the selector .b0"),
        (ir.integer(1), "an integer constant"),
        (ir.float32(1), "a floating-point constant"),
        (ir.sink, "the sink _"),
        (ir.name("x", "label"), "a name"),
        (ir.vector((ir.integer(1), ir.integer(2))), "a vector of 2 (an integer constant)"),
        (ir.vector(()), "an empty vector"),
        (ir.arguments(()), "an empty list"),
        (ir.address(ir.integer(1)), "an address (an integer constant)"),
        (ir.pair(ir.register("%a", "u32"), ir.sink), "a .u32 register paired with the sink _"),
        (
            ir.Variable("x", ir.variable_class("u32", ".shared"), "u32", ".shared") + 4,
            "a .shared variable plus a constant",
        ),
    ],
)
def test_descriptions(operand: ir.Operand, words: str) -> None:
    assert operand.cls.describe() == words


def test_operators_that_are_none() -> None:
    a = ir.register("%a", "u32")
    for wrong in (  # pyright: ignore
        lambda: a == 1, lambda: tuple(a), lambda: operator.iadd(a, 1), lambda: a + a, lambda: ~a, lambda: a * 2,
        lambda: a + 1.5, lambda: a[0], lambda: bool(a),
    ):  # fmt: skip
        with pytest.raises(WrongOperator):
            wrong()
    assert a in (ir.register("%b", "u32"), a)
    assert a not in (ir.register("%a", "u32"), None)
