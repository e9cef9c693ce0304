"""pyptx: a traced function; the registers are one array, which is the least work for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tools.bench.emitters import PATTERN


def emit(count: int) -> tuple[str, Any]:
    """The kernel through `pyptx.kernel`."""
    pyptx: Any = import_module("pyptx")
    types: Any = import_module("pyptx.types")
    ptx = pyptx.ptx

    def kernel() -> None:
        k = ptx.inst
        f = pyptx.reg.array(types.f32, 2 + count // PATTERN * 7)
        p = pyptx.reg.array(types.u64, 1)[0]
        a, b, n = f[0], f[1], 2
        for _ in range(count // PATTERN):
            a = k.add.f32(f[n], a, b)
            b = k.add.f32(f[n + 1], a, b)
            a = k.add.f32(f[n + 2], a, b)
            b = k.add.f32(f[n + 3], a, b)
            a = k.fma.rn.f32(f[n + 4], a, b, a)
            b = k.fma.rn.f32(f[n + 5], a, b, b)
            c = k.ld.global_.f32(f[n + 6], ptx.addr(p))
            k.st.global_.f32(ptx.addr(p), a)
            a = c
            n += 7

    traced = pyptx.kernel(arch="sm_80", version=(7, 0))(kernel)
    return traced.ptx(), traced
