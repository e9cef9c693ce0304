"""Where to go on reading after an error, so that one error is one finding."""

from __future__ import annotations

import re

from ptxgen.parse.cursor import begins_line

_STOP = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?(?:\*/|\Z)|[;{}]', re.DOTALL)
_DEPTHS = {"{": 1, "}": -1}
_BEGINS_STATEMENT = re.compile(r"[A-Za-z_$%@{}]|\.[A-Za-z]")
_BEGINS_ITEM = re.compile(r"\.[A-Za-z]|@@")
# No line of the head of a function begins with one of these words.
_NEXT = r"(?P<next>\n[ \t]*(?=\.(?:visible|extern|weak|common|entry|func|global|const|file|section|alias)\b))"
_ITEM_STOP = re.compile(f"{_NEXT}|{_STOP.pattern}", re.DOTALL)
_INITIAL = re.compile(r"=\s*\Z")


def after_statement(text: str, at: int, start: int) -> int:
    """Where the statement ends that begins at `start` and cannot be read at `at`.

    That is behind its semicolon, else where a scope begins or ends, else at the new line where its end was missed.
    """
    depth = 0  # of braces around the elements of vectors
    for match in _STOP.finditer(text, start, at):
        mark = match[0]
        if mark == ";":
            depth = 0
        elif mark == "}" and depth == 0 and match.start() > start:
            return match.start()
        else:
            depth = max(depth + _DEPTHS.get(mark, 0), 0)
    if depth == 0 and at > start and begins_line(text, at) and _BEGINS_STATEMENT.match(text, at):
        return at
    for match in _STOP.finditer(text, at):
        if match[0] == ";":
            return match.end()
        if match[0] in _DEPTHS:
            if depth == 0 and match.start() > start:
                return match.start()
            depth = max(depth + _DEPTHS[match[0]], 0)
    return len(text)


def after_item(text: str, at: int, start: int) -> int:
    """Where the declaration of a module ends that begins at `start` and cannot be read at `at`.

    That is behind its semicolon or the body of its function, else at a new line on which another one begins.
    """
    if at > start and begins_line(text, at) and _BEGINS_ITEM.match(text, at):
        return at
    initialised = False  # the braces of an initialiser end nothing
    depth = 0  # of braces around what stands in a body
    for stop in _ITEM_STOP.finditer(text, start):
        mark, end = stop[0], stop.end()
        if stop["next"] is not None:
            if stop.start() >= at:
                return end
        elif depth:
            depth += _DEPTHS.get(mark, 0)
            if not depth and end > at:
                return end
        elif mark == "{" and not initialised:
            initialised = _INITIAL.search(text, max(start, stop.start() - _BLANKS), stop.start()) is not None
            depth = int(not initialised)
        elif end > at and (mark == ";" or (mark == "}" and not initialised)):
            return end
    return len(text)


_BLANKS = 100  # that stand between a brace and the sign before it, at most


def behind_braces(text: str, at: int) -> int:
    """The offset behind the brace that closes the one at an offset."""
    depth = 0
    for match in _STOP.finditer(text, at):
        depth += _DEPTHS.get(match[0], 0)
        if not depth:
            return match.end()
    return len(text)
