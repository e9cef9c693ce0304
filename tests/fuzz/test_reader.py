"""Mutated and extreme PTX for the reader, the checker, the printer and the command line: a sample of `tools.fuzz`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tools.fuzz import examination, worker
from tools.fuzz.extremes import extremes
from tools.fuzz.mutation import MUTATIONS
from tools.fuzz.seeds import case, seeds

TEXTS = seeds()
MUTATED = 1600
SIZE = 20_000  # characters of an extreme text


@pytest.mark.parametrize("seed", range(4))
def test_mutated(seed: int) -> None:
    made = worker.mutated(TEXTS, seed)
    found = list(worker.outcomes(made, 0, MUTATED // 4, 1, thorough=10))
    assert [f"{outcome.number}: {outcome.kind}\n{outcome.report}" for outcome in found if outcome.kind] == []
    assert [outcome.number for outcome in found] == list(range(MUTATED // 4))
    assert sum(outcome.parsed for outcome in found) > MUTATED // 100


@pytest.mark.parametrize("mutation", dict.fromkeys(MUTATIONS), ids=lambda mutation: mutation.__name__)
def test_every_mutation_changes_texts(mutation: object) -> None:
    assert callable(mutation)
    chance = random.Random(1)
    pairs = [case(TEXTS, chance) for _ in range(20)]
    assert sum(mutation(chance, text, other) != text for text, other in pairs) > 10


def test_extreme() -> None:
    """None takes longer than it may, or memory without end."""
    kinds = extremes()
    texts = [make(SIZE) for make in kinds.values()]
    found = list(worker.outcomes(texts.__getitem__, 0, len(texts), 1, thorough=20))
    names = list(kinds)
    assert [f"{names[outcome.number]}: {outcome.kind}\n{outcome.report}" for outcome in found if outcome.kind] == []
    assert len(found) == len(kinds)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0", b"\n", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe.\0v\0", b".version 9.0\n.target sm_90\n\0", b"\x1a",
        b".version 9.0\n.target sm_90\n// \xe9\xff\n", b'.version 9.0\n.target sm_90\n.file 1 "\xe9"\n',
        b".version 9.0\r.target sm_90\r", b".version 9.0\n.target sm_90\n.global .u32 \xc3\xa9;\n",
        b".version 9.0\n.target sm_90\n.pragma \"\xed\xa0\x80\";\n", b"\x7fELF", b"PK\x03\x04", b"\x1f\x8b",
        ".version 9.0\n.target sm_90\n".encode("utf-16"), ".version 9.0\n".encode("utf-32-be"),
    ],
)  # fmt: skip
def test_bytes(data: bytes, tmp_path: Path) -> None:
    """The command line has an answer to whatever a file may hold."""
    file = tmp_path / "fuzz.ptx"
    file.write_bytes(data)
    statuses = examination.command(file)
    assert set(statuses) <= {0, 1, 2}
    assert len(statuses) == len(examination.COMMANDS)
