"""Conditions on a syntax line of which some modifiers are chosen: true, false, or not decided yet.

What a condition says of operands' sorts and of options stays undecided: some statement has it and another has not.
"""

from __future__ import annotations

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.conditions import Tree, predicate
from ptxgen.isa.family import Line, Modifier, Template
from ptxgen.isa.logic import decided

LEFT_OUT = ""  # chosen for a modifier that is not there


class Undecided:
    """The value of a slot that nothing is chosen for yet."""


UNDECIDED = Undecided()
Value = str | int | None | Undecided


@define(eq=False, weakref_slot=False, repr=False)
class Partial:
    """A line with a token, LEFT_OUT or None (not chosen yet) for each of its places: modifiers, then selectors."""

    line: Line
    mnemonic: str
    chosen: list[str | None]
    present: frozenset[str] = frozenset()  # optional operands that are taken to be there
    places: tuple[Modifier, ...] = field(init=False)
    certain: frozenset[str] = field(init=False)  # operands that every statement has
    possible: frozenset[str] = field(init=False)  # and that some have

    def __attrs_post_init__(self) -> None:
        selectors = _selectors(self.line.operands)
        self.places = (*self.line.modifiers, *selectors)
        self.chosen = [*self.chosen, *(None for _ in selectors)]
        self.certain = frozenset(_names(self.line.operands, certain=True)) | self.present
        self.possible = frozenset(_names(self.line.operands, certain=False))


def open_line(line: Line, mnemonic: str, present: frozenset[str] = frozenset()) -> Partial:
    """A line of which only that is chosen which leaves no choice."""
    chosen = [m.tokens[0] if not m.group and len(m.tokens) == 1 else None for m in line.modifiers]
    return Partial(line, mnemonic, chosen, present)


def truth(tree: Tree, given: Partial) -> bool | None:
    """Whether a condition holds for all statements (True), for none (False), or neither is certain (None)."""
    return decided(tree, _truth, given)


def _truth(tree: Tree, given: Partial) -> bool | None:
    match tree[0]:
        case "has":
            return True if _occurs(tree, given, True) else None if _occurs(tree, given, False) else False
        case "==" | "in" | "<" | ">":
            return _compare(tree, given)
        case "call":
            values = [value(argument, given) for argument in tree[2:]]
            certain = [each for each in values if not isinstance(each, Undecided)]
            return predicate(tree[1], certain) if len(certain) == len(values) else None
        case "mnemonic":
            return tree[1] in (given.mnemonic, given.line.family.alias)
        case "on":
            return True if tree[1] in given.certain else None if tree[1] in given.possible else False
        case "is":
            return None if tree[1] in given.possible else False
        case "sink":
            return None if not tree[1] or tree[1] in given.possible else False
        case _:
            return None


def settled(tree: Tree, given: Partial) -> Tree:
    """The tree of a kind with the types and numbers that are decided in place of slots."""
    match tree:
        case ["nth" | "slot", _]:
            found = value(tree, given)
            return ["token", found] if isinstance(found, str) else tree
        case ["num", name]:
            found = value(["slot", name], given)
            return ["int", types.number(found)] if isinstance(found, str) else tree
        case ["scaled", up, down, of]:
            found = value(of, given)
            names = types.scaled(found, up, down) if isinstance(found, str) else []
            return ["token", f".{names[0]}"] if names else tree
        case _:
            parts: Tree = [settled(part, given) if isinstance(part, list) else part for part in tree]  # pyright: ignore[reportUnknownArgumentType]
            return parts


def value(tree: Tree, given: Partial) -> Value:
    """A token (with its dot), a number, None where a slot is empty, or UNDECIDED."""
    match tree[0]:
        case "slot":
            return _slot(tree[1], given)
        case "nth":
            return _nth(tree[1], given)
        case "bits" | "count":
            token = value(tree[1], given)
            if isinstance(token, Undecided):
                return UNDECIDED
            if tree[0] == "bits":
                return types.bits(token) if isinstance(token, str) else 0
            return types.number(token) if isinstance(token, str) else 1
        case "*":
            left, right = value(tree[1], given), value(tree[2], given)
            if isinstance(left, Undecided) or isinstance(right, Undecided):
                return UNDECIDED
            return _number(left) * _number(right)
        case _:
            return tree[1]


def _slot(name: str, given: Partial) -> Value:
    for place, token in zip(given.places, given.chosen, strict=True):
        if place.slot and place.name == name and token != LEFT_OUT:
            return UNDECIDED if token is None else token
    return _nth(1, given) if name == ".type" else None


def _nth(number: int, given: Partial) -> Value:
    found = 0
    for place, token in zip(given.places, given.chosen, strict=True):
        if token is None:
            if any(types.type_of(other) is not None for other in place.tokens):
                return UNDECIDED
        elif token and types.type_of(token) is not None:
            found += 1
            if found == number:
                return token
    return None


def _compare(tree: Tree, given: Partial) -> bool | None:
    left = value(tree[1], given)
    if isinstance(left, Undecided):
        return None
    if tree[0] == "in":
        return left in tree[2]
    right = value(tree[2], given)
    if isinstance(right, Undecided):
        return None
    match tree[0]:
        case "==":
            return left == right
        case "<":
            return _number(left) < _number(right)
        case _:
            return _number(left) > _number(right)


def _number(found: str | int | None) -> int:
    return found if isinstance(found, int) else 0


def _occurs(tree: Tree, given: Partial, certain: bool) -> bool:
    """Whether the tokens of a pattern occur in this order: chosen ones, or also such as may still be chosen."""
    at = 0
    for names in tree[1:]:
        while at < len(given.places) and not _is_one(given.places[at], given.chosen[at], names, certain):
            at += 1
        if at == len(given.places):
            return False
        at += 1
    return True


def _is_one(place: Modifier, token: str | None, names: list[str], certain: bool) -> bool:
    if token == LEFT_OUT or (token is None and certain):
        return False
    if place.slot and place.name in names:
        return True
    return token in names if token is not None else any(other in names for other in place.tokens)


def _selectors(templates: tuple[Template, ...]) -> list[Modifier]:
    """Selectors of operands count as tokens after the others; whether one stands there is never decided."""
    found = [Modifier(t.selector_slot, t.selectors, -at, True) for at, t in enumerate(templates, 1) if t.selectors]
    return found + [selector for template in templates for selector in _selectors(template.inner)]


def _names(templates: tuple[Template, ...], certain: bool) -> list[str]:
    found: list[str] = []
    for template in templates:
        if certain and template.group:
            continue
        found.append(template.name)
        if template.second and not (certain and template.second_optional):
            found.append(template.second)
        found += _names(template.inner, certain)
    return found
