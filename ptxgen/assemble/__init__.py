"""PTX to cubin, without a GPU: nvJitLink, or a ptxas of any release.

`ptxgen.assemble(module)` gives a `Cubin`: the code, what each kernel takes of registers, shared and local memory,
and every line that the assembler said. Nothing heavy is imported before the first call.
"""

from ptxgen.assemble.advice import Advice, advice_on
from ptxgen.assemble.assembler import Assembler, assemblers, default_assembler
from ptxgen.assemble.cubin import Cubin
from ptxgen.assemble.log import Message
from ptxgen.assemble.module import assemble
from ptxgen.assemble.nvjitlink import NvJitLink
from ptxgen.assemble.ptxas import Ptxas, find_ptxas
from ptxgen.assemble.resources import Resources
from ptxgen.packages import make_callable

__all__ = [
    "Advice",
    "Assembler",
    "Cubin",
    "Message",
    "NvJitLink",
    "Ptxas",
    "Resources",
    "advice_on",
    "assemble",
    "assemblers",
    "default_assembler",
    "find_ptxas",
]

make_callable(__name__, "ptxgen.assemble.module", "assemble")
