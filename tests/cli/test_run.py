"""`ptxgen run`: everything about a kernel on one page, with a GPU or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptxgen.assemble.assembler import assemblers
from ptxgen.gpu import machine
from tests.cli.command import ROOT, command

SAXPY = "examples/saxpy.py"
GOLDEN = (ROOT / "tests" / "golden" / "saxpy.ptx").read_text(encoding="utf-8")
MISSING = machine().missing
without_gpu = pytest.mark.skipif(not MISSING, reason="there is a GPU")


def test_the_ptx_and_what_it_needs():
    done = command("run", SAXPY)
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith(GOLDEN)
    assert "lowest .version for sm_75: 6.3, because of sm_75 (PTX 6.3)" in done.output
    assert "CUDA toolkit 10.0 or newer, driver 410.48 or newer" in done.output


@pytest.mark.skipif(next(assemblers(), None) is None, reason="no nvJitLink and no ptxas")
def test_its_size_registers_and_spills():
    output = command("run", SAXPY).output
    assert "assembled for sm_75 by " in output
    assert " bytes\n" in output
    for word in ("registers", "spill"):
        assert word in output.split("assembled for")[1]


@without_gpu
def test_without_a_gpu_it_says_what_would_run_it():
    done = command("run", SAXPY)
    assert done.status == 0
    last = done.output.splitlines()[-1]
    assert last.startswith("not launched: cannot run on a GPU: ")
    assert MISSING in last
    assert "a GPU of compute capability 7.5 or later" in last


@without_gpu
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_a_device_that_was_asked_for_and_is_not_there(device: str):
    done = command("run", SAXPY, "--device", device)
    assert done.status == 1
    assert "LoadError" in done.errors
    assert "Traceback" not in done.errors


def test_a_file_without_run_is_shown_only(tmp_path: Path):
    path = tmp_path / "kernel.py"
    lines = "from ptxgen import Builder, Module", "mod = Module('sm_75')", "@mod.entry", "def f(k: Builder): k.ret()"
    path.write_text("\n".join(lines), encoding="utf-8")
    done = command("run", str(path))
    assert done.status == 0
    assert ".visible .entry f" in done.output
    assert "launched" not in done.output


@pytest.mark.skipif(next(assemblers(), None) is None, reason="no nvJitLink and no ptxas")
def test_a_kernel_that_the_assembler_refuses(tmp_path: Path):
    path = tmp_path / "kernel.py"
    lines = (
        "from ptxgen import Builder, Module", "mod = Module('sm_75')", "@mod.entry",
        "def f(k: Builder): k.raw('no such thing;'); k.ret()",
    )  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")
    done = command("run", str(path))
    assert done.status == 1
    assert "AssembleError" in done.errors
