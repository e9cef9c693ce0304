"""The mean of every two by two elements of a picture: the texture unit makes it, with one instruction a thread.

Element (x, y) of a texture has its middle at (x + 0.5, y + 0.5). So at (x + 1, y + 1) four elements weigh the same,
and beyond the edge the nearest counts.
"""

import numpy
from shared.on_gpu import texture

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_75")

BLOCK = 16


@mod.entry(maxntid=(BLOCK, BLOCK))
def blur(k: Builder, picture: Param[u64], width: Param[u32], height: Param[u32], out: Param[u64]) -> None:
    x = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), BLOCK, k.mov.u32(sreg.tid.x))
    y = k.mad.lo.u32(k.mov.u32(sreg.ctaid.y), BLOCK, k.mov.u32(sreg.tid.y))
    columns = k.ld.param.u32([width])
    below = k.setp.ge.u32(y, k.ld.param.u32([height]))
    k.ret(pred=k.setp.ge.or_.u32(x, columns, below))

    u, v = (k.add.f32(k.cvt.rn.f32.u32(place), 1.0) for place in (x, y))
    mean, *_ = k.tex._2d.v4.f32.f32([k.ld.param.u64([picture]), (u, v)])  # of the four channels, the one that there is

    place = k.mad.wide.u32(k.mad.lo.u32(y, columns, x), 4, k.cvta.to.global_.u64(k.ld.param.u64([out])))
    k.st.global_.f32([place], mean)
    k.ret()


def run(program: Program) -> str:
    # Whole numbers that are small, so that no mean is rounded.
    height, width = 200, 300
    picture = numpy.random.default_rng(1).integers(0, 256, (height, width)).astype(numpy.float32)
    result = numpy.zeros_like(picture)
    padded = numpy.pad(picture, ((0, 1), (0, 1)), mode="edge")
    expected = (padded[:-1, :-1] + padded[:-1, 1:] + padded[1:, :-1] + padded[1:, 1:]) / 4

    with texture(picture) as samples:
        grid = (-(-width // BLOCK), -(-height // BLOCK))
        program["blur"].launch(grid, (BLOCK, BLOCK), samples.handle, width, height, copied(result))

    wrong = int((result != expected).sum())
    if wrong:
        raise SystemExit(f"blur: {wrong} of {result.size} elements are wrong")
    return f"all {result.size} elements as expected"
