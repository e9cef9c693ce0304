"""Operands of every kind (PTX ISA 6): what the reader makes of a text, its class, and what it refuses."""

from __future__ import annotations

import pytest

from ptxgen.ir import operands as ir
from ptxgen.isa.classes import ADDRESS, FLOAT, INTEGER, LIST, NAME, REGISTER, SINK, SPECIAL, VARIABLE, VECTOR
from tests.parse.texts import operand, printed, read_statements, wrong_statements

BEFORE = ".global .u32 x[4]; .const .f32 y; .func f { ret; }\n"


@pytest.mark.parametrize(
    ("written", "what", "type", "text"),
    [
        ("%r1", REGISTER, "b32", "%r1"),
        ("a", REGISTER, "u32", "a"),
        ("%p1", REGISTER, "pred", "%p1"),
        ("!%p1", REGISTER, "pred", "!%p1"),
        ("! %p1", REGISTER, "pred", "!%p1"),
        ("-a", REGISTER, "u32", "-a"),
        ("a.b3210", REGISTER, "u32", "a.b3210"),
        ("a .b0", REGISTER, "u32", "a.b0"),
        ("-a.h1", REGISTER, "u32", "-a.h1"),
        ("v.x", REGISTER, "f32", "v.x"),
        ("v.r", REGISTER, "f32", "v.x"),
        ("v.a", REGISTER, "f32", "v.w"),
        ("v", VECTOR, "", "v"),
        ("a+4", REGISTER, "u32", "a+4"),
        ("%tid.x", SPECIAL, "tid", "%tid.x"),
        ("%tid .x", SPECIAL, "tid", "%tid.x"),
        ("%tid", SPECIAL, "tid", "%tid"),
        ("%clock64", SPECIAL, "clock64", "%clock64"),
        ("5", INTEGER, "", "5"),
        ("-5", INTEGER, "", "-5"),
        ("0x10U", INTEGER, "", "0x10U"),
        ("WARP_SZ", INTEGER, "", "WARP_SZ"),
        ("1.5", FLOAT, "f64", "1.5"),
        ("0f3F800000", FLOAT, "f32", "0f3F800000"),
        ("0d3FF0000000000000", FLOAT, "f64", "0d3FF0000000000000"),
        ("x", VARIABLE, "u32", "x"),
        ("x+4", VARIABLE, "u32", "x+4"),
        ("x + -4", VARIABLE, "u32", "x+-4"),
        ("y", VARIABLE, "f32", "y"),
        ("f", NAME, "func", "f"),
        ("k", NAME, "kernel", "k"),
        ("_", SINK, "", "_"),
        ("[a]", ADDRESS, "", "[a]"),
        ("[ a + 4 ]", ADDRESS, "", "[a+4]"),
        ("[a+-4]", ADDRESS, "", "[a+-4]"),
        ("[x+4]", ADDRESS, "", "[x+4]"),
        ("[16]", ADDRESS, "", "[16]"),
        ("[x].unified", ADDRESS, "", "[x].unified"),
        ("[x, {a, b}]", ADDRESS, "", "[x, {a, b}]"),
        ("[x,a,{a,b}]", ADDRESS, "", "[x, a, {a, b}]"),
        ("{a,b}", VECTOR, "", "{a, b}"),
        ("{ a , _ }", VECTOR, "", "{a, _}"),
        ("{a, 1, %laneid, v.x}", VECTOR, "", "{a, 1, %laneid, v.x}"),
        ("%p1|%p2", REGISTER, "pred", "%p1|%p2"),
        ("%p1 | _", REGISTER, "pred", "%p1|_"),
        ("_|%p2", SINK, "", "_|%p2"),
    ],
)
def test_operands(written: str, what: str, type: str, text: str) -> None:
    found = operand(written, BEFORE)
    assert (found.cls.what, found.cls.type, found.text) == (what, type, text)
    (line,) = printed(f"mov.b32 {written};", BEFORE)
    assert line == f"mov.b32 {text};"


def test_classes_hold_what_decides() -> None:
    assert operand("!%p1").cls.prefix == "!"
    assert operand("-a").cls.prefix == "-"
    assert operand("a.b0").cls.selector == ".b0"
    assert operand("[a+4]").cls.elements[0].offset
    assert operand("[x].unified", BEFORE).cls.selector == ".unified"
    assert operand("x", BEFORE).cls.space == ".global"
    assert [each.type for each in operand("{a, %f1}").cls.elements] == ["u32", "f32"]
    joined = operand("%p1|a").cls
    assert joined.second is not None
    assert (joined.type, joined.second.type) == ("pred", "u32")


