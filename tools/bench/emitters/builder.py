"""ptxgen: every call is validated, and the text is printed from the module."""

from __future__ import annotations

from ptxgen import Builder, Module
from tools.bench.emitters import PATTERN


def emit(count: int) -> tuple[str, Module]:
    """The kernel through `ptxgen.Builder`."""
    module = Module("sm_80")

    @module.entry
    def kernel(k: Builder) -> None:  # pyright: ignore[reportUnusedFunction]
        p, a, b = k.reg.u64(), k.reg.f32(), k.reg.f32()
        for _ in range(count // PATTERN):
            a = k.add.f32(a, b)
            b = k.add.f32(a, b)
            a = k.add.f32(a, b)
            b = k.add.f32(a, b)
            a = k.fma.rn.f32(a, b, a)
            b = k.fma.rn.f32(a, b, b)
            c = k.ld.global_.f32([p])
            k.st.global_.f32([p], a)
            a = c

    return module.ptx(), module
