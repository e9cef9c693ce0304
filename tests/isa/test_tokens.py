"""Tokens: which keep their order, and which are numbers or shapes."""

from __future__ import annotations

import pytest

from ptxgen.isa import grammar, types
from ptxgen.isa.data import load
from ptxgen.isa.family import table
from ptxgen.isa.opcodes import read


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        (".f32", "types"),
        (".e2m1x2", "types"),
        (".row", "layouts"),
        (".shared::cluster", "spaces"),
        (".rn", ""),
        (".local", ""),
    ],
)
def test_ordered_classes(token: str, kind: str) -> None:
    assert types.order_class(token) == kind


@pytest.mark.parametrize(
    ("token", "name"),
    [
        (".f32", "f32"),
        (".and", "and_"),
        (".2d", "_2d"),
        (".shared::cta", "shared__cta"),
        (".sp::2:4", "sp__2_4"),
        (".warpx2::02_13", "warpx2__02_13"),
        (".b6x16_p32", "b6x16_p32"),
        (".const[3]", "const_3_"),
        (".const[10]", "const_10_"),
    ],
)
def test_names_in_python(token: str, name: str) -> None:
    assert grammar.escape(token) == name
    assert grammar.unescape(name) == token


def test_every_token_has_a_name_of_its_own() -> None:
    found = {token for m in table().mnemonics() if (f := table().family(m)) for token in f.tokens}
    assert all(grammar.escape(token).isidentifier() for token in found)
    assert {token for token in found if grammar.unescape(grammar.escape(token)) != token} == set()


def test_order_within_a_class_counts() -> None:
    assert [reading.opcode for reading in read("cvt.f32.rn.s32")[1]] == ["cvt.rn.f32.s32"]
    assert [reading.opcode for reading in read("cvt.s32.rni.f32")[1]] == ["cvt.rni.s32.f32"]


@pytest.mark.parametrize(("token", "number"), [(".v4", 4), (".x128", 128), (".2d", 2), (".rn", 1)])
def test_numbers(token: str, number: int) -> None:
    assert types.number(token) == number


@pytest.mark.parametrize(
    ("tokens", "shape"),
    [((".sync", ".m16n8k32"), (16, 8, 32)), ((".m8n8",), (8, 8, 1)), ((".f32",), (1, 1, 1))],
)
def test_shapes(tokens: tuple[str, ...], shape: tuple[int, int, int]) -> None:
    assert types.shape(tokens) == shape


def test_types_are_counted() -> None:
    assert types.nth((".rn", ".f16", ".f32"), 2) == ".f32"
    assert types.nth((".rn", ".f16"), 2) is None


def test_repeatable_tokens_are_read_once() -> None:
    (reading,) = read("add.sat.sat.s32")[1]
    assert (reading.opcode, reading.repeated) == ("add.sat.s32", (".sat",))
    assert read("add.rn.rn.f32")[1] == ()


def test_ignored_tokens_are_read_over_where_a_line_has_them_not() -> None:
    (reading,) = read("tcgen05.st.sync.b2.aligned.32x32b.x1.b32")[1]
    assert (reading.opcode, reading.ignored) == ("tcgen05.st.sync.aligned.32x32b.x1.b32", (".b2",))
    (reading,) = read("tcgen05.ld.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2")[1]
    assert reading.ignored == ()
    assert read("tcgen05.ld.b2.red.sync.aligned.32x32b.x2.min.f32")[1] == ()
    assert read("st.b2.b32")[1] == ()


def test_movable_words_belong_to_the_mnemonic() -> None:
    mnemonic, found = read("wgmma.mma_async.sync.aligned.m64n8k32.f32.sp.bf16.bf16")
    assert mnemonic == "wgmma.mma_async.sp"
    assert found[0].opcode == "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16"
    assert read("tcgen05.mma.cta_group::1.kind::f16.ws")[1] == ()


def test_tokens_of_the_tables_are_in_use() -> None:
    families = [table().family(mnemonic) for mnemonic in table().mnemonics()]
    used = {token for family in families if family is not None for line in family.lines for token in line.tokens}
    words = {word for mnemonic in table().mnemonics() for word in mnemonic.split(".")[1:]}
    for token in (*load("tokens")["repeatable"], *load("tokens")["ignored"], *load("tokens")["movable"]):
        name = token[token.rindex(".") :]
        assert name in used or name[1:] in words, token
