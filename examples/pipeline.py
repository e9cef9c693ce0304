"""A dot product whose operands stream through a ring of four stages: `cp.async` fetches ahead while `fma` works."""

import numpy

from ptxgen import Builder, Module, Param, Program, Reg, copied, f32, sreg, u32, u64

mod = Module("sm_80")

THREADS, STAGES = 128, 4
TILE = 16 * THREADS  # bytes: four floats a thread


def add(k: Builder, value: Reg[f32], to: Reg[u64]) -> None:
    """Add the values of a warp to one in global memory."""
    for distance in (16, 8, 4, 2, 1):
        value = k.add.f32(value, k.shfl.sync.bfly.b32(value, distance, 31, 0xFFFFFFFF))
    k.red.global_.add.f32([to], value, pred=k.setp.eq.u32(k.mov.u32(sreg.laneid), 0))


@mod.entry(maxntid=THREADS)
def dot(k: Builder, tiles: Param[u32], x: Param[u64], y: Param[u64], total: Param[u64]) -> None:
    ring = k.shared.b8("ring", 2 * STAGES * TILE, align=16)
    thread = k.mov.u32(sreg.tid.x)
    slot = k.mad.lo.u32(thread, 16, k.mov.u32(ring))  # each thread reads what it fetched itself: no barrier

    # This block takes every %nctaid-th tile.
    tile, step, count = k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.nctaid.x), k.ld.param.u32([tiles])
    stride = k.mul.wide.u32(step, TILE)
    start = k.mad.wide.u32(tile, TILE, k.mul.wide.u32(thread, 16))
    px = k.add.u64(start, k.cvta.to.global_.u64(k.ld.param.u64([x])))
    py = k.add.u64(start, k.cvta.to.global_.u64(k.ld.param.u64([y])))
    ahead = k.reg.u32()  # the tile to fetch next
    k.mov.u32(tile, out=ahead)

    def fetch(stage: int) -> None:
        """Fetch the next tile; of one past the end nothing is read, and zeros are written."""
        size = k.selp.u32(16, 0, k.setp.lt.u32(ahead, count))
        for source, at in ((px, 2 * stage), (py, 2 * stage + 1)):
            k.cp.async_.cg.shared.global_([slot + at * TILE], [source], 16, size)
            k.add.u64(source, stride, out=source)
        k.cp.async_.commit_group()
        k.add.u32(ahead, step, out=ahead)

    for stage in range(STAGES - 1):
        fetch(stage)

    partial = k.reg.f32()
    k.mov.f32(0.0, out=partial)
    with k.loop("tiles") as loop:
        for stage in range(STAGES):
            k.cp.async_.wait_group(STAGES - 2)  # the oldest has arrived
            a = k.ld.shared.v4.f32([slot + 2 * stage * TILE])
            b = k.ld.shared.v4.f32([slot + (2 * stage + 1) * TILE])
            for left, right in zip(a, b, strict=True):
                k.fma.rn.f32(left, right, partial, out=partial)
            fetch((stage + STAGES - 1) % STAGES)  # where the tile before this one was
        k.mad.lo.u32(step, STAGES, tile, out=tile)
        loop.repeat(pred=k.setp.lt.u32(tile, count))
    k.cp.async_.wait_all()

    add(k, partial, k.cvta.to.global_.u64(k.ld.param.u64([total])))
    k.ret()


def run(program: Program) -> str:
    # Small whole numbers, so that no sum is rounded.
    rng = numpy.random.default_rng(1)
    tiles = 1000
    x, y = rng.integers(-3, 4, (2, tiles * TILE // 4)).astype(numpy.float32)
    total = numpy.zeros(1, numpy.float32)
    expected = int(x.astype(numpy.int64) @ y.astype(numpy.int64))

    program["dot"].launch(64, THREADS, tiles, copied(x, back=False), copied(y, back=False), copied(total))

    if total[0] != expected:
        raise SystemExit(f"dot: {total[0]}, expected {expected}")
    return f"the dot product of {x.size} elements is {expected}, exactly"
