"""Rows of the tables that say from which version on, or until which, something is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.isa import targets

Need = tuple[dict[str, str], str]  # target predicate ("" for any) -> PTX ISA version; what needs it

SINCE, UNGATED, REMOVED = "since", "ungated", "removed"


def stated(row: dict[str, Any] | str, kind: str, what: str) -> Iterator[Need]:
    """What a row states of a kind; one that is a version alone states since when."""
    if isinstance(row, dict):
        if kind in row:
            yield targets.needs(row[kind]), what
    elif kind == SINCE:
        yield targets.needs(row), what
