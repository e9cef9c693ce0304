"""The family of errors and the diagnostics that they carry."""

from __future__ import annotations

import json

import pytest

import ptxgen
from ptxgen import Diagnostic, PtxError
from ptxgen.errors import UnknownName, WrongOperator, located


def test_a_diagnostic_is_read_by_people_and_tools() -> None:
    found = Diagnostic(
        "unavailable", "error", "elect.sync needs sm_90", "elect.sync", "sm_90", "sm_80", ("sm_90",), "set it"
    )
    assert str(found) == "error[unavailable]: elect.sync needs sm_90\n   = help: set it"
    placed = found.at("a.ptx", 59, 2, 12)
    assert str(placed) == "a.ptx:59:2: error[unavailable]: elect.sync needs sm_90\n   = help: set it"
    assert str(Diagnostic("x", "advice", "m").at("", 3)) == "<ptx>:3:1: advice[x]: m"
    assert json.loads(json.dumps(placed.as_dict())) == {
        "code": "unavailable", "severity": "error", "message": "elect.sync needs sm_90", "instruction": "elect.sync",
        "need": "sm_90", "have": "sm_80", "choices": ["sm_90"], "hint": "set it", "file": "a.ptx", "line": 59,
        "column": 2, "end_column": 12, "count": 1, "operand": 0,
    }  # fmt: skip
    assert (found.file, found.line) == ("", 0)


def test_an_error_reads_as_its_diagnostics() -> None:
    first, second = Diagnostic("a", "error", "one", hint="do this"), Diagnostic("b", "error", "two")
    error = ptxgen.OperandError.of(first, second)
    assert type(error) is ptxgen.OperandError
    assert str(error) == "one; do this\ntwo"
    assert error.diagnostics == (first, second)


@pytest.mark.parametrize(
    "name",
    [
        "SpecError",
        "ParseError",
        "IllegalInstruction",
        "Unavailable",
        "OperandError",
        "AssembleError",
        "LoadError",
        "LaunchError",
    ],
)
def test_one_family(name: str) -> None:
    cls = getattr(ptxgen, name)
    assert issubclass(cls, PtxError)
    assert cls("text").diagnostics == ()
    assert cls.__doc__


def test_errors_that_python_knows_too() -> None:
    assert issubclass(UnknownName, AttributeError)
    assert issubclass(WrongOperator, TypeError)


def test_the_place_is_noted_once() -> None:
    error = located(PtxError.of(Diagnostic("a", "error", "one")))
    assert error.__notes__ == [f"at {__file__}:{error.diagnostics[0].line}"]
    assert located(error) is error
    assert len(error.__notes__) == 1
    kept = located(PtxError.of(Diagnostic("a", "error", "one").at("kernel.ptx", 7)))
    assert (kept.diagnostics[0].file, kept.diagnostics[0].line) == ("kernel.ptx", 7)
