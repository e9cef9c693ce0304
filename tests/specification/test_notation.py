"""NVIDIA's notation, as the manual writes it, with all its liberties."""

from __future__ import annotations

import pytest

from tools.specification.notation import Block, Line, NotationError, Operand, read_block


def block(text: str, *mnemonics: str, **inline: str) -> Block:
    return read_block(text, mnemonics or ("add",), inline)


def line(text: str, *mnemonics: str) -> Line:
    (found,) = block(text, *mnemonics).lines
    return found


def modifiers(text: str) -> list[tuple[str, tuple[str, ...], int]]:
    return [(m.name, m.tokens, m.group) for m in line(text).modifiers]


def operands(text: str) -> tuple[Operand, ...]:
    return line(f"add  {text};").operands


# ---- modifiers


def test_slot_and_literal() -> None:
    found = line("add.sat.type d; .type = { .u32, .s32 };").modifiers
    assert [(m.name, m.tokens, m.slot) for m in found] == [
        (".sat", (".sat",), False),
        (".type", (".u32", ".s32"), True),
    ]


def test_optional_modifiers_are_groups_of_one() -> None:
    assert modifiers("add{.rnd}{.ftz}.f32 d; .rnd = { .rn };") == [
        (".rnd", (".rn",), 1),
        (".ftz", (".ftz",), 2),
        (".f32", (".f32",), 0),
    ]


def test_optional_group_is_all_or_none() -> None:
    assert [m[2] for m in modifiers("add{.sem.scope}.u32 d;")] == [1, 1, 0]


@pytest.mark.parametrize("text", ["{.shared{::cta, ::cluster}}", "{.shared{::cta,::cluster}}"])
def test_suffixes_within_an_optional_modifier(text: str) -> None:
    assert modifiers(f"add{text} d;") == [(".shared", (".shared", ".shared::cta", ".shared::cluster"), 1)]


def test_suffixes_within_a_set() -> None:
    assert modifiers("add.ss d; .ss = { .const, .param{::entry, ::func} };")[0][1] == (
        ".const", ".param", ".param::entry", ".param::func",
    )  # fmt: skip


def test_product_of_parts() -> None:
    found = modifiers("add.op d; .op = { .collector::buffer::op }; ::buffer = { ::a, ::b }; ::op = { ::fill, ::use };")
    assert found[0][1] == (
        ".collector::a::fill", ".collector::a::use", ".collector::b::fill", ".collector::b::use",
    )  # fmt: skip


def test_the_dot_of_a_token_may_be_left_out() -> None:
    assert modifiers("add.CmpOp d; .CmpOp = { eq, ne };")[0][1] == (".eq", ".ne")


def test_numbers_in_brackets() -> None:
    found = modifiers("add.bank d; .bank = { .const[8..10], .x };")
    assert found[0][1] == (".const[8]", ".const[9]", ".const[10]", ".x")


def test_none_makes_a_slot_optional() -> None:
    assert modifiers("add.vec.u32 d; .vec = { none, .v2 };") == [(".vec", (".v2",), 1), (".u32", (".u32",), 0)]


def test_inline_set_takes_the_name_of_the_set_that_has_it() -> None:
    assert modifiers("add.{1d,2d} d; .geom = { .1d, .2d, .3d };") == [(".geom", (".1d", ".2d"), 0)]


def test_inline_set_named_by_errata() -> None:
    (found,) = read_block("add.{lo,hi} d;", ("add",), {".{lo,hi}": ".mode"}).lines
    assert [(m.name, m.tokens) for m in found.modifiers] == [(".mode", (".lo", ".hi"))]


@pytest.mark.parametrize(
    "text",
    [
        ".sel = { .hxy, where x,y are from { 0, 1 } };",
        ".sel = .hxy, where x,y are from { 0, 1 };",
        ".asel = .sel = .hxy, where x,y are from { 0, 1 };",
    ],
)
def test_pattern_set(text: str) -> None:
    assert block(f"add d{{.sel}}; {text}").sets[".sel"] == (".h00", ".h01", ".h10", ".h11")


def test_pattern_set_with_a_range() -> None:
    assert len(block("add d; .sel = .bxyzw, where x,y,z,w are from { 0, ..., 7 };").sets[".sel"]) == 8**4


def test_several_names_of_one_set() -> None:
    found = block("add.dtype.atype d; .dtype = .atype = { .u32 };")
    assert found.sets == {".dtype": (".u32",), ".atype": (".u32",)}


def test_a_set_without_its_semicolon() -> None:
    assert [m.name for m in block("add.a.b d; .a = { .x }\n.b = { .y };").lines[0].modifiers] == [".a", ".b"]


