"""Instructions as attribute chains: the text that each call prints, written out by hand from the manual's syntax."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ptxgen import Module, OperandError, Reg, f32, sink, sreg, u32, unified
from ptxgen.ir.statements import Instruction
from tests.build.kernels import body_lines, builder, written


class Registers:
    """One register of each type that the statements below use, named as it would be without this class."""

    def __init__(self, k: Any) -> None:
        self.f, self.g = k.reg.f32(2)
        self.r, self.s = k.reg.u32(2)
        self.i = k.reg.s32()
        self.b = k.reg.b32()
        self.h = k.reg.b16()
        self.rd, self.p = k.reg.u64(), k.reg.pred()
        self.d = k.reg.f64()
        self.bd = k.reg.b64()


CASES: list[tuple[str, Any, list[str]]] = [
    ("a fresh result", lambda k, x: k.add.f32(x.f, x.g), ["add.f32 %f2, %f0, %f1;"]),
    ("modifiers in the order of the manual", lambda k, x: k.fma.rn.ftz.sat.f32(x.f, x.f, x.g),
     ["fma.rn.ftz.sat.f32 %f2, %f0, %f0, %f1;"]),
    ("a result that is given", lambda k, x: k.add.f32(x.f, x.g, out=x.f), ["add.f32 %f0, %f0, %f1;"]),
    ("a guard", lambda k, x: k.add.f32(x.f, x.g, out=x.f, pred=x.p), ["@%p0 add.f32 %f0, %f0, %f1;"]),
    ("a complemented guard", lambda k, x: k.bar.sync(0, pred=~x.p), ["@!%p0 bar.sync 0;"]),
    ("the complement of a complement", lambda k, x: k.trap(pred=~~x.p), ["@%p0 trap;"]),
    ("nested calls, arguments first", lambda k, x: k.mul.f32(k.add.f32(x.f, x.g), k.sub.f32(x.f, x.g)),
     ["add.f32 %f2, %f0, %f1;", "sub.f32 %f3, %f0, %f1;", "mul.f32 %f4, %f2, %f3;"]),
    ("small integers are decimal", lambda k, x: k.add.u32(x.r, 65535), ["add.u32 %r2, %r0, 65535;"]),
    ("large ones hexadecimal", lambda k, x: k.add.u32(x.r, 65536), ["add.u32 %r2, %r0, 0x10000;"]),
    ("negative ones decimal", lambda k, x: k.add.s32(x.i, -5), ["add.s32 %i1, %i0, -5;"]),
    ("a float is exact bits", lambda k, x: k.add.f32(x.f, 2.5), ["add.f32 %f2, %f0, 0f40200000;"]),
    ("an integer where a float stands", lambda k, x: k.add.f32(x.f, 1), ["add.f32 %f2, %f0, 0f3F800000;"]),
    ("minus zero", lambda k, x: k.add.f32(x.f, -0.0), ["add.f32 %f2, %f0, 0f80000000;"]),
    ("infinity", lambda k, x: k.add.f32(x.f, float("inf")), ["add.f32 %f2, %f0, 0f7F800000;"]),
    ("a nearest single", lambda k, x: k.add.f32(x.f, 0.1), ["add.f32 %f2, %f0, 0f3DCCCCCD;"]),
    ("a double", lambda k, x: k.add.f64(x.d, 0.1), ["add.f64 %fd1, %fd0, 0d3FB999999999999A;"]),
    ("numpy's numbers", lambda k, x: k.add.u32(x.r, np.uint32(7)), ["add.u32 %r2, %r0, 7;"]),
    ("numpy's floats", lambda k, x: k.add.f32(x.f, np.float32(1.5)), ["add.f32 %f2, %f0, 0f3FC00000;"]),
    ("True is 1", lambda k, x: k.add.u32(x.r, True), ["add.u32 %r2, %r0, 1;"]),
    ("an address", lambda k, x: k.ld.global_.f32([x.rd]), ["ld.global.f32 %f2, [%rd0];"]),
    ("an address with an offset", lambda k, x: k.ld.global_.f32([x.rd + 16]), ["ld.global.f32 %f2, [%rd0+16];"]),
    ("a negative offset", lambda k, x: k.ld.global_.f32([x.rd - 8]), ["ld.global.f32 %f2, [%rd0+-8];"]),
    ("offsets add up", lambda k, x: k.ld.global_.f32([4 + (x.rd + 16) - 8]), ["ld.global.f32 %f2, [%rd0+12];"]),
    ("a vector of fresh registers", lambda k, x: k.ld.global_.v4.f32([x.rd]),
     ["ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd0];"]),
    ("a vector that is given", lambda k, x: k.ld.global_.v2.f32([x.rd], out=(x.g, x.f)),
     ["ld.global.v2.f32 {%f1, %f0}, [%rd0];"]),
    ("a vector given in part", lambda k, x: k.ld.global_.v2.f32([x.rd], out=(None, x.f)),
     ["ld.global.v2.f32 {%f2, %f0}, [%rd0];"]),
    ("a vector as source", lambda k, x: k.st.global_.v2.f32([x.rd], (x.f, x.g)),
     ["st.global.v2.f32 [%rd0], {%f0, %f1};"]),
    ("packing", lambda k, x: k.mov.b64((x.r, x.s)), ["mov.b64 %bd1, {%r0, %r1};"]),
    ("unpacking", lambda k, x: k.mov.b64(x.rd, out=(None, None)), ["mov.b64 {%b1, %b2}, %rd0;"]),
    ("a pair of results", lambda k, x: k.setp.lt.s32(x.i, 0, out=(None, None)), ["setp.lt.s32 %p1|%p2, %i0, 0;"]),
    ("one of two results", lambda k, x: k.setp.lt.s32(x.i, 0), ["setp.lt.s32 %p1, %i0, 0;"]),
    ("a sink in a pair", lambda k, x: k.setp.lt.s32(x.i, 0, out=(sink, None)), ["setp.lt.s32 _|%p1, %i0, 0;"]),
    ("results that come in pairs", lambda k, x: k.elect.sync(-1, out=(x.b, x.p)), ["elect.sync %b0|%p0, -1;"]),
    ("both of them fresh", lambda k, x: k.bra.uni(k.label("x")) if len(k.elect.sync(-1, out=(x.b, None))) != 2 else 0,
     ["elect.sync %b0|%p1, -1;"]),
    ("an optional source", lambda k, x: k.bar.sync(1, 64), ["bar.sync 1, 64;"]),
    ("a negated predicate source", lambda k, x: k.setp.lt.and_.u32(x.r, x.s, ~x.p),
     ["setp.lt.and.u32 %p1, %r0, %r1, !%p0;"]),
    ("selectors of bytes", lambda k, x: k.vadd.u32.u32.u32(x.r["b1"], x.s["h0"]),
     ["vadd.u32.u32.u32 %r2, %r0.b1, %r1.h0;"]),
    ("a selector of the result", lambda k, x: k.vset4.u32.u32.ne(x.r["b3210"], x.s["b7654"], x.b, out=x.r["b10"]),
     ["vset4.u32.u32.ne %r0.b10, %r0.b3210, %r1.b7654, %b0;"]),
    ("a negated operand", lambda k, x: k.vmad.s32.s32.s32(-x.i, x.i, x.i), ["vmad.s32.s32.s32 %i1, -%i0, %i0, %i0;"]),
    ("a special register", lambda k, x: k.mov.u32(sreg.tid.x), ["mov.u32 %r2, %tid.x;"]),
    ("a special register of 64 bits", lambda k, x: k.mov.u64(sreg.clock64), ["mov.u64 %rd1, %clock64;"]),
    ("a special register of four fields", lambda k, x: k.mov.b64(k.mov.v4.u32(sreg.ctaid)[1:3]),
     ["mov.v4.u32 {%r2, %r3, %r4, %r5}, %ctaid;", "mov.b64 %bd1, {%r3, %r4};"]),
    ("special registers in a vector", lambda k, x: k.mov.b64((sreg.tid.x, sreg.tid.y)),
     ["mov.b64 %bd1, {%tid.x, %tid.y};"]),
    ("one beside a register", lambda k, x: k.mov.v2.u32((sreg.laneid, x.r), out=(x.s, None)),
     ["mov.v2.u32 {%r1, %r2}, {%laneid, %r0};"]),
    ("constants in a vector", lambda k, x: k.mov.v2.f32((x.f, 1.0)), ["mov.v2.f32 {%f2, %f3}, {%f0, 0f3F800000};"]),
    ("a keyword as a modifier", lambda k, x: k.and_.b32(x.b, 1), ["and.b32 %b1, %b0, 1;"]),
    ("two colons are two underscores", lambda k, x: k.mapa.shared__cluster.u32(x.r, 1),
     ["mapa.shared::cluster.u32 %r2, %r0, 1;"]),
    ("a dotted mnemonic", lambda k, x: k.bar.warp.sync(-1), ["bar.warp.sync -1;"]),
    ("a suffix of an address", lambda k, x: k.ld.global_.f32(unified([x.rd])), ["ld.global.f32 %f2, [%rd0].unified;"]),
    ("no operands", lambda k, x: k.membar.gl(), ["membar.gl;"]),
    ("no result where none is", lambda k, x: k.red.global_.add.u32([x.rd], 1), ["red.global.add.u32 [%rd0], 1;"]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "lines"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_text(call: Any, lines: list[str]) -> None:
    assert written(lambda k: call(k, Registers(k))) == lines


@pytest.mark.parametrize(
    ("opcode", "canonical"),
    [
        ("cvt.rn.f32.f64", "cvt.rn.f32.f64"),
        ("cvt.f32.f64.rn", "cvt.rn.f32.f64"),  # types keep their order, the rounding may stand anywhere
        ("cvt.f32.rn.f64", "cvt.rn.f32.f64"),
        ("cvt.f32.sat.f64.rn", "cvt.rn.sat.f32.f64"),
        (" cvt.rn.f32.f64 ", "cvt.rn.f32.f64"),
        ("cvt.rn.sat.sat.f32.f64", "cvt.rn.sat.f32.f64"),  # ptxas takes some modifiers twice
    ],
)
def test_exact_text_in_any_order(opcode: str, canonical: str) -> None:
    assert written(lambda k: k[opcode](k.reg.f64())) == [f"{canonical} %f0, %fd0;"]


def test_a_modifier_as_a_value() -> None:
    def body(k: Any) -> None:
        a = k.reg.f32()
        for token in (f32, "f32", ".f32", "f32."):
            k.add.rn[token](a, a)
        k.add["rn.ftz.f32"](a, a)
        k.ld.global_["v2"][u32]([k.reg.u64()])

    assert written(body) == [
        *[f"add.rn.f32 %f{n}, %f0, %f0;" for n in (1, 2, 3, 4)],
        "add.rn.ftz.f32 %f5, %f0, %f0;",
        "ld.global.v2.u32 {%r0, %r1}, [%rd0];",
    ]


def test_a_prefix_is_a_value() -> None:
    def body(k: Any) -> None:
        add = k.add.rn
        add.f32(k.reg.f32(), 1.0)
        add.f64(k.reg.f64(), 1.0)

    assert written(body) == ["add.rn.f32 %f1, %f0, 0f3F800000;", "add.rn.f64 %fd1, %fd0, 0d3FF0000000000000;"]


def test_what_a_call_returns() -> None:
    k = builder()
    rd = k.reg.u64()
    single = k.ld.global_.f32([rd])
    assert isinstance(single, Reg)
    assert (single.type, single.text) == ("f32", "%f0")
    vector = k.ld.global_.v4.f32([rd])
    assert [register.text for register in vector] == ["%f1", "%f2", "%f3", "%f4"]
    d, p = k.shfl.sync.idx.b32(k.reg.b32(), 0, 31, -1, out=(None, None))
    assert (d.type, p.type) == ("b32", "pred")
    _, leader = k.elect.sync(-1, out=(sink, None))
    assert leader.type == "pred"
    given = k.reg.f32()
    assert k.add.f32(single, single, out=given) is given
    assert k.st.global_.f32([rd], single) is None
    assert k.bar.sync(0) is None


def test_completion() -> None:
    k = builder()
    assert set(dir(k.mad)) >= {"lo", "hi", "wide", "rn", "f32"}
    assert "global_" in dir(k.ld)
    assert hasattr(k.add, "f32")
    assert not hasattr(k.add, "f33")
    assert not hasattr(k, "addd")
    assert "f32" in repr(k.add.rn)
    assert repr(k.add.rn.f64) == "<add.rn.f64>"


def test_a_refused_call_gives_its_registers_back() -> None:
    """Numbers of registers have no gaps where a careful call fails and is put right."""
    k = builder()
    a = k.reg.f32()
    for _ in range(5):
        with pytest.raises(OperandError):
            k.ld.global_.v4.f32([a])
    assert [r.text for r in k.ld.global_.v4.f32([k.reg.u64()])] == ["%f1", "%f2", "%f3", "%f4"]


def test_emit_takes_an_instruction_of_the_ir() -> None:
    module = Module("sm_90")
    kept: list[Any] = []

    @module.entry
    def first(k: Any) -> None:
        a = k.reg.f32()
        k.add.f32(a, 1.0, out=a, pred=k.reg.pred())
        (made,) = k.function.instructions()
        kept.append((made.opcode, [o.text for o in made.operands], made.guard.text))
        k.emit(made)
        k.emit(Instruction(made.variant, made.operands))

    assert kept == [("add.f32", ["%f0", "%f0", "0f3F800000"], "%p0")]
    assert body_lines(module.ptx()) == [
        "@%p0 add.f32 %f0, %f0, 0f3F800000;",
        "@%p0 add.f32 %f0, %f0, 0f3F800000;",
        "add.f32 %f0, %f0, 0f3F800000;",
    ]
