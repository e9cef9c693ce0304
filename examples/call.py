"""Device functions, called by name and through an address: which one a value gets depends on its sign."""

import numpy

from ptxgen import Builder, Module, Param, Program, Reg, copied, f32, sreg, u32, u64

mod = Module("sm_75")


@mod.func(returns=Reg[f32])
def square(k: Builder, result: Reg[f32], x: Reg[f32]) -> None:
    k.mul.rn.f32(x, x, out=result)
    k.ret()


@mod.func(returns=Reg[f32])
def fourth_power(k: Builder, result: Reg[f32], x: Reg[f32]) -> None:
    # By name: results, the function, arguments.
    squared = k.reg.f32()
    k.call.uni((squared,), square, (x,))
    k.call.uni((result,), square, (squared,))
    k.ret()


@mod.entry
def powers(k: Builder, n: Param[u32], x: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([n])))
    px = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))
    value = k.ld.global_.f32([px])

    # By address: nothing in the call says which function it is, so a prototype says what it takes and gives.
    negative = k.setp.lt.f32(value, 0)
    function = k.selp.b64(k.mov.u64(square), k.mov.u64(fourth_power), negative)
    result = k.reg.f32()
    k.call((result,), function, (value,), k.prototype(square))
    k.st.global_.f32([px], result)
    k.ret()


def run(program: Program) -> str:
    x = numpy.random.default_rng(1).integers(-60, 60, 1 << 20).astype(numpy.float32)
    expected = numpy.where(x < 0, x**2, x**4)  # below 2**24, so nothing is rounded

    program["powers"].launch(-(-x.size // 256), 256, x.size, copied(x))

    wrong = int((x != expected).sum())
    if wrong:
        raise SystemExit(f"powers: {wrong} of {x.size} values are wrong")
    return f"all {x.size} values as expected"
