"""Every opcode of a syntax line that its rules allow: how many there are, and any of them by its number.

The modifiers are walked from the left. Prefixes that no rule and no kind tells apart are counted once, and one that no
continuation makes legal is left at once; so the legal opcodes are counted without visiting each, or any other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from attrs import define, field, frozen

from ptxgen.isa.family import Line, Modifier
from ptxgen.isa.opcodes import Reading
from tools.generate.relevance import Representatives, representatives
from tools.generate.rules import LineRules

Way = tuple[tuple[int, str], ...]
"""Modifiers of the line, each with the token that fills it."""


@frozen
class _State:
    """What of the tokens before a modifier matters for what may follow."""

    at: int
    way: Way  # each token by the one that stands for it
    groups: tuple[tuple[int, bool], ...]  # optional groups met so far, and whether they are there


@define(eq=False)
class Variants:
    """The opcodes of one line for one of its mnemonics that break no rule about tokens."""

    line: Line
    mnemonic: str
    rules: LineRules = field(init=False)
    alike: Representatives = field(init=False)
    _counts: dict[_State, int] = field(init=False, factory=dict[_State, int])

    def __attrs_post_init__(self) -> None:
        self.rules = LineRules(self.line)
        self.alike = representatives(self.line)

    def __len__(self) -> int:
        return self._count(_State(0, (), ()))

    def __getitem__(self, number: int) -> Reading:
        """The opcode of a number from 0 on, in the order of the line's sets, what is optional present before absent."""
        state, way = _State(0, (), ()), ()
        while state.at < len(self.line.modifiers):
            at = state.at
            token, state, number = self._step(state, number)
            way = (*way, (at, token)) if token else way
        return self._reading(way)

    def _step(self, state: _State, number: int) -> tuple[str, _State, int]:
        """The token that leads to the opcode of a number, the state after it, and the number there."""
        for token, after in self._steps(state):
            if number < (count := self._count(after)):
                return token, after, number
            number -= count
        raise IndexError("there are not so many legal opcodes")

    def draw(self, limit: int, chance: random.Random) -> Iterator[Reading]:
        """All of them, or `limit` drawn at random when there are more."""
        count = len(self)
        numbers = range(count) if count <= limit else sorted(chance.sample(range(count), limit))
        return map(self.__getitem__, numbers)

    def _count(self, state: _State) -> int:
        found = self._counts.get(state)
        if found is None:
            found = self._counts[state] = self._counted(state)
        return found

    def _counted(self, state: _State) -> int:
        reading = self._reading(state.way)
        if not self.rules.possible(reading, state.at):
            return 0
        if state.at == len(self.line.modifiers):
            return int(self.rules.hold_for_tokens(reading))
        return sum(self._count(after) for _, after in self._steps(state))

    def _steps(self, state: _State) -> Iterator[tuple[str, _State]]:
        """The tokens of the next modifier, and "" where it may be left out."""
        modifier = self.line.modifiers[state.at]
        there = dict(state.groups).get(modifier.group) if modifier.group else True
        if there is not False:
            groups = state.groups if there else _with(state.groups, modifier, True)
            for token in modifier.tokens:
                stands = self.alike[state.at][token]
                way = (*state.way, (state.at, stands)) if stands else state.way
                yield token, _State(state.at + 1, way, groups)
        if not there:
            groups = state.groups if there is False else _with(state.groups, modifier, False)
            yield "", _State(state.at + 1, state.way, groups)

    def _reading(self, way: Way) -> Reading:
        slots: dict[str, int] = {}
        for at, (number, _) in enumerate(way):
            if self.line.modifiers[number].slot:
                slots.setdefault(self.line.modifiers[number].name, at)
        return Reading(self.line, self.mnemonic, tuple(token for _, token in way), slots)


def _with(groups: tuple[tuple[int, bool], ...], modifier: Modifier, there: bool) -> tuple[tuple[int, bool], ...]:
    return (*groups, (modifier.group, there))


def of_line(line: Line) -> list[Variants]:
    """The opcodes of a line, for each mnemonic that it describes."""
    family = line.family
    return [Variants(line, name) for name in family.mnemonics if line.mnemonic in (name, family.alias)]
