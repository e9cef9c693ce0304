"""pyright over a program that is right and one that is wrong in every line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tools.bench import editor

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MARKED = {
    number: match.groups()
    for number, line in enumerate((HERE / "wrong.py").read_text(encoding="utf-8").splitlines(), 1)
    if (match := re.search(r"# error: (report\w+): (.*)$", line))
}


def pyright(*files: Path) -> dict[str, Any]:
    """What pyright says of files, with the settings of the project."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run([*command, *map(str, files)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


@lru_cache(maxsize=1)
def problems() -> dict[str, dict[int, list[tuple[str, str]]]]:
    """File name -> line -> rule and message of each error there."""
    found: dict[str, dict[int, list[tuple[str, str]]]] = {"good.py": {}, "wrong.py": {}}
    for problem in pyright(HERE / "good.py", HERE / "wrong.py")["generalDiagnostics"]:
        line = problem["range"]["start"]["line"] + 1
        rows = found[Path(problem["file"]).name].setdefault(line, [])
        rows.append((problem.get("rule", ""), problem["message"].replace("\u00a0", " ")))
    return found


def test_right_program_is_clean() -> None:
    assert problems()["good.py"] == {}


def test_only_wrong_lines_are_wrong() -> None:
    assert set(problems()["wrong.py"]) == set(MARKED)


@pytest.mark.parametrize("line", MARKED)
def test_wrong_line(line: int) -> None:
    rule, part = MARKED[line]
    assert any(rule == found and part in message for found, message in problems()["wrong.py"].get(line, ()))


def test_right_program_assembles_text() -> None:
    """What type checks is also built: every kernel of the file is recorded without an error."""
    code = "import sys; sys.path[:0] = ['generated', '.']; import runpy; print(runpy.run_path(sys.argv[1])['text'])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(HERE / "good.py")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "fma.rn.f32" in done.stdout


def test_two_thousand_calls_are_checked_fast() -> None:
    report = editor.measure()
    assert report["generalDiagnostics"] == []
    assert report["summary"]["timeInSec"] < 3 * editor.LIMIT  # 3 seconds on an idle machine
