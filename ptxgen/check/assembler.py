"""What only matters when code is made: ptxas reads it, and the assembler behind refuses."""

from __future__ import annotations

from attrs import define

from ptxgen.errors import Diagnostic
from ptxgen.isa import targets, versions
from ptxgen.isa.data import load


@define(eq=False, weakref_slot=False, repr=False)
class Assembler:
    """Who is to make code of a module, as far as the question says.

    arch      the architecture; "" when the question is only whether ptxas reads the module
    toolkit   the CUDA toolkit; "" for the newest
    """

    arch: str
    toolkit: str

    def finding(self, message: str, instruction: str, need: str, hint: str = "") -> Diagnostic:
        """What keeps a module from being assembled: an error when that was asked, else a warning."""
        severity = "error" if self.arch else "warning"
        return Diagnostic("not-assembled", severity, message, instruction, need=need, hint=hint)

    def wide_addresses(self) -> str:
        """Why addresses of 32 bits do not assemble; "" where they do, on old architectures with old toolkits."""
        row = load("directives")["module"][".address_size"]
        last: str = row["assembled"]["32"]
        first: str = row["narrow"]
        if self.arch and targets.meets(self.arch, first):
            return f"{first} and later have none of 32"
        if not self.toolkit or versions.parse(".".join(self.toolkit.split(".")[:2])) > versions.parse(last):
            return f"toolkits newer than CUDA {last} have none of 32"
        return ""
