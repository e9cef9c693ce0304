"""Every syntax line has a legal statement: modifiers and operands that no rule forbids together."""

from __future__ import annotations

import itertools
import random

from ptxgen.isa import targets
from ptxgen.isa.family import Family as Compiled
from ptxgen.isa.family import Line, Modifier
from ptxgen.isa.kinds import NO_OPTIONS
from ptxgen.isa.matching import matches
from ptxgen.isa.opcodes import Reading
from tools.specification.audit.operands import shapes
from tools.specification.family import Family
from tools.specification.reader import Problems

_DRAWS = 2000  # opcodes of a line that are tried
_SHAPES = 64  # operand lists of each


def audit(family: Family, compiled: Compiled, proven: set[int], problems: Problems) -> None:
    """Add a fault for each line without a legal statement. `proven` are the lines of legal examples, by `id`."""
    places = [block.place(line) for block in family.blocks for line in block.notation.lines]
    for place, line in zip(places, compiled.lines, strict=True):
        if id(line) not in proven and not _possible(line):
            problems.add(family.path, place, "syntax", f"the rules leave no statement to the line {line.text!r}")


def _possible(line: Line) -> bool:
    """Whether one of the opcodes drawn at random is legal with some operands."""
    chance = random.Random(line.text)
    mnemonic = line.mnemonic if line.mnemonic != line.family.alias else line.family.mnemonics[0]
    asked = [NO_OPTIONS, *(frozenset({name}) for name in targets.options())]
    tried: set[tuple[str, ...]] = set()
    for _ in range(_DRAWS):
        filled = _draw(line.modifiers, chance)
        tokens = tuple(token for _, token in filled)
        if tokens in tried:
            continue
        tried.add(tokens)
        slots: dict[str, int] = {}
        for at, (modifier, _) in enumerate(filled):
            if modifier.slot:
                slots.setdefault(modifier.name, at)
        reading = Reading(line, mnemonic, tokens, slots)
        for shape in itertools.islice(shapes(reading), _SHAPES):
            if any(not match.errors() for options in asked for match in matches(reading, shape, options)):
                return True
    return False


def _draw(modifiers: tuple[Modifier, ...], chance: random.Random) -> list[tuple[Modifier, str]]:
    groups = {m.group for m in modifiers if m.group}
    taken = {group for group in sorted(groups) if chance.random() < 0.5} | {0}
    return [(m, chance.choice(m.tokens)) for m in modifiers if m.group in taken]
