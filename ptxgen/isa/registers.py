"""Special registers: `%tid.x`, `%clock64`, `%envreg7` (specs/registers.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import define

from ptxgen.isa import targets, types
from ptxgen.isa.data import load

FIELDS = ("x", "y", "z", "w")
_COLOURS = {"r": "x", "g": "y", "b": "z", "a": "w"}


@define(eq=False, weakref_slot=False, repr=False)
class SpecialRegister:
    """A special register, or the family that a numbered one belongs to."""

    name: str  # without %
    type: str  # of a field, without its dot
    vector: bool  # has the fields x y z w
    legacy: tuple[str, ...]  # narrower types that it may also be read as
    since: dict[str, str]  # target predicate -> PTX ISA version
    ungated: dict[str, str]
    requires: str  # option of the entry without which it may not be read
    section: str
    summary: str


@lru_cache(maxsize=1)
def table() -> dict[str, SpecialRegister]:
    """Every special register by name; a numbered family is expanded."""
    found: dict[str, SpecialRegister] = {}
    for key, row in load("registers")["registers"].items():
        words = row["type"].split()
        for name in (part for item in key.split(",") for part in _expand(item.strip())):
            found[name] = SpecialRegister(
                name, words[-1].lstrip("."), words[0] == ".v4",
                tuple(t.lstrip(".") for t in row.get("legacy", ())), targets.needs(row["since"]),
                targets.needs(row.get("ungated", {})), row.get("requires", ""), row.get("section", ""),
                row.get("summary", ""),
            )  # fmt: skip
    return found


def find(text: str) -> tuple[SpecialRegister, str] | None:
    """`%tid.x` as its register and field ("" for the whole register); None when there is no such one."""
    name, _, part = text.removeprefix("%").partition(".")
    register = table().get(name)
    part = _COLOURS.get(part, part)
    if register is None or (part and (not register.vector or part not in FIELDS)):
        return None
    return register, part


@lru_cache(maxsize=1024)
def reads(instruction_type: str, name: str, wider: bool) -> bool:
    """Whether an instruction type reads a field of a special register; with `wider` the register may be wider."""
    register = table()[name]
    return types.reads_special(instruction_type, register.type, register.legacy, wider)


def _expand(item: str) -> Iterator[str]:
    if match := re.fullmatch(r"(\w+)<(\d+)>", item):
        yield from (f"{match[1]}{n}" for n in range(int(match[2])))
    else:
        yield item
