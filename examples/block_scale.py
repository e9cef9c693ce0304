"""Four-bit numbers with a scale for every sixteen: one `mma.sync` of 16x8x64, as sm_120 has it.

A is 16x64 and row-major, B 64x8 and column-major, both of E2M1, two to a byte; D is 16x8 of f32. A scale of UE4M3
belongs to sixteen consecutive elements of a row of A, or of a column of B.
"""

import numpy
from numpy.typing import NDArray

from ptxgen import Builder, Module, Param, Program, copied, sreg, u64

mod = Module("sm_120a")

M, N, K, BLOCK = 16, 8, 64, 16


@mod.entry(maxntid=32)
def scaled_mma(
    k: Builder, a: Param[u64], b: Param[u64], scale_a: Param[u64], scale_b: Param[u64], d: Param[u64]
) -> None:
    lane = k.mov.u32(sreg.laneid)
    group, member = k.shr.u32(lane, 2), k.and_.b32(lane, 3)  # eight groups of four lanes

    base_a, base_b, base_sa, base_sb, base_d = (
        k.cvta.to.global_.u64(k.ld.param.u64([base])) for base in (a, b, scale_a, scale_b, d)
    )
    # A member holds eight neighbours of its row: four bytes. Rows are of 32 bytes.
    inside = k.mad.lo.u32(group, K // 2, k.shl.b32(member, 2))
    pa, pb = k.add.u64(base_a, k.cvt.u64.u32(inside)), k.add.u64(base_b, k.cvt.u64.u32(inside))
    below = 8 * K // 2  # the row eight further down
    a0, a1, a2, a3 = (k.ld.global_.b32([pa + offset]) for offset in (0, below, 16, below + 16))
    b0, b1 = (k.ld.global_.b32([pb + offset]) for offset in (0, 16))

    # Four scales, one word, for each row: those of A come from members 0 (upper rows) and 1 (lower rows) of a group.
    lower = k.mad.lo.u32(k.and_.b32(member, 1), 8, group)
    word_a = k.ld.global_.b32([k.mad.wide.u32(lower, K // BLOCK, base_sa)])
    word_b = k.ld.global_.b32([k.mad.wide.u32(group, K // BLOCK, base_sb)])

    multiply = k.mma.sync.aligned.m16n8k64.row.col.kind__mxf4nvf4.block_scale.scale_vec__4X.f32.e2m1.e2m1.f32.ue4m3
    zero = k.mov.f32(0.0)
    result = multiply((a0, a1, a2, a3), (b0, b1), (zero, zero, zero, zero), word_a, (0, 0), word_b, (0, 0))

    # Two neighbours of the group's row, two of the row eight further down.
    pd = k.mad.wide.u32(k.mad.lo.u32(group, N, k.shl.b32(member, 1)), 4, base_d)
    k.st.global_.v2.f32([pd], result[:2])
    k.st.global_.v2.f32([pd + 8 * N * 4], result[2:])
    k.ret()


E2M1 = numpy.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], numpy.float32)


def run(program: Program) -> str:
    rng = numpy.random.default_rng(1)
    codes_a, codes_b = rng.integers(0, 16, (M, K)), rng.integers(0, 16, (N, K))
    powers_a, powers_b = rng.integers(-2, 3, (M, K // BLOCK)), rng.integers(-2, 3, (N, K // BLOCK))
    # Powers of two, so that the product is exact: 2**p in UE4M3 is the exponent p + 7 above three bits of mantissa.
    words_a, words_b = ((powers + 7 << 3).astype(numpy.uint8) for powers in (powers_a, powers_b))
    result = numpy.zeros((M, N), numpy.float32)
    values_a = E2M1[codes_a] * numpy.exp2(powers_a).repeat(BLOCK, axis=1)
    values_b = E2M1[codes_b] * numpy.exp2(powers_b).repeat(BLOCK, axis=1)
    expected = (values_a @ values_b.T).astype(numpy.float32)

    arrays = (packed(codes_a), packed(codes_b), words_a, words_b)
    program["scaled_mma"].launch(1, 32, *(copied(array, back=False) for array in arrays), copied(result))

    wrong = int((result != expected).sum())
    if wrong:
        raise SystemExit(f"scaled_mma: {wrong} of {result.size} elements are wrong")
    return f"all {result.size} elements as expected"


def packed(codes: NDArray[numpy.int64]) -> NDArray[numpy.uint8]:
    """Two codes in a byte, the first in its lower half."""
    return (codes[:, ::2] | codes[:, 1::2] << 4).astype(numpy.uint8)
