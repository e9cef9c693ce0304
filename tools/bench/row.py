"""A line of the table: a median, its ratio to another one, and the bound of that ratio."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

HEADINGS = ("", "median", "ratio", "to", "bound", "")


@frozen
class Bound:
    """What a ratio may be at most or, with `least`, has to be at least."""

    limit: float
    least: bool = False

    def met(self, ratio: float) -> bool:
        """Whether a ratio keeps the bound."""
        return ratio >= self.limit if self.least else ratio <= self.limit

    def __str__(self) -> str:
        return f"{'>=' if self.least else '<='} {self.limit:g}"


@frozen
class Row:
    """A measurement, in seconds; `remark` says why there is none, `fault` what is wrong besides the ratio."""

    what: str
    seconds: float | None = None
    ratio: float | None = None
    to: str = ""
    bound: Bound | None = None
    remark: str = ""
    fault: str = ""

    @property
    def met(self) -> bool:
        """Whether all is as it should be."""
        return not self.fault and (self.bound is None or self.ratio is None or self.bound.met(self.ratio))

    def cells(self) -> tuple[str, ...]:
        """What the table says, by column."""
        return (
            self.what,
            "" if self.seconds is None else duration(self.seconds),
            "" if self.ratio is None else f"{self.ratio:.2f}",
            self.to,
            "" if self.bound is None else str(self.bound),
            self.fault or (self.remark if self.met else "missed"),
        )


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def table(rows: Iterable[Row]) -> str:
    """The rows below each other."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at in (1, 2) else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
