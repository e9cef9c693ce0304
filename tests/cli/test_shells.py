"""`ptxgen completion`: scripts from the parsers and tables, tried in the shells that are installed."""

from __future__ import annotations

import importlib
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from ptxgen.cli import VERBS, main
from ptxgen.cli.completion import SHELLS
from ptxgen.cli.completion.commands import FILES, KINDS, Command, commands, kinds
from ptxgen.diagnostics import codes
from ptxgen.isa.query import isa


def script(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    path = folder / f"ptxgen.{shell}"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return str(path)


def asked(shell: str, program: str) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    done = subprocess.run([shell, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


def bash(path: str, line: str) -> list[str]:
    """What bash proposes for the last word of a line."""
    words = line.split(" ")
    setting = f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}"
    return asked("bash", f'source {path}; {setting}; _ptxgen; printf "%s\\n" "${{COMPREPLY[@]}}"')


def zsh(path: str, line: str) -> list[str]:
    """What the function hands to zsh, whose own part is to leave out what does not fit."""
    words = line.split(" ")
    program = (
        "compdef() { : }; _files() { print FILES }; _describe() { print -l -- ${(P)2%%:*} }; "
        'compadd() { shift; print -l -- "$@" }; '
        f"source {path}; words=({' '.join(map(shlex.quote, words))}); CURRENT={len(words)}; "
        f"PREFIX={shlex.quote(words[-1])}; _ptxgen"
    )
    return [word for word in asked("zsh", program) if word.startswith(words[-1]) or word == "FILES"]


def fish(path: str, line: str) -> list[str]:
    """fish proposes what has the letters somewhere, too, and says what it is behind a tab."""
    found = asked("fish", f"source {path}; complete -C {shlex.quote(line)} | cut -f1")
    return [word for word in found if word.startswith(line.split(" ")[-1])]


ASK = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("ptxgen ret", ["retarget"]),
        ("ptxgen check --tool", ["--toolkit"]),
        ("ptxgen check --target sm_90", ["sm_90", "sm_90a"]),
        ("ptxgen check --format s", ["sarif"]),
        ("ptxgen retarget --isa au", ["auto"]),
        ("ptxgen explain unav", ["unavailable"]),
        ("ptxgen explain C750", ["C7504", "C7505", "C7508", "C7509"]),
        ("ptxgen isa sh", ["show"]),
        ("ptxgen isa show bf", ["bfe", "bfi", "bfind"]),
        ("ptxgen isa show .maxn", [".maxnreg", ".maxntid", ".maxnctapersm"]),
        ("ptxgen isa show %tid", ["%tid"]),
        ("ptxgen isa diff 9.4 9.", ["9.0", "9.1", "9.2", "9.3", "9.4", "9.5"]),
        ("ptxgen completion z", ["zsh"]),
    ],
)
def test_proposals(
    shell: str, line: str, proposed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sorted(ASK[shell](script(shell, tmp_path, capsys), line)) == sorted(proposed)


def test_files_are_left_to_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bash(script("bash", tmp_path, capsys), "ptxgen check ker") == []
    assert zsh(script("zsh", tmp_path, capsys), "ptxgen check ker") == ["FILES"]


def test_every_verb_and_option_is_there() -> None:
    found = commands()
    assert [command.path[0] for command in found if len(command.path) == 1] == list(VERBS)
    for verb in VERBS:
        parser = importlib.import_module(f"ptxgen.cli.{verb}").parser()
        options = {name for command in found if command.path[0] == verb for o in command.options for name in o.names}
        assert {name for action in parser._actions for name in action.option_strings} <= options


def test_values_come_from_the_tables() -> None:
    values = kinds()
    assert set(KINDS.values()) == set(values)
    assert set(isa) <= set(values["names"])
    assert set(codes()) <= set(values["codes"])
    assert all(values.values())


def metavars(command: Command) -> set[str]:
    return {value.kind for value in (*command.arguments, *(o.value for o in command.options if o.value is not None))}


def test_no_value_is_completed_by_accident() -> None:
    """Every argument has words, a kind, or is a file."""
    assert set().union(*map(metavars, commands())) == {"", FILES, *KINDS.values()}
