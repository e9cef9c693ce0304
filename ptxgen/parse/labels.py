"""Names in a body that are declared nowhere: labels are looked for when the body has ended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptxgen.ir.operands import Address, Arguments, Group, Name, Operand, Pair, Vector
from ptxgen.ir.statements import Close, Label, Open, Targets
from ptxgen.parse.body import Body
from ptxgen.parse.cursor import Unreadable


def unknown_names(body: Body, start: int, end: int) -> list[Unreadable]:
    """The names that stand for nothing, each once, where it is first used; the function stands from start to end."""
    used = body.names.used
    if not used:
        return []
    if body.nested:
        missing = _without_scope(body)
    else:
        known = body.labels[0]
        missing = _first(body.text, {name for name in used if name not in known}, start, end)
    return [_unknown(name, body, at) for name, at in missing.items()]


def _unknown(name: str, body: Body, at: int) -> Unreadable:
    message = f"{name} is not declared"
    if name in body.names.labels:
        return Unreadable(f"{message}; a label is seen in its own scope and those within it", at, "unknown-name")
    return Unreadable(message, at, "unknown-name", f"declare it before it is used, or place the label {name}:")


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


def _without_scope(body: Body) -> dict[str, int]:
    """The unknown names when labels stand in scopes of their own, with the statement that uses each."""
    labels = _labels_of_scopes(body)
    missing: dict[str, int] = {}
    stack = [0]
    count = 0
    for statement, place in zip(body.function.body, body.function.places, strict=True):
        if isinstance(statement, Open):
            count += 1
            stack.append(count)
        elif isinstance(statement, Close):
            stack.pop()
        else:
            listed = statement.targets if isinstance(statement, Targets) else statement
            for operand in _names(listed) if isinstance(listed, tuple) else ():
                name = operand.text
                if name in body.names.used and not any(name in labels[scope] for scope in stack):
                    missing.setdefault(name, place)
    return missing


def _labels_of_scopes(body: Body) -> list[set[str]]:
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


def _names(operands: tuple[Operand, ...]) -> Iterator[Name]:
    for operand in operands:
        if isinstance(operand, Name):
            yield operand
        elif isinstance(operand, Group | Address | Vector | Arguments):
            yield from _names(operand.elements)
        elif isinstance(operand, Pair):
            yield from _names((operand.first, operand.second))
