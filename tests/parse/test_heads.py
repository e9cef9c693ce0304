"""Heads of functions, parameters, prototypes, lists of targets, calls (PTX ISA 5.4.5, 7.1, 11.2 to 11.4)."""

from __future__ import annotations

import pytest

from ptxgen.ir.module import Function
from ptxgen.ir.operands import Reg, Variable
from ptxgen.ir.statements import Prototype, Targets
from tests.parse.texts import module, printed, read_statements, wrong


def function(text: str) -> Function:
    return module(text).functions[-1]


@pytest.mark.parametrize(
    ("written", "head"),
    [
        (".entry k { ret; }", ".entry k\n{"),
        (".entry k() { ret; }", ".entry k\n{"),
        (".visible .entry k (.param .u64 a,.param .align 8 .b8 b[16]) { ret; }",
         ".visible .entry k(\n\t.param .u64 a,\n\t.param .align 8 .b8 b[16]\n)\n{"),
        (".entry k(.param .u64 .ptr .global .align 16 a) { ret; }",
         ".entry k(\n\t.param .u64 .ptr .global .align 16 a\n)\n{"),
        (".entry k(.param .u64 .ptr a) { ret; }", ".entry k(\n\t.param .u64 .ptr a\n)\n{"),
        (".entry k(.param .u32 _) { ret; }", ".entry k(\n\t.param .u32 _\n)\n{"),
        (".func f { ret; }", ".func f\n{"),
        (".func () f () { ret; }", ".func f\n{"),
        (".func (.reg .u32 r) f (.reg .f32 a, .param .b64 b) { ret; }",
         ".func (.reg .u32 r) f(\n\t.reg .f32 a,\n\t.param .b64 b\n)\n{"),
        (".func (.param .align 16 .b8 r[32]) f { ret; }", ".func (.param .align 16 .b8 r[32]) f\n{"),
        (".func f(.param .b8 a[]) { ret; }", ".func f(\n\t.param .b8 a[]\n)\n{"),
        (".extern .func (.reg .u32 r) f(.reg .u32 a);", ".extern .func (.reg .u32 r) f(\n\t.reg .u32 a\n);"),
        (".func f .noreturn { ret; }", ".func f\n.noreturn\n{"),
        (".entry k .maxntid 16 , 0x10 .minnctapersm 2 { ret; }", ".entry k\n.maxntid 16, 16\n.minnctapersm 2\n{"),
        ('.entry k .pragma "nounroll"; { ret; }', '.entry k\n.pragma "nounroll";\n{'),
        (".entry k .reqntid 32 .explicitcluster { ret; }", ".entry k\n.reqntid 32\n.explicitcluster\n{"),
    ],
)  # fmt: skip
def test_heads(written: str, head: str) -> None:
    assert head in module(written).ptx()


def test_what_a_function_knows() -> None:
    found = function(".weak .func (.reg .u32 r) f (.param .align 8 .b8 a[16]) .noreturn { ret; }")
    assert (found.name, found.entry, found.linkage, found.declared) == ("f", False, "weak", False)
    ((result,), (parameter,)) = found.returns, found.parameters
    assert isinstance(result, Reg)
    assert isinstance(parameter, Variable)
    assert (parameter.cls.space, parameter.shape, parameter.align) == (".param::func", (16,), 8)
    assert [directive.name for directive in found.directives] == [".noreturn"]
    assert function(".entry k(.param .u32 a) { ret; }").parameters[0].cls.space == ".param::entry"


@pytest.mark.parametrize("text", [".extern .func f;", ".func f;", ".entry k();", ".func (.reg .u32 r) f(.reg .u32 a);"])
def test_declarations(text: str) -> None:
    found = function(text)
    assert found.declared
    assert found.body == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".entry k(.param .u32) { ret; }", "the name of a parameter is missing before ')'"),
        (".entry k(.param a) { ret; }", "the type of a parameter is missing before 'a'"),
        (".entry k(.global .u32 a) { ret; }", "a parameter is in .param or .reg space"),
        (".entry k(.param .u32 a .param .u32 b) { ret; }", "',' or ')' after a parameter is missing"),
        (".entry k(.param .u32 a,) { ret; }", "a parameter is in .param or .reg space"),
        (".entry k(.param .u32 a = 5) { ret; }", "',' or ')' after a parameter is missing"),
        (".entry k(.param .u32 a<2>) { ret; }", "',' or ')' after a parameter is missing"),
        (".func f(.reg .u32 _) { ret; }", "the name of a parameter is missing"),
        (".entry { ret; }", "the name of a function is missing before '{'"),
        (".entry k", "the text ends where '{' or ';' after the head of a function is missing"),
        (".visible .weak .entry k { ret; }", "a declaration has one of .visible and .weak, not both"),
        (".func f() () { ret; }", "'{' or ';' after the head of a function is missing"),
    ],
)
def test_refused(text: str, says: str) -> None:
    (found,) = wrong(text)
    assert says in found[2]


# ---- within bodies


def test_prototypes() -> None:
    (found,) = read_statements("p: .callprototype (.param .u32 _) _ (.param .u64 _, .reg .f32 _) .noreturn;")
    assert isinstance(found, Prototype)
    assert (found.name, len(found.returns), len(found.parameters)) == ("p", 1, 2)
    assert [directive.name for directive in found.directives] == [".noreturn"]
    assert printed("p: .callprototype (.param .u32 _) _ (.param .u64 _);") == [
        "p: .callprototype (.param .u32 _) _ (.param .u64 _);"
    ]
    assert printed("p : .callprototype _;") == ["p: .callprototype _ ();"]


def test_lists_of_targets() -> None:
    found, *_ = read_statements("t: .branchtargets L, M<2>; L: M0: M1:")
    assert isinstance(found, Targets)
    assert [target.text for target in found.targets] == ["L", "M0", "M1"]
    assert printed("t: .calltargets f, g;", ".func f; .func g;\n") == ["t: .calltargets f, g;"]


@pytest.mark.parametrize(
    "call",
    [
        "call f;", "call f, (a);", "call (a), f;", "call (a, b), f, (a, b);", "call.uni (_), f, (5, 0f3F800000);",
        "call (a), %d1, (b), p;", "call %d1, p;", "call f, ();",
    ],
)  # fmt: skip
def test_calls(call: str) -> None:
    before = ".func f;\n"
    assert printed(f"p: .callprototype _; {call}", before)[-1] == call
    assert printed(f"p: .callprototype _; {call.replace(', ', ' ,').replace('(', '( ')}", before)[-1] == call


@pytest.mark.parametrize("call", ["call f(a);", "call (a) f;", "call (a, f;", "call f, (a+);", "call f, ((a));"])
def test_calls_refused(call: str) -> None:
    assert len(wrong(f".func f;\n.entry k {{ .reg .u32 a;\n{call}\nret; }}")) == 1
