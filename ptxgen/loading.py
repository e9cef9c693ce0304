"""`ptxgen.load`: a module on a device, ready to launch."""

from __future__ import annotations

from typing import Any

from ptxgen.check.lowest import lowest_version
from ptxgen.check.module import check
from ptxgen.errors import Diagnostic, LoadError
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Variable
from ptxgen.isa import types, versions
from ptxgen.launch import Parameter, Program

DEVICES = ("auto", "gpu", "cpu")


def load(module: Module, device: str = "auto") -> Program:
    """Load a module; `program["name"].launch(grid, block, *args)` launches a kernel of it.

    `device` is "gpu", or "auto", which takes a GPU where there is one. Raises LoadError, which says what is missing:
    a driver, a GPU for the module's target, a driver new enough; or, first, if `ptxgen.check` finds an error.
    """
    if device not in DEVICES:
        message = f"device={device!r} is none of {', '.join(DEVICES)}"
        raise LoadError.of(Diagnostic("device", "error", message, have=device, choices=DEVICES))
    if device == "cpu":
        message = "this version of ptxgen does not run kernels on the CPU"
        raise LoadError.of(Diagnostic("device", "error", message, have="cpu", hint="use device='gpu'"))
    errors = tuple(d for d in check(module).diagnostics if d.severity == "error")
    if errors:
        raise LoadError.of(*errors)
    from ptxgen.gpu import load as load_on_gpu

    return load_on_gpu(
        module.ptx(),
        {f.name: parameters(f) for f in module.functions if f.entry and not f.declared},
        version=module.version or versions.text(lowest_version(module)),
        target=module.target,
    )


def parameters(function: Function) -> tuple[Parameter, ...]:
    """The `.param` list of a kernel as a launch checks it."""
    return tuple(_parameter(p) for p in function.parameters if isinstance(p, Variable))


def _parameter(variable: Variable[Any]) -> Parameter:
    pointer = next((a for a in variable.attributes if a.startswith(".ptr")), "")
    words = pointer.split()
    align = int(words[words.index(".align") + 1]) if ".align" in words else 1
    count = None
    for dimension in variable.shape:
        count = (count or 1) * (dimension or 1)
    container = types.known(variable.type).container
    return Parameter(variable.text, container, count, bool(pointer), align=align)
