"""`ptxgen.assemble`: a module, or PTX text, as a cubin."""

from __future__ import annotations

from ptxgen.assemble.assembler import TIMEOUT, Assembler
from ptxgen.assemble.assembler import assemble as assemble_text
from ptxgen.assemble.cubin import Cubin
from ptxgen.errors import AssembleError, Diagnostic
from ptxgen.ir.module import Module


def assemble(
    module: Module | str, arch: str | None = None, *, assembler: Assembler | None = None, timeout: float = TIMEOUT
) -> Cubin:
    """Assemble a module for `arch`, by default its own target; PTX text needs `arch`.

    `assembler` is nvJitLink if installed, else a ptxas; `timeout` is in seconds. Raises AssembleError, with the
    assembler's log, if it refuses the module, crashes, takes too long, or if there is none.
    """
    if isinstance(module, Module):
        text, arch = module.ptx(), arch or module.target
    elif arch is None:
        message = "PTX text wants arch=, the architecture to assemble for"
        raise AssembleError.of(Diagnostic("arch", "error", message, hint="for example arch='sm_90'"))
    else:
        text = module
    return assemble_text(text, arch, assembler=assembler, timeout=timeout)
