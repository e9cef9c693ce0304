"""The semantics texts: what each block of the specification computes. `specs/semantics.md` describes their language.

They stand in a table of their own, read on first use: only those who run instructions want them.
"""

from __future__ import annotations

import json
from functools import lru_cache

from ptxgen.isa import data
from ptxgen.isa.family import Line

#: Stands instead of a text where the result is no function of values: memory, control flow, synchronisation.
UNMODELLED = "unmodelled"


def text_of(line: Line) -> str:
    """The text of the block that a line belongs to; "" where it has none."""
    text = _texts()[line.family.name][line.family.blocks.index(line.block)]
    return "" if text == UNMODELLED else text


@lru_cache(maxsize=1)
def _texts() -> dict[str, list[str]]:
    """Name of a specification -> the texts of its blocks."""
    return dict(json.loads(row) for row in data.read("semantics.jsonl").splitlines() if not row.startswith("#"))
