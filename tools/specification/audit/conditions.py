"""A condition decides something: a rule is sometimes kept and sometimes broken, any other condition sometimes holds.

So does each of its parts, down to the tokens in braces: what never holds is a slip of the pen.

A condition is tried on every statement of the lines that it stands with, as far as it can tell them apart: on each
choice of the modifiers and operands that it names. What several blocks share, through an anchor or at file
level, is tried on all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import combinations

from attrs import define, field, frozen

from ptxgen.isa import types, wording
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import Tree, holds
from ptxgen.isa.family import Family as Compiled
from ptxgen.isa.family import Line, Modifier
from ptxgen.isa.opcodes import Reading
from tools.specification.audit.operands import Bound, bindings, selected
from tools.specification.family import RULES, Choice, Family, Sentence
from tools.specification.reader import Problems


def audit(family: Family, compiled: Compiled, problems: Problems) -> None:
    """Add a fault for every condition that decides nothing."""
    for (key, line, text), (sentence, lines) in _sentences(family, compiled).items():
        truths = _truths(sentence.tree, lines, both=key in RULES)
        if key in RULES and len(truths) == 1:
            how = "holds for every statement" if True in truths else "holds for no statement"
            problems.add(family.path, line, key, f"{text!r} decides nothing: it {how}")
        elif True not in truths:
            problems.add(family.path, line, key, f"no statement satisfies {text!r}")
        else:
            for part, words in parts(sentence.tree):
                if True not in _truths(part, lines, both=False):
                    problems.add(family.path, line, key, f"no statement satisfies {words} of {text!r}")
    for (line, text), places in _choices(family, compiled).items():
        if not any(_reached(choices, at, name, lines) for choices, at, name, lines in places):
            problems.add(family.path, line, "operands", f"no statement comes to the kind under {text!r}")


def _sentences(family: Family, compiled: Compiled) -> dict[tuple[str, int, str], tuple[Sentence, list[Line]]]:
    """Each sentence, once, with the lines of all blocks that have it; bare mnemonics left out."""
    found: dict[tuple[str, int, str], tuple[Sentence, list[Line]]] = {}
    for block, compiled_block in zip(family.blocks, compiled.blocks, strict=True):
        for sentence in block.sentences:
            if sentence.tree[0] != "mnemonic":
                place = found.setdefault((sentence.key, sentence.line, sentence.text), (sentence, []))
                place[1].extend(compiled_block.lines)
    return found


def parts(tree: Tree) -> Iterator[tuple[Tree, str]]:
    """The atoms of a condition with their texts, one for each token in braces; none for a condition that is an atom."""
    match tree:
        case ["and" | "or" | "not" | "=>" | "<=>", *inner]:
            for part in inner:
                found = list(parts(part))
                yield from found or [(part, wording.condition(part))]
        case ["in", value, items]:
            for item in items if len(items) > 1 else ():
                single = ["in", value, [item]]
                yield single, wording.condition(single)
        case ["has", *steps]:
            for at, names in enumerate(steps):
                for name in names if len(names) > 1 else ():
                    single = [*steps[:at], [name], *steps[at + 1 :]]
                    yield ["has", *single], wording.condition(["has", *single])
        case _:
            pass


_Place = tuple[list[Choice], int, str, list[Line]]


def _choices(family: Family, compiled: Compiled) -> dict[tuple[int, str], list[_Place]]:
    """Each kind that hangs on a condition, with the operands and lines that it stands for."""
    found: dict[tuple[int, str], list[_Place]] = {}
    for block, compiled_block in zip(family.blocks, compiled.blocks, strict=True):
        for name, choices in block.kinds.items():
            lines = [
                line
                for line, notation in zip(compiled_block.lines, block.notation.lines, strict=True)
                if any(name in operand.names() for operand in notation.operands)
            ]
            if len(choices) > 1 or choices[0].condition is not None:
                for at, choice in enumerate(choices):
                    found.setdefault((choice.line, choice.text), []).append((choices, at, name, lines))
    return found


def _truths(tree: Tree, lines: list[Line], both: bool) -> set[bool]:
    """The truth values of a condition; found out no further than needed."""
    seen: set[bool] = set()
    mentions = Mentions()
    mentions.condition(tree)
    for line in lines:
        for sample in samples(line, mentions):
            seen.add(holds(tree, sample))
            if True in seen and (not both or len(seen) == 2):
                return seen
    return seen


def _reached(choices: list[Choice], at: int, name: str, lines: list[Line]) -> bool:
    """Whether some statement passes the conditions before and comes to this kind."""
    mentions = Mentions()
    conditions = [choice.condition for choice in choices[: at + 1]]
    for condition in conditions:
        mentions.condition(condition or [])
    for line in lines:
        for sample in samples(line, mentions):
            first = next((n for n, c in enumerate(conditions) if c is None or holds(c, sample)), None)
            if first == at:
                return True
    return False


# ---- what a condition looks at


@define
class Mentions:
    """The names in conditions and kinds."""

    names: set[str] = field(factory=set[str])  # tokens and slots
    types: bool = False  # .type1, .type2: the order of all types
    spaces: bool = False
    shapes: bool = False
    operands: set[str] = field(factory=set[str])  # "_": all of them
    mnemonics: bool = False
    options: set[str] = field(factory=set[str])

    def condition(self, tree: Tree) -> None:
        """Add what a condition looks at."""
        match tree:
            case ["has", *steps]:
                self.names.update(name for step in steps for name in step)
            case ["slot", name]:
                self.names.add(name)
                self.types |= name == ".type"
            case ["nth", _]:
                self.types = True
            case ["on" | "is", name, *_]:
                self.operands.add(name)
            case ["sink", name]:
                self.operands.add(name or "_")
            case ["mnemonic", _]:
                self.mnemonics = True
            case ["option", name]:
                self.options.add(name)
            case [*parts]:
                for part in parts:
                    if not isinstance(part, str | int):
                        self.condition(part)

    def base(self, tree: Tree) -> None:
        """Add what a base of a kind looks at."""
        match tree:
            case ["addr" | "var", ["token", name], *_]:
                self.names.add(name)
            case ["addr", [], *_]:
                self.spaces = True
            case ["dim", _]:
                self.shapes = True
            case ["num" | "slot", name]:
                self.names.add(name)
                self.types |= name == ".type"
            case ["nth", _]:
                self.types = True
            case [*parts]:
                for part in parts:
                    if not isinstance(part, str | int):
                        self.base(part)

    def looks_at(self, modifier: Modifier) -> bool:
        """Whether the choice of a modifier's token can matter."""
        if modifier.name in self.names or not self.names.isdisjoint(modifier.tokens):
            return True
        classes = {types.order_class(token) for token in modifier.tokens}
        if (self.types and "types" in classes) or (self.spaces and "spaces" in classes):
            return True
        return self.shapes and any(types.shape((token,)) != (1, 1, 1) for token in modifier.tokens)


