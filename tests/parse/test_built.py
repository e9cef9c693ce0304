"""What the builder makes, printed and read again, is the same intermediate representation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ptxgen import Builder, Module, Param, Reg, u32, u64
from ptxgen.cli.kernel_file import load_kernel_file
from ptxgen.ir.equal import difference
from ptxgen.ir.module import Module as Plain
from ptxgen.parse.module import parse
from tests.build.test_calls import CALLS, functions
from tests.build.test_variables import BODY
from tests.build.test_variables import MODULE as VARIABLES

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def same(module: Plain) -> str:
    """The first difference between a module and what is read of its text; the version counts as printed."""
    text = module.ptx()
    found = parse(text)
    assert found.ptx() == text
    if module.version is None:
        found.version = None
    return difference(module, found)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples(path: Path) -> None:
    assert same(load_kernel_file(str(path)).module) == ""


@pytest.mark.parametrize("declare", [declare for declare, _ in VARIABLES], ids=[line for _, line in VARIABLES])
def test_variables_of_a_module(declare: Any) -> None:
    module = Module("sm_90", options=("texmode_independent",))
    declare(module)
    assert same(module) == ""


@pytest.mark.parametrize("declare", [declare for declare, _ in BODY], ids=[line for _, line in BODY])
def test_variables_of_a_body(declare: Any) -> None:
    module = Module("sm_90")
    module.entry(lambda k: declare(k), name="kernel")
    assert same(module) == ""


@pytest.mark.parametrize("call", [call for call, _ in CALLS], ids=[lines[-1] for _, lines in CALLS])
def test_calls(call: Any) -> None:
    module = Module("sm_90")
    declared = functions(module)
    module.entry(lambda k: call(k, declared), name="kernel")
    assert same(module) == ""


def test_statements() -> None:
    module = Module("sm_90")

    @module.func(returns=Reg[u32])
    def twice(k: Builder, result: Reg[u32], v: Reg[u32]) -> None:
        k.add.u32(v, v, out=result)

    @module.entry(reqntid=32, linkage="weak")
    def kernel(k: Builder, out: Param[u64], n: Param[u32]) -> None:
        address, count = k.ld.param.u64([out]), k.ld.param.u32([n])
        p, q = k.setp.lt.u32(count, 5, out=(None, None))
        k.comment("a remark\nof two lines")
        k.pragma("nounroll")
        with k.if_(p):
            k.call((k.reg.u32(),), twice, (count,))
            k.call((k.reg.u32(),), k.mov.u64(twice), (count,), k.prototype(twice))
        with k.loop() as loop:
            k.st.global_.v2.f32([address + 8], (1.0, 2.0))
            loop.repeat(pred=~q)
        k.mov.b64((count, count))
        k.vadd.u32.u32.u32(count["b0"], count["h1"])
        k.ret(pred=~q)

    assert same(module) == ""


def test_a_difference_is_seen() -> None:
    """The comparison that the tests above rest on."""
    one = parse(".version 9.0\n.target sm_90\n.entry k { .reg .u32 a; add.u32 a, a, 1; }")
    other = parse(".version 9.0\n.target sm_90\n.entry k { .reg .s32 a; add.u32 a, a, 1; }")
    assert "declaration" in difference(one, other) or "statement" in difference(one, other)
    assert difference(one, parse(one.ptx())) == ""
