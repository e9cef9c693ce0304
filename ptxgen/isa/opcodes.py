"""Read an opcode: which syntax lines have these modifiers, and what fills their slots.

ptxas takes modifiers in almost any order. What stays ordered: the head of a line (the modifiers that are part of the
name), and tokens of one ordered class among themselves: types, layouts, state spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.family import Family, Line, Modifier, table


@define(eq=False, weakref_slot=False, repr=False)
class Reading:
    """One way to read an opcode."""

    line: Line
    mnemonic: str
    tokens: tuple[str, ...]  # in the order of the manual
    slots: dict[str, int]  # filled slot -> index of its token
    repeated: tuple[str, ...] = ()  # written twice, which only ptxas takes
    ignored: tuple[str, ...] = ()  # not in the line; ptxas reads over them
    # Operand -> kind, filled by ptxgen.isa.kinds.
    kinds: dict[str, dict[str, Any] | None] = field(factory=dict[str, dict[str, Any] | None])

    @property
    def opcode(self) -> str:
        """The canonical text."""
        return self.mnemonic + "".join(self.tokens)


def read(opcode: str) -> tuple[str, tuple[Reading, ...]]:
    """The mnemonic ("" when there is none) and every reading of an opcode, in the order of the specification."""
    mnemonic, tokens = table().split(opcode)
    family = table().family(mnemonic) if mnemonic else None
    if family is None:
        return "", ()
    return mnemonic, tuple(readings(family, mnemonic, tokens))


def readings(family: Family, mnemonic: str, tokens: tuple[str, ...]) -> Iterator[Reading]:
    """Every assignment of the tokens to the modifiers of a line."""
    tokens, repeated = _without_repeats(mnemonic, tokens)
    wanted = frozenset(tokens)
    names = {mnemonic, mnemonic.split(".")[0]}
    ignored = {token for token in wanted if any(name + token in types.ignored() for name in names)}
    anywhere = {token for token in wanted if token in types.ignored() and token not in family.tokens}
    for line in family.lines_of(mnemonic):
        extra = ignored - line.tokens | anywhere
        if wanted - extra <= line.tokens and extra.isdisjoint(tokens[: line.head]):
            kept = [token for token in tokens if token not in extra]
            for filled in _assign(line.modifiers, 0, kept, {}, line.head):
                slots: dict[str, int] = {}
                for at, (modifier, _) in enumerate(filled):
                    if modifier.slot:
                        slots.setdefault(modifier.name, at)
                canonical = tuple(token for _, token in filled)
                yield Reading(line, mnemonic, canonical, slots, repeated, tuple(sorted(extra)))


def _without_repeats(mnemonic: str, tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens without those that ptxas takes twice, and these; words of the mnemonic count as written before."""
    words = [f".{word}" for word in mnemonic.split(".")[1:]]
    if len({*words, *tokens}) == len(words) + len(tokens):
        return tokens, ()
    kept: list[str] = []
    repeated: list[str] = []
    for token in tokens:
        twice = token in kept or token in words
        allowed = types.repeatable() & {token, mnemonic.split(".")[0] + token}
        (repeated if twice and allowed else kept).append(token)
    return tuple(kept), tuple(repeated)


def _assign(
    modifiers: tuple[Modifier, ...], at: int, left: list[str], groups: dict[int, bool], head: int
) -> Iterator[list[tuple[Modifier, str]]]:
    if at == len(modifiers):
        if not left:
            yield []
        return
    modifier = modifiers[at]
    if groups.get(modifier.group, True):
        for index, token in enumerate(left):
            if at < head and index:
                break
            if token not in modifier.tokens or _overtakes(token, left[:index]):
                continue
            taken = {**groups, modifier.group: True} if modifier.group else groups
            for rest in _assign(modifiers, at + 1, left[:index] + left[index + 1 :], taken, head):
                yield [(modifier, token), *rest]
            break
    if modifier.group and not groups.get(modifier.group):
        yield from _assign(modifiers, at + 1, left, {**groups, modifier.group: False}, head)


def _overtakes(token: str, before: list[str]) -> bool:
    """Whether taking `token` now would let it pass a token of its own ordered class."""
    kind = types.order_class(token)
    return bool(kind) and any(types.order_class(other) == kind for other in before)
