"""`ptxgen build`: data on standard output, sentences on standard error, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ROOT, command

SAXPY = "examples/saxpy.py"
ELECT = "examples/elect.py"
GOLDEN = (ROOT / "tests" / "golden" / "saxpy.ptx").read_text(encoding="utf-8")


def test_nothing_but_the_ptx():
    done = command("build", SAXPY)
    assert (done.status, done.errors) == (0, "")
    assert done.output == GOLDEN


def test_into_a_file(tmp_path: Path):
    done = command("build", SAXPY, "-o", str(tmp_path / "saxpy.ptx"))
    assert (done.status, done.output, done.errors) == (0, "", "")
    assert (tmp_path / "saxpy.ptx").read_text(encoding="utf-8") == GOLDEN


def test_for_another_target_and_version():
    done = command("build", SAXPY, "--target", "sm_120", "--isa", "9.0")
    assert (done.status, done.errors) == (0, "")
    assert done.output == GOLDEN.replace(".version 6.3\n.target sm_75\n", ".version 9.0\n.target sm_120\n")


def test_another_target_has_its_own_lowest_version():
    assert command("build", SAXPY, "--target", "sm_120").output.startswith(".version 8.7\n.target sm_120\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((ELECT, "--target", "sm_80"), "elect.sync needs sm_90 with PTX 8.0; the module has sm_80"),
        ((ELECT, "--isa", "7.8"), "elect.sync needs sm_90 with PTX 8.0; the module has sm_90 and PTX 7.8"),
        ((SAXPY, "--isa", "6.2"), "sm_75 needs PTX 6.3; the module has PTX 6.2"),
    ],
)
def test_a_module_that_does_not_fit(arguments: tuple[str, ...], says: str):
    done = command("build", *arguments)
    assert (done.status, done.output) == (1, "")
    assert says in done.errors
    assert "Traceback" not in done.errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((SAXPY, "--target", "sm_999"), "argument --target: no target is called 'sm_999'"),
        ((SAXPY, "--isa", "99.9"), "argument --isa: there is no PTX ISA version 99.9"),
        ((SAXPY, "--isa", "new"), "argument --isa: 'new' is no PTX ISA version"),
        ((SAXPY, "-o", "no/such/folder.ptx"), "cannot write no/such/folder.ptx: no such file or directory"),
    ],
)
def test_a_wrong_command(arguments: tuple[str, ...], says: str):
    done = command("build", *arguments)
    assert (done.status, done.output) == (2, "")
    assert says in done.errors
    assert "Traceback" not in done.errors
