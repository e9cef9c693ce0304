"""Text of modules, part by part, written by hand after the manual's syntax (PTX ISA 4, 5, 11)."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Variable, register, variable_class
from ptxgen.ir.statements import Comment, Directive, Instruction, Label, Prototype, Raw, Registers, Targets, variant
from ptxgen.print import module as printer


def variable(type: str = "u32", space: str = ".global", **fields: Any) -> Variable[Any]:
    return Variable("x", variable_class(type, space), type, space, **fields)


def body(statement: Any) -> str:
    """The text of one statement."""
    return printer.print_function(Function("f", False, body=[statement]))[len(".func f\n{\n") : -len("\n}\n")]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (variable(), ".global .u32 x"),
        (variable(align=8, vector=4), ".global .align 8 .v4 .u32 x"),
        (variable(shape=(None, 4), linkage="extern"), ".extern .global .u32 x[][4]"),
        (variable(attributes=(".managed",)), ".global .attribute(.managed) .u32 x"),
        (variable("u64", ".param", attributes=(".ptr .global .align 4",)), ".param .u64 .ptr .global .align 4 x"),
        (variable(initial=(5,)), ".global .u32 x = 5"),
        (variable(shape=(2,), initial=(5,)), ".global .u32 x[2] = {5}"),
        (variable(shape=(2, 1), initial=((5,), (6,))), ".global .u32 x[2][1] = {{5}, {6}}"),
        (variable("f32", initial=(ir.float32(1.0),)), ".global .f32 x = 0f3F800000"),
        (variable("u64", initial=(ir.name("f", "func"),)), ".global .u64 x = f"),
        (variable(shape=(3,), initial=()), ".global .u32 x[3] = {}"),
    ],
)
def test_variables(item: Variable[Any], text: str) -> None:
    assert printer.variable(item) == text


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (Directive(".maxntid", ("16", "16")), ".maxntid 16, 16"),
        (Directive(".explicitcluster"), ".explicitcluster"),
        (Directive(".pragma", ('"nounroll"',)), '.pragma "nounroll";'),
    ],
)
def test_directives(item: Directive, text: str) -> None:
    assert printer.directive(item) == text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Label("$top"), "$top:"),
        (Comment("one\ntwo"), "\t// one\n\t// two"),
        (Raw("anything at all"), "anything at all"),
        (variable(space=".shared"), "\t.shared .u32 x;"),
        (Directive(".pragma", ('"nounroll"',)), '\t.pragma "nounroll";'),
        (Targets("$t", ".branchtargets", (ir.name("a"), ir.name("b"))), "$t: .branchtargets a, b;"),
        (Prototype("$p", (), ()), "$p: .callprototype _ ();"),
        (
            Prototype("$p", (register("%r", "u32"),), (variable(space=".param"),), (Directive(".noreturn"),)),
            "$p: .callprototype (.reg .u32 %r) _ (.param .u32 x) .noreturn;",
        ),
    ],
)
def test_statements(statement: Any, text: str) -> None:
    assert body(statement) == text


@pytest.mark.parametrize("count", range(9))
def test_instructions_of_any_number_of_operands(count: int) -> None:
    a = register("%a", "u32")
    made = Instruction(variant("opcode", (a.cls,) * count), (a,) * count)
    assert body(made.record) == "\topcode" + (" " if count else "") + ", ".join(["%a"] * count) + ";"


def test_functions() -> None:
    head = Function(
        "f", False, (register("%x", "u32"), variable("b8", ".param", shape=(4,), align=4)), (register("%r", "u32"),),
        (Directive(".noreturn"),), "visible", declared=True,
    )  # fmt: skip
    assert printer.print_function(head) == (
        ".visible .func (.reg .u32 %r) f(\n\t.reg .u32 %x,\n\t.param .align 4 .b8 x[4]\n)\n.noreturn;\n"
    )
    kernel = Function("g", True, body=[Registers("u32", (("%r", 3),)), Registers("f32", (("acc", 0),)), Label("$x")])
    assert printer.print_function(kernel) == ".entry g\n{\n\t.reg .u32 %r<3>;\n\t.reg .f32 acc;\n$x:\n}\n"


def test_a_module() -> None:
    module = Module(
        "sm_90", "8.0", 64, ("texmode_independent",), [Directive(".d"), variable(), Function("f", True)]
    )
    assert printer.print_module(module, "8.1") == (
        ".version 8.1\n.target sm_90, texmode_independent\n.address_size 64\n.d\n\n.global .u32 x;\n\n.entry f\n{\n}\n"
    )
