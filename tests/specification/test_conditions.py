"""The condition language: what each form compiles to, and what it means."""

from __future__ import annotations

import pytest
from attrs import define, field

from ptxgen.isa.classes import (
    ADDRESS,
    FLOAT,
    INTEGER,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
    operand_class,
)
from ptxgen.isa.conditions import holds
from tools.specification.conditions import OPERAND_KINDS, ConditionError, Names, Tree, compile_condition

NAMES = Names(
    mnemonics=("ld", "ld.global.nc", "and"),
    tokens=frozenset((".u32", ".s32", ".b64", ".v2", ".v4", ".global", ".shared::cta", ".sat", ".const[3]")),
    slots=frozenset((".type", ".vec", ".ss")),
    selectors=frozenset((".asel",)),
    operands=frozenset(("d", "a", "count", "cache-policy")),
    options=frozenset(("texmode_independent",)),
    types=frozenset((".u32", ".s32", ".b64", ".f16", ".f32")),
)


@define
class Statement:
    """A statement by its parts."""

    tokens: tuple[str, ...] = ()
    slots: dict[str, int] = field(factory=dict[str, int])
    operands: dict[str, OperandClass] = field(factory=dict[str, OperandClass])
    mnemonic: str = "ld"
    alias: str = ""
    options: frozenset[str] = frozenset()


def tree(text: str) -> Tree:
    return compile_condition(text, NAMES)


VECTORS = Statement((".global", ".v2", ".u32"), {".ss": 0, ".vec": 1, ".type": 2})
SCALAR = Statement((".u32",), {".type": 0})
register = operand_class(REGISTER, "b32")


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (".sat", ["has", [".sat"]]),
        (".global.v2", ["has", [".global"], [".v2"]]),
        (".global.{u32, s32}", ["has", [".global"], [".u32", ".s32"]]),
        (".{shared::cta, global}.type", ["has", [".shared::cta", ".global"], [".type"]]),
        (".const[3].v2", ["has", [".const[3]"], [".v2"]]),
        ("not .{const[3], global}", ["not", ["has", [".const[3]", ".global"]]]),
        ("ld", ["mnemonic", "ld"]),
        ("ld.v2", ["and", ["mnemonic", "ld"], ["has", [".v2"]]]),
        ("ld.global.nc.v2", ["and", ["mnemonic", "ld.global.nc"], ["has", [".v2"]]]),
        ("and", ["mnemonic", "and"]),
        ("not .sat", ["not", ["has", [".sat"]]]),
        (".sat or .v2 and .v4", ["or", ["has", [".sat"]], ["and", ["has", [".v2"]], ["has", [".v4"]]]]),
        ("(.sat or .v2) and .v4", ["and", ["or", ["has", [".sat"]], ["has", [".v2"]]], ["has", [".v4"]]]),
        (".sat => .v2 or .v4", ["=>", ["has", [".sat"]], ["or", ["has", [".v2"]], ["has", [".v4"]]]]),
        (".sat <=> cache-policy", ["<=>", ["has", [".sat"]], ["on", "cache-policy"]]),
        (".type == .f16", ["==", ["slot", ".type"], ["token", ".f16"]]),
        (".type1 == .type2", ["==", ["nth", 1], ["nth", 2]]),
        ("bits(.type) < 32", ["<", ["bits", ["slot", ".type"]], ["int", 32]]),
        ("count(.vec) * bits(.type) > 128", [
            ">", ["*", ["count", ["slot", ".vec"]], ["bits", ["slot", ".type"]]], ["int", 128],
        ]),
        (".type in { u32, s32 }", ["in", ["slot", ".type"], [".u32", ".s32"]]),
        ("bits(.type1) in {32, 64}", ["in", ["bits", ["nth", 1]], [32, 64]]),
        ("float(.type)", ["call", "float", ["slot", ".type"]]),
        ("contains(.type, .u32)", ["call", "contains", ["slot", ".type"], ["token", ".u32"]]),
        ("count", ["on", "count"]),
        ("a is reg", ["is", "a", "reg"]),
        ("a is neg | vec", ["is", "a", "neg", "vec"]),
        ("_", ["sink", ""]),
        ("_ in d", ["sink", "d"]),
        ("texmode_independent", ["option", "texmode_independent"]),
    ],
)  # fmt: skip
def test_compiled(text: str, compiled: Tree) -> None:
    assert tree(text) == compiled


