"""Kernels as users write them: strictly typed throughout, and legal."""

from __future__ import annotations

from typing import TypeVar

from ptxgen import Builder, Module, Param, Reg, b32, f16, f16x2, f32, f64, pred, s32, sink, sreg, u32, u64

T = TypeVar("T")

module = Module(target="sm_90")
table = module.const.f32("table", 4, init=[1.0, 2.0, 3.0, 4.0])
counter = module.global_.u32("counter")


def thread(k: Builder) -> Reg[u32]:
    """Position of the thread in the grid."""
    return k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), k.mov.u32(sreg.ntid.x), k.mov.u32(sreg.tid.x))


@module.entry
def saxpy(k: Builder, n: Param[u32], a: Param[f32], x: Param[u64], y: Param[u64]) -> None:
    i = thread(k)
    k.ret(pred=k.setp.ge.u32(i, k.ld.param.u32([n])))
    px: Reg[u64] = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([x])))
    py = k.mad.wide.u32(i, 4, k.cvta.to.global_.u64(k.ld.param.u64([y])))
    r: Reg[f32] = k.fma.rn.f32(k.ld.param.f32([a]), k.ld.global_.f32([px]), k.ld.global_.f32([py]))
    k.st.global_.f32([py], r)
    k.ret()


def warp_sum(k: Builder, v: Reg[f32], width: int = 32) -> Reg[f32]:
    """The sum over the lanes of a warp."""
    while width := width // 2:
        other: Reg[b32] = k.shfl.sync.bfly.b32(v, width, 31, 0xFFFFFFFF)
        v = k.add.f32(v, other)
    return v


@module.entry(maxntid=256)
def block_sum(k: Builder, src: Param[u64], dst: Param[u64]) -> None:
    tile = k.shared.f32("tile", 8)
    tid, _, _, _ = k.mov.v4.u32(sreg.tid)
    k.mov.b64((sreg.tid.x, sreg.tid.y))
    v = warp_sum(k, k.ld.global_.f32([k.mad.wide.u32(thread(k), 4, k.ld.param.u64([src]))]))
    lane, warp = k.and_.b32(tid, 31), k.shr.u32(tid, 5)
    slot = k.mad.lo.u32(warp, 4, k.mov.u32(tile))
    k.st.shared.f32([slot], v, pred=k.setp.eq.u32(lane, 0))
    k.bar.sync(0)
    with k.if_(k.setp.lt.u32(tid, 8)) as branch:
        w = warp_sum(k, k.ld.shared.f32([k.mad.lo.u32(tid, 4, k.mov.u32(tile))]), 8)
        k.red.global_.add.f32([k.ld.param.u64([dst])], w, pred=~k.setp.ne.u32(tid, 0))
    with branch.else_():
        k.bar.sync(1, 32)
    k.ret()


@module.func(returns=Reg[u32])
def square(k: Builder, result: Reg[u32], x: Reg[u32]) -> None:
    k.mul.lo.u32(x, x, out=result)
    k.ret()


@module.entry
def vectors(k: Builder, p: Param[u64]) -> None:
    base = k.ld.param.u64([p])
    a, b, c, d = k.ld.global_.v4.f32([base + 16])
    e: Reg[f32] = k.fma.rz.ftz.f32(a, 2.0, k.mul.f32(b, c))
    k.ld.global_.v2.u32([base], out=(None, None))
    k.st.global_.v4.f32([base], (a, b, e, d))
    low, high = k.mov.b64(base, out=(None, None))
    joined: Reg[u64] = k.mov.u64(k.mov.b64((low, high)))
    k.st.global_.u64([base + 8], joined)
    x, y = k.ld.volatile.global_.v2.f64([base + 32])
    s: Reg[f64] = k.add.rp.f64(x, k.cvt.f64.f32(k.ld.const.f32([table + 4])))
    k.st.global_.f64([base], k.sqrt.rn.f64(k.abs.f64(k.sub.f64(s, y))))
    policy = k.reg.u64()
    k.mov.u64(0, out=policy)
    k.st.global_.L2__cache_hint.f32([base], e, policy)
    k.ret()


@module.entry
def predicates(k: Builder, p: Param[u64]) -> None:
    i = thread(k)
    small: Reg[pred] = k.setp.lt.u32(i, 10)
    both = k.setp.lt.and_.u32(i, 5, ~small)
    yes, no = k.setp.eq.u32(i, 3, out=(None, None))
    chosen: Reg[s32] = k.selp.s32(1, -1, k.or_.pred(yes, k.and_.pred(no, both)))
    k.add.s32(chosen, 1, out=chosen, pred=small)
    _, leader = k.elect.sync(0xFFFFFFFF, out=(sink, None))
    mask: Reg[b32] = k.vote.sync.ballot.b32(small, 0xFFFFFFFF)
    count: Reg[u32] = k.popc.b32(mask)
    k.atom.global_.add.u32([counter], count, pred=leader, out=k.reg.u32())
    value, found = k.shfl.sync.idx.b32(chosen, 0, 31, -1, out=(None, None))
    k.st.global_.b32([k.ld.param.u64([p])], value, pred=found)
    k.ret()


@module.entry
def halves(k: Builder, p: Param[u64]) -> None:
    base = k.ld.param.u64([p])
    h: Reg[f16] = k.cvt.rn.f16.f32(k.ld.global_.f32([base]))
    both = k.reg.f16x2()
    k.mov.b32((h, h), out=both)
    two: Reg[f16x2] = k.fma.rn.f16x2(both, both, both)
    k.st.global_.b32([base], two)
    k.ret()


@module.entry
def video(k: Builder, p: Param[u64]) -> None:
    base = k.ld.param.u64([p])
    a, b = k.ld.global_.v2.u32([base])
    hits: Reg[u32] = k.vset4.u32.u32.eq(a["b3210"], b["b7654"], k.mov.u32(0))
    k.vset4.u32.u32.ne(a["b3210"], b["b7654"], a, out=hits["b10"])
    k.vmad.u32.u32.u32(a, b, -hits)
    k.st.global_.u32([base], hits)
    k.ret()


@module.entry
def control(k: Builder, p: Param[u64]) -> None:
    base = k.ld.param.u64([p])
    at = k.mov.u32(0)
    with k.loop("items") as items:
        items.break_(pred=k.setp.gt.u32(k.ld.relaxed.gpu.global_.u32([base]), 7))
        k.add.u32(at, 1, out=at)
        items.repeat(pred=k.setp.lt.u32(at, 100))
    first, second = k.label("first"), k.label("second")
    k.brx.idx(at, k.branchtargets("ways", first, second))
    k.place(first)
    k.bra.uni(second)
    k.place(second)
    k.fence.acq_rel.gpu()
    k.call((k.reg.u32(),), square, (at,))
    k.membar.gl()
    k.ret()


def scaled(k: Builder, ty: type[T], a: Reg[T]) -> Reg[T]:
    """Twice a register of any type: a token may be a value."""
    return k.add.rn[ty](a, a)


@module.entry
def templates(k: Builder, p: Param[u64]) -> None:
    base = k.ld.param.u64([p])
    accumulators: tuple[Reg[f32], ...] = k.reg.f32(4)
    for accumulator in accumulators:
        k.mov.f32(0.0, out=accumulator)
    load = k.ld.global_.f32
    total = scaled(k, f32, load([base]))
    for accumulator in accumulators:
        total = k.fma.rn.f32(load([base + 4]), accumulator, total)
    k["st.global.f32"]([base], total)
    k.st.global_.u64([base], k.mov.u64(sreg.clock64))
    k.ret()


text = module.ptx()
