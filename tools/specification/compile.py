"""Compile specification files to the tables that `ptxgen.isa` reads."""

from __future__ import annotations

import json
from typing import Any

from tools.specification.family import AVAILABILITY, INSTEAD, RULES, Block, Family
from tools.specification.notation import Line, Operand


def compile_family(family: Family) -> str:
    """One JSON line."""
    raw: dict[str, Any] = {"name": family.name, "mnemonics": family.mnemonics, "summary": family.summary}
    if family.alias:
        raw["alias"] = family.alias
    raw["blocks"] = [_block(block, family.head) for block in family.blocks]
    return json.dumps(raw, separators=(",", ":"), ensure_ascii=True)


def compile_index(families: list[Family]) -> str:
    """The first line of the table: mnemonic -> number of the line that describes it."""
    index = {mnemonic: at for at, family in enumerate(families, 1) for mnemonic in family.mnemonics}
    return json.dumps(index, separators=(",", ":"))


def compile_effects(family: Family) -> list[list[list[Any]]]:
    """Of each block, the effects that a statement has and the condition under which it has them."""
    return [[[s.tree, s.effects] for s in block.sentences if s.effects] for block in family.blocks]


def _block(block: Block, head: tuple[str, ...]) -> dict[str, Any]:
    sets: dict[tuple[str, ...], int] = {}
    raw: dict[str, Any] = {
        "section": block.section,
        "kinds": {name: [[c.condition, c.kind] for c in choices] for name, choices in block.kinds.items()},
        "lines": [_line(line, head, sets) for line in block.notation.lines],
        "sets": list(sets),
    }
    rules = [[s.text, s.tree, s.key] for s in block.sentences if s.key in RULES]
    if rules:
        raw["rules"] = rules
    for key in (*AVAILABILITY, INSTEAD):
        rows = [[s.text, s.tree, s.needs] for s in block.sentences if s.key == key]
        if rows:
            raw[key] = rows
    if block.defaults:
        raw["defaults"] = block.defaults
    if block.traits:
        raw["traits"] = block.traits
    return raw


def _line(line: Line, head: tuple[str, ...], sets: dict[tuple[str, ...], int]) -> list[Any]:
    def index(tokens: tuple[str, ...]) -> int:
        return sets.setdefault(tokens, len(sets))

    modifiers = [[m.name, index(m.tokens), m.group, int(m.slot)] for m in line.modifiers]
    heads = [at for at, m in enumerate(line.modifiers, 1) if m.name in head or set(m.tokens) & set(head)]
    return [
        line.text,
        line.mnemonic,
        modifiers,
        [_operand(operand, index) for operand in line.operands],
        max(heads, default=0),
        int(line.beyond),
    ]


def _operand(operand: Operand, index: Any) -> dict[str, Any]:
    raw: dict[str, Any] = {"name": operand.name}
    if operand.shape != "value":
        raw["shape"] = operand.shape
    if operand.group:
        raw["group"] = operand.group
    if operand.inner:
        raw["inner"] = [_operand(inner, index) for inner in operand.inner]
    if operand.second:
        raw["second"] = operand.second
        raw["second_optional"] = operand.second_optional
    if operand.selectors:
        raw["selectors"] = index(operand.selectors)
        raw["selector_slot"] = operand.selector_slot
        raw["selector_optional"] = operand.selector_optional
    if operand.prefix:
        raw["prefix"] = operand.prefix
    return raw
