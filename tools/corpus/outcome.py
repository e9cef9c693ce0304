"""What was found out about a file, and the table of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import frozen

from tools.corpus.files import File


@frozen
class Outcome:
    """What holds of a file, by heading of the table, and its faults: what should hold, and what is there instead."""

    file: File
    holds: tuple[str, ...]
    faults: tuple[tuple[str, str], ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()  # what could not be found out, and why


def lines(outcomes: Iterable[Outcome], headings: tuple[str, ...]) -> Iterator[str]:
    """Each fault and remark, then how many files of each producer have what."""
    counts: dict[str, Counter[str]] = {}
    for outcome in sorted(outcomes, key=lambda each: each.file.name):
        for kind, found in (("fault", outcome.faults), ("remark", outcome.remarks)):
            yield from (f"{kind}: {outcome.file.name}: {what}: {detail}" for what, detail in found)
        for producer in (outcome.file.producer, TOTAL):
            counts.setdefault(producer, Counter()).update(("files", *outcome.holds))
    columns = ("files", *headings)
    rows = [[producer, *(str(count[column]) for column in columns)] for producer, count in _ordered(counts)]
    widths = [max(map(len, column)) for column in zip(("producer", *columns), *rows, strict=True)]
    for row in (["producer", *columns], *rows):
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join((first.strip().ljust(widths[0]), *rest))


TOTAL = "all"


def _ordered(counts: dict[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    """The producers by name, then their sum."""
    return sorted(counts.items(), key=lambda pair: (pair[0] == TOTAL, pair[0]))
