"""docs/diagnostics.md is what the generator makes of the codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptxgen.assemble.advice import known
from ptxgen.diagnostics import codes
from tools import diagnostics_page


def test_the_page_is_current() -> None:
    assert diagnostics_page.main(["--check"]) == 0


def test_the_page_has_everything() -> None:
    text = diagnostics_page.page()
    for code in codes().values():
        assert f"\n### {code.code}\n\n{code.title}" in text
        assert code.example in text
    for found in known().values():
        assert f"| `{found.about}` |" in text


def test_a_page_that_differs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnostics_page, "PAGE", tmp_path / "docs" / "diagnostics.md")
    assert diagnostics_page.main(["--check"]) == 1
    assert "out of date; run `python -m tools.diagnostics_page`" in capsys.readouterr().err
    assert diagnostics_page.main([]) == 0
    assert diagnostics_page.main(["--check"]) == 0
    diagnostics_page.PAGE.write_text("other", encoding="utf-8")
    assert diagnostics_page.main(["--check"]) == 1
