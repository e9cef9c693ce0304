"""The text that a module was read from, and places in it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from attrs import define


@define(eq=False, weakref_slot=False, repr=False)
class Source:
    """PTX text with the name of its file. Offsets count characters from 0, lines and columns from 1."""

    text: str
    filename: str = ""
    _starts: list[int] | None = None  # of the lines; worked out when a line is first asked for

    @property
    def starts(self) -> list[int]:
        """The offset of each line."""
        if self._starts is None:
            self._starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        return self._starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self.starts, min(offset, len(self.text)))
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        return self.text[self.starts[number - 1] : self.starts[number] - 1].rstrip("\r")
