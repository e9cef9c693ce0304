"""A folder of PTX files with `verdicts.csv`, which says of each whether ptxas accepts it.

Of the table these columns are read: `path`, relative to the folder, whose second part names the producer (as in
`files/triton/add.ptx`), and `newest_accepts`, "accept" where the newest ptxas takes the file.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from attrs import frozen


@frozen
class File:
    """One file of the folder."""

    path: Path
    name: str  # as the table has it
    producer: str


def accepted(folder: Path, limit: int | None = None) -> list[File]:
    """The files that ptxas accepts, the largest last; with `limit` only so many of each producer, the smallest."""
    with (folder / "verdicts.csv").open(newline="", encoding="utf-8") as table:
        names = [row["path"] for row in csv.DictReader(table) if row["newest_accepts"] == "accept"]
    files = [File(folder / name, name, _producer(name)) for name in names]
    files.sort(key=lambda file: (file.path.stat().st_size, file.name))
    seen: Counter[str] = Counter()
    kept: list[File] = []
    for file in files:
        seen[file.producer] += 1
        if limit is None or seen[file.producer] <= limit:
            kept.append(file)
    return kept


def _producer(name: str) -> str:
    return name.split("/")[1]
