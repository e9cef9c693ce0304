"""Single statements: what the reader makes of them, and where it says that it cannot."""

from __future__ import annotations

import pytest

from ptxgen import ParseError
from ptxgen.ir import operands as ir
from ptxgen.parse.statement import parse_statement

NAMES: dict[str, ir.Operand] = {
    "%r1": ir.register("%r1", "u32"),
    "%r2": ir.register("%r2", "u32"),
    "d": ir.register("d", "f32"),
    "%p": ir.register("%p", "pred"),
    "%q": ir.register("%q", "pred"),
    "table": ir.Variable("table", ir.variable_class("f32", ".global"), "f32", ".global"),
    "$here": ir.name("$here", "label"),
    "f": ir.name("f", "func"),
}


def read(text: str) -> tuple[str, str, list[str]]:
    """Guard, opcode and operands as text."""
    found = parse_statement(text, NAMES.get)
    return found.guard.text if found.guard is not None else "", found.opcode, [o.text for o in found.operands]


@pytest.mark.parametrize(
    ("text", "guard", "opcode", "operands"),
    [
        ("ret;", "", "ret", []),
        ("  ret ;  ", "", "ret", []),
        ("@%p ret;", "%p", "ret", []),
        ("@!%p bra $here;", "!%p", "bra", ["$here"]),
        ("@ ! %p bra $here;", "!%p", "bra", ["$here"]),
        ("add.u32 %r1,%r2,1;", "", "add.u32", ["%r1", "%r2", "1"]),
        ("add.u32\t%r1 , %r2 , 0x1F ;", "", "add.u32", ["%r1", "%r2", "0x1F"]),
        ("add.u32 %r1, %r2, 010;", "", "add.u32", ["%r1", "%r2", "010"]),
        ("add.u32 %r1, %r2, 0b101U;", "", "add.u32", ["%r1", "%r2", "0b101U"]),
        ("add.s32 %r1, %r2, -5;", "", "add.s32", ["%r1", "%r2", "-5"]),
        ("add.u32 %r1, %tid.x, WARP_SZ;", "", "add.u32", ["%r1", "%tid.x", "WARP_SZ"]),
        ("mov.f32 d, 0f3F800000;", "", "mov.f32", ["d", "0f3F800000"]),
        ("mov.f64 d, 1.5e-3;", "", "mov.f64", ["d", "1.5e-3"]),
        ("mov.f64 d, -2.;", "", "mov.f64", ["d", "-2."]),
        ("ld.global.f32 d, [table];", "", "ld.global.f32", ["d", "[table]"]),
        ("ld.global.f32 d, [ table + 16 ];", "", "ld.global.f32", ["d", "[table+16]"]),
        ("ld.global.f32 d, [%r1+-16];", "", "ld.global.f32", ["d", "[%r1+-16]"]),
        ("ld.global.f32 d, [16];", "", "ld.global.f32", ["d", "[16]"]),
        ("ld.global.f32 d, [table].unified;", "", "ld.global.f32", ["d", "[table].unified"]),
        ("ld.global.v2.u32 {%r1,%r2}, [table];", "", "ld.global.v2.u32", ["{%r1, %r2}", "[table]"]),
        ("cp.x [table, {%r1, %r2}], {_, %r1};", "", "cp.x", ["[table, {%r1, %r2}]", "{_, %r1}"]),
        ("setp.lt.u32 %p|%q, %r1, 1;", "", "setp.lt.u32", ["%p|%q", "%r1", "1"]),
        ("setp.lt.u32 _|%q, %r1, 1;", "", "setp.lt.u32", ["_|%q", "%r1", "1"]),
        ("selp.u32 %r1, 1, 2, !%p;", "", "selp.u32", ["%r1", "1", "2", "!%p"]),
        ("vadd.u32.u32.u32 %r1, %r2.b0, -%r1.h1;", "", "vadd.u32.u32.u32", ["%r1", "%r2.b0", "-%r1.h1"]),
        ("call (%r1), f, (%r2, 5);", "", "call", ["(%r1)", "f", "(%r2, 5)"]),
        ("call f, ();", "", "call", ["f", "()"]),
        ("mapa.shared::cluster.u32 %r1, %r2, 1;", "", "mapa.shared::cluster.u32", ["%r1", "%r2", "1"]),
        ("ld.const[2].u32 %r1, [table];", "", "ld.const[2].u32", ["%r1", "[table]"]),
        ("ld.u32.const[10] %r1,[table];", "", "ld.u32.const[10]", ["%r1", "[table]"]),
        ("st.local.u32[16], %r1;", "", "st.local.u32", ["[16]", "%r1"]),
        ("st.u32.local[16] , %r1;", "", "st.u32.local", ["[16]", "%r1"]),
        ("prefetch.local.L1[16];", "", "prefetch.local.L1", ["[16]"]),
        ("mov.u32 %r1, %clock;", "", "mov.u32", ["%r1", "%clock"]),
        ("mov.b64 d, {%tid.x, %tid.y};", "", "mov.b64", ["d", "{%tid.x, %tid.y}"]),
    ],
)
def test_read(text: str, guard: str, opcode: str, operands: list[str]) -> None:
    assert read(text) == (guard, opcode, operands)


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("017", 15),
        ("0x1f", 31),
        ("0X1F", 31),
        ("0b11", 3),
        ("42U", 42),
        ("0xffU", 255),
        ("-017", -15),
        ("-0", 0),
        ("WARP_SZ", 32),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_integers(literal: str, value: int) -> None:
    """Decimal, octal, hexadecimal and binary, with the suffix U (PTX ISA 4.5.1)."""
    operand = parse_statement(f"x {literal};", NAMES.get).operands[0]
    assert isinstance(operand, ir.Integer)
    assert operand.value == value


