"""What is checked in is what the specification says, and an edit by hand is noticed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.generate.__main__ import OUTPUT, main, sealed, stale
from tools.specification.specification import load_specification

ROOT = Path(__file__).parents[2]
# Writes everything into a folder, and says how many seconds of the processor that took.
GENERATE = "import sys, time; from tools.generate.__main__ import main; main(sys.argv[1:]); print(time.process_time())"


def generate(folder: Path, seed: str) -> float:
    """Run the generator in a process of its own; the seconds that it took."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT), OUTPUT.parent.name])}
    command = [sys.executable, "-c", GENERATE, "--output", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def contents(folder: Path) -> dict[str, str]:
    """Every generated file in a folder."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A folder that the generator has filled, and how long it took."""
    folder = tmp_path_factory.mktemp("generated")
    return folder, generate(folder, "1")


@pytest.fixture(scope="module")
def wanted() -> dict[str, str]:
    return sealed(load_specification())


def test_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().err


def test_deterministic(written: tuple[Path, float], wanted: dict[str, str], tmp_path: Path) -> None:
    generate(tmp_path, "2")
    assert contents(tmp_path) == contents(written[0]) == wanted


def test_fast(written: tuple[Path, float]) -> None:
    assert written[1] < 20  # what one waits for after an edit; 11 on one core


def test_stubs_are_small(wanted: dict[str, str]) -> None:
    assert sum(len(text) for name, text in wanted.items() if name.endswith(".pyi")) < 4_000_000


def test_seals_hold() -> None:
    for name, text in contents(OUTPUT).items():
        if name.endswith((".py", ".pyi")) and name != "__init__.py":
            _, seal, body = text.split("\n", 2)
            assert seal == f"# sha256 {hashlib.sha256(body.encode()).hexdigest()}", name


@pytest.mark.parametrize("name", ["builder.pyi", "opcodes/add.pyi", "types.json", "names.py"])
def test_edit_is_noticed(written: tuple[Path, float], wanted: dict[str, str], name: str) -> None:
    path = written[0] / name
    assert stale(wanted, written[0]) == []
    path.write_text(wanted[name].replace("f32", "f33", 1), encoding="utf-8")
    assert stale(wanted, written[0]) == [name]
    path.write_text(wanted[name], encoding="utf-8")


def test_check_names_the_edited_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--output", str(tmp_path)])
    (tmp_path / "tokens.json").write_text("{}", encoding="utf-8")
    assert main(["--check", "--output", str(tmp_path)]) == 1
    assert "tokens.json is out of date or was edited" in capsys.readouterr().err


def test_superfluous_and_missing_files_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "opcodes").mkdir()
    (tmp_path / "opcodes" / "gone.pyi").write_text("", encoding="utf-8")
    assert stale({"opcodes/add.pyi": "text"}, tmp_path) == ["opcodes/add.pyi", "opcodes/gone.pyi"]
