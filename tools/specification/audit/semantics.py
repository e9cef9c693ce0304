"""The texts under `semantics` are in the language of specs/semantics.md, and every block has one."""

from __future__ import annotations

from ptxgen.cpu.reference import check_semantics, name_of
from tools.specification.family import Block, Family
from tools.specification.reader import Problems

UNMODELLED = "unmodelled"


def audit(family: Family, problems: Problems) -> None:
    """Add every fault of the semantics texts; one that blocks share is read once for each."""
    found: dict[tuple[int, str], None] = {}
    for block in family.blocks:
        if not block.semantics:
            problems.add(family.path, block.line, "semantics", f"missing; write the text, or {UNMODELLED}")
        elif block.semantics != UNMODELLED:
            for line, message in check_semantics(block.semantics, language_names(family, block)):
                found[block.semantics_line + line, message] = None
    for line, message in found:
        problems.add(family.path, line, "semantics", message)


def language_names(family: Family, block: Block) -> frozenset[str]:
    """Every name that the semantics text of a block may use."""
    names = block.names
    words = {*names.operands, *names.slots, *names.selectors, *family.names.tokens, *block.defaults}
    kinds = {"type", *(f"type{n}" for n in range(1, 5)), *([family.alias] if family.alias else ())}
    return frozenset(map(name_of, words)) | kinds
