"""Types: widths, lanes, and which registers, constants and addresses an operand takes."""

from __future__ import annotations

import pytest

from ptxgen.isa import types
from ptxgen.isa.data import load


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("b8", 8),
        (".u32", 32),
        ("f16x2", 32),
        ("f32x2", 64),
        ("e4m3x4", 32),
        ("e2m1x2", 8),
        ("b128", 128),
        ("pred", 1),
        ("no", 0),
    ],
)
def test_bits(name: str, bits: int) -> None:
    assert types.bits(name) == bits


def test_lanes_may_be_padded() -> None:
    found = types.known("e2m1p4x4")
    assert (found.lanes, found.lane_bits, found.bits, types.bits("e2m1p4x4")) == (4, 4, 32, 16)


def test_every_type_is_consistent() -> None:
    for name, row in load("types")["types"].items():
        found = types.known(name.lstrip("."))
        container = types.known(found.container)
        assert row["kind"] in ("bits", "unsigned", "signed", "float", "fixed", "predicate", "opaque"), name
        if "container" in row:
            assert container.register, name
            assert container.bits >= found.bits, name
        if "of" in row:
            assert types.type_of(row["of"]) is not None, name
        if found.format is not None:
            assert found.kind == "float", name


def test_every_type_of_a_table_exists() -> None:
    tables = load("types")
    for members in tables["groups"].values():
        assert all(types.type_of(name) for name in members)
    names = {"bits", "unsigned", "signed", "float", "fixed", "predicate", "opaque", *tables["groups"]}
    for table in (*tables["operands"].values(), *tables["constants"].values()):
        assert all(row in names or types.type_of(row) for row in table)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("f32", "float"),
        ("bf16x2", "float"),
        ("u16", "int unsigned"),
        ("s64", "int signed"),
        ("b32", ""),
        ("u16x2", "unsigned"),
        ("rn", ""),
    ],
)
def test_predicates(name: str, kinds: str) -> None:
    questions = {
        "float": types.is_float,
        "int": types.is_integer,
        "signed": types.is_signed,
        "unsigned": types.is_unsigned,
    }
    assert {kind for kind, asks in questions.items() if asks(name)} == set(kinds.split())


@pytest.mark.parametrize(
    ("wide", "narrow", "whether"),
    [
        ("u32", "u16", True),
        ("u16", "u32", False),
        ("s32", "u16", True),
        ("s16", "u16", False),
        ("u32", "s16", False),
        ("s32", "s32", True),
        ("f32", "u16", False),
    ],
)
def test_contains(wide: str, narrow: str, whether: bool) -> None:
    assert types.contains(wide, narrow) is whether


@pytest.mark.parametrize(
    ("token", "up", "down", "found"),
    [
        (".u16", 2, 1, ["u32"]),
        ("s32", 2, 1, ["s64"]),
        (".b64", 1, 2, ["b32"]),
        (".b128", 2, 1, []),
        (".f16x2", 2, 1, []),
    ],
)
def test_scaled(token: str, up: int, down: int, found: list[str]) -> None:
    assert types.scaled(token, up, down) == found


@pytest.mark.parametrize(
    ("name", "register", "context", "wider", "whether"),
    [
        ("b32", "f32", "modifier", False, True),
        ("b32", "f16x2", "modifier", False, True),
        ("u32", "s32", "modifier", False, True),
        ("u32", "f32", "modifier", False, False),
        ("f32", "b32", "modifier", False, True),
        ("f32", "u32", "modifier", False, False),
        ("u16", "u32", "modifier", False, False),
        ("u16", "u32", "modifier", True, True),
        ("f16", "f32", "modifier", True, False),
        ("f16", "b32", "modifier", True, True),
        ("bf16x2", "b32", "modifier", False, True),
        ("bf16x2", "f16x2", "modifier", False, False),
        ("u16x2", "u32", "modifier", False, False),
        ("u32", "f16x2", "fixed", False, False),
        ("b32", "f32", "fixed", False, True),
        ("bf16", "b16", "vector", False, True),
        ("f16", "b32", "warp", False, True),
        ("pred", "pred", "modifier", False, True),
        ("pred", "b32", "modifier", False, False),
    ],
)
def test_registers(name: str, register: str, context: str, wider: bool, whether: bool) -> None:
    assert types.fits(name, register, context, wider) is whether


@pytest.mark.parametrize(
    ("name", "literals"),
    [
        ("u32", "integer"),
        ("b16", "integer"),
        ("b32", "integer single"),
        ("b64", "integer double"),
        ("f32", "single double"),
        ("f64", "single double"),
        ("f16", ""),
        ("bf16x2", ""),
        ("u16x2", ""),
        ("pred", "integer"),
    ],
)
def test_constants(name: str, literals: str) -> None:
    kinds = ("integer", "single", "double")
    assert {kind for kind in kinds if types.takes_constant(name, kind)} == set(literals.split())


@pytest.mark.parametrize(
    ("register", "space", "answer"),
    [
        ("u64", ".global", "yes"),
        ("u32", ".global", "beyond"),
        ("f64", ".global", "no"),
        ("u32", ".shared::cta", "yes"),
        ("b32", "tmem", "yes"),
        ("u64", "tmem", "no"),
        ("pred", "generic", "no"),
        ("b64", "handle", "yes"),
    ],
)
def test_address_registers(register: str, space: str, answer: str) -> None:
    assert types.address_register(register, space) == answer


def test_addresses() -> None:
    assert types.address_variable(".shared", ".shared", "b32")
    assert not types.address_variable(".shared", ".global", "b32")
    assert types.address_constant(".local")
    assert not types.address_constant(".global")
    assert types.address_offset(".global")
    assert not types.address_offset("handle")


def test_vectors_are_alike() -> None:
    assert types.alike({"b", "u", "s"})
    assert types.alike({"b", "f"})
    assert not types.alike({"u", "f"})
