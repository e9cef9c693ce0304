"""Conditions on lines of which some modifiers are chosen."""

from __future__ import annotations

import pytest

from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Line, table
from ptxgen.isa.partial import LEFT_OUT, UNDECIDED, Partial, open_line, settled, truth, value


def line(mnemonic: str, text: str) -> Line:
    family = table().family(mnemonic)
    assert family is not None
    return next(line for line in family.lines if line.text.startswith(text))


ADD = line("add", "add{.rnd}{.ftz}{.sat}.f32 ")
MAD = line("mad", "mad.mode.type")
LD = line("ld", "ld{.weak}{.ss}{.cop}")
VADD = line("vadd", "vop.dtype.atype.btype{.sat} d, a{.asel}")


def chosen(of: Line, mnemonic: str, **tokens: str) -> Partial:
    """A line with tokens chosen for the places of these names."""
    given = open_line(of, mnemonic)
    for at, place in enumerate(given.places):
        given.chosen[at] = tokens.get(place.name.strip("."), given.chosen[at])
    return given


@pytest.mark.parametrize(
    ("given", "tree", "holds"),
    [
        (open_line(ADD, "add"), ["has", [".f32"]], True),
        (open_line(ADD, "add"), ["has", [".f64"]], False),
        (open_line(ADD, "add"), ["has", [".ftz"]], None),
        (chosen(ADD, "add", ftz=LEFT_OUT), ["has", [".ftz"]], False),
        (chosen(ADD, "add", rnd=".rp"), ["has", [".rm", ".rp"], [".f32"]], True),
        (chosen(ADD, "add", rnd=".rn"), ["has", [".rm", ".rp"], [".f32"]], False),
        (open_line(ADD, "add"), ["has", [".f32"], [".sat"]], False),  # the order of the line
        (chosen(ADD, "add", rnd=".rn"), ["has", [".rnd"]], True),
        (open_line(ADD, "add"), ["and", ["has", [".f32"]], ["has", [".sat"]]], None),
        (open_line(ADD, "add"), ["and", ["has", [".f64"]], ["has", [".sat"]]], False),
        (open_line(ADD, "add"), ["or", ["has", [".f32"]], ["has", [".sat"]]], True),
        (open_line(ADD, "add"), ["not", ["has", [".f64"]]], True),
        (open_line(ADD, "add"), ["=>", ["has", [".f64"]], ["has", [".sat"]]], True),
        (open_line(ADD, "add"), ["=>", ["has", [".f32"]], ["has", [".sat"]]], None),
        (open_line(ADD, "add"), ["<=>", ["has", [".f32"]], ["has", [".f64"]]], False),
        (open_line(ADD, "add"), ["mnemonic", "add"], True),
        (open_line(ADD, "add"), ["mnemonic", "sub"], False),
        (open_line(ADD, "add"), ["option", "debug"], None),
        (open_line(ADD, "add"), ["on", "a"], True),
        (open_line(ADD, "add"), ["on", "c"], False),
        (open_line(ADD, "add"), ["is", "a", "imm"], None),
        (open_line(ADD, "add"), ["is", "c", "imm"], False),
        (open_line(ADD, "add"), ["sink", ""], None),
        (open_line(ADD, "add"), ["sink", "c"], False),
        (open_line(LD, "ld"), ["on", "cache-policy"], None),
        (open_line(LD, "ld", frozenset({"cache-policy"})), ["on", "cache-policy"], True),
        (open_line(MAD, "mad"), ["==", ["bits", ["slot", ".type"]], ["int", 64]], None),
        (chosen(MAD, "mad", type=".u64"), ["==", ["bits", ["slot", ".type"]], ["int", 64]], True),
        (chosen(MAD, "mad", type=".u32"), ["in", ["bits", ["nth", 1]], [16, 64]], False),
        (chosen(MAD, "mad", type=".u32"), ["<", ["int", 16], ["bits", ["nth", 1]]], True),
        (chosen(MAD, "mad", type=".u32"), [">", ["int", 16], ["bits", ["nth", 1]]], False),
        (chosen(MAD, "mad", type=".u32"), ["call", "unsigned", ["slot", ".type"]], True),
        (open_line(MAD, "mad"), ["call", "unsigned", ["slot", ".type"]], None),
        (open_line(VADD, "vadd"), ["has", [".b0"]], None),  # a selector
        (open_line(VADD, "vadd"), ["mnemonic", "vop"], True),
    ],
)
def test_truth(given: Partial, tree: Tree, holds: bool | None) -> None:
    assert truth(tree, given) is holds


def test_values() -> None:
    given = chosen(LD, "ld", vec=".v4", type=".f32")
    assert value(["count", ["slot", ".vec"]], given) == 4
    assert value(["*", ["count", ["slot", ".vec"]], ["bits", ["slot", ".type"]]], given) == 128
    assert value(["slot", ".cop"], given) is UNDECIDED
    assert value(["*", ["count", ["slot", ".cop"]], ["int", 2]], given) is UNDECIDED
    assert value(["slot", ".nothing"], given) is None
    assert value(["nth", 2], given) is None
    assert value(["count", ["slot", ".vec"]], chosen(LD, "ld", vec=LEFT_OUT)) == 1


def test_kinds_with_what_is_decided() -> None:
    given = chosen(MAD, "mad", type=".u32")
    assert settled(["type", ["scaled", 2, 1, ["slot", ".type"]]], given) == ["type", ["token", ".u64"]]
    assert settled(["type", ["nth", 1]], given) == ["type", ["token", ".u32"]]
    assert settled(["type", ["nth", 1]], open_line(MAD, "mad")) == ["type", ["nth", 1]]
    vector: Tree = ["type", ["slot", ".type"], ["num", ".vec"]]
    assert settled(vector, chosen(LD, "ld", vec=".v2", type=".f32")) == ["type", ["token", ".f32"], ["int", 2]]
    assert settled(vector, open_line(LD, "ld")) == vector
