"""The environment of examples: declared names, and registers whose types follow from their places."""

from __future__ import annotations

import pytest

from ptxgen.errors import ParseError
from ptxgen.ir import operands as ir
from ptxgen.isa.family import table
from tools.specification.environment import Statement, resolve, understand
from tools.specification.names import NAMES, Declaration


def understood(text: str) -> Statement:
    mnemonic = table().split(text.removeprefix("@p ").split()[0].rstrip(";"))[0]
    family = table().family(mnemonic)
    assert family is not None
    return understand(text, family, mnemonic, frozenset())


def types(text: str) -> set[str]:
    """The types of all operands, in each case that fits."""
    cases = [case for case in understood(text).cases if any(not match.errors() for match in case.matches)]
    return {" ".join(_types(operand)) for case in cases for operand in [ir.arguments(case.operands)]}


def _types(operand: object) -> list[str]:
    match operand:
        case ir.Reg():
            return [operand.type]
        case ir.Vector() | ir.Address() | ir.Arguments():
            return [type for element in operand.elements for type in _types(element)]
        case ir.Pair():
            return _types(operand.first) + _types(operand.second)
        case ir.Prefixed() | ir.Selected():
            return _types(operand.register)
        case ir.Offset():
            return _types(operand.base)
        case _:
            return []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("add.s32 d, a, b;", "s32 s32 s32"),
        ("@p add.s32 d, a, 1;", "s32 s32"),
        ("add.u16x2 d, a, b;", "b32 b32 b32"),
        ("mul.wide.u16 d, a, b;", "u32 u16 u16"),
        ("setp.lt.f32 p|q, a, b;", "pred pred f32 f32"),
        ("setp.lt.and.s32 p, a, b, !q;", "pred s32 s32 pred"),
        ("ld.global.v2.f32 {x, y}, [a+8];", "f32 f32 u64"),
        ("mov.b64 d, {x, y};", "b64 b32 b32"),
        ("mov.u32 d, %tid.x;", "u32"),
        ("vadd.s32.u32.s32 d, a.b0, b.h1;", "s32 u32 s32"),
        ("shfl.sync.up.b32 d|p, a, b, c, mask;", "b32 pred b32 b32 b32 u32"),
    ],
)
def test_types_follow_from_kinds(text: str, found: str) -> None:
    assert found in types(text)


def test_names_that_force_a_type() -> None:
    assert types("add.s32 d, %b32_1, %s32_2;") == {"s32 b32 s32"}
    assert types("add.s32 d, %b64_1, b;") == set()


def test_declared_names() -> None:
    for name in (*NAMES, "%u32_1", "%b128_0"):
        found = resolve(name)
        assert found is not None, name
        assert found.text == name
    for name in ("d", "%u32", "%u31_1", "%bf16_1"):
        assert resolve(name) is None, name


@pytest.mark.parametrize("name", [name for name, row in NAMES.items() if isinstance(row.operand, ir.Variable)])
def test_a_declaration_says_what_its_operand_is(name: str) -> None:
    row = NAMES[name]
    variable = row.operand
    assert isinstance(variable, ir.Variable)
    align = f" .align {variable.align}" if variable.align else ""
    shape = "".join(f"[{n}]" for n in variable.shape)
    assert row.text.rstrip(";") == f"{variable.space}{align} .{variable.type} {name}{shape}"


def test_since_when_a_declaration_is_legal_stands_in_the_specification() -> None:
    assert NAMES["$targets"].versions == {"sm_30": "6.0"}
    assert NAMES["P"].versions == {"": "1.4"}
    assert Declaration(".reg .f16x2", since=("types", "types", ".f16x2", "register")).versions == {"sm_53": "4.2"}


def test_unreadable() -> None:
    with pytest.raises(ParseError):
        understood("add.s32 d, a b;")
