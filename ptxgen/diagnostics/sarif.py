"""Findings in SARIF 2.1.0, the format that code scanning services read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ptxgen.diagnostics.catalogue import codes
from ptxgen.diagnostics.checked import Checked
from ptxgen.errors import Diagnostic

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}


def as_sarif(files: Iterable[Checked]) -> str:
    """One run, with a rule for each code that was found."""
    import json

    from ptxgen import __version__

    found = [(checked.path, diagnostic) for checked in files for diagnostic in checked.diagnostics]
    rules = list(dict.fromkeys(diagnostic.code for _, diagnostic in found))
    run = {
        "tool": {"driver": {"name": "ptxgen", "version": __version__, "rules": [_rule(code) for code in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(path, diagnostic, rules.index(diagnostic.code)) for path, diagnostic in found],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _rule(name: str) -> dict[str, Any]:
    code = codes()[name]
    help = f"{code.explanation}\n\n{code.do}"
    markdown = f"{code.explanation}\n\n```{code.language}\n{code.example}\n```\n\n{code.do}"
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.explanation},
        "help": {"text": help, "markdown": markdown},
    }


def _result(path: str, found: Diagnostic, rule: int) -> dict[str, Any]:
    from urllib.parse import quote

    location: dict[str, Any] = {"artifactLocation": {"uri": quote(path.replace("\\", "/"))}}
    if found.line:
        location["region"] = {"startLine": found.line, "startColumn": found.column or 1}
        if found.end_column > found.column:
            location["region"]["endColumn"] = found.end_column
    notes = (found.message, found.repeats, f"help: {found.hint}" if found.hint else "")
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": "\n".join(note for note in notes if note)},
        "locations": [{"physicalLocation": location}],
        "occurrenceCount": found.count,
    }
