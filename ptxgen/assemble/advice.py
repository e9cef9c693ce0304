"""What to do about what an assembler says: advice by the number of a line, and about spills."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from ptxgen.assemble.cubin import Cubin

_FILE = os.path.join(os.path.dirname(__file__), "advice.toml")
SPILLS = "spills"


@frozen
class Advice:
    """About one numbered line: `about` is its code, such as "C7508", or "spills"."""

    about: str
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.about}: {self.title}\n\n{self.text}"


@lru_cache(maxsize=1)
def known() -> dict[str, Advice]:
    """All that there is advice about."""
    import tomllib

    with open(_FILE, "rb") as file:
        rows = tomllib.load(file)
    return {about: Advice(about, row["title"], " ".join(row["advice"].split())) for about, row in rows.items()}


def advice_on(cubin: Cubin) -> Iterator[Advice]:
    """What to do about the lines and spills of a cubin, each once."""
    codes = dict.fromkeys(message.code for message in cubin.messages)
    yield from (known()[code] for code in codes if code in known())
    if any((taken.spill_stores or 0) + (taken.spill_loads or 0) for taken in cubin.resources.values()):
        yield known()[SPILLS]
