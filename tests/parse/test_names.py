"""Names and scopes (PTX ISA 4.4, 5.4.5, 9.1): what ptxas finds, where a name is taken, where a label is seen."""

from __future__ import annotations

import pytest

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Reg, Variable
from tests.parse.texts import KERNEL, errors, operand, printed, read_statements, wrong, wrong_statements


def messages(statements: str) -> list[str]:
    return [message for _, _, message in wrong_statements(statements)]


# ---- declared before use, once in a scope


@pytest.mark.parametrize(
    ("statements", "name"),
    [
        ("mov.u32 a, x;\n.reg .u32 x;", "x"),
        ("{ .reg .u32 x; }\nmov.u32 x, 1;", "x"),
        ("mov.u32 a, %t;", "%t"),
        ("@%p9 ret;", "%p9"),
        ("@!%p9 ret;", "%p9"),
        ("ld.global.u32 a, [x];", "x"),
        ("ld.global.u32 a, [x+4];", "x"),
        ("ld.global.u32 a, [x+-4];", "x"),
        ("ld.global.v2.u32 {a, x}, [%d1];", "x"),
        ("selp.u32 a, b, c, !x;", "x"),
        ("setp.eq.u32 %p1|x, a, b;", "x"),
        ("mov.f32 %f1, x.y;", "x"),
        ("vadd.u32.u32.u32 a, -x, b;", "x"),
        ("call x;", "x"),
        ("bra x;", "x"),
        ("x: .branchtargets y;", "y"),
        (".global .u64 y = x;", "x"),
    ],
)
def test_one_finding_for_one_unknown_name(statements: str, name: str) -> None:
    """Not one more from the check of the instruction, nor for what follows from it."""
    assert messages(statements) == [f"{name} is not declared"]
    assert errors(f"{KERNEL}{statements}\n}}\n") == [f"{name} is not declared"]


def test_an_unknown_name_is_said_once_where_it_is_first_used() -> None:
    found = wrong_statements("mov.u32 a, 1; // x\n\n  add.u32 a, x, 1;\n@x ret;\nadd.u32 x, x, x;")
    assert found == [(3, 14, "x is not declared")]
    assert wrong_statements("{ .reg .u32 x; }\nadd.u32 a, b, x;") == [(2, 15, "x is not declared")]
    assert wrong_statements("add.u32 a, xx, x;") == [(1, 12, "xx is not declared"), (1, 16, "x is not declared")]
    assert wrong_statements("@x add.u32 a, b, c;") == [(1, 2, "x is not declared")]


def test_what_else_is_wrong_with_such_an_instruction_is_not_guessed() -> None:
    unknown = "the specification has no instruction called 'foo'"
    assert errors(KERNEL + "foo.u32 x;\n}") == [unknown, "x is not declared"]
    assert errors(KERNEL + "add.u32 x, 1.0;\n}") == ["x is not declared"]


@pytest.mark.parametrize(
    "statements",
    [
        ".reg .u32 x; .reg .u32 x;", ".reg .u32 x, x;", ".reg .u32 x; .shared .u32 x;", ".param .u32 x; .reg .u32 x;",
        "x: .reg .u32 x;", ".reg .u32 x; x:", "x: x:", "x: .branchtargets x; x:",
        ".reg .u32 x; x: .callprototype _ ();",
    ],
)  # fmt: skip
def test_a_name_is_declared_once_in_a_scope(statements: str) -> None:
    assert messages(statements) == ["x is declared twice"]


def test_every_duplicate_is_said_and_the_rest_is_declared() -> None:
    assert wrong_statements(".reg .u32 q, a, r, b;\nadd.u32 q, r, b;") == [
        (1, 14, "a is declared twice"),
        (1, 20, "b is declared twice"),
    ]
    assert wrong(".global .u32 x, x, y; .global .u32 z = 1;\n.global .u64 w = y;") == [(1, 17, "x is declared twice")]
    assert wrong(".func f(.reg .u32 x, .reg .u32 x) { ret; }") == [(1, 32, "x is declared twice")]


