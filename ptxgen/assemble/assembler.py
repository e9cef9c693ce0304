"""The verb `assemble`, and which assembler it uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ptxgen.assemble.architecture import is_architecture
from ptxgen.assemble.cubin import Cubin
from ptxgen.assemble.nvjitlink import NvJitLink
from ptxgen.assemble.ptxas import find_ptxas
from ptxgen.errors import AssembleError, Diagnostic

TIMEOUT = 600.0  # seconds


class Assembler(Protocol):
    """Anything that makes a cubin of PTX text."""

    @property
    def name(self) -> str:
        """Name and version, such as "nvJitLink 13.5" or "ptxas 13.5.37"."""
        ...

    def assemble(self, text: str, arch: str, timeout: float) -> Cubin:
        """The cubin for `arch`, or for the closest later one that the assembler has; raises AssembleError."""
        ...


def assemble(text: str, arch: str, *, assembler: Assembler | None = None, timeout: float = TIMEOUT) -> Cubin:
    """Assemble PTX for `arch`, which may be the module's `.target`: "sm_90a", "sm_20".

    An architecture that the assembler no longer has is replaced by the closest later one that runs the same PTX;
    `Cubin.arch` says which it was. `assembler` is nvJitLink if installed, else a ptxas; `timeout` is in seconds.
    Raises AssembleError, with the assembler's log, if it refuses the text, crashes, takes too long, or if there is
    none.
    """
    if not is_architecture(arch):
        message = f"{arch!r} is no GPU architecture; one is written sm_90, sm_90a or sm_100f"
        raise AssembleError(message, (Diagnostic("arch", "error", message, have=arch),))
    if "\0" in text:  # both assemblers would silently drop the rest
        line = text.count("\n", 0, text.index("\0")) + 1
        message = f"line {line}: NUL character in PTX text"
        raise AssembleError(message, (Diagnostic("assembler", "error", message, line=line, column=1),))
    return (assembler or default_assembler()).assemble(text, arch, timeout)


def assemblers() -> Iterator[Assembler]:
    """The assemblers found on this machine, the default one first."""
    for find in (NvJitLink.find, find_ptxas):
        if (found := find()) is not None:
            yield found


def default_assembler() -> Assembler:
    """The first of `assemblers`; raises AssembleError saying how to get one."""
    found = next(assemblers(), None)
    if found is None:
        hint = "pip install ptxgen[assemble], or put a ptxas on PATH"
        need = "nvJitLink or ptxas"
        raise AssembleError.of(
            Diagnostic("assembler", "error", f"no assembler: {need} is needed", need=need, hint=hint)
        )
    return found
