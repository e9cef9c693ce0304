"""llvmlite: LLVM's IR through its builder, as text, and the PTX that LLVM makes of it.

Without optimisation LLVM's PTX is the same kernel but for what nobody reads at its end.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tools.bench.emitters import PATTERN


def ir_text(count: int) -> tuple[str, Any]:
    """The kernel as text of LLVM's IR."""
    ir: Any = import_module("llvmlite.ir")
    module = ir.Module("kernel")
    module.triple = "nvptx64-nvidia-cuda"
    f32 = ir.FloatType()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.PointerType(f32, 1), f32, f32]), "kernel")
    k = ir.IRBuilder(function.append_basic_block())
    p, a, b = function.args
    for _ in range(count // PATTERN):
        a = k.fadd(a, b)
        b = k.fadd(a, b)
        a = k.fadd(a, b)
        b = k.fadd(a, b)
        a = k.fma(a, b, a)
        b = k.fma(a, b, b)
        c = k.load(p)
        k.store(a, p)
        a = c
    k.ret_void()
    return str(module), module


def ptx(count: int) -> tuple[str, Any]:
    """The kernel as PTX, through LLVM's NVPTX target."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    text, built = ir_text(count)
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu="sm_80", opt=0)
    return machine.emit_assembly(module), (built, module, machine)