def test_parameters_and_body_are_one_scope() -> None:
    assert wrong(".entry k(.param .u32 x) { .reg .u32 x; ret; }") == [(1, 37, "x is declared twice")]
    assert wrong(".func (.reg .u32 x) f(.reg .u32 x) { ret; }") == [(1, 33, "x is declared twice")]


def test_inner_scopes_hide_outer_names() -> None:
    first, _, _, inner, _, last = read_statements("mov.b32 a, 1; { .reg .f32 a; mov.b32 a, 1; } mov.b32 a, 1;")
    assert (first[1].type, inner[1].type, last[1].type) == ("u32", "f32", "u32")


def test_until_it_is_hidden_the_outer_name_is_meant() -> None:
    _, before, _, after, _ = read_statements("{ mov.b32 a, 1; .reg .f32 a; mov.b32 a, 1; }")
    assert (before[1].type, after[1].type) == ("u32", "f32")
    _, before, _, after, _ = read_statements("{ mov.b32 %r1, 1; .reg .f32 %r<3>; mov.b32 %r1, 1; }")
    assert (before[1].type, after[1].type) == ("b32", "f32")
    _, before, _, after, _ = read_statements("{ mov.b32 %r1, 1; .reg .f32 %r<100000>; mov.b32 %r1, 1; }")
    assert (before[1].type, after[1].type) == ("b32", "f32")
    _, before, _, after, _ = read_statements("{ ld.b32 b, [a]; .reg .u64 a; ld.b32 b, [a]; }")
    assert (before[2].elements[0].type, after[2].elements[0].type) == ("u32", "u64")


def test_a_body_may_use_any_name_of_the_module_anew() -> None:
    before = ".global .u32 x; .func f { ret; }\n"
    assert printed(".reg .u32 x, f, k; mov.u32 x, f;", before)[-1] == "mov.u32 x, f;"
    assert isinstance(operand("x", before), Variable)


def test_special_registers_may_be_hidden() -> None:
    assert isinstance(operand("%laneid"), ir.Special)
    _, statement = read_statements(".reg .u32 %laneid; mov.b32 %laneid, 1;")
    assert isinstance(statement[1], Reg)


@pytest.mark.parametrize("name", ["%envreg05", "%pm07", "%tid.q", "%nosuch"])
def test_special_registers_have_one_spelling(name: str) -> None:
    assert len(messages(f"mov.u32 a, {name};")) == 1


# ---- ranges


@pytest.mark.parametrize("name", ["q0", "q4", "q04", "q004", "q4294967297"])
def test_members_of_a_range(name: str) -> None:
    _, statement = read_statements(f".reg .u16 q<5>; mov.b16 {name}, 1;")
    assert (statement[1].type, statement[1].text) == ("u16", f"q{int(name[1:]) % (1 << 32)}")


@pytest.mark.parametrize("name", ["q", "q5", "q05", "q-1", "qq1", "Q1", "q1x"])
def test_no_members_of_a_range(name: str) -> None:
    assert len(messages(f".reg .u16 q<5>; mov.b16 {name}, 1;")) == 1


def test_a_member_is_one_register_however_it_is_spelled() -> None:
    _, one, other = read_statements(".reg .u16 q<5>; mov.b16 q2, 1; mov.b16 q02, 1;")
    assert one[1] is other[1]


