"""What debuggers read: what its directives need, and positions that others name (PTX ISA 11.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define

from ptxgen.check.stated import SINCE, Need
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Directive, Section
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.data import load
from ptxgen.isa.directives import FILE, LOC
from ptxgen.isa.versions import Version

_ALWAYS = "1.0"
_INLINED = "inlined_at "
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


@define(eq=False, weakref_slot=False, repr=False)
class Positions:
    """The positions of the `.loc` of a module; looked for when the first `inlined_at` is met."""

    module: Module
    first: dict[str, tuple[int, int]] | None = None  # position -> the function and the statement that have it first

    def problem(self, function: Function, at: int) -> Diagnostic | None:
        """What is against `inlined_at` in a statement of a function: an earlier `.loc` has its position."""
        directive = function.body[at]
        assert isinstance(directive, Directive)
        named = directive.arguments[-1].removeprefix(_INLINED)
        if self.first is None:
            self.first = dict(reversed(list(self._all())))
        place = (self.module.functions.index(function), at)
        if self.first.get(named, place) < place:
            return None
        message = f"{function.name}: inlined_at {named} names no position of an earlier .loc"
        return Diagnostic("position", "error", message, have=named, hint=f"put .loc {named} before it")

    def _all(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for number, function in enumerate(self.module.functions):
            for at, statement in enumerate(function.body):
                if isinstance(statement, Directive) and statement.name == LOC:
                    yield " ".join(str(int(word)) for word in statement.arguments[0].split()), (number, at)
