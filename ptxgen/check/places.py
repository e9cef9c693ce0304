"""Findings with their places in the text that a module was read from."""

from __future__ import annotations

from attrs import define, evolve

from ptxgen.errors import Diagnostic
from ptxgen.ir.source import Source


@define(eq=False, weakref_slot=False, repr=False)
class Places:
    """The text of a module, or None for one that was built."""

    source: Source | None

    def at(self, diagnostic: Diagnostic, offset: int, length: int = 0) -> Diagnostic:
        """The finding at an offset, or at its operand there; unplaced where there is no text or no offset."""
        if self.source is None or offset < 0:
            return diagnostic
        if diagnostic.operand:
            from ptxgen.parse.positions import operands

            spans = operands(self.source.text, offset)
            if diagnostic.operand <= len(spans):
                offset, end = spans[diagnostic.operand - 1]
                length = end - offset
        line, column = self.source.line_column(offset)
        end = column + length if length else 0
        return evolve(diagnostic, file=self.source.filename, line=line, column=column, end_column=end)


def place(places: list[int], at: int) -> int:
    """The offset of a statement or item; -1 where none is known."""
    return places[at] if at < len(places) else -1
