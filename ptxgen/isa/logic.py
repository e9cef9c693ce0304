"""The connectives of conditions over what is true, false, or not decided yet (None)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ptxgen.isa.conditions import Tree

Known = TypeVar("Known")


def decided(tree: Tree, atom: Callable[[Tree, Known], bool | None], known: Known) -> bool | None:
    """What a condition comes to when `atom` says what each of its parts without connectives comes to."""
    match tree[0]:
        case "and":
            return _all([decided(part, atom, known) for part in tree[1:]])
        case "or":
            return _not(_all([_not(decided(part, atom, known)) for part in tree[1:]]))
        case "not":
            return _not(decided(tree[1], atom, known))
        case "=>":
            return _not(_all([decided(tree[1], atom, known), _not(decided(tree[2], atom, known))]))
        case "<=>":
            left, right = decided(tree[1], atom, known), decided(tree[2], atom, known)
            return None if left is None or right is None else left == right
        case _:
            return atom(tree, known)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: list[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True
