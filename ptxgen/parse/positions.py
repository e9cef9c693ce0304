"""Where the operands of an instruction stand in the text that it was read from.

An operand is shared between instructions, so it has no place of its own: the statement is looked at again when one
asks.
"""

from __future__ import annotations

from ptxgen.ir.module import Function, Module
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.statement import opcode

_OPENING, _CLOSING = frozenset("[{("), frozenset("]})")


def operands(text: str, offset: int) -> list[tuple[int, int]]:
    """Beginning and end of each operand of the instruction whose opcode is at an offset."""
    cursor = Cursor(text, offset)
    found: list[tuple[int, int]] = []
    try:
        opcode(cursor)
        start = end = depth = 0
        while (match := cursor.peek()) is not None:
            mark = match[0]
            if depth == 0 and mark in (",", ";"):
                if start:
                    found.append((start, end))
                start = 0
                if mark == ";":
                    break
            else:
                start, end = start or match.start(), match.end()
                depth += (mark in _OPENING) - (mark in _CLOSING)
            cursor.at = match.end()
    except Unreadable:
        return found  # of what could be read once, the rest may have been dropped
    return found


def position(module: Module, function: Function, index: int, operand: int | None = None) -> tuple[int, int] | None:
    """Line and column, from 1, of a statement of a body, or of one of its operands, counted from 0.

    None for a module that was built, and for an operand that the statement has not.
    """
    if module.source is None or index >= len(function.places):
        return None
    offset = function.places[index]
    if operand is not None:
        spans = operands(module.source.text, offset)
        if operand >= len(spans):
            return None
        offset = spans[operand][0]
    return module.source.line_column(offset)
