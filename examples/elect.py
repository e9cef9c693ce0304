"""Append the positive values to a list, in any order: `elect.sync` names one lane that reserves room for its warp."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_90")

WARP = 0xFFFFFFFF  # all lanes take part


@mod.entry
def append(k: Builder, n: Param[u32], x: Param[u64], found: Param[u64], count: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    px = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))

    # Lanes beyond the end vote, too. For them `value` stays 0, as it is read under a guard, and they append nothing.
    value = k.mov.b32(0)
    k.ld.global_.b32([px], out=value, pred=k.setp.lt.u32(i, k.ld.param.u32([n])))
    mine = k.setp.gt.s32(value, 0)
    votes = k.vote.sync.ballot.b32(mine, WARP)

    # One atomic a warp instead of one a lane: the leader adds for all and tells the others where their room begins.
    leader, is_leader = k.elect.sync(WARP)
    counter = k.cvta.to.global_.u64(k.ld.param.u64([count]))
    start = k.mov.u32(0)
    k.atom.global_.add.u32([counter], k.popc.b32(votes), out=start, pred=is_leader)
    start = k.shfl.sync.idx.b32(start, leader, 31, WARP)

    before = k.popc.b32(k.and_.b32(votes, k.mov.u32(sreg.lanemask_lt)))
    slot = k.mad.wide.u32(k.add.u32(start, before), 4, k.cvta.to.global_.u64(k.ld.param.u64([found])))
    k.st.global_.b32([slot], value, pred=mine)
    k.ret()


def run(program: Program) -> str:
    x = numpy.random.default_rng(1).integers(-1000, 1000, 1_000_003, dtype=numpy.int32)
    found, count = numpy.zeros_like(x), numpy.zeros(1, numpy.uint32)
    expected = numpy.sort(x[x > 0])

    program["append"].launch(-(-x.size // 256), 256, x.size, copied(x, back=False), copied(found), copied(count))

    if count[0] != expected.size or not numpy.array_equal(numpy.sort(found[: count[0]]), expected):
        raise SystemExit(f"append: found {count[0]} values, not the {expected.size} expected")
    return f"{expected.size} of {x.size} values appended"
