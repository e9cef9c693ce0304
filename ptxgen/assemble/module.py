"""`ptxgen.assemble`: a module, or PTX text, as a cubin."""

from __future__ import annotations

from ptxgen.assemble.architecture import candidates
from ptxgen.assemble.assembler import TIMEOUT, Assembler
from ptxgen.assemble.assembler import assemble as assemble_text
from ptxgen.assemble.cubin import Cubin
from ptxgen.errors import AssembleError, Diagnostic
from ptxgen.ir.module import Module


def assemble(
    module: Module | str, arch: str | None = None, *, assembler: Assembler | None = None, timeout: float = TIMEOUT
) -> Cubin:
    """Assemble a module, or PTX text, for `arch` and no other.

    Without `arch`, a module is assembled for its own target, or for the closest later one that runs it if the assembler
    no longer has that; `Cubin.arch` says which it was. PTX text needs `arch`.
    `assembler` is nvJitLink if installed, else a ptxas; `timeout` is in seconds. Raises AssembleError, with the
    assembler's log, if it refuses the module, crashes, takes too long, or if there is none.
    """
    if arch is not None and not isinstance(arch, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _wrong("arch", "the name of an architecture, such as 'sm_90'", arch)
    if not isinstance(timeout, int | float) or timeout <= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _wrong("timeout", "a positive number of seconds", timeout)
    if isinstance(module, Module):
        text = module.ptx()
        architectures = tuple(candidates(module.target)) if arch is None else (arch,)
    elif not isinstance(module, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _wrong("module", "a ptxgen.Module or PTX text", module)
    elif arch is None:
        message = "PTX text wants arch=, the architecture to assemble for"
        raise AssembleError.of(Diagnostic("arch", "error", message, hint="for example arch='sm_90'"))
    else:
        text, architectures = module, (arch,)
    return assemble_text(text, architectures, assembler=assembler, timeout=timeout)


def _wrong(what: str, need: str, have: object) -> AssembleError:
    message = f"{what} wants {need}, got {have!r}"
    return AssembleError.of(Diagnostic("argument", "error", message, need=need, have=repr(have)))