def test_what_is_ignored() -> None:
    found = block(
        """
        // a comment; with a semicolon
        add.type d, a;     // another
        ----
        add.shape d;
        .asel defaults to .h10
        .shape = { .64x128b**, .16x64b };
        .type = { .u32 };
        """
    )
    assert [line.text for line in found.lines] == ["add.type d, a", "add.shape d"]
    assert found.sets[".shape"] == (".64x128b", ".16x64b")


def test_guard_is_ignored() -> None:
    assert line("@p  add.u32 d;").mnemonic == "add"


def test_longest_mnemonic() -> None:
    assert line("cvt.pack.sat d;", "cvt", "cvt.pack").mnemonic == "cvt.pack"
    assert [m.name for m in line("cvt.packed d;", "cvt", "cvt.pack").modifiers] == [".packed"]


def test_rows() -> None:
    assert [line.row for line in block("add.u32 d;\n\nadd.s32\n  d;\n.t = { .a,\n .b };\nadd.t d;").lines] == [0, 2, 6]


# ---- operands


def test_shapes() -> None:
    found = operands("d, [a], {b, c}, (e), _, 0, { lanes }")
    assert [(o.name, o.shape) for o in found] == [
        ("d", "value"), ("a", "address"), ("", "vector"), ("e", "list"), ("_", "sink"), ("0", "number"),
        ("lanes", "value"),
    ]  # fmt: skip
    assert [inner.name for inner in found[2].inner] == ["b", "c"]


def test_address_of_several() -> None:
    (found,) = operands("[a, {b,} c]")
    assert [(o.name, o.group) for o in found.inner] == [("a", 0), ("b", 1), ("c", 0)]


@pytest.mark.parametrize("text", ["d, a{, b}", "d, a {, b}", "d, a{ ,b }"])
def test_optional_operand(text: str) -> None:
    assert [(o.name, o.group) for o in operands(text)] == [("d", 0), ("a", 0), ("b", 1)]


def test_optional_operands_together() -> None:
    assert [o.group for o in operands("d{, a, b}{, c}")] == [0, 1, 1, 2]


def test_optional_operand_at_the_front() -> None:
    assert [(o.name, o.group) for o in operands("{d,} a")] == [("d", 1), ("a", 0)]


def test_optional_parameter_list() -> None:
    assert [(o.name, o.shape, o.group) for o in operands("f{, (list)}")] == [("f", "value", 0), ("list", "list", 1)]


def test_pair() -> None:
    assert [(o.name, o.second, o.second_optional) for o in operands("d|p, a[|q]")] == [
        ("d", "p", False),
        ("a", "q", True),
    ]


def test_prefix() -> None:
    assert [(o.name, o.prefix) for o in operands("{!}c, {-}a")] == [("c", "!"), ("a", "-")]


def test_selectors() -> None:
    found = line("add d.dsel, a{.asel}, [b]{.unified}; .dsel = .asel = { .b0, .b1 };").operands
    assert [(o.name, o.selectors, o.selector_slot, o.selector_optional) for o in found] == [
        ("d", (".b0", ".b1"), ".dsel", False),
        ("a", (".b0", ".b1"), ".asel", True),
        ("b", (".unified",), ".unified", True),
    ]


def test_names_of_a_template() -> None:
    assert [list(o.names()) for o in operands("d|p, [a, {b, c}], _, cache-policy")] == [
        ["d", "p"], ["a", "b", "c"], [], ["cache-policy"],
    ]  # fmt: skip


# ---- errata


def test_made_optional() -> None:
    found = block("add.sat{.ftz}.u32 d|p, a, b;")
    for name in (".sat", "b", "p"):
        found.make_optional(name)
    found.make_optional(".ftz")
    assert found.made_optional == {".sat", "b", "p"}
    assert [m.group > 0 for m in found.lines[0].modifiers] == [True, True, False]
    assert [(o.group > 0, o.second_optional) for o in found.lines[0].operands] == [
        (False, True), (False, False), (True, False),
    ]  # fmt: skip


def test_lines_beyond_the_manual() -> None:
    found = read_block("add.u32 d;", ("add",), {}, "add.short d;\n.short = { .u16 };")
    assert [(line.text, line.beyond) for line in found.lines] == [("add.u32 d", False), ("add.short d", True)]
    assert found.lines[1].modifiers[0].tokens == (".u16",)


@pytest.mark.parametrize(
    "text",
    ["sub.u32 d;", "add.u32 d, [a;", "add.u32 d+1;", "add{u32} d;", "add.{a,b} d;", ".type = { .u32 };", ""],
)
def test_unreadable(text: str) -> None:
    with pytest.raises(NotationError):
        block(text)
