"""What `ptxgen.check` answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve, frozen

from ptxgen.errors import Diagnostic


@frozen
class Report:
    """The findings about a module, most severe first, then in the order of the text; equal causes are one."""

    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings and advice may be there."""
        return not any(d.severity == "error" for d in self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(map(str, self.diagnostics)) or "no findings"


_BY_NEED = frozenset({"unavailable", "beyond-manual", "not-assembled"})
"""Codes of findings about many instructions whose one cause is what they need."""
_ORDER = {"error": 0, "warning": 1, "advice": 2}


def report(found: Iterable[Diagnostic]) -> Report:
    """A report of findings, one for one cause, with a count where there were more."""
    causes: dict[tuple[str, str, str], list[Any]] = {}  # with the first finding of each, and how many there are
    for diagnostic in found:
        cause = diagnostic.need if diagnostic.code in _BY_NEED and diagnostic.need else diagnostic.message
        known = causes.setdefault((diagnostic.code, diagnostic.severity, cause), [diagnostic, 0])
        known[1] += diagnostic.count
    folded = (first if count == first.count else evolve(first, count=count) for first, count in causes.values())
    return Report(tuple(sorted(folded, key=lambda d: (_ORDER[d.severity], d.line, d.column))))
