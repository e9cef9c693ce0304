"""Modules of the IR, made without the builder, as a parser makes them."""

from __future__ import annotations

from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Instruction, Label, variant


def test_variants_are_interned() -> None:
    a = ir.register("%a", "u32")
    assert variant("add.u32", (a.cls, a.cls)) is variant("add.u32", (a.cls, a.cls))
    assert variant("add.u32", (a.cls,)) is not variant("add.s32", (a.cls,))
    assert variant("ret", ()).text == "\tret"


def test_instructions_and_records() -> None:
    a, p = ir.register("%a", "u32"), ir.register("%p", "pred")
    head = variant("add.u32", (a.cls, a.cls, ir.integer(1).cls))
    one = ir.integer(1)
    bare, guarded = Instruction(head, (a, a, one)), Instruction(head, (a, a, one), ~p)
    plain = Instruction.of(bare.record)
    assert (plain.variant, plain.operands, plain.guard) == (head, (a, a, one), None)
    assert bare.opcode == "add.u32"
    again = Instruction.of(guarded.record)
    assert (again.variant, again.operands, again.guard.text) == (head, (a, a, one), "!%p")  # pyright: ignore
    function = Function("f", True, body=[Label("$x"), bare.record, guarded.record])
    assert [i.guard is None for i in function.instructions()] == [True, False]
    module = Module("sm_90", "8.0", items=[function])
    assert str(module) == (
        ".version 8.0\n.target sm_90\n.address_size 64\n\n"
        ".entry f\n{\n$x:\n\tadd.u32 %a, %a, 1;\n\t@!%p add.u32 %a, %a, 1;\n}\n"
    )


def test_the_version_is_found() -> None:
    assert Module("sm_90").ptx() == ".version 7.8\n.target sm_90\n.address_size 64\n"
    assert Module("sm_90", address_size=0).ptx() == ".version 7.8\n.target sm_90\n"
