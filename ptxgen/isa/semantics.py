"""The semantics texts: what each block of the specification computes. `specs/semantics.md` describes their language.

They stand in a table of their own, read on first use: only those who run instructions want them.
"""

from __future__ import annotations

import json
from importlib import resources

from ptxgen.isa.family import Line

#: Stands instead of a text where the result is no function of values: memory, control flow, synchronisation.
UNMODELLED = "unmodelled"

_texts: dict[str, list[str]] = {}


def text_of(line: Line) -> str:
    """The text of the block that a line belongs to; "" where it has none."""
    if not _texts:
        install(resources.files("ptxgen_isa").joinpath("semantics.jsonl").read_text(encoding="utf-8"))
    text = _texts[line.family.name][line.family.blocks.index(line.block)]
    return "" if text == UNMODELLED else text


def install(table: str) -> None:
    """Take this table from now on: the package's, or a newer one."""
    _texts.clear()
    _texts.update(json.loads(row) for row in table.splitlines() if not row.startswith("#"))
