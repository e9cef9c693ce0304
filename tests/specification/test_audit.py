"""The audit of the specification as it stands, and how it takes conditions apart."""

from __future__ import annotations

import pytest

from ptxgen.isa.family import Line, table
from ptxgen.isa.opcodes import read
from tools.specification.audit.conditions import Mentions, parts, samples
from tools.specification.audit.operands import shapes
from tools.specification.conditions import Tree
from tools.specification.specification import load_specification


def test_the_specification_has_no_fault() -> None:
    load_specification()


@pytest.mark.parametrize(
    ("tree", "texts"),
    [
        (["has", [".sat"]], []),
        (["not", ["has", [".sat"]]], [".sat"]),
        (["has", [".a"], [".b", ".c"]], [".a.b", ".a.c"]),
        (["=>", ["on", "c"], ["==", ["slot", ".t"], ["token", ".f16"]]], ["c", ".t == .f16"]),
        (["in", ["bits", ["nth", 1]], [32, 64]], ["bits(.type1) == 32", "bits(.type1) == 64"]),
        (["and", ["is", "a", "reg", "imm"], ["sink", "d"], ["sink", ""]], ["a is reg | imm", "_ in d", "_"]),
        (["or", ["call", "float", ["slot", ".t"]], ["option", "debug"]], ["float(.t)", "debug"]),
    ],
)  # fmt: skip
def test_parts_of_a_condition(tree: Tree, texts: list[str]) -> None:
    assert [text for _, text in parts(tree)] == texts


def line(mnemonic: str, text: str) -> Line:
    family = table().family(mnemonic)
    assert family is not None
    return next(line for line in family.lines if line.text.startswith(text))


def test_only_what_is_looked_at_is_tried() -> None:
    mentions = Mentions()
    mentions.condition(["has", [".ftz"]])
    assert [s.tokens for s in samples(line("add", "add{.rnd}{.ftz}{.sat}.f32"), mentions)] == [(".ftz",), ()]


def test_operands_of_every_sort_are_tried() -> None:
    mentions = Mentions()
    mentions.condition(["is", "c", "neg"])
    sorts = {
        (s.operands["c"].what, s.operands["c"].prefix) for s in samples(line("setp", "setp.CmpOp.BoolOp"), mentions)
    }
    assert {("register", ""), ("register", "!")} <= sorts


def test_shapes_fit() -> None:
    (reading,) = read("ld.global.v2.b32")[1][:1]
    assert {shape[0].what for shape in shapes(reading)} == {"vector"}
    assert {shape[1].what for shape in shapes(reading)} == {"address"}
