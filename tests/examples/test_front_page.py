"""The README, held to what it says: its code is run, outputs and messages compared, commands those of .ci/run."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ptxgen import Builder, Module, Param, PtxError, sreg, u64
from ptxgen.assemble.assembler import assemblers
from tests.cli.command import ENVIRONMENT, ROOT, command

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
OUTPUTS = ("ptx", "text")


def blocks() -> list[tuple[str, str]]:
    """Language and text of each block of code."""
    return [(found[1], found[2]) for found in BLOCK.finditer(README)]


def shell_lines() -> list[str]:
    return [line for language, text in blocks() if language == "sh" for line in text.splitlines()]


SET_UP = [line for line in shell_lines() if line.startswith("python3 -m venv")]


def test_two_commands():
    example, tests = SET_UP
    assert example.endswith("ptxgen run examples/saxpy.py")
    assert tests.endswith("pytest")


def test_the_test_command_is_the_one_of_ci():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert SET_UP[1] in script.splitlines()


def test_the_code_gives_the_output_beside_it():
    """All Python blocks in one go, as a reader would paste them; a block of output belongs to the code before it."""
    if next(assemblers(), None) is None:
        pytest.skip("no nvJitLink and no ptxas")
    names: dict[str, Any] = {"__name__": "readme"}
    shown: list[tuple[str, str]] = []
    printed = ""
    for language, text in blocks():
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(text, "README.md", "exec"), names)
            printed = output.getvalue()
        elif language in OUTPUTS:
            shown.append((printed.strip(), text.strip()))
    assert shown
    for printed, text in shown:
        assert text == printed


def test_the_commands_work(tmp_path: Path):
    """One after the other, as a reader would type them."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in shell_lines():
        if not line.startswith("ptxgen "):
            continue
        words = shlex.split(line, comments=True)
        done = command(*words[1:], cwd=tmp_path)
        assert (done.status, done.errors) == (0, ""), line
        if "-o" in words:
            begins = b"\x7fELF" if words[-1].endswith(".cubin") else b".version "
            assert (tmp_path / words[-1]).read_bytes().startswith(begins), line
        else:
            assert bool(done.output) == ("silent" not in line and words[1] != "fmt"), line


@pytest.mark.parametrize("text", [text for language, text in blocks() if language == "console"])
def test_what_a_terminal_shows(text: str):
    line, _, shown = text.removeprefix("$ ").partition("\n")
    done = subprocess.run(
        ["bash", "-c", f'ptxgen() {{ "{sys.executable}" -m ptxgen "$@"; }}; {line}'],
        cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (shown, "")


def messages() -> list[tuple[str, str]]:
    """What one writes, and what ptxgen says of it."""
    table = README.partition("| one writes | ptxgen says |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines()]
    return [(code.strip(" `"), message.strip()) for code, message in rows]


@pytest.mark.parametrize(("code", "message"), messages(), ids=[code for code, _ in messages()])
def test_the_messages(code: str, message: str):
    said: list[str] = []
    mod = Module("sm_80")

    @mod.entry
    def kernel(k: Builder, address: Param[u64]) -> None:
        a = k.ld.param.u64([address])
        names = {"k": k, "a": a, "i": k.mov.u32(sreg.tid.x), "x": k.reg.f32(), "p": k.reg.pred()}
        try:
            eval(code, names)
        except PtxError as error:
            said.append(str(error))

    assert said == [message]


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)\)", README))
def test_links_lead_somewhere(target: str):
    assert (ROOT / target).exists()
