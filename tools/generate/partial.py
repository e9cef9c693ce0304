"""Conditions on a statement whose operands are known in part: they hold, do not hold, or may do either."""

from __future__ import annotations

from typing import TypeGuard

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import Tree, holds
from ptxgen.isa.logic import decided
from ptxgen.isa.opcodes import Reading


@define(eq=False)
class Partial:
    """An opcode with some of its operands: a `ptxgen.isa.conditions.Statement`."""

    reading: Reading
    operands: dict[str, OperandClass] = field(factory=dict[str, OperandClass])  # what is known of them
    present: frozenset[str] = frozenset()  # operands that are there, of whatever class
    coming: frozenset[str] = frozenset()  # tokens and slots that may still be added; ".type" for any type
    open: bool = False  # whether nothing is known yet about which operands there are
    tokens: tuple[str, ...] = field(init=False)
    slots: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tokens, self.slots = self.reading.tokens, self.reading.slots
        for template in self.reading.line.operands:
            operand = self.operands.get(template.name) if template.selector_slot else None
            if operand is not None and operand.selector:
                self.slots = {**self.slots, template.selector_slot: len(self.tokens)}
                self.tokens = (*self.tokens, operand.selector)

    @property
    def mnemonic(self) -> str:
        return self.reading.mnemonic

    @property
    def alias(self) -> str:
        return self.reading.line.family.alias

    @property
    def options(self) -> frozenset[str]:
        return frozenset()


def decide(tree: Tree, statement: Partial) -> bool | None:
    """True or False when the condition holds or fails whatever the rest is; else None."""
    return decided(tree, _decide, statement)


def _decide(tree: Tree, statement: Partial) -> bool | None:
    match tree[0]:
        case "has":
            return holds(tree, statement) or (None if _may_come(tree, statement) else False)
        case "option":
            return None
        case "on" | "is" | "sink" if statement.open:
            return None
        case "on":
            return tree[1] in statement.present
        case "is":
            return None if tree[1] in statement.present - statement.operands.keys() else holds(tree, statement)
        case "sink":
            asked = {tree[1]} if tree[1] else statement.present
            return holds(tree, statement) or (None if asked & statement.present - statement.operands.keys() else False)
        case _:
            return None if statement.coming and _undecided(tree, statement) else holds(tree, statement)


def _may_come(tree: Tree, statement: Partial) -> bool:
    """Whether each step of a pattern is there or may come."""
    coming, tokens, slots = statement.coming, statement.tokens, statement.slots
    return bool(coming) and all(
        any(name in coming or name in slots or name in tokens for name in step) for step in tree[1:]
    )


def _undecided(tree: Tree, statement: Partial) -> bool:
    """Whether a value of the condition is of a token that may still come."""
    match tree:
        case ["slot", name]:
            return name not in statement.slots and name in statement.coming
        case ["nth", number]:
            return ".type" in statement.coming and types.nth(statement.tokens, number) is None
        case [_, *parts]:
            return any(_undecided(part, statement) for part in parts if is_tree(part))
        case _:
            return False


def concerns_operands(tree: Tree, selectors: set[str]) -> bool:
    """Whether a condition looks at operands, or at what depends on the module, and not at tokens alone."""
    if tree[0] in ("on", "is", "sink", "option"):
        return True
    if tree[0] == "has":
        return any(selectors & set(step) for step in tree[1:])
    if tree[0] == "slot":
        return tree[1] in selectors
    return any(bool(part) and concerns_operands(part, selectors) for part in tree[1:] if is_tree(part))


def is_tree(part: object) -> TypeGuard[Tree]:
    """Whether a part of a tree is a tree, and no name or number."""
    return isinstance(part, list)
