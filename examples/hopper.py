"""D = A B' on Hopper: tensor maps bring tiles to shared memory, `wgmma` multiplies them there.

A is M x K and B is N x K, row-major and of f16; D is M x N of f32. A block is one warpgroup and makes a tile of 64 x
64. It works through K in stages of 64 elements, that is rows of 128 bytes, which the tensor maps swizzle; while one
stage is multiplied, the next arrives.
"""

from typing import Annotated

from shared.product import multiplied

from ptxgen import Builder, Module, Param, Program, array, b8, sreg, u32, u64
from ptxgen.ir.operands import Offset

mod = Module("sm_90a")

TILE, STAGES = 64, 2
PART = TILE * TILE * 2  # bytes of one operand in a stage
TensorMap = Annotated[Param[b8], array(128, align=64)]

# Of a matrix in shared memory, for wgmma: groups of eight rows are 1024 bytes apart, swizzle of 128 bytes.
LAYOUT = 1024 >> 4 << 32 | 1 << 62


@mod.entry(maxntid=128)
def matmul(
    k: Builder, map_a: TensorMap, map_b: TensorMap, steps: Param[u32], n: Param[u32], d: Param[u64]
) -> None:
    tiles = k.shared.b8("tiles", 2 * STAGES * PART, align=1024)
    full = k.shared.b64("full", STAGES)
    thread = k.mov.u32(sreg.tid.x)
    first = k.setp.eq.u32(thread, 0)
    row, column = k.shl.b32(k.mov.u32(sreg.ctaid.y), 6), k.shl.b32(k.mov.u32(sreg.ctaid.x), 6)

    with k.if_(first):
        for stage in range(STAGES):
            k.mbarrier.init.shared__cta.b64([full + 8 * stage], 1)
        k.fence.mbarrier_init.release.cluster()
    k.bar.sync(0)

    a, b = (k.cvta.param.u64(k.mov.u64(map_)) for map_ in (map_a, map_b))
    copy = k.cp.async_.bulk.tensor._2d.shared__cta.global_.tile.mbarrier__complete_tx__bytes
    left, ahead = k.reg.u32(), k.reg.u32()  # stages to multiply; the element of K to fetch next
    k.ld.param.u32([steps], out=left)
    k.mov.u32(0, out=ahead)

    def fetch(stage: int) -> None:
        """Let a stage of A and of B arrive; by one thread."""
        k.mbarrier.arrive.expect_tx.shared__cta.b64([full + 8 * stage], 2 * PART)
        for part, source, line in ((2 * stage, a, row), (2 * stage + 1, b, column)):
            copy([tiles + part * PART], [source, (ahead, line)], [full + 8 * stage])
        k.add.u32(ahead, TILE, out=ahead)

    def wait(barrier: Offset) -> None:
        """Until a stage is there; `phase` is 0 or 1, in turns."""
        with k.loop("arrival") as spin:
            spin.repeat(pred=~k.mbarrier.try_wait.parity.shared__cta.b64([barrier], phase))

    with k.if_(first):
        for stage in range(STAGES):
            fetch(stage)

    phase, total = k.reg.u32(), k.reg.f32(TILE * TILE // 128)
    k.mov.u32(0, out=phase)
    for register in total:
        k.mov.f32(0.0, out=register)
    start = k.cvt.u64.u32(k.shr.u32(k.and_.b32(k.mov.u32(tiles), 0x3FFFF), 4))
    matrix = k.or_.b64(start, LAYOUT)
    multiply = k.wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16

    with k.loop("stages") as loop:
        for stage in range(STAGES):
            wait(full + 8 * stage)
            k.wgmma.fence.sync.aligned()
            for slice_ in range(TILE // 16):
                at_a, at_b = (((2 * stage + side) * PART + 32 * slice_) >> 4 for side in (0, 1))
                multiply(total, k.add.u64(matrix, at_a), k.add.u64(matrix, at_b), 1, 1, 1, 0, 0)
            k.wgmma.commit_group.sync.aligned()
            k.wgmma.wait_group.sync.aligned(0)
            k.bar.sync(0)  # all have done with the stage
            with k.if_(k.setp.gt.and_.u32(left, STAGES, first)):
                fetch(stage)
        k.xor.b32(phase, 1, out=phase)
        k.sub.u32(left, STAGES, out=left)
        loop.repeat(pred=k.setp.gt.u32(left, 0))

    # A warp has 16 rows; of each eight columns, a lane has two in one row and two in the row eight further down.
    lane, warp = k.and_.b32(thread, 31), k.shr.u32(thread, 5)
    line = k.add.u32(row, k.mad.lo.u32(warp, 16, k.shr.u32(lane, 2)))
    place = k.add.u32(column, k.shl.b32(k.and_.b32(lane, 3), 1))
    width = k.ld.param.u32([n])
    upper = k.mad.wide.u32(k.mad.lo.u32(line, width, place), 4, k.cvta.to.global_.u64(k.ld.param.u64([d])))
    lower = k.mad.wide.u32(width, 8 * 4, upper)
    for eight in range(TILE // 8):
        a0, a1, b0, b1 = total[4 * eight : 4 * eight + 4]
        k.st.global_.v2.f32([upper + 32 * eight], (a0, a1))
        k.st.global_.v2.f32([lower + 32 * eight], (b0, b1))
    k.ret()


def run(program: Program) -> str:
    return multiplied(program["matmul"], (TILE, TILE, TILE))
