"""A sum over a cluster of four blocks: `mapa` gives the address of a variable in the shared memory of another block."""

import numpy

from ptxgen import Builder, Module, Param, Program, copied, sreg, u64

mod = Module("sm_90")

BLOCKS, THREADS = 4, 256  # of a cluster, of a block


@mod.entry(maxntid=THREADS)
def cluster_sum(k: Builder, x: Param[u64], sums: Param[u64]) -> None:
    total = k.shared.u32("total")
    thread, rank = k.mov.u32(sreg.tid.x), k.mov.u32(sreg.cluster_ctarank)
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), THREADS, thread)
    value = k.ld.global_.u32([k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))])

    def wait_for_the_cluster() -> None:
        k.barrier.cluster.arrive.aligned()
        k.barrier.cluster.wait.aligned()

    first = k.setp.eq.u32(thread, 0)
    k.st.shared.u32([total], 0, pred=first)
    wait_for_the_cluster()

    # Every thread of the cluster adds to the total of block 0.
    home = k.mapa.shared__cluster.u32(k.mov.u32(total), 0)
    k.red.relaxed.cluster.shared__cluster.add.u32([home], value)
    wait_for_the_cluster()

    reports = k.setp.eq.and_.u32(rank, 0, first)
    k.ret(pred=~reports)
    out = k.mad.wide.u32(k.mov.u32(sreg.clusterid.x), 4, k.cvta.to.global_.u64(k.ld.param.u64([sums])))
    k.st.global_.u32([out], k.ld.shared.u32([total]))
    k.ret()


def run(program: Program) -> str:
    x = numpy.random.default_rng(1).integers(0, 1000, (64, BLOCKS * THREADS), dtype=numpy.uint32)
    sums = numpy.zeros(64, numpy.uint32)
    expected = x.sum(axis=1)

    program["cluster_sum"].launch(64 * BLOCKS, THREADS, copied(x, back=False), copied(sums), cluster=BLOCKS)

    wrong = int((sums != expected).sum())
    if wrong:
        raise SystemExit(f"cluster_sum: {wrong} of {sums.size} clusters are wrong")
    return f"the sums of {sums.size} clusters of {BLOCKS} blocks as expected"
