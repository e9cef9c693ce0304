"""Whether two modules are the same, whatever text they were read from or whoever built them.

A module is taken apart into facts: one for its header, one for each declaration, one for each statement of a body.
Operands count by text and class. Left out are places in the source and, of classes, the function that they belong to.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from attrs import fields, has

from ptxgen.ir.module import Function, Module
from ptxgen.isa.classes import OperandClass, plain

Fact = tuple[str, list[Any]]  # where it is, and what is there

_LEFT_OUT = frozenset({"source", "places", "scope", "variants"})  # where it comes from, and what follows from the rest
_APART = frozenset({"items", "body"})  # facts of their own
_END: Fact = ("the end", [])
_SHOWN = 300  # characters of a fact in a message


def difference(a: Module, b: Module) -> str:
    """What is the first difference of two modules, "" where they are equal."""
    for (place, first), (other, second) in zip_longest(_facts(a), _facts(b), fillvalue=_END):
        if first != second:
            return f"{place if place != _END[0] else other}: {_shown(first)} against {_shown(second)}"
    return ""


def _facts(module: Module) -> Iterator[Fact]:
    yield "the header", _parts(module)
    for number, item in enumerate(module.items, 1):
        yield f"declaration {number}", _parts(item)
        if isinstance(item, Function):
            yield from _statements(item)


def _statements(function: Function) -> Iterator[Fact]:
    where = f"{function.name}, statement"
    for number, statement in enumerate(function.body, 1):
        if isinstance(statement, tuple):
            head, *operands = statement
            found: list[Any] = [] if head.guard is None else [head.guard.text, plain(head.guard.cls)]
            found.append(head.variant.opcode)
            for operand in operands:
                found += operand.text, plain(operand.cls)
        else:
            found = _parts(statement)
        yield f"{where} {number}", found


def _parts(whole: object) -> list[Any]:
    """A tree of declarations and operands as a flat list, its branches in parentheses.

    What an initial value names counts by its text: a variable may hold its own address.
    """
    found: list[Any] = []
    left: list[tuple[Any, bool]] = [(whole, False)]  # each part, and whether it is an initial value
    while left:
        part, initial = left.pop()
        kind = part.__class__
        if kind is tuple:
            found.append("(")
            left.append((_CLOSING, initial))
            left.extend((each, initial) for each in reversed(part))
        elif part is _CLOSING:
            found.append(")")
        elif kind is OperandClass:
            found.append(plain(part))
        elif has(kind):
            found.append(kind.__name__)
            if initial:
                found.append(part.text)
            else:
                left.extend((getattr(part, name), name == _INITIAL) for name in reversed(_names(kind)))
        else:
            found.append(repr(part))
    return found


_CLOSING = object()
_INITIAL = "initial"


@lru_cache(maxsize=64)
def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a class that count."""
    return tuple(each.name for each in fields(kind) if each.name not in _LEFT_OUT | _APART)


def _shown(fact: list[Any]) -> str:
    text = " ".join(_word(part) for part in fact) or "nothing"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _word(part: Any) -> str:
    return part.describe() if isinstance(part, OperandClass) else str(part)
