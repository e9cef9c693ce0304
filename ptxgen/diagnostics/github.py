"""Findings as commands of a GitHub workflow, which shows them at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptxgen.diagnostics.checked import Checked

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def as_github(files: Iterable[Checked]) -> str:
    """One line `::error file=...,line=...,col=...,title=...::message` a finding."""
    return "\n".join(_commands(files))


def _commands(files: Iterable[Checked]) -> Iterator[str]:
    for checked in files:
        for found in checked.diagnostics:
            properties = {"file": checked.path}
            if found.line:
                properties |= {"line": str(found.line), "col": str(found.column or 1)}
                if found.end_column > found.column:
                    properties["endColumn"] = str(found.end_column)
            properties["title"] = found.code
            given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
            notes = (found.message, found.repeats, f"help: {found.hint}" if found.hint else "")
            message = "\n".join(note for note in notes if note)
            yield f"::{_COMMANDS[found.severity]} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
