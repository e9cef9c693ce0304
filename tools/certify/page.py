"""The record of certification as a page to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.certify.record import Data
from tools.specification.specification import ROOT

PATH: Path = ROOT / "CERTIFICATION.md"


def text(data: Data) -> str:
    """The page of a record."""
    return "\n".join(_lines(data)) + "\n"


def _lines(data: Data) -> Iterator[str]:
    yield "# Certification against ptxas"
    yield ""
    yield "Written by `python -m tools.certify --record`. No statement and no verdict is counted twice; *legal* is what"
    yield f"ptxas {data['ptxas']} accepts. On availability the oldest release that can judge was asked, too, of"
    yield f"{', '.join(data['releases'])}."
    yield ""
    yield "*Lines* are syntax lines; a second number says of how many not every legal opcode was tried. *Unjudged* are"
    yield "versions and targets in rows of availability that no release of ptxas can tell."
    yield ""
    yield "| | |"
    yield "|---|---:|"
    yield from (f"| {name} | {count:,} |" for name, count in data["totals"].items())
    yield ""
    yield "| instruction | lines | statements | legal | rows | verdicts on availability | unjudged |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    yield from map(_row, data["families"], data["families"].values())
    if "directives" in data:
        yield _row("*directives, special registers, targets*", data["directives"])
    yield from _known(data)
    yield from _unjudged(data)


def _row(name: str, entry: Data) -> str:
    drawn = len(entry.get("drawn", ()))
    lines = f"{entry['lines']}, {drawn}" if drawn else str(entry.get("lines", ""))
    available = entry.get("availability", {})
    unjudged = sum(map(len, entry.get("unjudged", {}).values())) or ""
    wrong = entry.get("disagreements", 0) + available.get("disagreements", 0)
    counts = [entry.get(key, "") for key in ("statements", "legal")]
    cells = [lines, *counts, available.get("rows", ""), available.get("verdicts", "")]
    shown = [f"{cell:,}" if isinstance(cell, int) else cell for cell in (*cells, unjudged)]
    return f"| {name}{f' ({wrong} disagreements)' if wrong else ''} | {' | '.join(shown)} |"


def _entries(data: Data) -> list[Data]:
    """The parts of a record that have been certified."""
    return [*data["families"].values(), *([data["directives"]] if "directives" in data else [])]


def _known(data: Data) -> Iterator[str]:
    """What only older releases judge otherwise, with the number of verdicts."""
    found: dict[str, int] = {}
    for entry in _entries(data):
        for why, count in entry.get("availability", {}).get("known", {}).items():
            found[why] = found.get(why, 0) + count
    if found:
        yield from ("", "## What older releases judge otherwise", "")
        yield from (f"* {why} ({count:,} verdicts)" for why, count in found.items())


def _unjudged(data: Data) -> Iterator[str]:
    """The reasons, with the number of parts; which these are the record has."""
    found: dict[str, int] = {}
    for entry in _entries(data):
        for why, parts in entry.get("unjudged", {}).items():
            found[why] = found.get(why, 0) + len(parts)
    if found:
        yield from ("", "## What no ptxas can judge", "")
        yield from (f"* {count:,} parts of rows: {data['reasons'][why]}" for why, count in found.items())
