"""Sorts of values in the global files: what a value has to be, and the faults of one that is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Protocol, TypeAlias

from attrs import field, frozen

from tools.specification.availability import AvailabilityError, read_needs
from tools.specification.reader import Node, Text, line_of

Found: TypeAlias = tuple[int, str, str]  # line, key, message


class Sort(Protocol):
    """What a value has to be."""

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """The faults of the value of a key."""
        ...


def _wants(what: str, node: Node, key: Text) -> Found:
    given = repr(str(node)) if isinstance(node, Text) else "a list" if isinstance(node, list) else "a mapping"
    return line_of(node, key.line), str(key), f"wants {what}, not {given}"


@frozen
class Word:
    """A text that fits."""

    what: str
    fits: Callable[[str], object]

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """It is no text, or does not fit."""
        if not isinstance(node, Text) or not self.fits(node):
            yield _wants(self.what, node, key)


def pattern(what: str, regex: str) -> Word:
    """A text of a form."""
    return Word(what, re.compile(regex, re.ASCII).fullmatch)


def one_of(what: str, names: Collection[str]) -> Word:
    """A name that a table has."""
    return Word(what, names.__contains__)


def choice(*words: str) -> Word:
    """One of a few words."""
    return one_of(" | ".join(words), words)


@frozen
class Needs:
    """Availability: a version, or target predicate to version."""

    targets: frozenset[str]
    versions: frozenset[str]

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """What `read_needs` says of it."""
        try:
            read_needs(node, self.targets, self.versions)
        except AvailabilityError as error:
            yield line_of(node, key.line), str(key), str(error)


@frozen
class Listed:
    """A list of values of one sort."""

    item: Sort

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """It is no list, or an item of it is wrong."""
        if not isinstance(node, list):
            yield _wants("a list", node, key)
            return
        for item in node:
            yield from self.item.faults(item, key)


@frozen
class Table:
    """A mapping from names of one sort to values of another; a few names may have their own."""

    name: Word
    value: Sort
    own: dict[str, Sort] = field(factory=dict[str, Sort])

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """It is no mapping, or a name or a value of it is wrong."""
        if not isinstance(node, dict):
            yield _wants("a mapping", node, key)
            return
        for name, value in node.items():
            if name not in self.own:
                yield from self.name.faults(name, name)
            yield from self.own.get(name, self.value).faults(value, name)


@frozen
class Entry:
    """A mapping with known keys; those that end in `!` are required."""

    keys: dict[str, Sort]
    either: tuple[str, ...] = ()  # keys of which one is required

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """It is no mapping; keys that are not known, missing, or have a wrong value."""
        if not isinstance(node, dict):
            yield _wants("a mapping", node, key)
            return
        sorts = {name.rstrip("!"): sort for name, sort in self.keys.items()}
        for name, value in node.items():
            if name in sorts:
                yield from sorts[name].faults(value, name)
            else:
                yield name.line, str(name), f"no key of {key}; the keys are {', '.join(sorts)}"
        required = [name.rstrip("!") for name in self.keys if name.endswith("!") and name.rstrip("!") not in node]
        if self.either and not set(self.either) & set(node):
            required.append(" or ".join(self.either))
        for name in required:
            yield line_of(node, key.line), name, f"missing; {key} has none"


@frozen
class Either:
    """A value of one of several sorts."""

    sorts: tuple[Sort, ...]

    def faults(self, node: Node, key: Text) -> Iterator[Found]:
        """Those by the sort that has the fewest."""
        yield from min((list(sort.faults(node, key)) for sort in self.sorts), key=len)


def either(*sorts: Sort) -> Either:
    """A value of one of several sorts."""
    return Either(sorts)
