"""`ptxgen explain` and `ptxgen doctor`."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Any

import pytest

import ptxgen.assemble
import ptxgen.gpu
from ptxgen.assemble.advice import known
from ptxgen.cli.doctor import PACKAGES
from ptxgen.diagnostics import codes
from ptxgen.errors import AssembleError
from ptxgen.gpu import Driver, Gpu, Machine
from tests.architecture.source import ROOT

# ---- explain


@pytest.mark.parametrize("code", [*codes(), *known()])
def test_every_code(run: Any, code: str) -> None:
    done = run("explain", code)
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith(f"{code}: ")


def test_the_list(run: Any) -> None:
    done = run("explain")
    assert done.status == 0
    listed = [line.split()[0] for line in done.output.splitlines() if line.startswith("  ")]
    assert listed == [*codes(), *known()]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("unavaliable", "there is no code 'unavaliable'; did you mean unavailable"),
        ("C7507", "did you mean C75"),
        ("xyzzy", "there is no code 'xyzzy'; `ptxgen explain` lists them"),
    ],
)
def test_no_such_code(run: Any, code: str, says: str) -> None:
    done = run("explain", code)
    assert (done.status, done.output) == (2, "")
    assert says in done.errors


# ---- doctor

H200 = Machine(Driver((13, 0), "580.65.06"), (Gpu(0, "NVIDIA H200", "sm_90", 132),), "")
NOTHING = Machine(None, (), "there is no NVIDIA driver on this machine")


class Found:
    """An assembler that is there."""

    name, version, place = "ptxas 12.4.131", "12.4.131", "/opt/ptxas"


def doctor(run: Any, monkeypatch: pytest.MonkeyPatch, machine: Machine, **found: Any) -> Any:
    monkeypatch.setattr(ptxgen.gpu, "machine", lambda: machine)
    monkeypatch.setattr(ptxgen.assemble.NvJitLink, "find", lambda: found.get("nvjitlink"))
    monkeypatch.setattr(ptxgen.assemble, "find_ptxas", found.get("ptxas", lambda: None))
    return run("doctor")


def test_this_machine(run: Any) -> None:
    done = run("doctor")
    assert (done.status, done.errors) == (0, "")
    lines = done.output.splitlines()
    assert lines[0].startswith(f"ptxgen {ptxgen.__version__} knows PTX up to 9.")
    assert all(line.endswith(".") for line in lines)


def test_a_gpu(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done = doctor(run, monkeypatch, H200, ptxas=Found)
    assert done.status == 0
    assert "The driver 580.65.06 (CUDA 13.0) accepts PTX up to 9.0.\n" in done.output
    assert "GPU 0, NVIDIA H200 (sm_90) runs kernels; it has 132 multiprocessors.\n" in done.output
    assert "ptxas 12.4.131 (/opt/ptxas) assembles PTX up to 8.4.\n" in done.output


def test_nothing_there_is_no_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    done = doctor(run, monkeypatch, NOTHING)
    assert done.status == 0
    assert "No kernel can run here: there is no NVIDIA driver on this machine." in done.output
    assert "There is no assembler: pip install ptxgen[assemble], or put" in done.output
    for name, (purpose, extra) in PACKAGES.items():
        assert f"{name} is not installed, for {purpose}: pip install ptxgen[{extra}].\n" in done.output


def test_a_driver_newer_than_the_tables(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done = doctor(run, monkeypatch, Machine(Driver((99, 0), ""), (), "the driver finds no GPU"))
    assert "The driver (CUDA 99.0) accepts PTX newer than any known here.\n" in done.output


def test_a_broken_ptxas(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise AssembleError("/opt/ptxas does not run: permission denied")

    done = doctor(run, monkeypatch, NOTHING, ptxas=broken)
    assert done.status == 1
    assert "/opt/ptxas does not run: permission denied; remove it from PATH, or install it anew.\n" in done.output


def test_the_extras_are_those_of_the_project() -> None:
    import tomllib

    extras = tomllib.loads(Path(ROOT, "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for name, (_, extra) in PACKAGES.items():
        brought = [word for one in (extra, "assemble") for word in extras[one] if word.startswith(name)]
        assert brought, name
