"""The global tables: types, tokens, targets, versions, special registers, directives; each read on first use."""

from __future__ import annotations

import json
import os
from typing import Any

import ptxgen_isa

# Not importlib.resources: importing it takes longer than building a small module.
_FOLDER = os.path.dirname(ptxgen_isa.__file__)

_tables: dict[str, Any] = {}


def load(name: str) -> Any:
    """The decoded table `ptxgen_isa/<name>.json`."""
    found = _tables.get(name)
    if found is None:
        found = _tables[name] = json.loads(read(f"{name}.json"))["data"]
    return found


def optional(name: str) -> Any:
    """The decoded file `ptxgen_isa/<name>.json`, with a seal or without; an empty mapping where there is none."""
    try:
        decoded = json.loads(read(f"{name}.json"))
    except FileNotFoundError:
        return {}
    return decoded.get("data", decoded)


def read(name: str) -> str:
    """The text of a generated file."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def install(tables: dict[str, Any]) -> None:
    """Take these tables instead of the package's: the generator has newer ones than are written."""
    _tables.update(tables)


def forget() -> None:
    """Read the package's tables again when they are next asked for."""
    _tables.clear()
