"""The codes: each that the product gives has an entry, each entry is given, and each example gives its code."""

from __future__ import annotations

import re
from typing import Any

import pytest

import ptxgen
from ptxgen import Builder, Module, PtxError, Report, sreg
from ptxgen.check.flow import findings
from ptxgen.diagnostics.catalogue import SUBJECTS, Code, codes
from tests.diagnostics.frame import framed
from tests.diagnostics.literals import uses

CODES = codes()


def test_every_code_that_is_given_has_an_entry() -> None:
    assert [f"{use.path.name}:{use.line}: {use.code}" for use in uses() if use.code not in CODES] == []


def test_every_entry_is_given() -> None:
    assert set(CODES) - {use.code for use in uses()} == set()


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_an_entry_is_complete(code: Code) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.code)
    assert code.subject in SUBJECTS
    assert not code.title.endswith(".")
    assert code.explanation.endswith(".")
    assert code.do.endswith((".", '"'))
    text = str(code)
    assert text.startswith(f"{code.code}: {code.title}\n")
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("code", [c for c in CODES.values() if c.language == "ptx"], ids=lambda code: code.code)
def test_ptx_that_gives_it(code: Code) -> None:
    assert code.code in given_by(framed(code.example, code.target)), code.example


@pytest.mark.parametrize("code", [c for c in CODES.values() if c.language == "python"], ids=lambda code: code.code)
def test_python_that_gives_it(code: Code) -> None:
    """The example raises it, or leaves a report that has it."""
    said: set[str] = set()
    names: dict[str, Any] = {name: getattr(ptxgen, name) for name in dir(ptxgen) if not name.startswith("_")}
    mod = Module("sm_80")

    def around(k: Builder, address: ptxgen.Param[ptxgen.u64]) -> None:
        mine = {"ptxgen": ptxgen, "mod": mod, "k": k, "kept": [], "a": k.ld.param.u64([address])}
        mine |= {"i": k.mov.u32(sreg.tid.x), "x": k.reg.f32(), "p": k.reg.pred()}
        names.update(mine)
        exec(code.example, names)

    try:
        mod.entry(around)
    except PtxError as error:
        said.update(found.code for found in error.diagnostics)
    if isinstance(report := names.get("report"), Report):
        said.update(found.code for found in report.diagnostics)
    assert code.code in said, code.example


def given_by(text: str) -> set[str]:
    """The codes of what is wrong with a text."""
    try:
        module = ptxgen.parse(text)
        found = [*ptxgen.check(module).diagnostics, *(finding.diagnostic for finding in findings(module))]
        return {one.code for one in found}
    except PtxError as error:
        return {found.code for found in error.diagnostics}


def test_the_search_finds_codes_through_functions() -> None:
    found = {use.code for use in uses()}
    assert {"duplicate-name", "beyond-manual", "load", "assembler"} <= found
    assert "" not in found
