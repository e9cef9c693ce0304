"""`ptxgen.assemble`: a module, or PTX text, as a cubin."""

from __future__ import annotations

from ptxgen.assemble.architecture import candidates, is_architecture
from ptxgen.assemble.assembler import TIMEOUT, Assembler
from ptxgen.assemble.assembler import assemble as assemble_text
from ptxgen.assemble.cubin import Cubin
from ptxgen.errors import AssembleError, Diagnostic
from ptxgen.ir.module import Module


def assemble(
    module: Module | str, arch: str | None = None, *, assembler: Assembler | None = None, timeout: float = TIMEOUT
) -> Cubin:
    """Assemble a module, or PTX text, for `arch` and no other.

    Without `arch`, it is assembled for the target in its header, or for the closest later one that runs it if the
    assembler no longer has that; `Cubin.arch` says which it was.
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
    else:
        text = module
        architectures = tuple(candidates(_target(text))) if arch is None else (arch,)
    return assemble_text(text, architectures, assembler=assembler, timeout=timeout)


def _target(text: str) -> str:
    """The target in the header of PTX text, whatever is wrong with the rest."""
    from ptxgen.parse.module import read

    target = read(text)[0].target
    if not is_architecture(target):
        message = "the text names no .target that one could assemble for"
        raise AssembleError.of(Diagnostic("arch", "error", message, hint="name an architecture, such as arch='sm_90'"))
    return target


def _wrong(what: str, need: str, have: object) -> AssembleError:
    message = f"{what} wants {need}, got {have!r}"
    return AssembleError.of(Diagnostic("argument", "error", message, need=need, have=repr(have)))