@pytest.mark.parametrize(
    ("text", "statement", "truth"),
    [
        (".global.v2", VECTORS, True),
        (".v2.global", VECTORS, False),  # in this order
        (".vec.{s32, u32}", VECTORS, True),
        (".type.u32", VECTORS, False),  # a slot consumes its token
        (".type == .u32", VECTORS, True),
        (".vec", SCALAR, False),
        ("not .vec", SCALAR, True),
        ("count(.vec) * bits(.type) == 64", VECTORS, True),
        ("count(.vec) * bits(.type) == 32", SCALAR, True),  # an empty slot counts 1
        (".ss == .global", SCALAR, False),
        (".sat => .vec", SCALAR, True),
        (".type => .vec", SCALAR, False),
        (".sat <=> .vec", SCALAR, True),
        (".type1 == .u32", SCALAR, True),
        (".type2 == .u32", SCALAR, False),
        ("int(.type) and unsigned(.type) and not signed(.type) and not float(.type)", SCALAR, True),
        ("contains(.b64, .u32)", SCALAR, False),  # of integers only
        ("ld", SCALAR, True),
        ("ld.global.nc", SCALAR, False),
    ],
)
def test_meaning(text: str, statement: Statement, truth: bool) -> None:
    assert holds(tree(text), statement) is truth


SORTS = {
    "reg": register,
    "imm": operand_class(INTEGER),
    "flt": operand_class(FLOAT, "f32"),
    "double": operand_class(FLOAT, "f64"),
    "var": operand_class(VARIABLE, "b32", ".global"),
    "offset": operand_class(VARIABLE, "b32", ".global", offset=True),
    "vec": operand_class(VECTOR, elements=(register,)),
    "neg": operand_class(REGISTER, "pred", prefix="!"),
    "sink": operand_class(SINK),
    "sreg": operand_class(SPECIAL, "tid"),
    "label": operand_class(NAME, "label"),
    "func": operand_class(NAME, "func"),
    "kernel": operand_class(NAME, "kernel"),
    "selected": operand_class(REGISTER, "b32", selector=".b0"),
    "pair": operand_class(REGISTER, "pred", second=operand_class(REGISTER, "pred")),
    "bits": register,
    "int": operand_class(VECTOR, elements=(operand_class(REGISTER, "u32"), operand_class(REGISTER, "s32"))),
    "vec1": operand_class(VECTOR, elements=(register,)),
    "vec2": operand_class(VECTOR, elements=(register,) * 2),
    "vec4": operand_class(VECTOR, elements=(register,) * 4),
    "texref": operand_class(ADDRESS, elements=(operand_class(VARIABLE, "texref", ".global"),)),
    "samplerref": operand_class(VARIABLE, "samplerref", ".global"),
    "surfref": operand_class(VARIABLE, "surfref", ".global"),
}


@pytest.mark.parametrize(("kind", "cls"), list(SORTS.items()))
def test_kinds_of_operands(kind: str, cls: OperandClass) -> None:
    assert holds(tree(f"a is {kind}"), Statement(operands={"a": cls}))
    assert not holds(tree(f"a is {kind}"), Statement())


def test_every_sort_is_tried() -> None:
    assert SORTS.keys() == set(OPERAND_KINDS)


@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        ("bits", operand_class(REGISTER, "u32")),
        ("bits", SORTS["vec1"]),
        ("int", register),
        ("int", operand_class(VECTOR, elements=(operand_class(REGISTER, "u32"), register))),
        ("vec2", SORTS["vec1"]),
        ("texref", SORTS["surfref"]),
        ("texref", SORTS["var"]),
    ],
)
def test_sorts_that_others_are_not(kind: str, cls: OperandClass) -> None:
    assert not holds(tree(f"a is {kind}"), Statement(operands={"a": cls}))


def test_a_register_is_seen_inside_brackets() -> None:
    address = operand_class(ADDRESS, elements=(register,))
    assert holds(tree("a is reg"), Statement(operands={"a": address}))


def test_sinks() -> None:
    vector = operand_class(VECTOR, elements=(operand_class(SINK), register))
    assert holds(tree("_ in d"), Statement(operands={"d": vector}))
    assert holds(tree("_"), Statement(operands={"a": register, "d": vector}))
    assert not holds(tree("_ in a"), Statement(operands={"a": register, "d": vector}))


@pytest.mark.parametrize(
    "text",
    [
        "", ".sat and", "not", "(.sat", ".sat)", ".sat .v2", ".rn", ".global.rn", ".type == rn", "b", "b is reg",
        "a is new", "_ in b", "st.v2", ".type in .u32", ".type in { f8 }", "bits(.type)", "float()", "contains(.type)",
        "bits(.type, .vec) == 1", ".sat => .v2 => .v4",
    ],
)  # fmt: skip
def test_refused(text: str) -> None:
    with pytest.raises(ConditionError):
        tree(text)
