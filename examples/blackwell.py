"""D = A B' on Blackwell: tensor maps bring tiles to shared memory, `tcgen05.mma` multiplies them into tensor memory.

A is M x K and B is N x K, row-major and of f16; D is M x N of f32. A block makes a tile of 128 x 64, which lies in
tensor memory, 128 lanes of 64 columns, until it is done. It works through K in stages of 64 elements, that is rows of
128 bytes, which the tensor maps swizzle. One thread sets everything off; the others wait, and carry the result out.
"""

from typing import Annotated

from shared.product import multiplied

from ptxgen import Builder, Module, Param, Program, Reg, array, b8, b64, sreg, u32, u64
from ptxgen.ir.operands import Variable

mod = Module("sm_100a")

M, N, K = 128, 64, 64  # of a tile and a stage
PART_A, PART_B = M * K * 2, N * K * 2  # bytes
TensorMap = Annotated[Param[b8], array(128, align=64)]

# Of a matrix in shared memory: groups of eight rows are 1024 bytes apart, a constant, swizzle of 128 bytes.
LAYOUT = 1024 >> 4 << 32 | 1 << 46 | 2 << 61
# Of the multiplication: D of f32, A and B of f16 and along K, and the shape.
INSTRUCTION = 1 << 4 | N >> 3 << 17 | M >> 4 << 24


@mod.entry(maxntid=128)
def matmul(
    k: Builder, map_a: TensorMap, map_b: TensorMap, steps: Param[u32], n: Param[u32], d: Param[u64]
) -> None:
    tile_a = k.shared.b8("tile_a", PART_A, align=1024)
    tile_b = k.shared.b8("tile_b", PART_B, align=1024)
    full, done = k.shared.b64("full"), k.shared.b64("done")
    allocated = k.shared.b32("allocated")
    thread = k.mov.u32(sreg.tid.x)
    warp = k.shr.u32(thread, 5)
    first = k.setp.eq.u32(thread, 0)
    row, column = k.shl.b32(k.mov.u32(sreg.ctaid.y), 7), k.shl.b32(k.mov.u32(sreg.ctaid.x), 6)

    with k.if_(first):
        for barrier in (full, done):
            k.mbarrier.init.shared__cta.b64([barrier], 1)
        k.fence.mbarrier_init.release.cluster()
    with k.if_(k.setp.eq.u32(warp, 0)):  # a whole warp allocates
        k.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32([allocated], N)
        k.tcgen05.relinquish_alloc_permit.cta_group__1.sync.aligned()
    k.tcgen05.fence__before_thread_sync()
    k.bar.sync(0)
    k.tcgen05.fence__after_thread_sync()
    result = k.ld.shared.b32([allocated])

    def wait(barrier: Variable[b64]) -> None:
        with k.loop("arrival") as spin:
            spin.repeat(pred=~k.mbarrier.try_wait.parity.shared__cta.b64([barrier], phase))

    def descriptor(tile: Variable[b8]) -> Reg[b64]:
        start = k.cvt.u64.u32(k.shr.u32(k.and_.b32(k.mov.u32(tile), 0x3FFFF), 4))
        return k.or_.b64(start, LAYOUT)

    with k.if_(first):
        a, b = (k.cvta.param.u64(k.mov.u64(map_)) for map_ in (map_a, map_b))
        matrix_a, matrix_b = descriptor(tile_a), descriptor(tile_b)
        copy = k.cp.async_.bulk.tensor._2d.shared__cta.global_.tile.mbarrier__complete_tx__bytes
        multiply = k.tcgen05.mma.cta_group__1.kind__f16
        shape, phase, left, at = k.mov.u32(INSTRUCTION), k.reg.u32(), k.reg.u32(), k.reg.u32()
        k.mov.u32(0, out=phase)
        k.mov.u32(0, out=at)
        k.ld.param.u32([steps], out=left)
        with k.loop("stages") as loop:
            k.mbarrier.arrive.expect_tx.shared__cta.b64([full], PART_A + PART_B)
            copy([tile_a], [a, (at, row)], [full])
            copy([tile_b], [b, (at, column)], [full])
            wait(full)
            for slice_ in range(K // 16):
                offset = 32 * slice_ >> 4
                adds = k.setp.gt.u32(at, 0) if slice_ == 0 else k.setp.eq.u32(0, 0)  # the first only writes
                multiply([result], k.add.u64(matrix_a, offset), k.add.u64(matrix_b, offset), shape, adds)
            k.tcgen05.commit.cta_group__1.mbarrier__arrive__one.shared__cluster.b64([done])
            wait(done)  # the tiles are free again
            k.add.u32(at, K, out=at)
            k.xor.b32(phase, 1, out=phase)
            k.sub.u32(left, 1, out=left)
            loop.repeat(pred=k.setp.gt.u32(left, 0))
    k.tcgen05.fence__before_thread_sync()
    k.bar.sync(0)
    k.tcgen05.fence__after_thread_sync()

    # A warp reaches its own 32 lanes of tensor memory; a lane is a row of D.
    lanes = k.mad.lo.u32(warp, 32 << 16, result)
    values = k.tcgen05.ld.sync.aligned._32x32b.x64.b32([lanes])
    k.tcgen05.wait__ld.sync.aligned()
    place = k.mad.lo.u32(k.add.u32(row, thread), k.ld.param.u32([n]), column)
    pd = k.mad.wide.u32(place, 4, k.cvta.to.global_.u64(k.ld.param.u64([d])))
    for first_of_four, four in enumerate(zip(values[::4], values[1::4], values[2::4], values[3::4], strict=True)):
        k.st.global_.v4.b32([pd + 16 * first_of_four], four)

    k.tcgen05.fence__before_thread_sync()
    k.bar.sync(0)
    with k.if_(k.setp.eq.u32(warp, 0)):
        k.tcgen05.dealloc.cta_group__1.sync.aligned.b32(result, N)
    k.ret()


def run(program: Program) -> str:
    return multiplied(program["matmul"], (M, N, K))
