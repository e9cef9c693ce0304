"""PTX text to cubin, without a GPU: nvJitLink, or a ptxas of any release.

`assemble(text, "sm_90a")` gives a `Cubin`: the code, what each kernel takes of registers, shared and local memory,
and every line that the assembler said. Nothing heavy is imported before the first call.
"""

from ptxgen.assemble.assembler import Assembler, assemble, assemblers, default_assembler
from ptxgen.assemble.cubin import Cubin
from ptxgen.assemble.log import Message
from ptxgen.assemble.nvjitlink import NvJitLink
from ptxgen.assemble.ptxas import Ptxas, find_ptxas
from ptxgen.assemble.resources import Resources

__all__ = [
    "Assembler",
    "Cubin",
    "Message",
    "NvJitLink",
    "Ptxas",
    "Resources",
    "assemble",
    "assemblers",
    "default_assembler",
    "find_ptxas",
]
