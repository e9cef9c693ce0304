"""Directives and pragmas: `.maxntid`, `.file`, `nounroll` (specs/directives.yaml)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from attrs import define

from ptxgen.isa import targets
from ptxgen.isa.data import load

# Those that the reader or the checks treat on their own; everything about them stands in the specification.
ALIAS, PRAGMA, TARGET = ".alias", ".pragma", ".target"
DWARF, FILE, INTERMEDIATE, LOC, SECTION = "@@DWARF", ".file", ".nv_intermediate_source_section", ".loc", ".section"

PARTS = ("module", "functions", "performance", "control", "debugging", "linking", "attributes", "pragmas")


@define(eq=False, weakref_slot=False, repr=False)
class Directive:
    """A directive, or a string of `.pragma`."""

    name: str  # with the dot of a directive
    part: str  # of directives.yaml
    syntax: str
    summary: str
    section: str
    places: tuple[str, ...]  # what it may follow or stand in
    arguments: dict[str, str]  # name -> kind
    since: dict[str, str]  # target predicate -> PTX ISA version
    ungated: dict[str, str]
    removed: dict[str, str]
    deprecated: dict[str, str]
    conflicts: tuple[str, ...]  # other directives of the same function
    requires: tuple[str, ...]
    needed: tuple[str, ...]  # one of these, else it is ignored

    @property
    def sort(self) -> str:
        """What one calls it."""
        return "pragma" if self.part == "pragmas" else "directive"


@lru_cache(maxsize=1)
def table() -> dict[str, Directive]:
    """Every directive and pragma by name."""
    parts = load("directives")
    return {
        name: _directive(name, part, row)
        for part in PARTS
        for name, row in parts[part].items()
        if name != "features"  # of directives, no directive
    }


@lru_cache(maxsize=1)
def words() -> dict[str, tuple[str, ...]]:
    """Every word that begins something, with the places where it does: "module", "body", heads of functions."""
    parts = load("directives")
    found = {name: row.places for name, row in table().items() if row.part in ("performance", "debugging")}
    found |= dict.fromkeys((*parts["functions"], *(name for name in parts["linking"] if " " not in name)), ("module",))
    found |= {name: tuple(row.get("on", ("module",))) for name, row in parts["module"].items()}
    for name, row in parts["spaces"].items():
        found[name] = tuple(place for place in ("module", "body") if place in row)
    return found


def places(word: str) -> tuple[str, ...]:
    """Where a word begins something; nothing for one that does nowhere."""
    return words().get(word, ())


def _directive(name: str, part: str, row: dict[str, Any]) -> Directive:
    def needs(key: str) -> dict[str, str]:
        return targets.needs(row[key]) if key in row else {}

    return Directive(
        name, part, row.get("syntax", name), row.get("summary", ""), row.get("section", ""), tuple(row.get("on", ())),
        row.get("arguments", {}), needs("since"), needs("ungated"), needs("removed"), needs("deprecated"),
        tuple(row.get("conflicts", ())), tuple(row.get("requires", ())), tuple(row.get("needed", ())),
    )  # fmt: skip