# ---- statements, as far as a condition can tell them apart


@frozen
class Sample:
    """A statement reduced to what a condition looks at: a `ptxgen.isa.conditions.Statement`."""

    mnemonic: str
    alias: str
    tokens: tuple[str, ...]
    slots: dict[str, int]
    operands: dict[str, OperandClass]
    options: frozenset[str]


def samples(line: Line, mentions: Mentions) -> Iterator[Sample]:
    """Every statement of a line that differs in something that is looked at."""
    wider = _with_kinds(line, mentions)
    every_mnemonic = line.family.mnemonics if line.mnemonic == line.family.alias else (line.mnemonic,)
    mnemonics = every_mnemonic if wider.mnemonics else every_mnemonic[:1]
    options = [frozenset(c) for n in range(len(mentions.options) + 1) for c in combinations(mentions.options, n)]
    for (tokens, slots), mnemonic in itertools.product(_opcodes(line, wider), mnemonics):
        reading = Reading(line, mnemonic, tokens, slots)
        for bound in bindings(reading, line.operands, frozenset(mentions.operands), frozenset(mentions.names)):
            chosen, filled = _selected(line, bound, tokens, slots)
            for option in options:
                yield Sample(mnemonic, line.family.alias, chosen, filled, bound, option)


def _with_kinds(line: Line, mentions: Mentions) -> Mentions:
    """Also what decides about the operands that are looked at."""
    operands = mentions.operands | selected(line.operands, frozenset(mentions.names))
    operands |= {t.name for t in line.operands if t.second in operands}  # whose place it is
    if not operands:
        return mentions
    wider = Mentions(
        set(mentions.names), mentions.types, mentions.spaces, mentions.shapes, mnemonics=mentions.mnemonics
    )
    for name, choices in line.block.kinds.items():
        if not operands.isdisjoint((name, "_")):
            for condition, kind in choices:
                wider.condition(condition or [])
                for base in kind["bases"]:
                    wider.base(base)
    return wider


def _opcodes(line: Line, mentions: Mentions) -> Iterator[tuple[tuple[str, ...], dict[str, int]]]:
    """The modifiers that are looked at, in each combination: tokens, and which of them fill slots."""
    seen = [m for m in line.modifiers if mentions.looks_at(m)]
    choices: list[list[tuple[tuple[Modifier, str], ...]]] = []
    for _, members in itertools.groupby(seen, key=lambda m: m.group or -id(m)):
        group = list(members)
        taken = list(itertools.product(*([(m, t) for t in m.tokens] for m in group)))
        choices.append([*taken, ()] if group[0].group else taken)
    for parts in itertools.product(*choices):
        filled = [pair for part in parts for pair in part]
        slots: dict[str, int] = {}
        for at, (modifier, _) in enumerate(filled):
            if modifier.slot:
                slots.setdefault(modifier.name, at)
        yield tuple(token for _, token in filled), slots


def _selected(
    line: Line, bound: Bound, tokens: tuple[str, ...], slots: dict[str, int]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Selectors of operands count as tokens after the others."""
    for template in line.operands:
        operand = bound.get(template.name)
        if operand is not None and operand.selector and template.selector_slot:
            slots = {**slots, template.selector_slot: len(tokens)}
            tokens = (*tokens, operand.selector)
    return tokens, slots
