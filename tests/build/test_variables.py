"""Variables of modules and bodies: what is printed in every state space, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ptxgen import Builder, Module, OperandError, Param, Reg, Unavailable, check, u32
from tests.build.kernels import builder, building, refused, written


def declared(declare: Any, target: str = "sm_90", **options: Any) -> str:
    """What one declaration in a module prints."""
    module = Module(target, **options)
    declare(module)
    return module.ptx().split(".address_size 64\n\n")[1].rstrip("\n")


MODULE: list[tuple[Any, str]] = [
    (lambda m: m.global_.u32("x"), ".global .u32 x;"),
    (lambda m: m.const.f64("x"), ".const .f64 x;"),
    (lambda m: m.shared.b8("x", 128, align=16), ".shared .align 16 .b8 x[128];"),
    (lambda m: m.global_.b128("x"), ".global .b128 x;"),
    (lambda m: m.global_.f16x2("x", 2), ".global .f16x2 x[2];"),
    (lambda m: m.global_.s16("x", (2, 3, 4)), ".global .s16 x[2][3][4];"),
    (lambda m: m.global_.f32("x", vector=4), ".global .v4 .f32 x;"),
    (lambda m: m.global_.f32("x", 8, vector=2, align=64), ".global .align 64 .v2 .f32 x[8];"),
    (lambda m: m.global_.f64("x", vector=2), ".global .v2 .f64 x;"),
    (lambda m: m.global_.u32("x", align=1 << 30), ".global .align 1073741824 .u32 x;"),
    (lambda m: m.global_.b8("x", 1 << 63), ".global .b8 x[9223372036854775808];"),
    (lambda m: m.global_.u32("x", 2, init=[]), ".global .u32 x[2] = {};"),
    (lambda m: m.global_.texref("x", linkage="weak"), ".weak .global .texref x;"),
    (lambda m: m.global_.u32("x", linkage="visible"), ".visible .global .u32 x;"),
    (lambda m: m.const.u32("x", linkage="weak"), ".weak .const .u32 x;"),
    (lambda m: m.global_.u32("x", linkage="common"), ".common .global .u32 x;"),
    (lambda m: m.shared.b8("x", (None,), linkage="extern", align=16), ".extern .shared .align 16 .b8 x[];"),
    (lambda m: m.global_.u32("x", (None, 4), linkage="extern"), ".extern .global .u32 x[][4];"),
    (lambda m: m.global_.u32("x", managed=True), ".global .attribute(.managed) .u32 x;"),
    (lambda m: m.global_.texref("x"), ".global .texref x;"),
    (lambda m: m.global_.surfref("x", 2), ".global .surfref x[2];"),
    # initialisers
    (lambda m: m.global_.u32("x", init=7), ".global .u32 x = 7;"),
    (lambda m: m.global_.s8("x", init=-128), ".global .s8 x = -128;"),
    (lambda m: m.global_.u8("x", init=-1), ".global .u8 x = -1;"),
    (lambda m: m.global_.u64("x", init=2**64 - 1), ".global .u64 x = 18446744073709551615;"),
    (lambda m: m.global_.f32("x", init=1), ".global .f32 x = 0f3F800000;"),
    (lambda m: m.global_.f64("x", init=-2.5), ".global .f64 x = 0dC004000000000000;"),
    (lambda m: m.global_.b32("x", init=1.5), ".global .b32 x = 0f3FC00000;"),
    (lambda m: m.global_.b32("x", init=5), ".global .b32 x = 5;"),
    (lambda m: m.global_.b64("x", init=0.5), ".global .b64 x = 0d3FE0000000000000;"),
    (lambda m: m.const.u32("x", 4, init=[1, 2, 3, 4]), ".const .u32 x[4] = {1, 2, 3, 4};"),
    (lambda m: m.const.u32("x", 4, init=[1, 2]), ".const .u32 x[4] = {1, 2};"),
    (lambda m: m.const.u32("x", (2, 2), init=[[1], (3, 4)]), ".const .u32 x[2][2] = {{1}, {3, 4}};"),
    (lambda m: m.const.u32("x", (None,), init=[1, 2, 3]), ".const .u32 x[] = {1, 2, 3};"),
    (lambda m: m.const.u32("x", vector=2, init=(1, 2)), ".const .v2 .u32 x = {1, 2};"),
    (lambda m: m.const.u32("x", 2, vector=2, init=[(1, 2), (3, 4)]), ".const .v2 .u32 x[2] = {{1, 2}, {3, 4}};"),
    (lambda m: m.const.s32("x", 3, init=range(3)), ".const .s32 x[3] = {0, 1, 2};"),
    (lambda m: m.const.f32("x", 2, init=np.array([0.5, 1], "float32")), ".const .f32 x[2] = {0f3F000000, 0f3F800000};"),
    (lambda m: m.const.u8("x", (2, 2), init=np.arange(4).reshape(2, 2)), ".const .u8 x[2][2] = {{0, 1}, {2, 3}};"),
    (lambda m: m.const.u32("x", init=np.uint32(9)), ".const .u32 x = 9;"),
]


@pytest.mark.parametrize(("declare", "line"), MODULE, ids=[line for _, line in MODULE])
def test_in_a_module(declare: Any, line: str) -> None:
    assert declared(declare) == line


def test_the_address_of_a_kernel_needs_more_than_that_of_a_function() -> None:
    module = Module("sm_30")
    function, kernel = module.declare("f"), module.entry(lambda k: k.ret(), name="kernel")
    module.global_.u64("first", init=function)
    needs = "the address of a kernel in second needs sm_35 with PTX 3.1"
    with pytest.raises(Unavailable, match=re.escape(needs)):
        module.global_.u64("second", init=kernel)
    assert check(module).ok
    newer = Module("sm_35", "3.1")
    newer.global_.u64("second", 2, init=[newer.declare("f"), newer.entry(lambda k: k.ret(), name="kernel")])
    assert check(newer).ok
    assert [d.message.split(";")[0] for d in check(newer, target="sm_30").diagnostics] == [needs]


def test_addresses_as_initial_values() -> None:
    module = Module("sm_90")
    table = module.global_.f32("table", 4)
    module.global_.u64("first", init=table)
    module.global_.u64("others", 2, init=[table + 4, table - 4])

    @module.func
    def f(k: Builder, n: Reg[u32]) -> None:
        k.ret()

    @module.entry(maxntid=32)
    def kernel(k: Builder, n: Param[u32]) -> None:
        k.ret()

    module.global_.u64("functions", 2, init=[f, kernel])
    _, declared = module.ptx().split(".address_size 64\n\n")
    assert declared.startswith(
        ".global .f32 table[4];\n.global .u64 first = table;\n.global .u64 others[2] = {table+4, table+-4};\n\n.func f("
    )
    assert declared.endswith("}\n\n.global .u64 functions[2] = {f, kernel};\n")


REFUSED: list[tuple[Any, str]] = [
    (lambda m: m.global_.u32("x", align=3), "align=3 is no power of two"),
    (lambda m: m.global_.u32("x", align=0), "align=0 is no power of two"),
    (lambda m: m.global_.u32("x", align=1 << 31), "align=2147483648; a .global variable has 1073741824 at most"),
    (lambda m: m.global_.b8("x", (1 << 63) + 1), "is 9223372036854775809 bytes; a variable has 9223372036854775808"),
    (lambda m: m.global_.u32("x", (1 << 32, 1 << 32)), "is 73786976294838206464 bytes; a variable has"),
    (lambda m: m.global_.u32("x", align="16"), "align='16' is no integer"),
    (lambda m: m.global_.u32("x", vector=3), "a vector variable has 2 or 4 elements"),
    (lambda m: m.global_.u32("x", vector="v4"), "vector='v4' is no integer"),
    (lambda m: m.global_.f64("x", vector=4), "a vector of 4 .f64 has more than 128 bits"),
    (lambda m: m.global_.texref("x", vector=2), "there are no vectors of .texref"),
    (lambda m: m.global_.u32("x", 0), "has a dimension below 1"),
    (lambda m: m.global_.u32("x", (4, -1)), "has a dimension below 1"),
    (lambda m: m.global_.u32("x", "8"), "shape='8'; it is a number or a tuple of numbers"),
    (lambda m: m.global_.u32("x", 8.0), "shape=8.0; it is a number or a tuple of numbers"),
    (lambda m: m.global_.u32("x", True), "shape=True; it is a number or a tuple of numbers"),
    (lambda m: m.global_.u32("x", (2, True)), "shape=(2, True) holds what is no integer"),
    (lambda m: m.global_.u32("x", align=True), "align=True is no integer"),
    (lambda m: m.global_.u32("x", vector=True), "vector=True is no integer"),
    (lambda m: m.global_.u32("x", (8.5,)), "holds what is no integer"),
    (lambda m: m.global_.u32("x", (None,)), "wants linkage='extern' or an initialiser that is not empty"),
    (lambda m: m.global_.u32("x", (None,), init=[]), "wants linkage='extern' or an initialiser that is not empty"),
    (lambda m: m.global_.texref("x", linkage="common"), "of a .texref it is one of extern, visible, weak"),
    (lambda m: m.shared.u32("x", (None,)), "an array of unknown size wants linkage='extern'"),
    (lambda m: m.global_.u32("x", (4, None), linkage="extern"), "only the first dimension may be unknown"),
    (lambda m: m.global_.u32("x", linkage="static"), "one of extern, visible, weak, common"),
    (lambda m: m.shared.u32("x", linkage="common"), "one of extern, visible, weak"),
    (lambda m: m.const.u32("x", managed=True), ".const variables do not have the attribute .managed"),
    (lambda m: m.global_.samplerref("x"), "wants the option texmode_independent"),
    (lambda m: m.global_.u32(""), "is no PTX identifier"),
    (lambda m: m.global_.u32("a b"), "'a b' is no PTX identifier"),
    (lambda m: m.global_.u32("%tid"), "%tid is predefined in PTX"),
    (lambda m: m.global_.u32(5), "5 is no name"),
    # initialisers
    (lambda m: m.shared.u32("x", init=1), ".shared variables have no initialiser"),
    (lambda m: m.global_.u32("x", init=1, linkage="extern"), "an extern variable is initialised where it is defined"),
    (lambda m: m.global_.u32("x", 2, init=[1, 2, 3]), "a dimension of 2 takes at most 2 initial values, got 3"),
    (lambda m: m.global_.u32("x", vector=4, init=[1, 2]), "a vector of 4 takes 4 initial values, got 2"),
    (lambda m: m.global_.u32("x", 2, vector=2, init=[[1, 2], [3]]), "a vector of 2 takes 2 initial values, got 1"),
    (lambda m: m.global_.u32("x", (2, 2), init=[1, 2, 3, 4]), "at most 2 initial values, got 4"),
    (lambda m: m.global_.u32("x", (2, 2), init=[1, 2]), "nested less deep than the shape"),
    (lambda m: m.global_.u32("x", 2, init=[[1], [2]]), "nested deeper than the shape"),
    (lambda m: m.global_.u32("x", 2, init=5), "a sequence of initial values needed, got 5"),
    (lambda m: m.global_.u32("x", init=[1]), "one initial value needed, got [1]"),
    (lambda m: m.global_.u32("x", init=[1, 2]), "one initial value needed, got [1, 2]"),
    (lambda m: m.global_.u8("x", init=256), "256 does not fit in .u8"),
    (lambda m: m.global_.s8("x", init=-129), "-129 does not fit in .s8"),
    (lambda m: m.global_.u64("x", init=2**64), "does not fit in .u64"),
    (lambda m: m.global_.b128("x", init=2**64), "does not fit in .b128"),  # a constant has 64 bits
    (lambda m: m.global_.u32("x", init=1.5), "1.5 is no initial value"),
    (lambda m: m.global_.u32("x", init="1"), "'1' is no initial value"),
    (lambda m: m.global_.f32("x", init="1"), "'1' is no initial value"),
    (lambda m: m.global_.f32("x", init=object()), "is no initial value"),
    (lambda m: m.global_.f32("x", init=1e39), "1e+39 is no initial value of a .f32"),
    (lambda m: m.global_.f16("x", init=1.0), "PTX has no initial values of type .f16; use .b16 and its bits"),
    (lambda m: m.global_.u32("x", init=m.variables[0]), "s is in .shared"),
    (lambda m: m.global_.b64("x", init=m.variables[1]), "an address is an initial value of .u32 and .u64 only"),
    (lambda m: m.global_.u64("x", init=Module("sm_90").global_.u32("y")), "y does not belong to the module"),
    (lambda m: m.global_.u64("x", init=Module("sm_90").declare("g")), "g belongs to another module"),
    (lambda m: m.global_.u64("x", init=builder().reg.u64()), "%rd0 does not belong to the module"),
]  # fmt: skip


@pytest.mark.parametrize(("declare", "message"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_in_a_module_refused(declare: Any, message: str) -> None:
    module = Module("sm_90")
    module.shared.u32("s")
    module.global_.u32("g")
    with refused(OperandError, message, module=module):
        declare(module)


@pytest.mark.parametrize(
    ("space", "type"),
    [("shared", "texref"), ("const", "texref"), ("global_", "pred"), ("global_", "bf16"), ("shared", "u33"),
     ("global_", "e4m3x2"), ("const", "v4"), ("global_", "tf32")],
)  # fmt: skip
def test_types_that_no_variable_has(space: str, type: str) -> None:
    module = Module("sm_90")
    with refused(OperandError, f"has no variables of type .{type}; there are b8 b16", module=module) as caught:
        getattr(getattr(module, space), type)
    assert isinstance(caught.value, AttributeError)
    assert "u32" in caught.value.diagnostics[0].choices


BODY: list[tuple[Any, str]] = [
    (lambda k: k.shared.f32("x", 32), ".shared .f32 x[32];"),
    (lambda k: k.shared.b64("x"), ".shared .b64 x;"),
    (lambda k: k.shared.f32("x", vector=4, align=128), ".shared .align 128 .v4 .f32 x;"),
    (lambda k: k.local.b32("x", (4, 4)), ".local .b32 x[4][4];"),
    (lambda k: k.param.u32("x"), ".param .u32 x;"),
    (lambda k: k.param.b8("x", 16, align=8), ".param .align 8 .b8 x[16];"),
]


@pytest.mark.parametrize(("declare", "line"), BODY, ids=[line for _, line in BODY])
def test_in_a_body(declare: Any, line: str) -> None:
    assert written(declare) == [line]


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda k: k.shared.f32("x", linkage="extern"), "only the variables of a module have a linkage"),
        (lambda k: k.local.f32("x", align=1 << 29), "align=536870912; a .local variable has 268435456 at most"),
        (lambda k: k.local.f32("x", init=1.0), ".local variables have no initialiser"),
        (lambda k: k.local.f32("x", (None,)), ".local has no arrays of unknown size"),
        (lambda k: k.param.f32("x", vector=2), "there are no vectors of .f32 in .param"),
        (lambda k: k.param.b8("x", 4, align=256), "align=256; a .param variable has 128 at most"),
        (lambda k: k.local.pred("x"), ".local has no variables of type .pred"),
        (lambda k: k.param.texref("x"), ".texref variables are declared in a module"),
        (lambda k: k.shared.f32("1x"), "is no PTX identifier"),
        (lambda k: k.shared.f32("%clock"), "%clock is predefined"),
    ],
)
def test_in_a_body_refused(declare: Any, message: str) -> None:
    k = builder()
    with refused(OperandError, message, k=k):
        declare(k)


def test_names_in_a_body_are_declared_once() -> None:
    module = Module("sm_90")
    module.global_.u32("counter")

    def kernel(k: Builder, n: Param[u32]) -> None:
        k.shared.f32("tile", 4)
        k.reg.u32(name="%acc")
        for again in (
            lambda: k.local.f32("tile"),
            lambda: k.shared.f32("n"),
            lambda: k.reg.f32(name="%acc"),
            lambda: k.reg.f32(name="tile"),
        ):
            with refused(OperandError, "is declared twice in kernel", k=k):
                again()
        with refused(OperandError, "counter is declared in the module already", k=k):
            k.shared.f32("counter")

    module.entry(kernel)
    module.entry(lambda k: k.shared.f32("tile", 4), name="other")  # each body has names of its own


def test_availability() -> None:
    with refused(Unavailable, ".b128 needs sm_70 with PTX 8.3; the module has sm_90 and PTX 8.2"):
        Module("sm_90", "8.2").global_.b128("x")
    with refused(Unavailable, ".f16x2 needs sm_53 with PTX 4.2; the module has sm_50"):
        Module("sm_50", "4.3").global_.f16x2("x")
    with refused(Unavailable, ".common needs PTX 5.0; the module has sm_50 and PTX 4.3; set .version 5.0"):
        Module("sm_50", "4.3").global_.u32("x", linkage="common")
    k = building(Module("sm_90", "8.2"))
    with refused(Unavailable, ".b128 needs sm_70 with PTX 8.3", k=k):
        k.shared.b128("x")
    with refused(Unavailable, ".b128 needs sm_70 with PTX 8.3", k=k):
        k.reg.b128()
    with refused(Unavailable, ".b128 needs sm_70 with PTX 8.3", k=k):
        k.reg.b128(name="%q")


def test_a_variable_is_an_operand() -> None:
    module = Module("sm_90")
    table = module.const.f32("table", 4)

    @module.entry
    def kernel(k: Builder) -> None:
        tile = k.shared.f32("tile", 4)
        a = k.ld.const.f32([table + 4])
        k.st.shared.f32([tile], a)
        k.st.shared.f32([tile + 12 - 4], a)
        k.mov.u32(tile)
        k.mov.u64(table)

    assert [line.strip() for line in module.ptx().splitlines()[-7:-1]] == [
        ".shared .f32 tile[4];",
        "ld.const.f32 %f0, [table+4];",
        "st.shared.f32 [tile], %f0;",
        "st.shared.f32 [tile+8], %f0;",
        "mov.u32 %r0, tile;",
        "mov.u64 %rd0, table;",
    ]
