"""tests/data/inventory.csv: every instruction of PTX with its first version and lowest target, and what the tables say.

An instruction is named by its mnemonic and modifiers that the forms in question have; `section`, of the manual for PTX
9.1, tells forms of one name apart. `note` says where other lists, the manual's among them, have it otherwise. Blocks
and guards, which have sections of their own among the instructions, are none.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from attrs import evolve, frozen

from ptxgen.check.instruction import within_limits
from ptxgen.isa import availability, targets
from ptxgen.isa.availability import NEVER
from ptxgen.isa.family import Line, table
from ptxgen.isa.matching import Match
from ptxgen.isa.opcodes import Reading
from ptxgen.isa.versions import Version
from tools.certify import statements as make
from tools.certify import variants
from tools.certify.expectation import called_rightly, examine
from tools.certify.statements import Statement

FILE = Path(__file__).parents[1] / "data" / "inventory.csv"
SAMPLE = 40
"""Opcodes of a line with some of its optional modifiers."""


@frozen
class Row:
    """One row of the inventory."""

    name: str
    section: str
    version: str
    target: str
    note: str

    def __str__(self) -> str:
        return f"{self.name}-{self.section}" if self.section else self.name


@frozen
class First:
    """Where something is available: the first version, the targets, and the lowest number of these."""

    version: Version
    targets: frozenset[str]

    @property
    def lowest(self) -> int:
        return min(targets.target(name).number for name in self.targets)


def rows() -> list[Row]:
    """The inventory."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file)]


def first(row: Row) -> First | None:
    """Where the tables have the forms of a row; None where they have none."""
    mnemonic, tokens = table().split(row.name)
    family = table().family(mnemonic) if mnemonic else None
    if family is None:
        return None
    found = [
        spans
        for line in family.lines_of(mnemonic)
        if not row.section or line.block.section.split()[0] == row.section
        for spans in _available(line, mnemonic, _words(tokens))
    ]
    named = {target for spans in found for target in spans}
    return First(min(v for spans in found for v in spans.values()), frozenset(named)) if named else None


@cache
def _available(line: Line, mnemonic: str, wanted: frozenset[str]) -> list[dict[str, Version]]:
    """The targets that have an opcode of a line with these modifiers, and since when by the manual's word, for some."""
    chance = random.Random(line.text)
    found: list[dict[str, Version]] = []
    if not wanted <= _words(line.tokens):
        return found
    for plain in _plain(line, wanted):
        (allowed,) = (v for v in variants.of_line(plain) if v.mnemonic == mnemonic)
        for reading in allowed.draw(SAMPLE, chance):
            if wanted <= _words(reading.tokens):
                found += [_targets(match) for match in _legal(reading, line, chance)]
    return found


def _words(tokens: Iterable[str]) -> frozenset[str]:
    """Modifiers as they are written, of which some tokens are two."""
    return frozenset(word for token in tokens for word in token.split(".") if word)


def _plain(line: Line, wanted: frozenset[str]) -> Iterator[Line]:
    """The line with the optional modifiers that are wanted, and none of the others, one, or all."""
    needed = {m.group for m in line.modifiers if m.group and wanted & _words(m.tokens)}
    for other in sorted({0, *(m.group for m in line.modifiers)} - needed):
        modifiers = tuple(m for m in line.modifiers if m.group in {0, other} | needed)
        yield evolve(line, modifiers=modifiers)
    yield line


def _targets(match: Match) -> dict[str, Version]:
    """The targets that have a statement, and since when."""
    found: dict[str, Version] = {}
    for target in targets.names():
        spans = [availability.span(match, target, kind) for kind in ("since", "ungated")]
        if all(spans) and (first := max(span.first for span in spans)) < NEVER:
            found[target] = first
    return found


def _legal(reading: Reading, line: Line, chance: random.Random) -> Iterator[Match]:
    """The legal statements of an opcode, read as a line; with constants for registers, too."""
    for statement in make.of_reading(reading, chance):
        yield from _legal_as(statement, line)
        yield from _legal_as(evolve(statement, operands=("1",) * len(statement.operands)), line)


def _legal_as(statement: Statement, line: Line) -> Iterator[Match]:
    known = examine(statement.text)
    for match in known[0].legal if known else ():
        if match.reading.line is line and within_limits(match, known[1]) and called_rightly(match, known[1]):
            yield match
