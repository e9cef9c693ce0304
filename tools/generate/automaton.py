"""The opcodes of one root mnemonic as few classes: prefixes that may continue alike, and are called alike, are one.

States are those of `ptxgen.isa.grammar` with what the tokens so far decide (`tools.generate.relevance`). They are
minimised from the leaves up; a state from which no legal opcode can be reached is none.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from ptxgen.isa import grammar
from ptxgen.isa.family import Line
from ptxgen.isa.grammar import Place
from ptxgen.isa.opcodes import Reading
from tools.generate.relevance import Representatives, representatives
from tools.generate.signatures import Signature, Signatures, merge

Tokens = tuple[tuple[int, str], ...]  # modifier of the line -> token, or the one that stands for it
Progress = tuple[int, Tokens]  # the number of a place, and the tokens on the way to it
State = frozenset[Progress]
Step = tuple[str, int, int]  # token, number of the place that it leads to, modifier or -1


@define(eq=False)
class Class:
    """A prefix of opcodes: what may follow, and how it is called where it is complete."""

    following: dict[str, Class]
    slots: dict[str, str]  # token -> the modifier that it fills
    signatures: tuple[Signature, ...]
    mnemonics: tuple[str, ...]  # that end here
    name: str = ""


@define(eq=False)
class Automaton:
    """Builds the classes of one root."""

    root: str
    make: Signatures
    places: list[Place] = field(init=False, factory=list[Place])
    numbers: dict[Place, int] = field(init=False, factory=dict[Place, int])
    steps: dict[int, list[Step]] = field(init=False, factory=dict[int, list[Step]])
    alike: dict[Line, Representatives] = field(init=False, factory=dict[Line, Representatives])
    states: dict[State, Class | None] = field(init=False, factory=dict[State, Any])
    classes: dict[object, Class] = field(init=False, factory=dict[object, Class])
    hopeful: dict[Progress, bool] = field(init=False, factory=dict[Progress, bool])
    signatures: dict[Progress, list[Signature]] = field(init=False, factory=dict[Progress, list[Signature]])

    def build(self) -> Class:
        """The class of the root, with names for all that follow."""
        ordered = sorted(grammar.start(self.root), key=lambda p: (p.mnemonic, p.line.family.lines.index(p.line)))
        root = self.state(frozenset((self.number(place), ()) for place in ordered))
        assert root is not None, f"no legal {self.root}"
        _name(root, grammar.escape(self.root))
        return root

    def number(self, place: Place) -> int:
        """The number of a place, given when it is first met."""
        found = self.numbers.get(place)
        if found is None:
            found = self.numbers[place] = len(self.places)
            self.places.append(place)
        return found

    def state(self, state: State) -> Class | None:
        """The class of a state, worked out once."""
        if state not in self.states:
            self.states[state] = self.minimal(state)
        return self.states[state]

    def minimal(self, state: State) -> Class | None:
        """The class of a state."""
        reached: dict[str, set[Progress]] = {}
        slots: dict[str, str] = {}
        signatures: list[Signature] = []
        mnemonics: dict[str, None] = {}
        for number, tokens in sorted(state):
            place = self.places[number]
            for token, following, modifier in self.following(number):
                stands = "" if modifier < 0 else self.representatives(place.line)[modifier][token]
                way = (*tokens, (modifier, stands)) if stands else tokens
                if modifier >= 0 and not self.possible(following, way):
                    continue
                reached.setdefault(token, set()).add((following, way))
                slots.setdefault(token, token if modifier < 0 else place.line.modifiers[modifier].name)
            if place.complete():
                signatures += self.called(number, tokens)
            if not place.words and not place.at:
                mnemonics[place.mnemonic] = None
        following = {token: self.state(frozenset(states)) for token, states in reached.items()}
        legal = {token: cls for token, cls in following.items() if cls is not None}
        merged = tuple(merge(signatures))
        if not legal and not merged:
            return None
        key = (tuple((token, id(cls)) for token, cls in legal.items()), merged, tuple(mnemonics))
        found = self.classes.get(key)
        if found is None:
            found = self.classes[key] = Class(legal, slots, merged, tuple(mnemonics))
        return found

    def following(self, number: int) -> list[Step]:
        """The steps from a place, by number."""
        found = self.steps.get(number)
        if found is None:
            place = self.places[number]
            found = self.steps[number] = [
                (token, self.number(after), -1 if place.words else after.at - 1) for token, after in place.steps()
            ]
        return found

    def representatives(self, line: Line) -> Representatives:
        """The representatives of a line, worked out once."""
        found = self.alike.get(line)
        if found is None:
            found = self.alike[line] = representatives(line)
        return found

    def called(self, number: int, tokens: Tokens) -> list[Signature]:
        """The signatures of a complete opcode, read as the line of one place."""
        key = (number, tokens)
        found = self.signatures.get(key)
        if found is None:
            found = self.signatures[key] = list(self.make.of(self.reading(number, tokens)))
        return found

    def possible(self, number: int, tokens: Tokens) -> bool:
        """Whether a place may be reached with these tokens, and lead to a legal opcode."""
        key = (number, tokens)
        found = self.hopeful.get(key)
        if found is None:
            found = self.hopeful[key] = self.make.rules(self.places[number].line).possible(
                self.reading(number, tokens), self.places[number].at
            )
        return found

    def reading(self, number: int, tokens: Tokens) -> Reading:
        """The tokens so far as an opcode."""
        place = self.places[number]
        slots: dict[str, int] = {}
        for at, (modifier, _) in enumerate(tokens):
            if place.line.modifiers[modifier].slot:
                slots.setdefault(place.line.modifiers[modifier].name, at)
        return Reading(place.line, place.mnemonic, tuple(token for _, token in tokens), slots)


def _name(root: Class, name: str) -> None:
    """Name every class after the shortest way to it: the slots and tokens on it."""
    taken: set[str] = {name}
    root.name = name
    level = [root]
    while level:
        deeper: list[Class] = []
        for cls in level:
            for token, following in cls.following.items():
                if following.name:
                    continue
                alone = sum(other is following for other in cls.following.values()) == 1
                word = token if alone else cls.slots[token]
                base = f"{cls.name.rstrip('_')}_{''.join(c if c.isalnum() else '_' for c in word.lstrip('.'))}"
                name, number = base, 1
                while name in taken:
                    number += 1
                    name = f"{base}_{number}"
                taken.add(name)
                following.name = name
                deeper.append(following)
        level = deeper


def reachable(root: Class) -> list[Class]:
    """Every class, in the order of the specification, each before those that first follow it."""
    found: dict[int, Class] = {}
    stack = [root]
    while stack:
        cls = stack.pop()
        if id(cls) not in found:
            found[id(cls)] = cls
            stack += reversed(cls.following.values())
    return list(found.values())