def test_the_stem_of_a_range_ends_where_the_digits_begin() -> None:
    assert messages(".reg .u32 q1<5>; mov.u32 q12, 1;") == ["q12 is not declared"]
    assert messages(".reg .u32 q<3>, q; mov.u32 q, q2;") == []


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        (".reg .u32 q<3>; .reg .u32 q<2>;", "q<"), (".reg .u32 q2; .reg .u32 q<3>;", "q2"),
        (".reg .u32 q<3>; .reg .f32 q2;", "q2"), (".reg .u32 q<3>; .reg .f32 q02;", "q02"),
        (".shared .u32 q<3>; .reg .f32 q0;", "q0"), (".reg .u32 q9000000; .reg .u32 q<9000001>;", "q9000000"),
    ],
)  # fmt: skip
def test_ranges_collide(declared: str, taken: str) -> None:
    assert messages(declared) == [f"{taken} is declared twice"]


@pytest.mark.parametrize(
    "declared", [".reg .u32 q<3>; .reg .u32 q3;", ".reg .u32 q02; .reg .u32 q<3>;", ".reg .u32 q<0>;"]
)
def test_ranges_that_do_not_collide(declared: str) -> None:
    assert messages(declared) == []


def test_ranges_of_any_size_cost_what_is_used_of_them() -> None:
    _, statement = read_statements(".reg .u32 q<4294967295>; mov.u32 q4294967294, 1;")
    assert statement[1].text == "q4294967294"
    assert len(messages(".reg .u32 q<4294967296>;")) == 1


def test_ranges_of_variables() -> None:
    _, statement = read_statements(".shared .u32 q<3>; mov.b32 a, q1;")
    assert isinstance(statement[2], Variable)
    assert (statement[2].text, statement[2].space) == ("q1", ".shared")


# ---- labels


@pytest.mark.parametrize(
    "statements",
    [
        "bra L; L: ret;", "L: bra L;", "{ bra L; } L: ret;", "L: { bra L; }", "{ bra L; { L: } L: }",
        "{ { bra L; } L: }",
        "L: { L: bra L; } bra L;", "{ L: bra L; } { L: bra L; }", "L: .branchtargets M; M: brx.idx a, L;",
        "{ L: .branchtargets M; brx.idx a, L; } M:", "L: M: bra L; bra M;", "L: {} bra L;", "bra L; L: .pragma \"x\";",
    ],
)  # fmt: skip
def test_labels_are_seen(statements: str) -> None:
    assert messages(statements) == []


@pytest.mark.parametrize(
    ("statements", "place"),
    [
        ("bra L; { L: }", (1, 5)), ("{ bra L; } { L: }", (1, 7)), ("{ L: }\n bra L;", (2, 6)),
        ("L: ret;\n} .entry other { bra L;", (2, 22)),
        ("{ M: }\nL: .branchtargets\n  M;", (3, 3)),
    ],
)  # fmt: skip
def test_labels_of_other_scopes_are_not_seen(statements: str, place: tuple[int, int]) -> None:
    ((line, column, message),) = wrong_statements(statements)
    assert (line, column) == place
    assert message.startswith(("L is not declared; a label is seen", "M is not declared; a label is seen"))


def test_a_label_hides_an_outer_name_from_where_it_stands() -> None:
    found = read_statements("{ mov.u32 a, 1; a: bra a; }")
    assert (found[1][1].cls.what, found[3][1].cls.type) == ("register", "label")


def test_a_branch_to_what_is_no_label_is_an_error_of_the_check() -> None:
    (said,) = errors(KERNEL + "bra a;\n}")
    assert said == "bra operand 1 (tgt) takes a label, got a .u32 register"


# ---- functions


def test_a_function_is_known_in_its_own_body_and_below() -> None:
    assert wrong(".func f { call f; ret; } .func g { call f; ret; }") == []
    assert wrong(".func f { call g; ret; } .func g { ret; }") == [(1, 16, "g is not declared")]
    assert wrong(".func g; .func f { call g; ret; } .func g { ret; }") == []


def test_a_function_and_a_variable_cannot_share_a_name() -> None:
    assert wrong(".global .u32 x; .func x { ret; }") == [(1, 23, "x is declared twice")]
    assert wrong(".func x { ret; } .global .u32 x;") == [(1, 31, "x is declared twice")]
