"""How the program begins and ends: quickly, and quietly where nobody listens or someone presses Ctrl-C."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptxgen.cli import BROKEN_PIPE, INTERRUPTED
from ptxgen.cli import parallel as side_by_side
from ptxgen.cli.progress import progress
from tests.architecture.test_layers import loaded
from tests.cli.command import ENVIRONMENT, command
from tests.cli.conftest import GOOD, kernel

RUN = [sys.executable, "-m", "ptxgen"]
MANY = kernel(*["add.u32 %r1, %r2, %r3;"] * 40_000)


@pytest.fixture
def large(tmp_path: Path) -> list[str]:
    """Files that are worth two processes."""
    paths = [tmp_path / f"{at}.ptx" for at in range(4)]
    for path in paths:
        path.write_text(MANY)
    return list(map(str, paths))


def test_a_reader_that_has_seen_enough(files: dict[str, str]) -> None:
    run = subprocess.Popen(
        [*RUN, "check", *[files["bad"]] * 500], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.read(1)
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait(timeout=60) == BROKEN_PIPE


def interrupted(*arguments: str) -> subprocess.Popen[bytes]:
    """A run that someone stops in its second half second."""
    run = subprocess.Popen(
        [*RUN, *arguments], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(0.6)
    run.send_signal(signal.SIGINT)
    return run


def test_ctrl_c() -> None:
    run = interrupted("check", "-")  # waits for its input
    assert run.communicate(timeout=60) == (b"", b"")
    assert run.returncode == INTERRUPTED


def test_ctrl_c_with_processes(large: list[str]) -> None:
    run = interrupted("check", *large * 20)
    started = time.monotonic()
    assert run.communicate(timeout=60) == (b"", b"")
    assert run.returncode == INTERRUPTED
    assert time.monotonic() - started < 5


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk(files: dict[str, str]) -> None:
    with open("/dev/full", "w") as full:
        run = [*RUN, "check", files["bad"]]
        done = subprocess.run(run, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "ptxgen: cannot write the output: No space left on device\n"


def test_an_encoding_that_lacks_a_character(tmp_path: Path) -> None:
    path = tmp_path / "é.ptx"
    path.write_text(kernel("add.u32 %r1, %r2 é;"), encoding="utf-8")
    run = [*RUN, "check", str(path)]
    done = subprocess.run(run, env=ENVIRONMENT | {"PYTHONIOENCODING": "ascii"}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"add.u32 %r1, %r2 \\xe9;" in done.stdout


def test_a_check_loads_what_it_needs(files: dict[str, str]) -> None:
    names = loaded(f"from ptxgen.cli import main\nmain(['check', {files['good']!r}])\n")
    heavy = ("numpy", "llvmlite", "cuda", "yaml", "pygments", "multiprocessing", "concurrent", "tomllib")
    assert not [name for name in names if name.split(".")[0] in heavy]
    above = ("build", "assemble", "launch", "gpu", "cpu", "loading")
    assert not [name for name in names if name.startswith("ptxgen.") and name.split(".")[1] in above]


# ---- several files


def test_processes_give_the_same_in_the_same_order(large: list[str], files: dict[str, str]) -> None:
    paths = [large[0], files["bad"], large[1], files["broken"], "no-such.ptx", large[2], files["bad"]]
    one_by_one = [command("check", path) for path in paths]
    together = command("check", *paths)
    assert together.status == 2
    assert together.output == "".join(done.output for done in one_by_one)
    assert together.errors == "".join(done.errors for done in one_by_one)


def test_processes_are_started_only_where_that_pays(
    large: list[str], files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def instead(work: object, paths: list[str], processes: int) -> Iterator[str]:
        started.append(processes)
        return iter(paths)

    monkeypatch.setattr(side_by_side, "_side_by_side", instead)
    monkeypatch.setattr(side_by_side, "_processors", lambda: 3)
    for paths in ([large[0]], [files["good"]] * 5, [*large, "-"]):
        assert list(side_by_side.each(str.upper, paths)) == [path.upper() for path in paths]
    assert started == []
    assert list(side_by_side.each(str.upper, large)) == large
    assert started == [3]


# ---- a person who watches


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a terminal shows, standard output and error alike."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen([*RUN, *arguments], env=ENVIRONMENT | environment, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # Linux says so that nobody has the other end any more
        run.wait(timeout=60)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_colours_and_a_summary_on_a_terminal(files: dict[str, str]) -> None:
    shown = on_a_terminal("check", files["bad"], files["good"], TERM="xterm", NO_COLOR="")
    assert "\x1b[1;31merror[operand]\x1b[0m" in shown
    assert shown.endswith("\n1 error\n")
    assert on_a_terminal("check", files["good"], TERM="xterm") == "no findings\n"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}])
def test_no_colours(files: dict[str, str], environment: dict[str, str]) -> None:
    shown = on_a_terminal("check", files["bad"], **environment)
    assert "error[operand]" in shown
    assert "\x1b" not in shown


class Terminal:
    """Standard error of a person."""

    closed = False

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.shown: list[str] = []

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.shown.append(text)

    def flush(self) -> None:
        self.shown.append("")


@pytest.mark.parametrize(("terminal", "seconds", "bars"), [(True, 2.0, 2), (True, 0.2, 0), (False, 2.0, 0)])
def test_the_bar(monkeypatch: pytest.MonkeyPatch, terminal: bool, seconds: float, bars: int) -> None:
    stream = Terminal(terminal)
    clock = iter(at * seconds for at in range(10))
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    assert list(progress(iter("abc"), 3)) == list("abc")
    drawn = [text for text in stream.shown if text.startswith("[")]
    assert drawn == [f"[{'#' * 10}{' ' * 20}] 1 of 3 files", f"[{'#' * 20}{' ' * 10}] 2 of 3 files"][:bars]
    assert stream.shown.count("\r\x1b[K") == bars


def test_a_file_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal(True)
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(progress(iter([GOOD]), 1)) == [GOOD]
    assert stream.shown == []
