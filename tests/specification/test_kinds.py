"""Operand kinds: what each form compiles to."""

from __future__ import annotations

import pytest

from tools.specification.conditions import Names
from tools.specification.kinds import KindError, compile_kind

NAMES = Names(
    mnemonics=("ld",),
    tokens=frozenset((".u32", ".v2", ".global")),
    slots=frozenset((".type", ".vec", ".num", ".ss")),
    selectors=frozenset(),
    operands=frozenset(("d", "a")),
    options=frozenset(),
    types=frozenset((".b32", ".u32", ".u64", ".f32", ".f16")),
)


def bases(text: str) -> object:
    return compile_kind(text, NAMES)["bases"]


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (".b32", [["type", ["token", ".b32"]]]),
        (".type", [["type", ["slot", ".type"]]]),
        (".type2", [["type", ["nth", 2]]]),
        (".{u32, u64}", [["type", ["any", ".u32", ".u64"]]]),
        (".double(.type)", [["type", ["scaled", 2, 1, ["slot", ".type"]]]]),
        (".half(.type1)", [["type", ["scaled", 1, 2, ["nth", 1]]]]),
        (".type[4]", [["type", ["slot", ".type"], ["int", 4]]]),
        (".type[.vec]", [["type", ["slot", ".type"], ["num", ".vec"]]]),
        (".b32[2*.num]", [["type", ["token", ".b32"], ["*", ["int", 2], ["num", ".num"]]]]),
        (".f16[M*K/2]", [["type", ["token", ".f16"], ["/", ["*", ["dim", "M"], ["dim", "K"]], ["int", 2]]]]),
        ("{.u32, .f32, .f32}", [["tuple", ["token", ".u32"], ["token", ".f32"], ["token", ".f32"]]]),
        (".type | .half(.type)[2] | .quarter(.type)[4]", [
            ["type", ["slot", ".type"]],
            ["type", ["scaled", 1, 2, ["slot", ".type"]], ["int", 2]],
            ["type", ["scaled", 1, 4, ["slot", ".type"]], ["int", 4]],
        ]),
        ("imm", [["imm"]]),
        ("imm 0..15", [["imm", "range", 0, 15, 1]]),
        ("imm -1..1", [["imm", "range", -1, 1, 1]]),
        ("imm 32..1024 step 32", [["imm", "range", 32, 1024, 32]]),
        ("imm {-1, 1}", [["imm", "values", [-1, 1]]]),
        ("imm pow2 32..512", [["imm", "values", [32, 64, 128, 256, 512]]]),
        ("imm 1..2^20", [["imm", "range", 1, 1 << 20, 1]]),
        ("flt", [["flt"]]),
        ("flt (0..1]", [["flt", "0", "1", "(]"]]),
        (".u32 | imm 0..1", [["type", ["token", ".u32"]], ["imm", "range", 0, 1, 1]]),
        ("addr .global", [["addr", ["token", ".global"]]]),
        ("addr .ss", [["addr", ["slot", ".ss"]]]),
        ("addr", [["addr", []]]),
        ("addr generic", [["addr", [], "generic"]]),
        ("addr tmem .b32", [["addr", [], "tmem"]]),
        ("bare addr 32..64 .global", [["addr", ["token", ".global"]]]),
        ("addr multimem", [["addr", [], "multimem"]]),
        ("var", [["var"]]),
        ("var .global", [["var", ["token", ".global"]]]),
        ("sreg .type", [["sreg", ["slot", ".type"]]]),
        ("sreg .type[4] | sreg .b32", [["sreg", ["slot", ".type"], ["int", 4]], ["sreg", ["token", ".b32"]]]),
        ("texref | reg .u64", [["texref"], ["type", ["token", ".u64"]]]),
        ("label", [["label"]]),
        ("branchtargets", [["branchtargets"]]),
        ("calltargets | var .global", [["calltargets"], ["var", ["token", ".global"]]]),
        ("params", [["params"]]),
    ],
)  # fmt: skip
def test_bases(text: str, compiled: object) -> None:
    assert bases(text) == compiled


@pytest.mark.parametrize(
    ("text", "access", "flags"),
    [
        (".u32", None, None),
        ("out .u32", "out", None),
        ("inout warpgroup .f32[M*N]", "inout", ["warpgroup"]),
        ("out .type[.vec] wider sink", "out", ["wider", "sink"]),
        ("reg .u64", None, ["reg"]),
        ("exact reg .u64", None, ["exact", "reg"]),
        ("warp .f16[512]", None, ["warp"]),
    ],
)
def test_access_and_flags(text: str, access: str | None, flags: list[str] | None) -> None:
    kind = compile_kind(text, NAMES)
    assert (kind.get("access"), kind.get("flags")) == (access, flags)


@pytest.mark.parametrize(
    ("text", "widths"),
    [("addr .ss", None), ("addr 64 .ss", [64, 64]), ("bare addr 32..64 .ss", [32, 64]), ("addr 64 generic", [64, 64])],
)
def test_widths_of_addresses(text: str, widths: list[int] | None) -> None:
    assert compile_kind(text, NAMES).get("widths") == widths


@pytest.mark.parametrize(
    "text",
    ["", "out", "register", ".u23", ".type[]", ".type[two]", ".type[.pair]", "imm {a}", "imm 3..1", "imm 1..9 step x",
     "sreg", "sreg .u23", "addr .type3x", ".double(.u23)", "{.u32, .u23}", "5", ".u32 &"],
)  # fmt: skip
def test_refused(text: str) -> None:
    with pytest.raises(KindError):
        compile_kind(text, NAMES)