@pytest.mark.parametrize(
    ("literal", "width", "bits"),
    [
        ("0f3F800000", 32, 0x3F800000),
        ("0Fbf800000", 32, 0xBF800000),
        ("0d3FF0000000000000", 64, 0x3FF0000000000000),
        ("1.0", 64, 0x3FF0000000000000),
        ("-0d3FF0000000000000", 64, 0xBFF0000000000000),
        ("-0d7FF0000000000001", 64, 0xFFF0000000000001),
        ("-1.5", 64, 0xBFF8000000000000),
        ("0f7FC00001", 32, 0x7FC00001),
        ("0f7F800001", 32, 0x7F800001),
        ("1e308", 64, 0x7FE1CCF385EBC8A0),
    ],
)
def test_floats(literal: str, width: int, bits: int) -> None:
    operand = parse_statement(f"x {literal};", NAMES.get).operands[0]
    assert isinstance(operand, ir.Float)
    assert (operand.width, operand.bits) == (width, bits)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "the instruction ends too early", 1),
        (";", "an instruction begins with its opcode", 1),
        ("add.u32 %r1, %r2", "expected ',' or ';'", 17),
        ("add.u32 %r1 %r2;", "expected ',' or ';'", 13),
        ("add.u32 %r1,;", "';' begins no operand", 13),
        ("add.u32 %r9, 1;", "'%r9' is not declared", 12),
        ("add.u32 nothing;", "'nothing' is not declared", 16),
        ("ret; ret;", "one instruction was expected; more text follows its ';'", 6),
        ("@%r1 ret;", "a guard is a predicate register", 6),
        ("@1 ret;", "a guard is a predicate register", 4),
        ("@%p", "the instruction ends too early", 4),
        ("@%p 5;", "an instruction begins with its opcode", 5),
        ("ld [table;", "expected ',' or ']'", 10),
        ("ld {%r1;", "expected ',' or '}'", 8),
        ("call (%r1;", "expected ',' or ')'", 10),
        ("ld [table+%r1];", "only an integer constant can be added", 11),
        ("ld [table+1.5];", "only an integer constant can be added", 11),
        ("ld [%r1-4];", "a negative offset is written +-4", 8),
        ("x -0f3F800000;", "0f3F800000 takes no sign; the same bits with the sign are 0fBF800000", 4),
        ("x - 0Fff800000;", "0Fff800000 takes no sign; the same bits with the sign are 0f7F800000", 5),
        ("x 1e400;", "1e400 is beyond the range of .f64", 3),
        ("x -1e-400;", "1e-400 is beyond the range of .f64", 4),
        ("x --1;", "- wants a constant or a register", 6),
        ("x +1;", "begins no operand", 3),
        ("ld [$here+4];", "expected ',' or ']'", 10),
        ("x !5;", "! wants a register", 5),
        ("x -f;", "- wants a constant or a register", 5),
        ("x table.b0;", "'table' is no register, so it takes no selector .b0", 11),
        ("x %r1 # 5;", "expected ',' or ';'", 7),
        ("x #;", "cannot read this", 3),
    ],
)
def test_refused(text: str, message: str, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert (found.code, found.line) == ("syntax", 1)
    assert found.column == column


@pytest.mark.parametrize(
    "text",
    [
        "~%p",
        "!!%p",
        "--5",
        "-!%p",
        "!%r1",
        "[[%r1]]",
        "{{%r1}}",
        "%r1|%r2|%p",
        "-(%r1)",
        "!%r1.b0",
        "-%r1+4",
        "%r1.b0+4",
        "0x",
        "0f3F80000",
        "1.2.3",
        "%",
        "[]",
        "{}",
        "()",
        "|",
        "a b",
        "5.b0",
    ],
)
def test_odd_operands_end_in_an_operand_or_a_parse_error(text: str) -> None:
    error: ParseError | None = None
    try:
        found = parse_statement(f"x {text};", NAMES.get)
    except ParseError as caught:
        error = caught
    else:
        assert found.opcode == "x"
    assert error is None or error.diagnostics
