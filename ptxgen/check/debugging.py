"""What the directives for debuggers need (PTX ISA 11.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.check.stated import SINCE, Need
from ptxgen.errors import Diagnostic
from ptxgen.ir.statements import Directive, Section
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.data import load
from ptxgen.isa.directives import FILE, LOC
from ptxgen.isa.versions import Version

_ALWAYS = "1.0"
_FEATURES = {FILE: "file timestamp", LOC: "loc inlined_at"}  # of a directive with more than one argument


def needs(item: Directive | Section, kind: str = SINCE) -> Iterator[Need]:
    """Which targets and versions a directive and what it uses need; or "removed", "ungated" (by the manual alone)."""
    for row, what in _rows(item):
        if kind in row and row[kind] != _ALWAYS:
            yield targets.needs(row[kind]), what


def _rows(item: Directive | Section) -> Iterator[tuple[dict[str, Any], str]]:
    table: dict[str, Any] = load("directives")["debugging"]
    if isinstance(item, Section):
        name, features = item.name.split()[0], item.features
    else:
        name = item.name
        features = (_FEATURES[name],) if name in _FEATURES and len(item.arguments) > 1 else ()
    if name in table:
        yield table[name], name
    for feature in features:
        yield table["features"][feature], table["features"][feature]["what"]


def check_age(item: Directive | Section, target: str, version: Version) -> Iterator[Diagnostic]:
    """Directives that a version has no longer, or has against the manual."""
    have = f"{target} and PTX {versions.text(version)}"
    for row, what in _rows(item):
        removed, ungated = (
            availability.first_version(targets.needs(row[kind]), target) if kind in row else availability.NEVER
            for kind in ("removed", "ungated")
        )
        if removed <= version:
            message = f"{what} was removed in PTX {versions.text(removed)}; the module has PTX {versions.text(version)}"
            need = f"a version before {versions.text(removed)}"
            yield Diagnostic("removed", "error", message, need=need, have=have, hint="write a .section")
        elif version < ungated < availability.NEVER:
            need = f"PTX {versions.text(ungated)}"
            message = f"{what} needs {need} by the manual, though ptxas accepts it; the module has {have}"
            yield Diagnostic("beyond-manual", "warning", message, need=need, have=have)
