"""How often does each letter occur? A grid-stride loop with an if and an else, and counters in shared memory."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u32, u64

mod = Module("sm_75")

THREADS = 256
LETTERS = 26
OTHERS = LETTERS  # the last counter is for everything that is no letter


@mod.entry(maxntid=THREADS)
def histogram(k: Builder, n: Param[u32], text: Param[u64], totals: Param[u64]) -> None:
    counters = k.shared.u32("counters", LETTERS + 1)
    thread = k.mov.u32(sreg.tid.x)
    own = k.mad.lo.u32(thread, 4, k.mov.u32(counters))
    has_one = k.setp.le.u32(thread, OTHERS)
    k.st.shared.u32([own], 0, pred=has_one)
    k.bar.sync(0)

    source, end = k.cvta.to.global_.u64(k.ld.param.u64([text])), k.ld.param.u32([n])
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), THREADS, thread)
    stride = k.mul.lo.u32(k.mov.u32(sreg.nctaid.x), THREADS)

    with k.loop("grid_stride") as loop:
        loop.break_(pred=k.setp.ge.u32(i, end))
        byte = k.reg.u32()  # eight bits are read, thirty-two are computed with
        k.ld.global_.u8([k.add.u64(source, k.cvt.u64.u32(i))], out=byte)
        # Upper case to lower case, then the place in the alphabet; what is below "a" wraps to a large number.
        letter = k.sub.u32(k.or_.b32(byte, 0x20), ord("a"))
        with k.if_(k.setp.lt.u32(letter, LETTERS)) as branch:
            k.red.shared.add.u32([k.mad.lo.u32(letter, 4, k.mov.u32(counters))], 1)
        with branch.else_():
            k.red.shared.add.u32([counters + 4 * OTHERS], 1)
        k.add.u32(i, stride, out=i)
        loop.repeat()

    k.bar.sync(0)
    k.ret(pred=~has_one)
    total = k.mad.wide.u32(thread, 4, k.cvta.to.global_.u64(k.ld.param.u64([totals])))
    k.red.global_.add.u32([total], k.ld.shared.u32([own]))
    k.ret()


def run(program: Program) -> str:
    text = numpy.random.default_rng(1).integers(32, 127, 10_000_000, dtype=numpy.uint8)
    totals = numpy.zeros(LETTERS + 1, numpy.uint32)
    of_bytes = numpy.bincount(text, minlength=256)
    letters = of_bytes[ord("A") : ord("Z") + 1] + of_bytes[ord("a") : ord("z") + 1]
    expected = numpy.append(letters, text.size - letters.sum())

    program["histogram"].launch(256, THREADS, text.size, copied(text, back=False), copied(totals))

    if not numpy.array_equal(totals, expected):
        raise SystemExit(f"histogram: counted {totals}, expected {expected}")
    return f"{letters.sum()} letters in {text.size} bytes, each counted as expected"
