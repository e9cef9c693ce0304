"""The schema for editors: it is up to date, every specification satisfies it, and it notices slips."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tools.generate import schema
from tools.specification.specification import ROOT, load_specification

FILES = sorted((ROOT / "instructions").glob("*.yaml"))
FIRST_LINE = "# yaml-language-server: $schema=../schema.json"


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft7Validator:
    text = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(text)
    return jsonschema.Draft7Validator(text)


def load(path: Path, loader: Any = yaml.BaseLoader) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)


def test_up_to_date() -> None:
    assert not schema.outdated(load_specification(audited=False)), "run python -m tools.generate"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_specification_satisfies_it(path: Path, validator: jsonschema.Draft7Validator) -> None:
    assert path.read_text(encoding="utf-8").splitlines()[0] == FIRST_LINE
    assert [error.message for error in validator.iter_errors(load(path))] == []


def test_as_editors_read_yaml(validator: jsonschema.Draft7Validator) -> None:
    assert [
        error.message for error in validator.iter_errors(load(ROOT / "instructions" / "fns.yaml", yaml.SafeLoader))
    ] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("note", "none"),
        ("rules", ".sat"),
        ("traits", ["divergent"]),
        ("effects", ["aborts"]),
        ("effects", {}),
        ("effects", {"fns": ["explodes"]}),
        ("effects", {"fns": "aborts"}),
        ("since", {"fns": {"sm_42": "1.0"}}),
        ("since", {"fns": "eight"}),
        ("instead", {"fns": ["popc"]}),
        ("instead", {"fns": {"sm_42": "popc"}}),
        ("operands", {"d": ["out", ".b32"]}),
        ("errata", [{"change": "d"}]),
        ("errata", [{"replace": "d"}]),
        ("examples", [{"statement": "fns.b32 d, a, b, c;"}]),
        ("examples", [{"ptx": "fns.b32 d, a, b, c;", "options": ["fast"]}]),
    ],
)
def test_slips_in_a_block(key: str, value: Any, validator: jsonschema.Draft7Validator) -> None:
    specification = copy.deepcopy(load(ROOT / "instructions" / "fns.yaml"))
    specification["forms"][0][key] = value
    assert not validator.is_valid(specification)


def test_missing_key(validator: jsonschema.Draft7Validator) -> None:
    specification = load(ROOT / "instructions" / "fns.yaml")
    del specification["forms"][0]["syntax"]
    assert not validator.is_valid(specification)
