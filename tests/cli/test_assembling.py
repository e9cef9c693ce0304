"""`ptxgen assemble`: what a kernel takes, and what the assembler says, with advice."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from ptxgen.assemble import Cubin, Message, Resources, advice_on, assemblers, default_assembler
from ptxgen.assemble.advice import known
from ptxgen.assemble.log import diagnostics_of
from ptxgen.cli.assemble import described
from tests.cli.command import ROOT, command

NONE = next(assemblers(), None) is None
needs_assembler = pytest.mark.skipif(NONE, reason="no nvJitLink and no ptxas")
SAXPY = ROOT / "tests" / "golden" / "saxpy.ptx"

# A stand-in that takes its text for sm_90 and later, and says of line 9 what ptxas would.
PTXAS = """\
#!/bin/sh
case "$*" in
    *--version*) echo "Cuda compilation tools, release 12.4, V12.4.131" ;;
    *sm_7*|*sm_80*) echo "ptxas fatal   : Value is not defined for option 'gpu-name'"; exit 1 ;;
    *) grep -q refuse input.ptx && { echo "ptxas input.ptx, line 9; error   : (C7602) no registers" >&2; exit 255; }
       echo "ptxas info    : (C7508) nobody reads this" >&2
       cp /dev/null output.cubin ;;
esac
"""


@pytest.fixture
def ptxas(tmp_path: Path) -> str:
    path = tmp_path / "ptxas"
    path.write_text(PTXAS)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@needs_assembler
@pytest.mark.parametrize("path", [SAXPY, ROOT / "examples" / "saxpy.py"])
def test_a_file(path: Path, tmp_path: Path) -> None:
    cubin = tmp_path / "saxpy.cubin"
    done = command("assemble", str(path), "-o", str(cubin))
    assert (done.status, done.errors) == (0, "")
    first, second = done.output.splitlines()
    assembler = default_assembler()
    size = cubin.stat().st_size
    assert first == f"{path}: {size} bytes for sm_75, by {assembler.name} ({assembler.place})"
    assert second.startswith("  saxpy: ")
    assert "registers" in second
    assert "no spills" in second
    assert cubin.read_bytes()[:4] == b"\x7fELF"


@needs_assembler
def test_for_another_gpu_and_from_standard_input() -> None:
    done = command("assemble", "-", "--arch", "sm_90", input=SAXPY.read_bytes())
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith("<stdin>: ")
    assert " bytes for sm_90, by " in done.output


@needs_assembler
def test_what_the_assembler_refuses(files: dict[str, str]) -> None:
    done = command("assemble", files["bad"])
    assert (done.status, done.output) == (1, "")
    assert "could not assemble the module for sm_80" in done.errors
    assert f"{files['bad']}:14:1: error[assembler]: " in done.errors
    assert "   14 |     add.u32 %r1, %r2, %f3;" in done.errors


def test_the_ptxas_that_is_named(run: Any, ptxas: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptxgen.assemble.cubin.read_resources", lambda code: {})
    done = run("assemble", files["good"], "--ptxas", ptxas)
    assert (done.status, done.errors) == (0, "")
    assert done.output.splitlines() == [
        f"{files['good']}: 0 bytes for sm_86, as it has no sm_80, by ptxas 12.4.131 ({ptxas})",
        "  info: (C7508) nobody reads this",
        f"   = help: C7508: {known()['C7508'].text}",
    ]


def test_a_refusal_has_advice(run: Any, ptxas: str, files: dict[str, str]) -> None:
    path = Path(files["good"])
    path.write_text(path.read_text() + "// refuse\n")
    done = run("assemble", files["good"], "--ptxas", ptxas)
    assert (done.status, done.output) == (1, "")
    assert "error[assembler]: (C7602) no registers" in done.errors
    assert f"= help: {known()['C7602'].text}" in done.errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("no-such.ptx",), "cannot read no-such.ptx"),
        (("no-such.py",), "no-such.py is no file"),
        ((str(SAXPY), "--arch", "sm_1"), "argument --arch: no target is called 'sm_1'"),
        ((str(SAXPY), "--ptxas", "no/such"), "no/such does not run: no such file or directory"),
        ((str(SAXPY), "--ptxas", "/bin/true"), "/bin/true is no ptxas: it prints no version"),
    ],
)
def test_wrong_usage(run: Any, arguments: tuple[str, ...], says: str) -> None:
    done = run("assemble", *arguments)
    assert (done.status, done.output) == (2, "")
    assert says in done.errors


@needs_assembler
def test_a_text_without_a_target(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "none.ptx"
    path.write_text(".version 8.3\n")
    done = run("assemble", str(path))
    assert (done.status, done.output) == (1, "")
    assert "names no .target" in done.errors


def test_spills_get_advice(run: Any) -> None:
    spilled = Resources(255, 0, 16, 0, 8, 8)
    cubin = Cubin(b"", "sm_90", {"kernel": spilled}, (Message("info", "x", 0, "C7511"),), "ptxas 1")
    assert [found.about for found in advice_on(cubin)] == ["C7511", "spills"]
    assert list(advice_on(Cubin(b"", "sm_90", {}, (Message("info", "x", 0, "C9999"),), "ptxas 1"))) == []

    class Named:
        name, place = "ptxas 1", ""

    lines = list(described("a.ptx", cubin, Named(), "sm_90"))  # type: ignore[arg-type]
    assert lines[0] == "a.ptx: 0 bytes for sm_90, by ptxas 1"
    assert lines[-1] == f"   = help: spills: {known()['spills'].text}"


def test_a_line_without_advice_has_none() -> None:
    (found,) = diagnostics_of("ptxas a.ptx, line 3; error   : Unknown symbol 'x'")
    assert (found.message, found.hint) == ("Unknown symbol 'x'", "")
