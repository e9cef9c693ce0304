"""Findings for other programs: JSON, SARIF, GitHub's workflow commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from attrs import fields

from ptxgen.diagnostics import Checked, as_github, as_json, as_sarif, codes
from ptxgen.errors import Diagnostic

FOUND = (
    Diagnostic("unavailable", "error", "a needs b", "add.u32", need="b", have="c", choices=("d",), hint="do",
               file="a b.ptx", line=3, column=2, end_column=9, count=2),
    Diagnostic("deprecated", "advice", "100% old:\nso, there"),
    Diagnostic("beyond-manual", "warning", "w", line=1, column=1),
)  # fmt: skip
FILES = (Checked("a b.ptx", FOUND, "8.3", "sm_80", {}), Checked("good.ptx", (), "9.0", "sm_90", {}))


def test_json() -> None:
    found = json.loads(as_json(FILES))
    assert list(found) == ["files"]
    first, second = found["files"]
    assert second == {"path": "good.ptx", "version": "9.0", "target": "sm_90", "ok": True, "diagnostics": []}
    assert (first["ok"], list(first)) == (False, list(second))
    assert list(first["diagnostics"][0]) == [a.name for a in fields(Diagnostic)]
    assert first["diagnostics"][0]["choices"] == ["d"]


def test_json_of_nothing() -> None:
    assert json.loads(as_json([])) == {"files": []}


def test_github() -> None:
    assert as_github(FILES).splitlines() == [
        "::error file=a b.ptx,line=3,col=2,endColumn=9,title=unavailable::"
        "a needs b%0A2 instructions in this module have the same need%0Ahelp: do",
        "::notice file=a b.ptx,title=deprecated::100%25 old:%0Aso, there",
        "::warning file=a b.ptx,line=1,col=1,title=beyond-manual::w",
    ]


def test_github_escapes_properties() -> None:
    assert as_github([Checked("a,b:c%.ptx", FOUND[2:], None, None, {})]).startswith(
        "::warning file=a%2Cb%3Ac%25.ptx,line=1"
    )


SCHEMA = json.loads((Path(__file__).parent / "sarif.schema.json").read_text(encoding="utf-8"))


def sarif(*files: Checked) -> Any:
    document = json.loads(as_sarif(files))
    jsonschema.validate(document, SCHEMA)
    return document["runs"][0]


def test_sarif() -> None:
    run = sarif(*FILES)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["unavailable", "deprecated", "beyond-manual"]
    assert [result["level"] for result in run["results"]] == ["error", "note", "warning"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert run["results"][0]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.ptx"},
        "region": {"startLine": 3, "startColumn": 2, "endColumn": 9},
    }
    assert run["results"][0]["occurrenceCount"] == 2
    assert "region" not in run["results"][1]["locations"][0]["physicalLocation"]


def test_sarif_of_nothing() -> None:
    assert sarif()["results"] == []


def test_sarif_explains_every_code() -> None:
    found = tuple(Diagnostic(code, "error", "m") for code in codes())
    rules = sarif(Checked("a.ptx", found, None, None, {}))["tool"]["driver"]["rules"]
    for rule, code in zip(rules, codes().values(), strict=True):
        assert rule["shortDescription"]["text"] == code.title
        assert code.do in rule["help"]["text"]
        assert code.example in rule["help"]["markdown"]


def test_the_schema_refuses_what_is_no_sarif() -> None:
    document = json.loads(as_sarif(FILES))
    document["runs"][0]["results"][0]["level"] = "advice"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)
