"""What an action of `ptxgen isa` answers, and how lines of text are laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import field, frozen

from ptxgen.check import describe


@frozen
class Answer:
    """Lines for people, the same as data for programs, and the exit status."""

    lines: list[str]
    data: Any
    status: int = field(default=0)


def columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows with their cells under each other; the last cell is not padded."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "  ".join((*cells, row[-1])).rstrip()


def where(needs: dict[str, str], version: str) -> str:
    """Targets of the least alternatives, with their versions where these are others: `sm_90 or sm_89 from 8.1`."""
    if set(needs) <= {""}:
        return "any" if needs else ""
    return " or ".join(who if when == version else f"{who} from {when}" for who, when in needs.items())


def needs_text(needs: dict[str, str]) -> str:
    """`sm_90 with PTX 8.0 or ...`."""
    return describe.needs(needs)


def part(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines under a title, if there are any."""
    given = list(lines)
    if given:
        yield f"  {title}"
        yield from (f"    {line}" for line in given)
