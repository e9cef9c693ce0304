"""Calls: direct, through pointers with prototypes and lists of targets, recursive; their arguments and results."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from ptxgen import Builder, Module, OperandError, Param, Reg, array, b8, check, f32, pred, sink, u8, u16, u32, u64
from tests.build.kernels import body_lines, building, refused


def functions(module: Module) -> dict[str, Any]:
    """Functions of several signatures, declared outside."""
    return {
        "nothing": module.declare("nothing"),
        "one": module.declare("one", Reg[u32]),
        "square": module.declare("square", Reg[u32], returns=Reg[u32]),
        "cube": module.declare("cube", Param[u32], returns=Param[u32]),
        "two": module.declare("two", Param[u64], Reg[f32]),
        "block": module.declare("block", Annotated[Param[b8], array(16, align=8)]),
        "test": module.declare("test", Reg[pred]),
        "small": module.declare("small", Param[u8]),
    }


CALLS: list[tuple[Any, list[str]]] = [
    (lambda k, f: k.call(f["nothing"]), ["call nothing;"]),
    (lambda k, f: k.call.uni(f["nothing"]), ["call.uni nothing;"]),
    (lambda k, f: k.call(f["one"], (k.reg.u32(),)), ["call one, (%r0);"]),
    (lambda k, f: k.call(f["one"], (7,)), ["call one, (7);"]),
    (lambda k, f: k.call(f["one"], (k.reg.b32(),)), ["call one, (%b0);"]),
    (lambda k, f: k.call((k.reg.u32(),), f["square"], (k.reg.u32(),)), ["call (%r0), square, (%r1);"]),
    (lambda k, f: k.call((sink,), f["square"], (1,)), ["call (_), square, (1);"]),
    (lambda k, f: k.call((k.param.u32("r"),), f["cube"], (k.param.u32("a"),)),
     [".param .u32 r;", ".param .u32 a;", "call (r), cube, (a);"]),
    (lambda k, f: k.call(f["two"], (k.reg.u64(), 1.0)), ["call two, (%rd0, 0f3F800000);"]),
    (lambda k, f: k.call(f["block"], (k.param.b8("a", 16, align=8),)),
     [".param .align 8 .b8 a[16];", "call block, (a);"]),
    (lambda k, f: k.call(f["test"], (k.reg.pred(),)), ["call test, (%p0);"]),
    (lambda k, f: k.call(f["one"], (1,), pred=k.reg.pred()), ["@%p0 call one, (1);"]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "lines"), CALLS, ids=[case[1][-1] for case in CALLS])
def test_direct(call: Any, lines: list[str]) -> None:
    module = Module("sm_90")
    declared = functions(module)
    module.entry(lambda k: call(k, declared), name="kernel")
    assert body_lines(module.ptx()) == lines


def test_through_a_pointer() -> None:
    module = Module("sm_90")

    @module.func(returns=Reg[u32])
    def first(k: Builder, result: Reg[u32], x: Reg[u32]) -> None:
        k.mov.u32(x, out=result)

    @module.func(returns=Reg[u32])
    def second(k: Builder, result: Reg[u32], y: Reg[u32]) -> None:
        k.neg.s32(y, out=result)

    @module.func(noreturn=True, abi_preserve=4)
    def stop(k: Builder) -> None:
        k.exit()

    @module.entry
    def kernel(k: Builder) -> None:
        at = k.mov.u64(first)
        k.call((k.reg.u32(),), at, (1,), k.prototype(first))
        k.call((k.reg.u32(),), at, (2,), k.calltargets("either", first, second))
        k.call(at, k.prototype(stop))

    assert body_lines(module.ptx()) == [
        "mov.u64 %rd0, first;",
        "$prototype_1: .callprototype (.reg .u32 %retval0) _ (.reg .u32 %x);",
        "call (%r0), %rd0, (1), $prototype_1;",
        "$either_2: .calltargets first, second;",
        "call (%r1), %rd0, (2), $either_2;",
        "$prototype_3: .callprototype _ () .noreturn .abi_preserve 4;",
        "call %rd0, $prototype_3;",
    ]


KERNEL = "kernel is a kernel; a device function is needed, define one with m.func"


@pytest.mark.parametrize(
    "call",
    [
        lambda k, kernel: k.call(kernel),
        lambda k, kernel: k.call.uni(kernel),
        lambda k, kernel: k.prototype(kernel),
        lambda k, kernel: k.calltargets("some", kernel),
    ],
)
def test_a_kernel_is_no_callee(call: Any) -> None:
    module = Module("sm_90")
    kernel = module.entry(lambda k: k.ret(), name="kernel")
    with pytest.raises(OperandError, match=KERNEL):
        module.entry(lambda k: call(k, kernel), name="caller")
    with pytest.raises(OperandError, match="own is a kernel"):
        module.entry(lambda k: k.call(k.function), name="own")
    module.entry(lambda k: k.mov.u64(kernel), name="address")  # its address may be taken


def test_check_finds_a_kernel_that_is_called() -> None:
    module = Module("sm_90")
    kernel = module.declare("kernel")  # a device function, until the calls are there

    @module.entry
    def caller(k: Builder) -> None:
        k.call(kernel)
        k.call(k.mov.u64(kernel), k.calltargets("some", kernel))

    assert check(module).ok
    kernel.entry = True
    assert [(d.code, d.message) for d in check(module).diagnostics] == [
        ("call-target", f"caller: call: {KERNEL}"),
        ("call-target", f"caller: .calltargets: {KERNEL}"),
    ]


def test_recursion() -> None:
    module = Module("sm_90")

    @module.func(returns=Reg[u32])
    def factorial(k: Builder, result: Reg[u32], n: Reg[u32]) -> None:
        k.mov.u32(1, out=result)
        k.ret(pred=k.setp.eq.u32(n, 0))
        k.call((result,), k.function, (k.sub.u32(n, 1),))
        k.mul.lo.u32(result, n, out=result)
        k.ret()

    assert body_lines(module.ptx()) == [
        "mov.u32 %retval0, 1;",
        "setp.eq.u32 %p0, %n, 0;",
        "@%p0 ret;",
        "sub.u32 %r0, %n, 1;",
        "call (%retval0), factorial, (%r0);",
        "mul.lo.u32 %retval0, %retval0, %n;",
        "ret;",
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda k, f: k.call(f["nothing"], (1,)), "call: 0 arguments needed, 1 given"),
        (lambda k, f: k.call(f["one"], ()), "call: 1 argument needed, 0 given"),
        (lambda k, f: k.call(f["one"]), "call: 1 argument needed, 0 given"),
        (lambda k, f: k.call(f["one"], (1, 2)), "call: 1 argument needed, 2 given"),
        (lambda k, f: k.call(f["one"], (k.reg.u64(),)), "argument 1 takes .u32, got a .u64 register"),
        (lambda k, f: k.call(f["one"], (k.reg.f32(),)), "argument 1 takes .u32, got a .f32 register"),
        (lambda k, f: k.call(f["one"], (1.0,)), "argument 1 takes .u32, got a floating-point constant"),
        (lambda k, f: k.call(f["one"], (sink,)), "argument 1 takes .u32, got the sink _"),
        (lambda k, f: k.call(f["one"], (k.reg.u16(),)), "argument 1 takes .u32, got a .u16 register"),
        (lambda k, f: k.call(f["one"], (k.reg.pred(),)), "argument 1 takes .u32, got a .pred register"),
        (lambda k, f: k.call(f["test"], (k.reg.u32(),)), "argument 1 takes .pred, got a .u32 register"),
        (lambda k, f: k.call(f["test"], (1,)), "argument 1 takes .pred, got an integer constant"),
        (lambda k, f: k.call(f["square"], (1,)), "1 result needed, 0 given"),
        (lambda k, f: k.call((k.reg.u32(),), f["one"], (1,)), "0 results needed, 1 given"),
        (lambda k, f: k.call((k.reg.u64(),), f["square"], (1,)), "result 1 takes .u32, got a .u64 register"),
        (lambda k, f: k.call(f["two"], (k.reg.u32(), 1.0)), "argument 1 takes .param .u64, got a .u32 register"),
        (lambda k, f: k.call(f["one"], k.reg.u32()), "takes"),
        (lambda k, f: k.call((1,), f["one"]), "call"),
        (lambda k, f: k.call(), "call takes"),
        (lambda k, f: k.call("one", (1,)), "str 'one' is no operand"),
        (lambda k, f: k.call(k.label("one"), (1,)), "call"),
        (lambda k, f: k.call(k.reg.u64(), (1,)), "call"),
    ],
)
def test_arguments_refused(call: Any, message: str) -> None:
    module = Module("sm_90")
    declared = functions(module)
    k = building(module)
    with refused(OperandError, message, k=k):
        call(k, declared)


def test_parameters_in_memory_refused() -> None:
    module = Module("sm_90")
    declared = functions(module)
    k = building(module)
    wide, narrow = k.param.u64("wide"), k.param.b8("narrow", 15)
    for function, argument, message in (
        ("cube", wide, "takes"),
        ("block", narrow, "argument 1 takes .param .align 8 .b8[16], got .param .b8[15]"),
        ("one", wide, "argument 1 takes .u32"),
    ):
        results = (k.param.u32(f"r_{function}"),) if function == "cube" else None
        with refused(OperandError, message, k=k):
            k.call(*([results] if results else []), declared[function], (argument,))


def test_a_function_is_declared_before_its_call() -> None:
    module, other = Module("sm_90"), Module("sm_90")
    stranger = other.declare("stranger", Reg[u32])
    k = building(module)
    with refused(OperandError, "call: stranger belongs to another module, not to kernel", k=k):
        k.call(stranger, (1,))
    with refused(OperandError, "mov.u64: stranger belongs to another module", k=k):
        k.mov.u64(stranger)
    for make in (k.prototype, lambda f: k.calltargets("t", f)):
        with refused(OperandError, "the function stranger belongs to another module", k=k):
            make(stranger)
    forward = building(module, "forward").function  # begun, and never finished
    with refused(OperandError, "forward is not declared before its call", k=k):
        k.call(forward)


@pytest.mark.parametrize("thing", [5, None, "f", Reg])
def test_prototypes_refused(thing: Any) -> None:
    k = building(Module("sm_90"))
    for make in (k.prototype, lambda f: k.calltargets("t", f)):
        with refused(OperandError, "a function of the module is needed, got", k=k):
            make(thing)
    with refused(OperandError, ".calltargets lists at least one target", k=k):
        k.calltargets("t")


def test_targets_of_a_call_are_alike() -> None:
    module = Module("sm_90")
    declared = functions(module)
    same = module.declare("same", Reg[u32])
    k = building(module)
    k.calltargets("t", declared["one"], same)
    with refused(OperandError, "two and one differ in what they take or return", k=k):
        k.calltargets("t", declared["one"], declared["two"])


def test_arguments_through_a_pointer_refused() -> None:
    module = Module("sm_90")
    declared = functions(module)
    k = building(module)
    at = k.mov.u64(declared["one"])
    prototype, targets = k.prototype(declared["one"]), k.calltargets("t", declared["one"])
    for by in (prototype, targets):
        with refused(OperandError, "call: 1 argument needed, 2 given", k=k):
            k.call(at, (1, 2), by)
        with refused(OperandError, "argument 1 takes .u32, got a .u64 register", k=k):
            k.call(at, (at,), by)
    elsewhere = building(module, "elsewhere")
    with refused(OperandError, "belongs to elsewhere, not to kernel", k=k):
        k.call(at, (1,), elsewhere.prototype(declared["one"]))
    with refused(OperandError, "brx.idx operand 2", k=k):
        k.brx.idx(k.reg.u32(), prototype)


def test_a_narrow_argument() -> None:
    """Sizes of registers and parameters have to agree (PTX ISA 9.7.12.5)."""
    module = Module("sm_90")
    declared = functions(module)
    k = building(module)
    with refused(OperandError, "argument 1 takes .param .u8, got a .u16 register", k=k):
        k.call(declared["small"], (k.reg.u16(),))
    assert u16.__name__ == "u16"


def test_a_parameter_of_the_caller_is_not_passed_on() -> None:
    """ptxas: it cannot be used as an argument of a call; its value can."""
    module = Module("sm_90")
    get = module.declare("get", Param[u32])

    @module.func
    def caller(k: Builder, x: Param[u32]) -> None:
        with refused(OperandError, "x is a parameter of the caller; pass a register", k=k):
            k.call(get, (x,))
        k.call(get, (k.ld.param.u32([x]),))

    assert len(list(caller.instructions())) == 2
