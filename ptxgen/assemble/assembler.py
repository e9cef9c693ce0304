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

    @property
    def place(self) -> str:
        """The file that it is, "" where that is not known."""
        ...

    def assemble(self, text: str, architectures: tuple[str, ...], timeout: float) -> Cubin:
        """The cubin for the first of `architectures` that the assembler has; raises AssembleError."""
        ...


def assemble(
    text: str, architectures: tuple[str, ...], *, assembler: Assembler | None = None, timeout: float = TIMEOUT
) -> Cubin:
    """Assemble PTX for the first of `architectures` that the assembler has; `Cubin.arch` says which it was.

    `assembler` is nvJitLink if installed, else a ptxas; `timeout` is in seconds. Raises AssembleError, with the
    assembler's log, if it refuses the text, crashes, takes too long, or if there is none.
    """
    if (wrong := next((arch for arch in architectures if not is_architecture(arch)), None)) is not None:
        message = f"{wrong!r} is no GPU architecture"
        raise AssembleError.of(Diagnostic("arch", "error", message, have=wrong, hint="one is written sm_90 or sm_100f"))
    if (nul := nul_in(text)) is not None:
        raise AssembleError.of(nul)
    return (assembler or default_assembler()).assemble(text, architectures, timeout)


def nul_in(text: str) -> Diagnostic | None:
    """A diagnostic if the text has a NUL character, at which every assembler would stop reading without a word."""
    at = text.find("\0")
    if at < 0:
        return None
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Diagnostic("assembler", "error", f"line {line}: NUL character in PTX text", line=line, column=column)


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
            Diagnostic("no-assembler", "error", f"no assembler: {need} is needed", need=need, hint=hint)
        )
    return found
