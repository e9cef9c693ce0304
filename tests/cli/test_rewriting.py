"""`ptxgen fmt`, `retarget` and `requires`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import ptxgen
from ptxgen.errors import IllegalInstruction, OperandError, Unavailable
from tests.cli.command import ROOT, command
from tests.cli.conftest import GOOD, ODD, kernel

ELECT = str(ROOT / "tests" / "golden" / "elect.ptx")

# ---- fmt


def test_a_file_is_rewritten_in_place(run: Any, files: dict[str, str]) -> None:
    path = Path(files["odd"])
    path.chmod(0o640)
    assert run("fmt", files["odd"], files["good"]).status == 0
    assert path.read_text() == GOOD.replace("%r3;", "%r3; // kept")
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(path.parent)) == ["bad.ptx", "broken.ptx", "good.ptx", "odd.ptx"]
    assert run("fmt", "--check", files["odd"]).status == 0


def test_check_lists_what_would_change(run: Any, files: dict[str, str]) -> None:
    done = run("fmt", "--check", files["good"], files["odd"])
    assert (done.status, done.output, done.errors) == (1, f"{files['odd']}\n", "")
    assert Path(files["odd"]).read_text() == ODD


def test_a_link_stays_a_link(run: Any, files: dict[str, str], tmp_path: Path) -> None:
    link = tmp_path / "link.ptx"
    link.symlink_to(files["odd"])
    assert run("fmt", str(link)).status == 0
    assert link.is_symlink()
    assert Path(files["odd"]).read_text() != ODD


def test_standard_input_to_standard_output() -> None:
    done = command("fmt", "-", input=ODD.encode())
    assert (done.status, done.errors) == (0, "")
    assert done.output == GOOD.replace("%r3;", "%r3; // kept")


def test_what_is_no_ptx_is_left_alone(run: Any, files: dict[str, str]) -> None:
    before = Path(files["broken"]).read_text()
    done = run("fmt", files["broken"], files["odd"])
    assert (done.status, done.output) == (1, "")
    assert "error[syntax]" in done.errors
    assert Path(files["broken"]).read_text() == before
    assert Path(files["odd"]).read_text() != ODD


def test_a_canonical_form_that_reads_otherwise_is_not_written(
    run: Any, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptxgen.ir.module.Module.ptx", lambda self: "lost")
    done = run("fmt", files["odd"])
    assert done.status == 2
    assert "left as it is" in done.errors
    assert Path(files["odd"]).read_text() == ODD


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(run: Any, files: dict[str, str], tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = run("fmt", files["odd"])
    tmp_path.chmod(0o700)
    assert done.status == 2
    assert "cannot write" in done.errors


# ---- retarget


def test_the_lowest_version(run: Any, files: dict[str, str]) -> None:
    done = run("retarget", files["good"])
    assert (done.status, done.errors) == (0, "")
    assert done.output == GOOD.replace(".version 8.3", ".version 7.0")


def test_another_target_and_version(run: Any, files: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out.ptx"
    done = run("retarget", files["good"], "--target", "sm_120", "--isa", "9.0", "-o", str(out))
    assert (done.status, done.output, done.errors) == (0, "", "")
    assert out.read_text() == GOOD.replace(".version 8.3\n.target sm_80", ".version 9.0\n.target sm_120")
    assert run("retarget", files["good"], "--target", "sm_120", "--isa", "auto").output.startswith(".version 8.7\n")


def test_a_refusal_has_the_reasons(run: Any) -> None:
    done = run("retarget", ELECT, "--target", "sm_80")
    assert (done.status, done.output) == (1, "")
    assert "error[unavailable]: elect.sync needs sm_90 with PTX 8.0" in done.errors
    assert "= help: " in done.errors


def test_retarget_of_a_wrong_or_unreadable_file(run: Any, files: dict[str, str]) -> None:
    assert "error[operand]" in (done := run("retarget", files["bad"])).errors
    assert (done.status, done.output) == (1, "")
    assert "error[syntax]" in (done := run("retarget", files["broken"])).errors
    assert run("retarget", "no-such.ptx").status == 2
    assert run("retarget", files["good"], "-o", "no/such/folder").status == 2


def test_retarget_in_python() -> None:
    module = ptxgen.parse(GOOD)
    moved = ptxgen.retarget(module, "sm_90")
    assert (moved.target, moved.version, module.target, module.version) == ("sm_90", "7.8", "sm_80", "8.3")
    assert ptxgen.retarget(module, version="9.0").version == "9.0"
    assert moved.items is module.items
    with pytest.raises(Unavailable, match=r"sm_80 needs PTX 7\.0") as caught:
        ptxgen.retarget(module, version="6.3")
    assert caught.value.diagnostics[0].code == "unavailable"
    with pytest.raises(IllegalInstruction, match="no target is called 'sm_1'"):
        ptxgen.retarget(module, "sm_1")
    with pytest.raises(OperandError, match="retarget takes a Module, got str"):
        ptxgen.retarget(GOOD)  # type: ignore[arg-type]


def test_retarget_of_what_the_builder_made() -> None:
    module = ptxgen.Module("sm_75", "8.0")
    assert ptxgen.retarget(module).ptx().startswith(".version 6.3\n.target sm_75\n")
    assert module.version == "8.0"


# ---- requires


def test_requirements(run: Any, files: dict[str, str]) -> None:
    done = run("requires", files["good"])
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith("lowest .version for sm_80: 7.0")
    assert "CUDA toolkit 11.0 or newer" in done.output


def test_requirements_of_several_files(run: Any, files: dict[str, str]) -> None:
    done = run("requires", files["good"], ELECT, files["broken"], "no-such.ptx")
    assert done.status == 2
    assert [line for line in done.output.splitlines() if line.endswith(":")] == [f"{files['good']}:", f"{ELECT}:"]
    assert "error[syntax]" in done.errors
    assert "cannot read no-such.ptx" in done.errors


def test_requirements_as_json(run: Any) -> None:
    done = run("requires", ELECT, "--format", "json")
    (found,) = json.loads(done.output)["files"]
    assert (found["path"], found["target"], found["version"]) == (ELECT, "sm_90", "8.0")
    assert found["targets"]["sm_120"] == "8.7"
    assert found["lacking"]["sm_89"] == "elect.sync"
    line = Path(ELECT).read_text().partition("elect.sync")[0].count("\n") + 1
    assert {"version": "8.0", "what": "elect.sync", "line": line} in found["reasons"]
    assert {"version": "7.8", "what": "sm_90", "line": 0} in found["reasons"]
    assert f"because of elect.sync (PTX 8.0, line {line})" in run("requires", ELECT).output


def test_requirements_do_not_depend_on_the_header(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "new.ptx"
    path.write_text(kernel("add.u32 %r1, %r2, %r3;", header=".version 9.0\n.target sm_80\n.address_size 64\n"))
    assert run("requires", str(path)).output.startswith("lowest .version for sm_80: 7.0")


def test_requires_of_a_target_that_does_not_exist(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "kernel.ptx"
    path.write_text(".version 9.0\n.target sm_91\n.entry k { ret; }\n")
    done = run("requires", str(path))
    assert (done.status, done.output) == (1, "")
    assert done.errors.startswith(f"{path}: error[header]: no target is called 'sm_91'; there is sm_10, ")


TWO = """\
.version 9.0
.target sm_90
.address_size 64
.visible .entry first()
{
	ret;
}
.visible .entry second()
{
	.reg .pred p;
	.shared .align 16 .b128 tile[2];
	elect.sync _|p, -1;
	elect.sync _|p, -1;
}
"""


def test_the_first_lines_that_ask() -> None:
    assert ptxgen.requires(TWO).lines == {".b128": 11, "elect.sync": 12}
    assert ptxgen.requires(ptxgen.Module("sm_90")).lines == {}


def test_requirements_of_a_text_that_is_none() -> None:
    with pytest.raises(ptxgen.ParseError):
        ptxgen.requires("add")
