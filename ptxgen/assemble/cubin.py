"""What an assembler gives back."""

from __future__ import annotations

from attrs import evolve, field, frozen

from ptxgen.assemble.elf import read_resources
from ptxgen.assemble.log import Message, diagnostics_of, messages_of, spills_of
from ptxgen.assemble.resources import Resources
from ptxgen.errors import AssembleError, Diagnostic


@frozen
class Cubin:
    """Machine code for one architecture.

    `resources` maps a kernel's name to what it takes. `messages` are the assembler's errors, warnings and info lines,
    without statistics; `log` is all it wrote. `assembler` is name and version, such as "nvJitLink 13.5".
    """

    code: bytes = field(repr=lambda code: f"<{len(code)} bytes>")
    arch: str
    resources: dict[str, Resources]
    messages: tuple[Message, ...]
    assembler: str
    log: str = field(default="", repr=False)

    @property
    def size(self) -> int:
        """Bytes of the cubin."""
        return len(self.code)

    @classmethod
    def of(cls, code: bytes, arch: str, assembler: str, log: str) -> Cubin:
        """A cubin as an assembler wrote it, with its log. Spills are in the log alone, the rest in the ELF file."""
        spills = spills_of(log)
        resources = {
            name: evolve(taken, spill_stores=spills[name].stores, spill_loads=spills[name].loads)
            if name in spills
            else taken
            for name, taken in read_resources(code).items()
        }
        return cls(code, arch, resources, messages_of(log), assembler, log)


def refusal(assembler: str, arch: str, log: str, failure: str = "") -> AssembleError:
    """The error for text that an assembler did not take: its log, one diagnostic for each line of it.

    `failure` is what is known beside the log (a status, a signal).
    """
    lines = [f"{assembler} could not assemble the module for {arch}" + (f": {failure}" if failure else "")]
    lines += [f"  {message}" for message in messages_of(log)]
    return AssembleError("\n".join(lines), diagnostics_of(log) or (Diagnostic("assembler", "error", lines[0]),))
