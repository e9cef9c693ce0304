"""The names that the semantics text of a block may use."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.cpu.reference.language import name_of
from ptxgen.isa.family import Block, Family, Template

TYPES = ("type", "type1", "type2", "type3", "type4")


def names_of(block: Block, family: Family) -> frozenset[str]:
    """Operands and slots of the block, tokens of all lines of the family, and the types of the opcode."""
    found = {*block.defaults, *tokens_of(family), *TYPES}
    if family.alias:
        found.add(family.alias)
    for line in block.lines:
        found.update(modifier.name for modifier in line.modifiers if modifier.slot)
        for template in _templates(line.operands):
            found.update(name for name in (template.name, template.second, template.selector_slot) if name)
    return frozenset(map(name_of, found))


def tokens_of(family: Family) -> frozenset[str]:
    """Every token that a statement of the family may have, selectors of operands included."""
    selectors = (s for line in family.lines for template in _templates(line.operands) for s in template.selectors)
    return frozenset(selectors).union(*(line.tokens for line in family.lines))


def _templates(templates: tuple[Template, ...]) -> Iterator[Template]:
    for template in templates:
        if template.shape not in ("sink", "number"):
            yield template
        yield from _templates(template.inner)
