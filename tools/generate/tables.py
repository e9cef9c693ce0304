"""The tables that `ptxgen.isa` reads."""

from __future__ import annotations

import json

from tools.specification.compile import compile_effects, compile_family, compile_index
from tools.specification.specification import GLOBALS, Specification


def instruction_table(specification: Specification) -> str:
    """`instructions.jsonl`: an index, then one family a line."""
    families = specification.families
    return "\n".join([compile_index(families), *map(compile_family, families)]) + "\n"


def semantics_table(specification: Specification) -> str:
    """`semantics.jsonl`: per family, the text of each block ("" where none is given)."""
    rows = {family.name: [block.semantics for block in family.blocks] for family in specification.families}
    return "\n".join(json.dumps([name, texts]) for name, texts in rows.items()) + "\n"


def effects_table(specification: Specification) -> str:
    """`effects.jsonl`: per family that has any, the rows of each block."""
    rows = {family.name: compile_effects(family) for family in specification.families}
    return "\n".join(json.dumps([name, blocks]) for name, blocks in rows.items() if any(blocks)) + "\n"


def global_tables(specification: Specification) -> dict[str, str]:
    """File name -> content of each global table; examples are for certification alone."""
    tables = {name: {k: v for k, v in specification.tables[name].items() if k != "examples"} for name in GLOBALS}
    return {f"{name}.json": json.dumps(tables[name], indent=0, ensure_ascii=True) + "\n" for name in GLOBALS}
