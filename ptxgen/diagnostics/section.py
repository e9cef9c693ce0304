"""Where the manual speaks of what a diagnostic is about."""

from __future__ import annotations

from functools import lru_cache

from ptxgen.diagnostics.catalogue import codes
from ptxgen.errors import Diagnostic
from ptxgen.isa import opcodes
from ptxgen.isa.family import table


def section_of(found: Diagnostic) -> tuple[str, str]:
    """The number of the manual's section, and what it is about: ("9.7.9.21", "cvt"); ("", "") where none is known.

    That of the code, if it has one; of the opcode where it can be read; of the mnemonic, where that stands in one.
    """
    code = codes().get(found.code)
    if code is not None and code.section:
        return code.section, ""
    return _of_opcode(found.instruction) if found.instruction else ("", "")


@lru_cache(maxsize=1024)
def _of_opcode(opcode: str) -> tuple[str, str]:
    mnemonic, readings = opcodes.read(opcode)
    lines = [reading.line for reading in readings]
    if not lines:
        mnemonic = table().split(opcode)[0]
        family = table().family(mnemonic) if mnemonic else None
        lines = list(family.lines_of(mnemonic)) if family is not None else []
    sections = {line.block.section.split()[0] for line in lines}
    return sections.pop() if len(sections) == 1 else "", mnemonic
