"""What `ptxgen.check` answers."""

from __future__ import annotations

from collections.abc import Iterable

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
    counts: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for diagnostic in found:
        cause = diagnostic.need if diagnostic.code in _BY_NEED and diagnostic.need else diagnostic.message
        counts.setdefault((diagnostic.code, diagnostic.severity, cause), []).append(diagnostic)
    return Report(tuple(sorted(map(_folded, counts.values()), key=lambda d: (_ORDER[d.severity], d.line, d.column))))


def _folded(group: list[Diagnostic]) -> Diagnostic:
    """One for all of a group, which says how many there are."""
    return group[0] if len(group) == 1 else evolve(group[0], count=sum(found.count for found in group))
