"""What was found in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from attrs import frozen

from ptxgen.errors import Diagnostic


@frozen
class Checked:
    """The findings about one file, with the lines of it that they name.

    `version` and `target` are those of its header, None where the file could not be read that far.
    """

    path: str
    diagnostics: tuple[Diagnostic, ...]
    version: str | None
    target: str | None
    lines: dict[int, str]

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings and advice may be there."""
        return not any(found.severity == "error" for found in self.diagnostics)

    @classmethod
    def of(
        cls,
        path: str,
        diagnostics: Iterable[Diagnostic],
        source: str | Callable[[int], str] = "",
        version: str | None = None,
        target: str | None = None,
    ) -> Self:
        """Findings with their lines; `source` is the text of the file, or gives the text of a line."""
        found = tuple(diagnostics)
        line = _lines(source) if isinstance(source, str) else source
        return cls(path, found, version, target, {n: line(n) for n in {d.line for d in found if d.line}})

    def as_dict(self) -> dict[str, Any]:
        """The findings as plain JSON values."""
        return {
            "path": self.path,
            "version": self.version,
            "target": self.target,
            "ok": self.ok,
            "diagnostics": [found.as_dict() for found in self.diagnostics],
        }


def _lines(text: str) -> Callable[[int], str]:
    """Only line feeds end lines of PTX, whatever else str.splitlines() takes for an end."""
    lines = text.split("\n") if text else []
    return lambda number: lines[number - 1].rstrip("\r") if number <= len(lines) else ""
