"""The effects of statements: the parts that they play in the hazards that `ptxgen.check` looks for.

They stand in a table of their own, read on first use: what is legal does not depend on them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from ptxgen.isa import data
from ptxgen.isa.conditions import holds
from ptxgen.isa.matching import Match

_Rows = list[list[Any]]


def effects_of(match: Match) -> frozenset[str]:
    """The effects of a statement; specs/README.md says what each means."""
    family = match.reading.line.family
    blocks = _table().get(family.name)
    if blocks is None:
        return frozenset()
    rows = blocks[family.blocks.index(match.reading.line.block)]
    return frozenset(word for condition, words in rows if holds(condition, match) for word in words)


@lru_cache(maxsize=1)
def _table() -> dict[str, list[_Rows]]:
    """Name of a specification -> the rows of its blocks: a condition, and the effects under it."""
    return dict(json.loads(row) for row in data.read("effects.jsonl").splitlines() if not row.startswith("#"))
