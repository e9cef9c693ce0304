"""Which tokens of a syntax line decide about its operands and its legality, and which are alike.

`ld.global.L1::evict_first` and `.L1::evict_last` take the same operands under the same conditions: one of them may
stand for both, and a cache operator that no condition names for nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Line, Modifier, Template
from tools.generate.partial import is_tree

Representatives = tuple[dict[str, str], ...]


def representatives(line: Line) -> Representatives:
    """For each modifier: token -> the first token that decides as it does, "" when none is as good."""
    interest = _Interest()
    for row in line.block.rules:
        interest.visit(row.condition)
    for name in names(line.operands):
        for condition, kind in line.block.kinds.get(name, []):
            interest.visit(condition)
            interest.visit(kind["bases"])
    return tuple(_alike(modifier, interest) for modifier in line.modifiers)


def names(templates: tuple[Template, ...]) -> Iterator[str]:
    """Every operand name in the templates."""
    for template in templates:
        if template.shape not in ("sink", "number") and template.name:
            yield template.name
        if template.second:
            yield template.second
        yield from names(template.inner)


def _alike(modifier: Modifier, interest: _Interest) -> dict[str, str]:
    first: dict[object, str] = {}
    found: dict[str, str] = {}
    for token in modifier.tokens:
        role = interest.role(token, modifier)
        found[token] = "" if not role and modifier.group else first.setdefault(role, token)
    return found


@define
class _Interest:
    """What the conditions and kinds of a line look at."""

    alternatives: list[frozenset[str]] = field(factory=list[frozenset[str]])  # what a condition takes for one another
    slots: set[str] = field(factory=set[str])  # whose very token counts
    types: bool = False  # types count by their position
    spaces: bool = False
    shapes: bool = False

    def visit(self, tree: Tree | None) -> None:
        match tree:
            case ["has", *steps]:
                self.alternatives += [frozenset(step) for step in steps]
            case ["slot" | "num", name]:
                self.slots.add(name)
                self.types |= name == ".type"
            case ["nth", _]:
                self.types = True
            case ["dim", _]:
                self.shapes = True
            case ["addr", *rest]:
                self.spaces = True
                self.visit(rest)
            case list():
                for part in tree:
                    if is_tree(part):
                        self.visit(part)
            case _:
                pass

    def role(self, token: str, modifier: Modifier) -> object:
        """What the conditions can tell of a token: tokens with one role are alike; () is no role at all."""
        if modifier.slot and modifier.name in self.slots:
            return token
        if self.types and types.type_of(token) is not None:
            return token
        if self.spaces and token.split("::")[0] in types.spaces():
            return token
        if self.shapes and re.match(r"\.m\d+n\d+", token):
            return token
        named = {token, modifier.name} if modifier.slot else {token}
        return tuple(at for at, names in enumerate(self.alternatives) if names & named)
