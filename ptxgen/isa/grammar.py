"""The modifier grammar as an automaton: which tokens may follow a prefix of an opcode in the manual's order.

A state is a place in a syntax line. The places that a prefix can have reached, over all lines of a mnemonic, form a
frozenset: the builder walks them token by token, and the stubs are printed from them.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from functools import cache

from attrs import frozen

from ptxgen.isa.family import Line, table

_RATIO = re.compile(r"::(\d)_(\d+)$")  # .sp::2:4, but not .warpx2::02_13
_NUMBER = re.compile(r"_(\d+)_$")  # .const[3]
_PUNCTUATION = str.maketrans(":[]", "___")


@frozen(repr=False)
class Place:
    """A place in a syntax line, or within a dotted mnemonic."""

    line: Line
    mnemonic: str
    words: tuple[str, ...]  # of the mnemonic, still to come
    at: int = 0  # index of the next modifier
    inside: int = 0  # optional group that has been entered

    def complete(self) -> bool:
        """Whether the opcode may end here."""
        return not self.words and all(m.group and m.group != self.inside for m in self.line.modifiers[self.at :])

    def steps(self) -> Iterator[tuple[str, Place]]:
        """Each token that may come next, with the place that it leads to."""
        if self.words:
            yield f".{self.words[0]}", Place(self.line, self.mnemonic, self.words[1:])
            return
        modifiers = self.line.modifiers
        at = self.at
        while at < len(modifiers):
            modifier = modifiers[at]
            for token in modifier.tokens:
                yield token, Place(self.line, self.mnemonic, (), at + 1, modifier.group)
            if not modifier.group or modifier.group == self.inside:
                return
            at += 1
            while at < len(modifiers) and modifiers[at].group == modifier.group:
                at += 1


Places = frozenset[Place]


def roots() -> dict[str, list[str]]:
    """First word of a mnemonic -> the mnemonics that begin with it."""
    found: dict[str, list[str]] = {}
    for mnemonic in table().mnemonics():
        found.setdefault(mnemonic.split(".")[0], []).append(mnemonic)
    return found


@cache
def start(root: str) -> Places:
    """The places before the first token after a first word such as `cp` or `add`."""
    places: set[Place] = set()
    for mnemonic in table().mnemonics():
        first, *words = mnemonic.split(".")
        family = table().family(mnemonic) if first == root else None
        if family is not None:
            lines = [line for line in family.lines_of(mnemonic) if not line.beyond]
            places.update(Place(line, mnemonic, tuple(words)) for line in lines)
    return frozenset(places)


@cache
def after(places: Places, token: str) -> Places:
    """The places that one more token leads to; empty when none does."""
    return frozenset(next_ for place in places for step, next_ in place.steps() if step == token)


def choices(places: Places) -> dict[str, None]:
    """The tokens that may follow, in the order of the specification."""
    ordered = sorted(places, key=lambda place: (place.mnemonic, place.line.family.lines.index(place.line), place.at))
    return dict.fromkeys(token for place in ordered for token, _ in place.steps())


@cache
def complete(places: Places) -> bool:
    """Whether the opcode may end here."""
    return any(place.complete() for place in places)


def escape(token: str) -> str:
    """A token as a Python name: `.shared::cta` -> shared__cta, `.2d` -> _2d, `.and` -> and_, `.sp::2:4` -> sp__2_4,
    `.const[3]` -> const_3_."""
    name = token.lstrip(".").replace("::", "__").translate(_PUNCTUATION)
    if name[:1].isdigit():
        return f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def unescape(name: str) -> str:
    """The token of a Python name; the inverse of `escape`."""
    if name.endswith("_") and keyword.iskeyword(name[:-1]):
        name = name[:-1]
    elif name[:1] == "_" and name[1:2].isdigit():
        name = name[1:]
    return "." + _RATIO.sub(r"::\1:\2", _NUMBER.sub(r"[\1]", name).replace("__", "::"))
