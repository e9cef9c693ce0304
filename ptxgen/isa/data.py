"""The global tables: types, tokens, targets, versions, special registers, directives; each read on first use."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

_tables: dict[str, Any] = {}


def load(name: str) -> Any:
    """The decoded table `ptxgen_isa/<name>.json`."""
    found = _tables.get(name)
    if found is None:
        text = resources.files("ptxgen_isa").joinpath(f"{name}.json").read_text(encoding="utf-8")
        found = _tables[name] = json.loads(text)["data"]
    return found


def install(tables: dict[str, Any]) -> None:
    """Take these tables instead of the package's: the generator has newer ones than are written."""
    _tables.update(tables)
