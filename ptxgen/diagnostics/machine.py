"""Findings as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from ptxgen.diagnostics.checked import Checked


def as_json(files: Iterable[Checked]) -> str:
    """`{"files": [{"path", "version", "target", "ok", "diagnostics": [...]}]}`; the names are stable."""
    import json

    return json.dumps({"files": [checked.as_dict() for checked in files]}, indent=1)
