"""A sum in three steps: within a warp by shuffles, within a block through shared memory, over the grid by atomics."""

from typing import Annotated

import numpy

from ptxgen import Builder, Module, Param, Program, Reg, copied, f32, ptr, sreg, u64

mod = Module("sm_75")

THREADS = 256
WARPS = THREADS // 32


def warp_sum(k: Builder, value: Reg[f32], lanes: int) -> Reg[f32]:
    """The sum over the first `lanes` lanes, in each of them: a butterfly, unrolled."""
    distance = lanes // 2
    while distance:
        value = k.add.f32(value, k.shfl.sync.bfly.b32(value, distance, 31, (1 << lanes) - 1))
        distance //= 2
    return value


@mod.entry(maxntid=THREADS)
def block_sum(
    k: Builder, x: Annotated[Param[u64], ptr("global", align=4)], total: Annotated[Param[u64], ptr("global", align=4)]
) -> None:
    partial = k.shared.f32("partial", WARPS)
    thread = k.mov.u32(sreg.tid.x)
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), THREADS, thread)
    value = k.ld.global_.f32([k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))])

    value = warp_sum(k, value, 32)
    slot = k.mad.lo.u32(k.shr.u32(thread, 5), 4, k.mov.u32(partial))
    k.st.shared.f32([slot], value, pred=k.setp.eq.u32(k.and_.b32(thread, 31), 0))
    k.bar.sync(0)

    with k.if_(k.setp.lt.u32(thread, WARPS)):
        value = k.ld.shared.f32([k.mad.lo.u32(thread, 4, k.mov.u32(partial))])
        value = warp_sum(k, value, WARPS)
        to = k.cvta.to.global_.u64(k.ld.param.u64([total]))
        k.red.global_.add.f32([to], value, pred=k.setp.eq.u32(thread, 0))
    k.ret()


def run(program: Program) -> str:
    # Small whole numbers, so that no sum is rounded and the order of the atomics does not matter.
    x = numpy.random.default_rng(1).integers(-50, 50, 4096 * THREADS).astype(numpy.float32)
    total = numpy.zeros(1, numpy.float32)
    expected = int(x.astype(numpy.int64).sum())

    program["block_sum"].launch(x.size // THREADS, THREADS, copied(x, back=False), copied(total))

    if total[0] != expected:
        raise SystemExit(f"block_sum: {total[0]}, expected {expected}")
    return f"the sum of {x.size} elements is {expected}, exactly"
