"""y = a x + y over two vectors: one thread an element, one fused multiply-add a thread."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, f32, sreg, u32, u64

mod = Module("sm_75")


@mod.entry
def saxpy(k: Builder, n: Param[u32], a: Param[f32], x: Param[u64], y: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([n])))

    px = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))
    py = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([y])))
    result = k.fma.rn.f32(k.ld.param.f32([a]), k.ld.global_.f32([px]), k.ld.global_.f32([py]))
    k.st.global_.f32([py], result)
    k.ret()


def run(program: Program) -> str:
    n, a = 1 << 20, 2.5
    x = numpy.arange(n, dtype=numpy.float32)
    y = numpy.linspace(-1, 1, n, dtype=numpy.float32)
    # Product and sum in double precision, rounded once, as `fma` rounds.
    expected = (a * x.astype(numpy.float64) + y).astype(numpy.float32)

    program["saxpy"].launch(-(-n // 256), 256, n, a, copied(x, back=False), copied(y))

    error = float(numpy.abs(y - expected).max())
    if error != 0:
        raise SystemExit(f"saxpy: wrong by up to {error}")
    return f"max error {error} over {n} elements"
