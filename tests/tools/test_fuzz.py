"""tools.fuzz itself: what goes wrong is found, whatever it is."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

import ptxgen
from tools.certify.ptxas import Verdict
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable
from tools.fuzz import agreement, examination, worker
from tools.fuzz.__main__ import main
from tools.fuzz.extremes import extremes
from tools.fuzz.seeds import seeds

RIGHT = ".version 9.0\n.target sm_90\n.entry k() { ret; }\n"


def hang(text: str) -> bool:
    while text:
        pass
    return True


def hang_without_end(text: str) -> bool:
    """As C code does that looks for no signal."""
    import signal

    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    return hang(text)


def raise_error(text: str) -> bool:
    return text == text.encode("ascii")[len(text)]


def take_memory(text: str) -> bool:
    return len(bytearray(worker.MEMORY)) == len(text)


def die(text: str) -> bool:
    os._exit(len(text) and 3)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        (hang, "TooSlow"),
        (hang_without_end, "the process hangs"),
        (raise_error, "IndexError"),
        (take_memory, "MemoryError"),
        (die, "the process ends with 3"),
    ],
)
def test_what_goes_wrong_is_found(question: object, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the text after it is examined all the same."""
    monkeypatch.setattr(worker, "PATIENCE", 1.0)
    monkeypatch.setattr(worker, "LEAST", 0.1)
    rightly = examination.question
    examination.examine(RIGHT)  # which loads the tables
    assert callable(question)
    monkeypatch.setattr(examination, "question", lambda text: (question if "k2" in text else rightly)(text))
    found = list(worker.outcomes(lambda number: RIGHT.replace("k", f"k{number}"), 1, 4, 1, 0))
    assert [outcome.number for outcome in found] == [1, 2, 3]
    assert [bool(outcome.kind) for outcome in found] == [False, True, False]
    assert found[1].kind.startswith(kind)


PRINTED = {"?": "cannot be read", RIGHT + "\n": "prints otherwise", RIGHT.replace("ret", "rot"): "is wrong"}


@pytest.mark.parametrize(("printed", "says"), PRINTED.items(), ids=PRINTED.values())
def test_wrong_printing_is_found(printed: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, answers = ptxgen.parse(RIGHT), [printed] if says == "prints otherwise" else [printed, printed]
    examination.reads_back(module, True)
    rightly = type(module).ptx
    monkeypatch.setattr(type(module), "ptx", lambda self: answers.pop() if answers else rightly(self))
    with pytest.raises(examination.Wrong, match=says):
        examination.reads_back(module, True)


def test_a_wrong_place_is_found() -> None:
    outside = ptxgen.Diagnostic("syntax", "error", "x", line=9, column=1)
    with pytest.raises(examination.Wrong, match="outside"):
        examination.placed([outside], RIGHT)
    examination.placed([outside.at("", 3, 5)], RIGHT)


def test_extremes_have_the_size_that_is_asked() -> None:
    sizes = {name: len(make(10_000)) for name, make in extremes().items()}
    assert {name: size for name, size in sizes.items() if not 4_000 < size < 20_000} == {}


def test_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--count", "20", "--seed", "7", "--processes", "2", "--keep", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert re.match(r"20 texts, \d+ million characters, \d+ of them read without an error; 0 kinds", said.out)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_finds_something(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "question", raise_error)
    assert main(["--count", "4", "--processes", "1", "--keep", str(tmp_path)]) == 1
    assert "IndexError" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 1


def test_mutations_come_from_the_seed() -> None:
    texts = seeds()
    same = [[worker.mutated(texts, seed)(number) for number in range(9)] for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]
    assert agreement.mutants(texts, 3, 5) == agreement.mutants(texts, 3, 5)


@pytest.fixture(scope="module")
def ptxas() -> Release:
    try:
        RELEASES[-1].path()
    except ReleaseUnavailable as why:
        pytest.skip(f"ptxas {RELEASES[-1].name} cannot be fetched: {why}")
    return RELEASES[-1]


@pytest.mark.ptxas
def test_differences_are_found(ptxas: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = RIGHT.replace("ret", "rot")
    assert list(agreement.differences([RIGHT, wrong], ptxas)) == []
    rightly = ptxgen.check(RIGHT)
    monkeypatch.setattr(agreement.ptxgen, "check", lambda text: rightly)
    (found,) = agreement.differences([RIGHT, wrong], ptxas)
    assert (found.text, found.verdict, found.said) == (wrong, Verdict.REJECTED, "no error")
    assert sys.modules["ptxgen"] is ptxgen


@pytest.mark.ptxas
def test_ptxas_agrees_on_single_tokens(ptxas: Release) -> None:
    texts = agreement.mutants(seeds(), 1, 300)
    found = list(agreement.differences(texts, ptxas))
    assert len(found) <= 3, "\n".join(f"{one.verdict.value} {one.said}\n{one.text}" for one in found)
