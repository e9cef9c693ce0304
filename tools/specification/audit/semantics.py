"""The texts under `semantics` are in the language of specs/semantics.md, and every block has one."""

from __future__ import annotations

from ptxgen.cpu.reference import check_semantics, names_of
from ptxgen.isa.family import Family as Compiled
from ptxgen.isa.semantics import UNMODELLED
from tools.specification.family import Family
from tools.specification.reader import Problems


def audit(family: Family, compiled: Compiled, problems: Problems) -> None:
    """Add every fault of the semantics texts; one that blocks share is read once for each."""
    found: dict[tuple[int, str], None] = {}
    for block, compiled_block in zip(family.blocks, compiled.blocks, strict=True):
        if not block.semantics:
            problems.add(family.path, block.line, "semantics", f"missing; write the text, or {UNMODELLED}")
        elif block.semantics != UNMODELLED:
            for line, message in check_semantics(block.semantics, names_of(compiled_block, compiled)):
                found[block.semantics_line + line, message] = None
    for line, message in found:
        problems.add(family.path, line, "semantics", message)
