"""Let `ptxgen` read tables that are not written yet, and take them back."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ptxgen.isa import data, family


@contextmanager
def installed(tables: dict[str, Any], instructions: str | None = None) -> Generator[None]:
    """In the block, `ptxgen` has these global tables and, if given, this table of instructions."""
    _forget()
    data.install(tables)
    if instructions is not None:
        family.install(instructions)
    try:
        yield
    finally:
        data.forget()
        if instructions is not None:
            family.forget()
        _forget()


def _forget() -> None:
    """Clear every cache of ptxgen: they depend on the tables."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ptxgen."):
            for member in list(vars(module).values()):
                if hasattr(member, "cache_clear"):
                    member.cache_clear()
