"""Conditions and kinds as text: what is written is what was read."""

from __future__ import annotations

import pytest

from ptxgen.isa import wording
from ptxgen.isa.conditions import Tree
from tools.specification.conditions import compile_condition
from tools.specification.family import Family
from tools.specification.kinds import FLAGS
from tools.specification.specification import load_specification

FAMILIES = load_specification(audited=False).families


def spelled(tree: Tree) -> Tree:
    """One spelling of what may be written in two ways: `x in {a}` is `x == a`."""
    match tree:
        case ["in", value, [int(item)]]:
            return ["==", value, ["int", item]]
        case ["in", value, [str(item)]]:
            return ["==", value, ["token", item]]
        case _:
            return [spelled(part) if isinstance(part, list) else part for part in tree]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_condition_reads_as_it_is_written(family: Family) -> None:
    for block in family.blocks:
        choices = [choice.condition for kinds in block.kinds.values() for choice in kinds]
        for tree in [*(sentence.tree for sentence in block.sentences), *filter(None, choices)]:
            assert spelled(compile_condition(wording.condition(tree), family.names)) == spelled(tree)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["has", [".sat"], [".u8", ".s8"]], ".sat.{u8, s8}"),
        (["=>", ["on", "c"], ["not", ["or", ["has", [".a"]], ["is", "c", "reg", "imm"]]]],
         "c => not (.a or c is reg | imm)"),
        (["and", ["or", ["sink", ""], ["sink", "d"]], ["option", "debug"]], "(_ or _ in d) and debug"),
        (["<", ["*", ["count", ["slot", ".v"]], ["bits", ["nth", 2]]], ["int", 64]], "count(.v) * bits(.type2) < 64"),
        (["in", ["bits", ["slot", ".t"]], [32, 64]], "bits(.t) in {32, 64}"),
        (["call", "contains", ["slot", ".t"], ["token", ".u16"]], "contains(.t, .u16)"),
    ],
)  # fmt: skip
def test_conditions(tree: Tree, text: str) -> None:
    assert wording.condition(tree) == text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ({"bases": [["type", ["slot", ".t"]]], "access": "out", "flags": ["wider", "sink"]}, "out .t or wider or _"),
        ({"bases": [["type", ["token", ".u32"]], ["imm", "range", 0, 255, 1]]}, ".u32 or constant 0..255"),
        ({"bases": [["type", ["slot", ".t"], ["num", ".vec"]]], "flags": ["reg"]}, "vector of .vec .t, no constant"),
        ({"bases": [["type", ["nth", 1], ["/", ["*", ["dim", "M"], ["dim", "N"]], ["int", 2]]]], "access": "inout"},
         "in and out vector of M*N/2 .type1"),
        ({"bases": [["tuple", ["token", ".f32"], ["token", ".pred"]]]}, "{.f32, .pred}"),
        ({"bases": [["imm", "values", [1, 2, 4]], ["flt", "0", "1", "(]"]]}, "constant 1, 2, 4 or constant in (0, 1]"),
        ({"bases": [["imm", "range", 0, 16, 4]]}, "constant 0..16 in steps of 4"),
        ({"bases": [["addr", ["token", ".shared"]]]}, "address in .shared"),
        ({"bases": [["addr", [], "generic"]]}, "generic address"),
        ({"bases": [["addr", [], "any"]]}, "address"),
        ({"bases": [["addr", []], ["var"], ["var", ["token", ".const"]]]}, "address or variable or variable in .const"),
        ({"bases": [["sreg", ["slot", ".t"]], ["label"], ["func"]]}, "special register of .t or label or function"),
        ({"bases": [["sreg", ["slot", ".t"], ["num", ".vec"]]]}, "special register of .vec .t"),
        ({"bases": [["type", ["any", ".b32", ".u32"]]]}, ".b32 or .u32"),
        ({"bases": [["type", ["scaled", 2, 1, ["slot", ".type"]]]]}, ".type of twice the width"),
        ({"bases": [["type", ["scaled", 1, 4, ["slot", ".type"]]]]}, ".type of a quarter of the width"),
    ],
)  # fmt: skip
def test_kinds(kind: wording.Kind, text: str) -> None:
    assert wording.kind(kind) == text


@pytest.mark.parametrize("flag", FLAGS)
def test_flags(flag: str) -> None:
    bare: wording.Kind = {"bases": [["label"]]}
    assert len(wording.kind({**bare, "flags": [flag]})) > len(wording.kind(bare))


def test_kinds_that_conditions_choose() -> None:
    choices: list[tuple[Tree | None, wording.Kind]] = [
        (["has", [".f16x2"]], {"bases": [["type", ["nth", 1]]], "flags": ["wider"]}),
        (None, {"bases": [["type", ["nth", 1]]]}),
    ]
    assert wording.kinds(choices) == "with .f16x2: .type1 or wider; else: .type1"
    assert wording.kinds(choices, lambda tree: False) == ".type1"
    assert wording.kinds(choices, lambda tree: True) == ".type1 or wider"
