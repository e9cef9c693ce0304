"""Conditions on a statement whose operands are known in part: they hold, do not hold, or may do either."""

from __future__ import annotations

from attrs import define, field

from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import Tree, holds
from ptxgen.isa.opcodes import Reading


@define(eq=False)
class Partial:
    """An opcode with some of its operands: a `ptxgen.isa.conditions.Statement`."""

    reading: Reading
    operands: dict[str, OperandClass] = field(factory=dict)  # what is known of them
    present: frozenset[str] = frozenset()  # operands that are there, of whatever class
    selectable: frozenset[str] = frozenset()  # selectors, and their slots, that an operand may bring in

    @property
    def mnemonic(self) -> str:
        return self.reading.mnemonic

    @property
    def alias(self) -> str:
        return self.reading.line.family.alias

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens

    @property
    def slots(self) -> dict[str, int]:
        return self.reading.slots

    @property
    def options(self) -> frozenset[str]:
        return frozenset()


def decide(tree: Tree, statement: Partial) -> bool | None:
    """True or False when the condition holds or fails whatever the rest is; else None."""
    match tree[0]:
        case "and":
            return _all([decide(part, statement) for part in tree[1:]])
        case "or":
            return _not(_all([_not(decide(part, statement)) for part in tree[1:]]))
        case "not":
            return _not(decide(tree[1], statement))
        case "=>":
            return _not(_all([decide(tree[1], statement), _not(decide(tree[2], statement))]))
        case "<=>":
            left, right = decide(tree[1], statement), decide(tree[2], statement)
            return None if left is None or right is None else left == right
        case "on":
            return tree[1] in statement.present
        case "is":
            return None if tree[1] in statement.present - statement.operands.keys() else holds(tree, statement)
        case "sink":
            asked = {tree[1]} if tree[1] else statement.present
            return holds(tree, statement) or (None if asked & statement.present - statement.operands.keys() else False)
        case "option":
            return None
        case "has":
            named = any(name in statement.selectable for step in tree[1:] for name in step)
            return holds(tree, statement) or (None if named else False)
        case _:
            return None if _names(tree) & statement.selectable else holds(tree, statement)


def concerns_operands(tree: Tree, selectors: set[str]) -> bool:
    """Whether a condition looks at operands, or at what depends on the module, and not at tokens alone."""
    if tree[0] in ("on", "is", "sink", "option"):
        return True
    parts = [part for part in tree[1:] if isinstance(part, list)]
    return any(
        bool(selectors & set(part)) if tree[0] == "has" else bool(part) and concerns_operands(part, selectors)
        for part in parts
    ) or (tree[0] == "slot" and tree[1] in selectors)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _names(tree: Tree) -> set[str]:
    """The slots that values of a condition name."""
    found = {tree[1]} if tree[0] == "slot" else set[str]()
    for part in tree[1:]:
        if isinstance(part, list) and part and isinstance(part[0], str):
            found |= _names(part)
    return found
