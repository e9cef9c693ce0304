"""Kernel files that are none: a sentence on standard error, and no traceback from inside ptxgen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import command

HEAD = "from ptxgen import Builder, Module\nmod = Module('sm_75')\n"
VERBS = pytest.mark.parametrize("verb", ["build", "run"])


def kernel_file(folder: Path, text: str) -> str:
    (folder / "kernel.py").write_text(text, encoding="utf-8")
    return str(folder / "kernel.py")


@pytest.mark.parametrize("arguments", ["", "bild", "build", "run", "build x.py --isa", "run x.py -q"])
def test_a_wrong_command(arguments: str):
    done = command(*arguments.split())
    assert done.status == 2
    assert "usage: ptxgen" in done.output + done.errors


def test_help():
    assert command("--help").status == command("build", "--help").status == command("run", "--help").status == 0


@VERBS
def test_no_file(verb: str, tmp_path: Path):
    for name in (str(tmp_path / "nosuch.py"), str(tmp_path)):
        done = command(verb, name)
        assert (done.status, done.output) == (2, "")
        assert done.errors == f"ptxgen: {name} is no file\n"


@VERBS
@pytest.mark.parametrize(("text", "count"), [("", 0), (HEAD + "other = Module('sm_75')\n", 2)])
def test_not_one_module(verb: str, text: str, count: int, tmp_path: Path):
    name = kernel_file(tmp_path, text)
    done = command(verb, name)
    assert (done.status, done.output) == (2, "")
    assert done.errors == f"ptxgen: {name} defines {count} modules; a kernel file defines one ptxgen.Module\n"


@VERBS
def test_an_illegal_instruction_has_the_line_of_the_kernel(verb: str, tmp_path: Path):
    name = kernel_file(tmp_path, f"{HEAD}@mod.entry\ndef f(k: Builder) -> None:\n    k.add.rn.u32(1, 2)\n")
    done = command(verb, name)
    assert (done.status, done.output) == (1, "")
    assert "add.rn cannot be followed by .u32" in done.errors
    assert f"{name}:5" in done.errors
    assert "Traceback" not in done.errors


@VERBS
def test_a_wrong_target(verb: str, tmp_path: Path):
    done = command(verb, kernel_file(tmp_path, "from ptxgen import Module\nmod = Module('sm_999')\n"))
    assert (done.status, done.output) == (1, "")
    assert "no target is called 'sm_999'" in done.errors
    assert "Traceback" not in done.errors


@VERBS
@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("def f(:\n", 1, "SyntaxError: invalid syntax"),
        (f"{HEAD}import nosuch\n", 3, "ModuleNotFoundError: No module named 'nosuch'"),
        (f"{HEAD}\n1 / 0\n", 4, "ZeroDivisionError: division by zero"),
        ("\0", 0, "SyntaxError: source code string cannot contain null bytes"),
    ],
)
def test_what_python_says_of_a_kernel_file(verb: str, text: str, line: int, says: str, tmp_path: Path):
    name = kernel_file(tmp_path, text)
    done = command(verb, name)
    assert (done.status, done.output) == (1, "")
    assert says in done.errors
    assert line == 0 or f'File "{name}", line {line}' in done.errors
    assert "runpy" not in done.errors
    assert "ptxgen/cli" not in done.errors


def test_an_output_that_cannot_be_written(tmp_path: Path):
    done = command("build", "examples/saxpy.py", "-o", str(tmp_path / "nosuch" / "saxpy.ptx"))
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith("ptxgen: ")
    assert "Traceback" not in done.errors
