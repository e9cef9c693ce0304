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
        ("", "an instruction begins with its opcode, not with the end of the text", 1),
        (";", "an instruction begins with its opcode", 1),
        ("add.u32 %r1, %r2", "the text ends where ',' or ';' is missing", 17),
        ("add.u32 %r1 %r2;", "',' or ';' is missing before '%r2'", 13),
        ("add.u32 %r1,;", "an operand is missing before ';'", 13),
        ("add.u32 %r9, 1;", "%r9 is not declared", 9),
        ("add.u32 nothing;", "nothing is not declared", 9),
        ("ret; ret;", "one instruction was expected; more text follows its ';'", 6),
        ("@%r1 ret;", "a guard is a predicate register, not a .u32 register", 2),
        ("@1 ret;", "a guard is a predicate register, not an integer constant", 2),
        ("@%p", "an instruction begins with its opcode, not with the end of the text", 4),
        ("@%p 5;", "an instruction begins with its opcode", 5),
        ("ld [table;", "',' or ']' is missing before ';'", 10),
        ("ld {%r1;", "',' or '}' is missing before ';'", 8),
        ("call (%r1;", "',' or ')' is missing before ';'", 10),
        ("ld [table+%r1];", "only an integer constant can be added", 11),
        ("ld [table+1.5];", "only an integer constant can be added", 11),
        ("ld [%r1-4];", "a negative offset is written +-4", 8),
        ("x -0f3F800000;", "0f3F800000 takes no sign; the same bits with the sign are 0fBF800000", 3),
        ("x - 0Fff800000;", "0Fff800000 takes no sign; the same bits with the sign are 0f7F800000", 3),
        ("x 1e400;", "1e400 is beyond the range of .f64", 3),
        ("x -1e-400;", "1e-400 is beyond the range of .f64", 4),
        ("ld [$here+4];", "',' or ']' is missing before '+'", 10),
        ("x -f;", "- is put before a constant or a register, not before f", 3),
        ("x table.b0;", "table is a .global variable and takes no selector .b0", 3),
        ("x %r1 # 5;", '# begins a line such as # 1 "kernel.cu", and nothing else', 7),
        ("x #;", '# begins a line such as # 1 "kernel.cu", and nothing else', 3),
    ],
)
def test_refused(text: str, message: str, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert found.code in ("syntax", "guard", "unknown-name")
    assert found.line == 1
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


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("--1", 1), ("+1", 1), ("!5", 0), ("~0", (1 << 64) - 1), ("1+2*3", 7), ("(1+2)*3", 9), ("7 % 3", 1),
        ("-7/2", -3),
        ("1<<4|1", 17), ("5>3&&2<1", 0), ("0||7", 1), ("1?2:3", 2), ("(.u64)-1", (1 << 64) - 1), ("0x10U", 16),
        ("010", 8), ("0b101", 5), ("3==3", 1), ("6^3", 5), ("(.s64)0xffffffffffffffff", -1), ("9--2", 11),
    ],
)  # fmt: skip
def test_constant_expressions(written: str, value: int) -> None:
    operand = parse_statement(f"x {written};", NAMES.get).operands[0]
    assert isinstance(operand, ir.Integer)
    assert operand.value == value
