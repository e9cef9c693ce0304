"""`ptxgen check`: findings on standard output, sentences on standard error, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import command
from tests.cli.conftest import GOOD, kernel


def test_a_good_file(run: Any, files: dict[str, str]) -> None:
    done = run("check", files["good"])
    assert (done.status, done.output, done.errors) == (0, "", "")


def test_a_bad_file(run: Any, files: dict[str, str]) -> None:
    done = run("check", files["bad"])
    assert (done.status, done.errors) == (1, "")
    assert "error[operand]: add.u32 operand 3 (b) takes a .u32 value, got a .f32 register\n" in done.output
    assert done.output.startswith(files["bad"])


def test_a_file_that_is_no_ptx(run: Any, files: dict[str, str]) -> None:
    done = run("check", files["broken"])
    assert done.status == 1
    first, line, caret = done.output.splitlines()[:3]
    assert first.startswith(f"{files['broken']}:14:19: error[syntax]: ")
    assert line == "   14 |     add.u32 %r1, %r2 %r3;"
    assert caret.startswith("      |                      ^")


def test_several_files_in_the_order_given(run: Any, files: dict[str, str]) -> None:
    done = run("check", files["broken"], files["good"], files["bad"], files["broken"])
    assert done.status == 1
    heads = [line.partition(".ptx")[0] for line in done.output.splitlines() if ".ptx" in line]
    assert [Path(head).name for head in heads] == ["broken", "bad", "broken"]


def test_json(run: Any, files: dict[str, str]) -> None:
    done = run("check", files["good"], files["bad"], files["broken"], "--format", "json")
    assert done.status == 1
    good, bad, broken = json.loads(done.output)["files"]
    assert good == {"path": files["good"], "version": "8.3", "target": "sm_80", "ok": True, "diagnostics": []}
    assert (bad["ok"], [d["code"] for d in bad["diagnostics"]]) == (False, ["operand"])
    assert broken["diagnostics"][0]["line"] == 14
    assert (broken["version"], broken["target"]) == ("8.3", "sm_80")


def test_json_of_a_file_without_a_header(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "empty.ptx"
    path.write_text("")
    (only,) = json.loads(run("check", str(path), "--format", "json").output)["files"]
    assert (only["version"], only["target"], only["ok"]) == (None, None, False)


@pytest.mark.parametrize(("format", "begins"), [("sarif", "{"), ("github", "::error file=")])
def test_other_formats(run: Any, files: dict[str, str], format: str, begins: str) -> None:
    done = run("check", files["bad"], "--format", format)
    assert (done.status, done.errors) == (1, "")
    assert done.output.startswith(begins)
    assert "operand 3" in done.output


def test_standard_input(files: dict[str, str]) -> None:
    done = command("check", "-", input=Path(files["bad"]).read_bytes())
    assert (done.status, done.errors) == (1, "")
    assert done.output.startswith("<stdin>")
    assert command("check", "-", input=GOOD.encode()).status == 0


ELECT = kernel(".reg .pred %p;", "elect.sync %r1|%p, 0xffffffff;", header=GOOD.partition(".visible")[0])


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        ((), 1, "error[unavailable]: elect.sync needs sm_90 with PTX 8.0"),
        (("--target", "sm_90"), 0, ""),
        (("--target", "sm_90", "--isa", "7.8"), 1, "error[unavailable]"),
        (("--target", "sm_90", "--arch", "sm_80"), 1, "error[arch]: code for sm_90 does not assemble for sm_80"),
        (("--target", "sm_90", "--toolkit", "12.2"), 1, "error[too-new]: CUDA toolkit 12.2 accepts PTX up to 8.2"),
        (("--target", "sm_90", "--driver", "525.60"), 1, "error[too-new]"),
        (("--target", "sm_90", "--toolkit", "12.4", "--driver", "570.86"), 0, ""),
    ],
)
def test_questions(run: Any, tmp_path: Path, options: tuple[str, ...], status: int, says: str) -> None:
    path = tmp_path / "elect.ptx"
    path.write_text(ELECT)
    done = run("check", str(path), *options)
    assert (done.status, done.errors) == (status, "")
    assert says in done.output
    assert bool(says) == bool(done.output)


def test_strict(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "nanosleep.ptx"
    path.write_text(kernel("nanosleep.u32 1;", header=".version 6.2\n.target sm_70\n.address_size 64\n"))
    assert "warning[beyond-manual]" in (done := run("check", str(path))).output
    assert done.status == 0
    assert "error[beyond-manual]" in (done := run("check", str(path), "--strict")).output
    assert done.status == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "the following arguments are required: FILE"),
        (("--target", "sm_999", "x.ptx"), "argument --target: no target is called 'sm_999'"),
        (("--isa", "99.9", "x.ptx"), "argument --isa: there is no PTX ISA version 99.9; the newest that is known is "),
        (("--isa", "new", "x.ptx"), "argument --isa: 'new' is no PTX ISA version"),
        (("--arch", "sm_1", "x.ptx"), "argument --arch: no target is called 'sm_1'"),
        (("--toolkit", "12.99", "x.ptx"), "argument --toolkit: no CUDA toolkit 12.99 is known"),
        (("--driver", "new", "x.ptx"), "argument --driver: 'new' is no driver version"),
        (("--driver", "1.0", "x.ptx"), "argument --driver: the driver 1.0 is older than any that is known"),
        (("--format", "xml", "x.ptx"), "argument --format: invalid choice: 'xml'"),
    ],
)
def test_wrong_usage(run: Any, arguments: tuple[str, ...], says: str) -> None:
    done = run("check", *arguments)
    assert (done.status, done.output) == (2, "")
    assert says in done.errors


def test_an_unreadable_file_does_not_stop_the_others(run: Any, files: dict[str, str]) -> None:
    done = run("check", "no-such.ptx", files["bad"])
    assert done.status == 2
    assert done.errors == "ptxgen: cannot read no-such.ptx: no such file or directory\n"
    assert "error[operand]" in done.output
