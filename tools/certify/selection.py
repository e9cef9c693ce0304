"""Which statements of a family are put to ptxas: all its legal opcodes where that is feasible, others, and steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from attrs import define, field, frozen

from ptxgen.isa.family import Family, Line, table
from ptxgen.isa.opcodes import Reading
from tools.certify import statements as make
from tools.certify import variants
from tools.certify.statements import Statement
from tools.certify.variants import Variants

# Modifiers and types that every family meets, besides its own.
_FOREIGN = (".f32", ".u32", ".b64", ".sat", ".v2", ".sync")
_ORDERS = 4  # other orders of the modifiers of a statement


@define
class Effort:
    """How many statements are made."""

    legal: int = 1500  # opcodes per syntax line and mnemonic that the rules allow; all when there are no more
    opcodes: int = 1500  # opcodes per syntax line, whatever the rules say; all when there are no more
    stepped: int = 120  # legal statements per family whose modifiers are changed
    steps: int = 24  # changes of each
    mutated: int = 48  # legal statements per family whose operands are changed
    seed: int = 1


@frozen
class Coverage:
    """How many of the opcodes that a line's rules allow were tried."""

    line: str
    legal: int
    tried: int


@define(eq=False)
class Selection:
    """The statements of one family, each once."""

    family: Family
    effort: Effort
    is_legal: Callable[[str], bool]
    coverage: list[Coverage] = field(init=False, factory=list[Coverage])
    unmade: list[str] = field(init=False)  # lines for which no statement could be made
    _chance: random.Random = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._chance = random.Random(f"{self.effort.seed} {self.family.name}")
        self.unmade = [line.text for line in self.family.lines]

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every statement, and the legal one that it is a step away from, "" if from none; `coverage` and `unmade` are
        complete when the last one is out."""
        seen: set[str] = set()
        for statement, origin in self._statements():
            text = statement.text
            if text not in seen and self._owns(statement):
                seen.add(text)
                yield text, origin

    def _owns(self, statement: Statement) -> bool:
        """Whether a statement is this family's: a token more may make it one of a longer mnemonic."""
        mnemonic, _ = table().split(statement.mnemonic + "".join(statement.tokens))
        return mnemonic in self.family.mnemonics

    def _statements(self) -> Iterator[tuple[Statement, str]]:
        lines = [(line, variants.of_line(line)) for line in self.family.lines]
        for line, listed in lines:
            made = False
            for statement in self._of_line(line, listed):
                made = True
                yield statement, ""
            if made and line.text in self.unmade:
                self.unmade.remove(line.text)
        foreign = sorted({token for line in self.family.lines for token in line.tokens} | set(_FOREIGN))
        for statement in self._legal(lines, self.effort.stepped):
            steps = make.modifier_steps(statement, foreign, self._chance, self.effort.steps)
            for step in (*steps, *make.orders(statement, self._chance, _ORDERS)):
                yield step, statement.text
        for statement in self._legal(lines, self.effort.mutated):
            for step in make.operand_steps(statement):
                yield step, statement.text

    def _of_line(self, line: Line, listed: list[Variants]) -> Iterator[Statement]:
        """The opcodes that the rules allow, and any."""
        legal, tried = sum(map(len, listed)), 0
        for allowed in listed:
            for reading in allowed.draw(self.effort.legal, self._chance):
                tried += 1
                yield from make.of_reading(reading, self._chance)
        self.coverage.append(Coverage(line.text, legal, tried))
        yield from make.of_line(self.family, line, self.effort.opcodes, self._chance)

    def _legal(self, lines: list[tuple[Line, list[Variants]]], count: int) -> Iterator[Statement]:
        """Some legal statements, of every line as many; what short lines leave is for the others."""
        sources = [allowed for _, listed in lines for allowed in listed]
        for allowed, share in zip(sources, shares(list(map(len, sources)), count), strict=True):
            for reading in allowed.draw(share, self._chance):
                if (found := self._legal_form(reading)) is not None:
                    yield found

    def _legal_form(self, reading: Reading) -> Statement | None:
        """A legal choice of the optional operands of an opcode."""
        forms = list(make.of_reading(reading, self._chance))
        self._chance.shuffle(forms)
        return next((form for form in forms if self.is_legal(form.text)), None)


def shares(available: list[int], wanted: int) -> list[int]:
    """`wanted` in equal parts, at least one, but for those who have less; their rest is the others'."""
    given = [0] * len(available)
    if not wanted:
        return given
    left = max(wanted, sum(map(bool, available)))
    for done, at in enumerate(sorted(range(len(available)), key=lambda at: available[at])):
        given[at] = min(available[at], max(1, left // (len(available) - done)))
        left -= given[at]
    return given
