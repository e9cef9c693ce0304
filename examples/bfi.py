"""Pixels of four bytes as RGB565, sixteen bits: `bfe` takes the high bits of a channel, `bfi` puts them in place."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_75")


@mod.entry
def rgb565(k: Builder, n: Param[u32], rgba: Param[u64], packed: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([n])))

    pixel = k.ld.global_.u32([k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([rgba])))])
    red, green, blue = (k.bfe.u32(pixel, 3, 5), k.bfe.u32(pixel, 10, 6), k.bfe.u32(pixel, 19, 5))

    # rrrrrggggggbbbbb: blue lies in place, green goes to bit 5, red to bit 11.
    word = k.bfi.b32(red, k.bfi.b32(green, blue, 5, 6), 11, 5)
    k.st.global_.u16([k.mad.wide.u32(i, 2, k.cvta.to.global_.u64(k.ld.param.u64([packed])))], word)
    k.ret()


def run(program: Program) -> str:
    rgba = numpy.random.default_rng(1).integers(0, 256, (1080, 1920, 4), dtype=numpy.uint8)
    n = 1080 * 1920
    packed = numpy.zeros((1080, 1920), numpy.uint16)
    red, green, blue = (rgba[..., channel].astype(numpy.uint16) for channel in range(3))
    expected = (red // 8) * 2048 + (green // 4) * 32 + blue // 8

    program["rgb565"].launch(-(-n // 256), 256, n, copied(rgba.view(numpy.uint32), back=False), copied(packed))

    wrong = int((packed != expected).sum())
    if wrong:
        raise SystemExit(f"rgb565: {wrong} of {n} pixels are wrong")
    return f"all {n} pixels as expected"
