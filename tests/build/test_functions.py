"""Functions of a module: heads, directives, parameters; and what is refused."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import pytest

from ptxgen import (
    Builder,
    Module,
    OperandError,
    Param,
    Reg,
    array,
    b8,
    b128,
    bf16,
    f16x2,
    f32,
    pred,
    ptr,
    s32,
    samplerref,
    texref,
    u8,
    u32,
    u64,
)  # fmt: skip
from tests.build.kernels import refused


def text(module: Module) -> str:
    """A module without its header."""
    return module.ptx().split(".address_size 64\n\n")[1]


def empty(k: Builder) -> None:
    k.ret()


# ---- heads


def test_an_entry() -> None:
    module = Module("sm_90")

    @module.entry
    def scale(k: Builder, n: Param[u32], x: Param[u64]) -> None:
        k.ret()

    assert scale.name == "scale"
    assert scale.entry
    assert module.ptx() == (
        ".version 7.8\n.target sm_90\n.address_size 64\n\n"
        ".visible .entry scale(\n\t.param .u32 n,\n\t.param .u64 x\n)\n{\n\tret;\n}\n"
    )


def test_a_device_function_returns_in_a_register() -> None:
    module = Module("sm_90")

    @module.func(returns=Reg[u32])
    def square(k: Builder, result: Reg[u32], x: Reg[u32]) -> None:
        k.mul.lo.u32(x, x, out=result)

    assert text(module) == (
        ".func (.reg .u32 %retval0) square(\n\t.reg .u32 %x\n)\n{\n\tmul.lo.u32 %retval0, %x, %x;\n}\n"
    )


def test_a_device_function_returns_through_memory() -> None:
    module = Module("sm_90")

    @module.func(returns=Param[f32], linkage="visible", name="halve")
    def anything(k: Builder, result: Param[f32], x: Param[f32]) -> None:
        k.st.param.f32([result], k.mul.f32(k.ld.param.f32([x]), 0.5))

    assert text(module) == (
        ".visible .func (.param .f32 retval0) halve(\n\t.param .f32 x\n)\n{\n\t.reg .f32 %f<2>;\n"
        "\tld.param.f32 %f0, [x];\n\tmul.f32 %f1, %f0, 0f3F000000;\n\tst.param.f32 [retval0], %f1;\n}\n"
    )


def test_a_function_without_anything() -> None:
    module = Module("sm_90")
    module.func(empty)
    assert text(module) == ".func empty\n{\n\tret;\n}\n"


def test_declarations() -> None:
    module = Module("sm_90")
    module.declare("vprintf", Param[u64], Param[u64], returns=Param[s32])
    module.declare("other", entry=True)
    module.declare("stop", Reg[u32], Annotated[Param[b8], array(16, align=8)], noreturn=True)
    assert text(module) == (
        ".extern .func (.param .s32 vprintf_retval_0) vprintf(\n\t.param .u64 vprintf_param_0,\n"
        "\t.param .u64 vprintf_param_1\n);\n\n.extern .entry other;\n\n"
        ".extern .func stop(\n\t.reg .u32 %stop_param_0,\n\t.param .align 8 .b8 stop_param_1[16]\n)\n.noreturn;\n"
    )


def test_a_function_is_declared_before_it_is_defined() -> None:
    module = Module("sm_90")
    odd = module.declare("odd", Reg[u32], linkage="")

    @module.func
    def even(k: Builder, n: Reg[u32]) -> None:
        k.call(odd, (n,))

    @module.func(name="odd")
    def later(k: Builder, n: Reg[u32]) -> None:
        k.call(even, (n,))

    assert [(f.name, f.declared) for f in module.functions] == [("odd", True), ("even", False), ("odd", False)]
    with refused(OperandError, "odd is declared twice in the module", module=module):
        module.func(name="odd", linkage="visible")(empty)
    module.declare("third", Reg[u32], linkage="")
    with refused(OperandError, "third differs from its declaration", module=module):
        module.func(name="third")(empty)


def test_names_of_register_parameters_stay_clear_of_predefined_and_fresh_ones() -> None:
    module = Module("sm_90")

    @module.func
    def f(k: Builder, tid: Reg[u32], r0: Reg[u32], n: Reg[u32]) -> None:
        k.add.u32(tid, r0)
        k.add.u32(n, n)

    assert text(module) == (
        ".func f(\n\t.reg .u32 %tid_,\n\t.reg .u32 %r0_,\n\t.reg .u32 %n\n)\n{\n\t.reg .u32 %r<2>;\n"
        "\tadd.u32 %r0, %tid_, %r0_;\n\tadd.u32 %r1, %n, %n;\n}\n"
    )


# ---- parameters


@pytest.mark.parametrize(
    ("hint", "declaration"),
    [
        (Param[u8], ".param .u8 x"),
        (Param[f32], ".param .f32 x"),
        (Param[b128], ".param .b128 x"),
        (Annotated[Param[b8], array(64)], ".param .b8 x[64]"),
        (Annotated[Param[b8], array(128, align=64)], ".param .align 64 .b8 x[128]"),
        (Annotated[Param[u64], ptr()], ".param .u64 .ptr x"),
        (Annotated[Param[u64], ptr("global")], ".param .u64 .ptr .global x"),
        (Annotated[Param[u64], ptr(align=1 << 31)], ".param .u64 .ptr .align 2147483648 x"),
        (Annotated[Param[u64], ptr("shared", align=16)], ".param .u64 .ptr .shared .align 16 x"),
        (Annotated[Param[u32], ptr(align=8)], ".param .u32 .ptr .align 8 x"),
        (Param[texref], ".param .texref x"),
        ("Param[u32]", ".param .u32 x"),
        (Annotated[Param[b8], array(32764)], ".param .b8 x[32764]"),
    ],
)
def test_entry_parameters(hint: Any, declaration: str) -> None:
    module = Module("sm_90")

    def kernel(k: Builder, x: Any) -> None:
        k.ret()

    kernel.__annotations__["x"] = hint
    module.entry(kernel)
    assert text(module) == f".visible .entry kernel(\n\t{declaration}\n)\n{{\n\tret;\n}}\n"


def test_a_sampler_wants_its_mode() -> None:
    def kernel(k: Builder, x: Param[samplerref]) -> None:
        k.ret()

    Module("sm_90", options=("texmode_independent",)).entry(kernel)
    with refused(OperandError, "texmode_independent"):
        Module("sm_90").entry(kernel)


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (int, "the parameter x wants an annotation such as Param[u32]"),
        (Param, "wants an annotation"),
        (None, "wants an annotation"),
        (Param[int], "has no PTX type: int"),  # pyright: ignore
        ("Param[u33]", "an annotation cannot be read"),
        ("Param[", "an annotation cannot be read"),
        ("1/0", "an annotation cannot be read"),
        (Param[bf16], "values are held by .b16"),
        (Param[pred], "has not the type .pred"),
        (Param[f16x2], "has not the type .f16x2"),
        (Reg[u32], "an entry has .param parameters only"),
        (Annotated[Param[u32], 16], "is neither ptr(...) nor array(...)"),
        (Annotated[Param[b8], array(0)], "an array of 0 elements"),
        (Annotated[Param[b8], array(-1)], "an array of -1 elements"),
        (Annotated[Param[b8], array(None)], "only the last parameter of a device function"),
        (Annotated[Param[b8], array("16")], "count='16' is no integer"),  # pyright: ignore
        (Annotated[Param[b8], array(True)], "count=True is no integer"),
        (Annotated[Param[b8], array(2, align=True)], "align=True is no integer"),
        (Annotated[Param[u64], ptr("global", align=True)], "align=True is no integer"),
        (Annotated[Param[b8], array(4, align=3)], "align=3 is no power of two"),
        (Annotated[Param[b8], array(32765)], "32765 bytes of parameters; there may be 32764"),
        (Annotated[Param[u64], ptr("glob")], "not to .glob"),
        (Annotated[Param[u64], ptr("param")], "not to .param"),
        (Annotated[Param[u64], ptr(5)], "the space of ptr(...) is a string"),  # pyright: ignore
        (Annotated[Param[u64], ptr("global", align=12)], "align=12 is no power of two"),
        (Annotated[Param[u64], ptr(align=1 << 32)], "what a pointer points to has 2147483648 at most"),
        (Annotated[Param[b8], array(4, align=1 << 32)], "align=4294967296; a .param variable has 2147483648 at most"),
        (Annotated[Param[u64], ptr("global", align="x")], "align='x' is no integer"),  # pyright: ignore
        (Annotated[Param[u8], ptr("global")], "a pointer has 32 or 64 bits"),
    ],
)
def test_entry_parameters_refused(hint: Any, message: str) -> None:
    module = Module("sm_90")

    def kernel(k: Builder, x: Any) -> None:
        k.ret()

    kernel.__annotations__["x"] = hint
    with refused(OperandError, "kernel: ", message, module=module):
        module.entry(kernel)


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (Param[pred], "has not the type .pred"),
        (Param[texref], "has not the type .texref"),
        (Annotated[Param[b8], array(16, align=256)], "align=256; a .param variable has 128 at most"),
        (Annotated[Param[b8], array((1 << 63) + 1)], "bytes; a variable has 9223372036854775808 at most"),
        (Annotated[Param[u64], ptr("global")], ".ptr is for the parameters of an entry"),
        (Annotated[Reg[u32], array(4)], "is a register; ptr(...) and array(...) are for Param[...]"),
    ],
)
def test_function_parameters_refused(hint: Any, message: str) -> None:
    module = Module("sm_90")

    def helper(k: Builder, x: Any) -> None:
        k.ret()

    helper.__annotations__["x"] = hint
    with refused(OperandError, message, module=module):
        module.func(helper)


def test_predicates_are_passed_in_registers_and_a_last_array_may_be_open() -> None:
    module = Module("sm_90")

    @module.func
    def f(k: Builder, p: Reg[pred], rest: Annotated[Param[b8], array(None, align=8)]) -> None:
        k.ret()

    assert text(module) == ".func f(\n\t.reg .pred %p,\n\t.param .align 8 .b8 rest[]\n)\n{\n\tret;\n}\n"


def test_sizes_of_parameters_count_with_their_padding() -> None:
    module = Module("sm_90")

    def fits(k: Builder, a: Param[u8], b: Annotated[Param[b8], array(32756, align=8)]) -> None:
        k.ret()

    def exceeds(k: Builder, a: Param[u8], b: Annotated[Param[b8], array(32757, align=8)]) -> None:
        k.ret()

    module.entry(fits)
    with refused(OperandError, "32765 bytes", module=module):
        module.entry(exceeds)


def test_a_function_returns_one_value() -> None:
    def both(k: Builder, a: Any, b: Any) -> None:
        k.ret()

    with refused(OperandError, "2 values returned; a function returns 1", "though ptxas accepts more in registers"):
        Module("sm_90").func(returns=(Reg[u32], Reg[u32]))(both)
    Module("sm_90", strict=False).func(returns=(Reg[u32], Reg[u32]))(both)
    with refused(OperandError, "2 values returned; a function returns 1"):
        Module("sm_90", strict=False).func(returns=(Param[u32], Param[u32]))(both)


@pytest.mark.parametrize(
    ("returns", "message"),
    [(u32, "result 0 wants an annotation such as"), ((Reg[u32], 5), "result 1 wants"), (Param[pred], ".pred")],
)
def test_returns_refused(returns: Any, message: str) -> None:
    module = Module("sm_90")

    def one(k: Builder, a: Any) -> None:
        k.ret()

    def two(k: Builder, a: Any, b: Any) -> None:
        k.ret()

    with refused(OperandError, message, module=module):
        module.func(returns=returns)(two if isinstance(returns, tuple) else one)


# ---- Python functions that are no kernels


def no_arguments() -> None: ...
def no_result(k: Builder) -> None: ...
def keyword_only(k: Builder, *, n: Param[u32]) -> None: ...


def generator(k: Builder) -> Any:
    yield k.mov.u32(1)


async def coroutine(k: Builder) -> None:
    k.mov.u32(1)


async def asynchronous_generator(k: Builder) -> Any:
    yield k.mov.u32(1)


class Method:
    def kernel(self, k: Builder, n: Param[u32]) -> None:
        k.ret()

    def __call__(self, k: Builder) -> None: ...


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        (no_arguments, {}, "a kernel takes the builder first"),
        (no_result, {"returns": Reg[u32]}, "after the builder comes an argument for the value returned"),
        (keyword_only, {}, "positional"),
        (generator, {}, "a def without async or yield: its body runs at once; this one has a yield in it"),
        (coroutine, {}, "this one is async"),
        (asynchronous_generator, {}, "this one is async and has a yield in it"),
        (5, {}, "a kernel is a Python function, got int"),
        ("text", {}, "a kernel is a Python function, got str"),
        (Method(), {}, "a kernel is a Python function, got Method"),
        (functools.partial(empty), {}, "a kernel is a Python function, got partial"),
    ],
)
def test_bodies_refused(body: Any, options: dict[str, Any], message: str) -> None:
    module = Module("sm_90")
    with refused(OperandError, message, module=module):
        module.func(name="f", **options)(body)


def test_a_method_is_a_kernel() -> None:
    module = Module("sm_90")
    module.entry(Method().kernel)
    assert text(module) == ".visible .entry kernel(\n\t.param .u32 n\n)\n{\n\tret;\n}\n"


def test_an_exception_of_the_body_leaves_no_function() -> None:
    module = Module("sm_90")

    def kernel(k: Builder) -> None:
        k.shared.f32("tile", 4)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        module.entry(kernel)
    assert module.functions == []
    module.entry(lambda k: k.ret(), name="kernel")
    assert [f.name for f in module.functions] == ["kernel"]


# ---- names and linkage


@pytest.mark.parametrize("name", ["", "a b", "1a", "a-b", "%", "_", "$", "é", "a\n", "WARP_SZ", "a.b"])
def test_names_refused(name: str) -> None:
    module = Module("sm_90")
    with refused(OperandError, name and repr(name).strip("'"), module=module):
        module.declare(name)


@pytest.mark.parametrize("name", ["a", "_a", "$a", "%a", "a$1", "add", "A_1", "__x", "%%"])
def test_names(name: str) -> None:
    if name != "%%":
        module = Module("sm_90")
        module.declare(name)
        assert module.functions[0].name == name


@pytest.mark.parametrize("name", ["%rd0", "%p3", "%f12"])
def test_names_of_fresh_registers_refused(name: str) -> None:
    module = Module("sm_90")
    for declare in (
        lambda: module.declare(name),
        lambda: module.entry(name=name)(empty),
        lambda: module.func(name=name)(empty),
        lambda: module.global_.u32(name),
        lambda: module.shared.u32(name),
    ):
        with refused(OperandError, f"{name} is a name that fresh registers get; choose another", module=module):
            declare()


def predefined(k: Builder, WARP_SZ: Param[u32]) -> None: ...
def underscore(k: Builder, _: Param[u32]) -> None: ...
def accented(k: Builder, é: Param[u32]) -> None: ...
def accented_register(k: Builder, é: Reg[u32]) -> None: ...


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (predefined, "predefined: parameter WARP_SZ is predefined in PTX; choose another name"),
        (underscore, "underscore: parameter '_' is no PTX identifier"),
        (accented, "accented: parameter 'é' is no PTX identifier"),
        (accented_register, "accented_register: parameter '%é' is no PTX identifier"),
    ],
)
def test_names_of_parameters_refused(body: Any, message: str) -> None:
    module = Module("sm_90")
    with refused(OperandError, message, module=module):
        module.func(body)


def test_register_parameters_of_a_declared_function_have_one_percent_sign() -> None:
    module = Module("sm_90")
    module.declare("%f", Reg[u32], Param[u32], returns=Reg[u32])
    assert text(module) == (
        ".extern .func (.reg .u32 %f_retval_0) %f(\n\t.reg .u32 %f_param_0,\n\t.param .u32 %f_param_1\n);\n"
    )


def test_a_function_keeps_its_own_name() -> None:
    module = Module("sm_90")

    @module.func
    def n(k: Builder, x: Reg[u32]) -> None:
        for declare in (lambda: k.shared.u32("n"), lambda: k.reg.u32(name="n")):
            with refused(OperandError, "n is the name of the function itself; choose another", k=k):
                declare()
        k.call(k.function, (x,))

    assert "call n, (%x);" in text(module)


def test_a_name_is_declared_once() -> None:
    module = Module("sm_90")
    module.entry(empty)
    variable = module.global_.u32("counter")
    for again in (
        lambda: module.func(empty),
        lambda: module.declare("empty"),
        lambda: module.global_.u32("empty"),
        lambda: module.const.f32("counter"),
        lambda: module.entry(name="counter")(empty),
    ):
        with refused(OperandError, "is declared twice in the module", module=module):
            again()

    def shadowing(k: Builder, counter: Param[u32]) -> None:
        k.ret()

    with refused(OperandError, "counter is declared in the module already", module=module):
        module.entry(shadowing)

    def clash(k: Builder, result: Param[u32], retval0: Param[u32]) -> None:
        k.ret()

    with refused(OperandError, "retval0 is declared twice", module=module):
        module.func(returns=Param[u32])(clash)
    assert module.variables == [variable]


@pytest.mark.parametrize("linkage", ["", "visible", "weak"])
def test_linkage(linkage: str) -> None:
    module = Module("sm_90")
    module.entry(linkage=linkage)(empty)
    module.func(linkage=linkage, name="other")(empty)
    prefix = f".{linkage} " if linkage else ""
    assert text(module) == f"{prefix}.entry empty\n{{\n\tret;\n}}\n\n{prefix}.func other\n{{\n\tret;\n}}\n"


@pytest.mark.parametrize(
    ("linkage", "message"),
    [
        ("static", "none of extern, visible, weak"),
        ("common", "none of"),
        ("extern", "an extern function is defined elsewhere"),
    ],
)
def test_linkage_refused(linkage: str, message: str) -> None:
    module = Module("sm_90")
    for declare in (module.entry, module.func):
        with refused(OperandError, message, module=module):
            declare(linkage=linkage)(empty)