def test_an_offset_may_be_an_expression() -> None:
    assert operand("[a+2*(3+1)]").elements[0].value == 8
    assert operand("[a+WARP_SZ]").elements[0].value == 32


def test_lists_of_a_call() -> None:
    (statement,) = read_statements("call (a), f, (b, 5, 1.5);", BEFORE)
    returned, called, passed = statement[1:]
    assert isinstance(returned, ir.Arguments)
    assert (returned.cls.what, called.cls.type) == (LIST, "func")
    assert [each.text for each in passed.elements] == ["b", "5", "1.5"]
    assert printed("call f, ();", BEFORE) == ["call f, ();"]


def test_parentheses_are_an_expression_where_there_are_no_lists() -> None:
    assert operand("(1+2)").value == 3


def test_elements_of_a_vector_register_are_registers() -> None:
    (statement,) = read_statements("mov.v4.f32 v, {v.w, v.z, v.y, v.x};")
    whole, reversed_ = statement[1:]
    assert tuple(reversed(reversed_.elements)) == whole.elements


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("[a-4]", "a negative offset is written +-4"),
        ("[a+b]", "only an integer constant can be added"),
        ("[a+1.0]", "only an integer constant can be added"),
        ("[4+a]", "a constant is missing before 'a'"),
        ("[a*4]", "',' or ']' is missing before '*'"),
        ("[(a)]", "a constant is missing before 'a'"),
        ("[!%p1]", "!%p1 is no base of an address"),
        ("[v.x]", "v.x is no base of an address"),
        ("[a", "',' or ']' is missing before ';'"),
        ("{a, {b}}", "which is no element of a vector"),
        ("{[a]}", "which is no element of a vector"),
        ("{a+4}", "which is no element of a vector"),
        ("{a, b", "',' or '}' is missing before ';'"),
        ("{a,}", "an operand is missing before '}'"),
        ("!a.b0", "! is put before a register"),
        ("!x", "! is put before a register, not before x"),
        ("-x", "- is put before a constant or a register, not before x"),
        ("-1.0.x", "',' or ';' is missing"),
        ("v.q", "takes no selector .q"),
        ("x.x", "takes no selector .x"),
        ("~a", "a constant is missing before 'a'"),
        ("(a)", "a constant is missing before 'a'"),
        ("a|b|c", "',' or ';' is missing before '|'"),
        ("a b", "',' or ';' is missing before 'b'"),
        ("a,", "an operand is missing before ';'"),
        (",a", "an operand is missing before ','"),
        ("[a] b", "',' or ';' is missing before 'b'"),
        ('"a"', "an operand is missing before '\"a\"'"),
    ],
)
def test_refused(written: str, says: str) -> None:
    found = wrong_statements(f".shared .u32 x; mov.b32 {written};")
    assert len(found) == 1
    assert says in found[0][2]


@pytest.mark.parametrize("open", ["[", "{", "!"])
def test_nesting_has_an_end_that_is_a_finding(open: str) -> None:
    assert len(wrong_statements(f"mov.b32 a, {open * 100_000};")) == 1


# ---- guards and opcodes


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("@%p1 ret;", "@%p1 ret;"), ("@!%p1 ret;", "@!%p1 ret;"), ("@ ! %p1\nret ;", "@!%p1 ret;"),
        ("L:@%p1 ret;", "@%p1 ret;"), ("add .u32 a,b,c;", "add.u32 a, b, c;"), ("add.u32 a,b,c;", "add.u32 a, b, c;"),
        ("ld.global /* x */ .u32 a,[%d1];", "ld.global.u32 a, [%d1]; // x"),
    ],
)  # fmt: skip
def test_guards_and_opcodes(written: str, line: str) -> None:
    assert printed(written)[-1] == line


@pytest.mark.parametrize("guard", ["@!!%p1", "@%p1 @%p2", "@1", "@%p1|%p2", "@(%p1)", "@a", "@!a", "@v.x", "@5", "@_"])
def test_what_is_no_guard(guard: str) -> None:
    assert len(wrong_statements(f"{guard} ret;")) == 1


@pytest.mark.parametrize("written", ["bar. sync 0;", "add. u32 a, b, c;", "add.u32.;", "5 a;", ";", "ret;;", "L: ;"])
def test_what_is_no_instruction(written: str) -> None:
    assert len(wrong_statements(f"{written}\nret;")) == 1
