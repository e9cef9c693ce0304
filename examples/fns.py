"""Move the positive values of every 32 to the front, in order: `fns` finds the lane that cast the n-th vote."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u64

mod = Module("sm_75")

WARP = 0xFFFFFFFF  # all lanes take part
NONE = 0xFFFFFFFF  # what fns answers when there are fewer votes


@mod.entry
def compact(k: Builder, x: Param[u64], y: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    px = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))
    py = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([y])))

    value = k.ld.global_.s32([px])
    votes = k.vote.sync.ballot.b32(k.setp.gt.s32(value, 0), WARP)

    # Lane n wants the value of the lane with vote n; fns counts from 1, upwards from bit 0.
    nth = k.add.s32(k.mov.u32(sreg.laneid), 1)
    source = k.fns.b32(votes, 0, nth)
    moved = k.shfl.sync.idx.b32(value, source, 31, WARP)
    k.st.global_.b32([py], k.selp.b32(0, moved, k.setp.eq.u32(source, NONE)))
    k.ret()


def run(program: Program) -> str:
    x = numpy.random.default_rng(1).integers(-100, 100, (4096, 32), dtype=numpy.int32)
    y = numpy.full_like(x, -1)
    expected = numpy.zeros_like(x)
    for row, values in zip(expected, x, strict=True):
        kept = values[values > 0]
        row[: kept.size] = kept

    program["compact"].launch(x.size // 256, 256, copied(x, back=False), copied(y))

    wrong = int((y != expected).any(axis=1).sum())
    if wrong:
        raise SystemExit(f"compact: {wrong} of {len(x)} rows are wrong")
    return f"{len(x)} rows compacted, {int((x > 0).sum())} of {x.size} values kept"
