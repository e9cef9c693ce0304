"""In how many places do two texts agree? `vset4` compares four bytes at once and adds up the hits."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_75")


@mod.entry
def agreement(k: Builder, chunks: Param[u32], a: Param[u64], b: Param[u64], total: Param[u64]) -> None:
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([chunks])))

    # Sixteen bytes a thread, four words of four bytes. The loop is Python's, so the code is straight.
    pa = k.mad.wide.u32(i, 16, k.cvta.to.global_.u64(k.ld.param.u64([a])))
    pb = k.mad.wide.u32(i, 16, k.cvta.to.global_.u64(k.ld.param.u64([b])))
    hits = k.mov.u32(0)
    for x, y in zip(k.ld.global_.v4.u32([pa]), k.ld.global_.v4.u32([pb]), strict=True):
        hits = k.vset4.u32.u32.eq.add(x, y, hits)

    k.red.global_.add.u32([k.cvta.to.global_.u64(k.ld.param.u64([total]))], hits)
    k.ret()


def run(program: Program) -> str:
    random = numpy.random.default_rng(1)
    a, b = (random.integers(ord("a"), ord("e"), 1 << 20, dtype=numpy.uint8) for _ in "ab")
    total = numpy.zeros(1, numpy.uint32)
    expected = int((a == b).sum())

    chunks = a.size // 16
    program["agreement"].launch(
        -(-chunks // 256), 256, chunks, copied(a, back=False), copied(b, back=False), copied(total)
    )

    if total[0] != expected:
        raise SystemExit(f"agreement: {total[0]} places, expected {expected}")
    return f"the texts agree in {expected} of {a.size} places"
