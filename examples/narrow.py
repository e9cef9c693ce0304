"""Numbers of eight bits and back: two floats to a pair of `e4m3` (sign, four bits of exponent, three of fraction)."""

import numpy
from numpy.typing import NDArray

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_89")


@mod.entry
def narrow(k: Builder, pairs: Param[u32], x: Param[u64], codes: Param[u64], back: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([pairs])))

    first, second = k.ld.global_.v2.f32([k.mad.wide.u32(i, 8, k.cvta.to.global_.u64(k.ld.param.u64([x])))])
    # The first source becomes the high half, so the second number of the pair comes first.
    pair = k.cvt.rn.satfinite.e4m3x2.f32(second, first)
    k.st.global_.b16([k.mad.wide.u32(i, 2, k.cvta.to.global_.u64(k.ld.param.u64([codes])))], pair)

    halves = k.cvt.rn.f16x2.e4m3x2(pair)
    k.st.global_.b32([k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([back])))], halves)
    k.ret()


def e4m3(x: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """The nearest numbers with three bits of fraction, exponents from -6 on and no magnitude above 448."""
    exponent = numpy.maximum(numpy.frexp(x)[1] - 1, -6)
    spacing = numpy.ldexp(numpy.float32(1), exponent - 3)
    return numpy.clip(numpy.rint(x / spacing) * spacing, -448, 448)


def run(program: Program) -> str:
    x = (numpy.random.default_rng(1).standard_normal(1 << 20) * 100).astype(numpy.float32)
    codes, back = numpy.zeros(x.size, numpy.uint8), numpy.zeros(x.size, numpy.float16)
    expected = e4m3(x)

    pairs = x.size // 2
    arrays = copied(x, back=False), copied(codes.view(numpy.uint16)), copied(back.view(numpy.uint32))
    program["narrow"].launch(-(-pairs // 256), 256, pairs, *arrays)

    wrong = int((back != expected).sum())
    if wrong:
        raise SystemExit(f"narrow: {wrong} of {x.size} numbers are wrong")
    return f"all {x.size} numbers as expected, in {codes.nbytes} bytes instead of {x.nbytes}"
