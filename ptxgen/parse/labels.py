"""Names in a body that are declared nowhere: labels are looked for when the body has ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ptxgen.ir.operands import Address, Arguments, Group, Name, Operand, Pair, Prefixed, Reg, Vector
from ptxgen.ir.statements import Close, Label, Open, Statement, Targets
from ptxgen.parse.body import Body
from ptxgen.parse.cursor import Unreadable


def unknown_names(body: Body, start: int, end: int) -> list[Unreadable]:
    """The names that stand for nothing, each once, where it is first used; the function stands from start to end."""
    used = body.names.used
    if not body.nested and used.keys() <= body.labels[0].keys():
        return []
    labels = _labels(body)
    everywhere = set[str]().union(*labels)
    missing: dict[str, int] = {}  # with the offset from which it is looked for
    for name, scopes, place in _uses(body):
        if name in used and name not in missing and not any(name in labels[scope] for scope in scopes):
            missing[name] = _first(body.text, {name}, place, end)[name]
    unread = used.keys() - everywhere - missing.keys()  # in statements that could not be read
    missing |= _first(body.text, unread, start, end)
    return [_unknown(name, body, at) for name, at in missing.items()]


def _unknown(name: str, body: Body, at: int) -> Unreadable:
    message = f"{name} is not declared"
    if name in body.names.labels:
        return Unreadable(f"{message}; a label is seen in its own scope and those within it", at, "unknown-name")
    label = "" if name[0] == "%" else f", or place the label {name}:"
    return Unreadable(message, at, "unknown-name", f"declare it before it is used{label}")


_WORD = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|([\w$%]+)", re.DOTALL | re.ASCII)


def _first(text: str, names: set[str], start: int, end: int) -> dict[str, int]:
    """The first offset of each name, not in a remark."""
    found = dict.fromkeys(sorted(names), start)
    left = set(names)
    for match in _WORD.finditer(text, start, end) if left else ():
        if match[1] in left:
            left.remove(match[1])
            found[match[1]] = match.start()
            if not left:
                break
    return found


def _labels(body: Body) -> list[set[str]]:
    """The labels of each scope, numbered as they open; the body's own is the first."""
    found: list[set[str]] = [set()]
    stack = [0]
    for statement in body.function.body:
        if isinstance(statement, Open):
            stack.append(len(found))
            found.append(set())
        elif isinstance(statement, Close):
            stack.pop()
        elif isinstance(statement, Label):
            found[stack[-1]].add(statement.name)
    return found


def _uses(body: Body) -> Iterator[tuple[str, list[int], int]]:
    """Each use of a name, with the scopes around it and the offset of its statement, or of its guard."""
    count, stack = 0, [0]
    for statement, place in zip(body.function.body, body.function.places, strict=True):
        if isinstance(statement, Open):
            count += 1
            stack.append(count)
        elif isinstance(statement, Close):
            stack.pop()
        else:
            guard: Reg[Any] | Prefixed[Any] | None = statement[0].guard if isinstance(statement, tuple) else None
            if guard is not None:
                yield guard.text.removeprefix("!"), stack, body.text.rfind("@", 0, place)
            for operand in _names(_operands(statement)):
                yield operand.text, stack, place


def _operands(statement: Statement) -> tuple[Operand, ...]:
    if isinstance(statement, tuple):
        return statement[1:]
    return statement.targets if isinstance(statement, Targets) else ()


def _names(operands: tuple[Operand, ...]) -> Iterator[Name]:
    for operand in operands:
        if isinstance(operand, Name):
            yield operand
        elif isinstance(operand, Group | Address | Vector | Arguments):
            yield from _names(operand.elements)
        elif isinstance(operand, Pair):
            yield from _names((operand.first, operand.second))
