"""Instructions whose results first principles give as numbers, and those that pick one of their operands."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from ptxgen.cpu.reference import evaluate, evaluate_warp, type_named
from ptxgen.errors import IllegalInstruction, OperandError
from ptxgen.ir.operands import register
from tests.values.statements import result, statement, types

M32 = 0xFFFF_FFFF


# ---- fns, bfi, vset4, elect.sync, mapa


@pytest.mark.parametrize(
    ("mask", "base", "offset", "found"),
    # 0xaaaaaaaa has ones at the odd places
    [
        (0xAAAAAAAA, 3, 1, 3),
        (0xAAAAAAAA, 2, 1, 3),
        (0xAAAAAAAA, 2, -1, 1),
        (0xAAAAAAAA, 2, 2, 5),
        (0xAAAAAAAA, 2, 16, M32),
        (0xAAAAAAAA, 3, 0, 3),
        (0xAAAAAAAA, 2, 0, M32),
        (0xAAAAAAAA, 31, -16, 1),
        (0xAAAAAAAA, 31, -17, M32),
        (1, 0, -1, 0),
        (0, 0, 1, M32),
    ],
)
def test_fns_finds_the_nth_bit_that_is_set(mask: int, base: int, offset: int, found: int) -> None:
    assert evaluate("fns.b32", register("d", "b32"), mask, base, offset) == {"d": found}


def fns(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if mask >> base & 1 else M32
    places = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [p for p in places if mask >> p & 1]
    return found[abs(offset) - 1] if len(found) >= abs(offset) else M32


def test_fns_on_random_masks() -> None:
    random = Random(17)
    for _ in range(200):
        mask, base, offset = random.getrandbits(32), random.randrange(32), random.randrange(-33, 34)
        got = result("fns.b32 d, a, b, c;", {"a": mask, "b": base, "c": offset & M32})
        assert got == fns(mask, base, offset), (mask, base, offset)


@pytest.mark.parametrize(
    ("field", "value", "position", "length", "want"),
    [
        (0b101, 0, 8, 3, 0x500),
        (0, M32, 4, 8, 0xFFFFF00F),
        (M32, 0, 31, 5, 0x80000000),
        (M32, 7, 40, 5, 7),
        (M32, 7, 0, 0, 7),
    ],
)
def test_bfi_inserts_a_field(field: int, value: int, position: int, length: int, want: int) -> None:
    assert evaluate("bfi.b32", register("f", "b32"), field, value, position, length) == {"f": want}


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("vset4.u32.u32.eq d, a, b, c;", 0x01000001),
        ("vset4.u32.u32.lt d, a, b, c;", 0x00010000),
        ("vset4.s32.s32.lt d, a, b, c;", 0x00010100),  # 0xff is -1
        ("vset4.u32.u32.lt d.b2, a, b, c;", 0x20014080),
        ("vset4.u32.u32.ne.add d, a, b, c;", 0x20304082),
        ("vset4.u32.u32.eq d, a.b0000, b.b4567, c;", 0x01000000),
    ],
)
def test_vset4_compares_four_bytes(text: str, want: int) -> None:
    assert result(text, {"a": 0x1101FF7F, "b": 0x1102007F, "c": 0x20304080}) == want


@pytest.mark.parametrize(("mask", "leader"), [(M32, 0), (0xF0, 4), (0x80000000, 31)])
def test_elect_sync_names_the_lowest_lane(mask: int, leader: int) -> None:
    results = statement(f"elect.sync d|p, {mask};").run_warp([{}] * 32)
    assert [r["p"] for r in results] == [lane == leader for lane in range(32)]
    assert {r["d"] for r in results} == {leader}
    assert statement(f"elect.sync _|p, {mask};").run_warp([{}] * 32)[leader] == {"p": 1}


@pytest.mark.parametrize("kind", ["u32", "u64"])
def test_mapa_asks_the_cluster(kind: str) -> None:
    def window(address: int, rank: int) -> int:
        return rank << 24 | address

    text, values = f"mapa.shared::cluster.{kind} d, a, 3;", {"a": 0x1010}
    assert statement(text).run(values, cluster=window) == {"d": 0x3001010}
    text = f"mapa.shared::cluster.{kind} d, sv+16, b;"
    assert statement(text).run({"sv": 0x400, "b": 2}, cluster=window) == {"d": 0x2000410}


# ---- choices and moves


def test_selection() -> None:
    for p, a, b in itertools.product((0, 1), (1, M32), (2, 3)):
        values = {"a": a, "b": b, "c": p}
        assert result("selp.b32 d, a, b, c;", values) == (a if p else b)
        assert result("selp.b32 d, a, b, !c;", values) == (b if p else a)
        assert result("slct.u32.s32 d, a, b, e;", values | {"e": p << 31}) == (b if p else a)


def test_prmt_with_selectors_of_its_own() -> None:
    random = Random(18)
    for _ in range(60):
        a, b, c = (random.getrandbits(32) for _ in range(3))
        pool = a.to_bytes(4, "little") + b.to_bytes(4, "little")
        digits = [c >> 4 * i & 15 for i in range(4)]
        want = bytes(255 * (pool[d & 7] >> 7) if d & 8 else pool[d] for d in digits)
        assert result("prmt.b32 d, a, b, c;", {"a": a, "b": b, "c": c}) == int.from_bytes(want, "little")


def test_constants() -> None:
    d, p = register("d", "f32"), register("p", "pred")
    assert evaluate("mov.pred", p, 5) == {"p": 1}
    assert evaluate("mov.pred", p, 0) == {"p": 0}
    assert evaluate("mov.u16", register("u", "u16"), -1) == {"u": 0xFFFF}
    assert result("mov.f32 d, 0.1;", {}) == 0x3DCCCCCD
    assert result("mov.f32 d, 0d7FF8000000000001;", {}) == 0x7FFFFFFF
    assert result("mov.f32 d, 0fFFA01234;", {}) == 0xFFA01234
    assert result("mov.f64 d, 0f3F800000;", {}) == 0x3FF0000000000000
    assert result("mov.b64 d, 1.5;", {}) == 0x3FF8000000000000
    assert evaluate("add.f32", d, d, d, registers={"d": 0x3F800000}) == {"d": 0x40000000}


def test_special_registers_and_addresses() -> None:
    assert result("mov.u32 d, %tid.x;", {"%tid.x": 7}) == 7
    assert result("mov.u32 d, sv+20;", {"sv": 0x100}) == 0x114
    tid = {"%tid.x": 5, "%tid.y": 6, "%tid.z": 7, "%tid.w": 0}
    assert statement("mov.v4.u32 {a, b, c, d}, %tid;").run(tid) == {"a": 5, "b": 6, "c": 7, "d": 0}
    assert result("mov.b128 d, %tid;", tid) == 0x00000007_00000006_00000005
    assert result("mov.b64 d, {%tid.y, %laneid};", {**tid, "%laneid": 31}) == 0x1F_00000006
    assert statement("mov.v2.u16 {a, b}, {b, a};").run({"a": 1, "b": 2}) == {"a": 2, "b": 1}
    assert statement("mov.b64 {a, _}, %clock64;").run({"%clock64": 0x0123456789ABCDEF}) == {"a": 0x89ABCDEF}
    assert statement("mov.b64 {a, _}, x;").run({"x": 0x0123456789ABCDEF}) == {"a": 0x89ABCDEF}


def test_types_of_registers() -> None:
    found = types(statement("cvt.rn.bf16.f32 %b16_1, a;"))
    assert (found["a"], found["%b16_1"]) == (type_named("f32"), type_named("b16"))
    assert types(statement("mul.wide.s16 d, a, b;"))["d"] == type_named("s32")


# ---- refusals


def test_what_is_missing_or_illegal_is_said() -> None:
    d, a = register("d", "u32"), register("a", "u32")
    with pytest.raises(OperandError, match="no value is given for a"):
        evaluate("add.u32", d, a, 1)
    with pytest.raises(OperandError, match="takes 3 operands, got 2"):
        evaluate("add.u32", d, a)
    with pytest.raises(OperandError, match=r"operand 3 \(b\) takes an integer constant from 0 to 255, got 300"):
        evaluate("bfe.u32", d, a, 300, 1)
    with pytest.raises(IllegalInstruction, match=r"add has no modifier \.q32"):
        evaluate("add.q32", d, a, 1)
    with pytest.raises(ValueError, match="a warp has 32 lanes, not 1"):
        evaluate_warp("activemask.b32", register("d", "b32"), lanes=[{}])
