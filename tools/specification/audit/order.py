"""Several lines may have a statement, but all of them write it the same way."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ptxgen.isa import types
from ptxgen.isa.family import Family as Compiled
from ptxgen.isa.family import Line, Modifier
from ptxgen.isa.matching import matches
from ptxgen.isa.opcodes import Reading, readings
from tools.specification.audit.operands import shapes
from tools.specification.family import Family
from tools.specification.reader import Problems


def audit(family: Family, compiled: Compiled, problems: Problems) -> None:
    """Add a fault for each pair of lines that give a legal statement different texts."""
    rows = [block.place(line) for block in family.blocks for line in block.notation.lines]
    for (_, first), (at, second) in itertools.combinations(enumerate(compiled.lines), 2):
        clash = next(_clashes(first, second), None)
        if clash is not None:
            one, other = clash
            message = f"{one.opcode} is written {other.opcode} by the line {first.text!r}"
            problems.add(family.path, rows[at], "syntax", message)


def _clashes(first: Line, second: Line) -> Iterator[tuple[Reading, Reading]]:
    """Legal statements of both lines, as the second and the first write them."""
    if first.mnemonic != second.mnemonic or not any(_inverted(first, second)):
        return
    mnemonic = first.mnemonic if first.mnemonic != first.family.alias else first.family.mnemonics[0]
    for tokens in _common(first, second):
        found = {id(reading.line): reading for reading in readings(second.family, mnemonic, tokens)}
        one, other = found.get(id(first)), found.get(id(second))
        if one and other and one.opcode != other.opcode and _both(one, other):
            yield other, one


def _inverted(first: Line, second: Line) -> Iterator[bool]:
    """Pairs of tokens that the lines have in opposite orders, and that a writer may exchange."""
    before = {(x, y) for a, b in itertools.combinations(first.modifiers, 2) for x in a.tokens for y in b.tokens}
    for a, b in itertools.combinations(second.modifiers, 2):
        for x, y in itertools.product(a.tokens, b.tokens):
            ordered = types.order_class(x) and types.order_class(x) == types.order_class(y)
            if x != y and (y, x) in before and not ordered:
                yield True


def _common(first: Line, second: Line) -> Iterator[tuple[str, ...]]:
    """The token sequences of the second line whose tokens the first has too."""
    needed = [m for m in first.modifiers if not m.group]
    choices: list[list[tuple[str, ...]]] = []
    for _, group in itertools.groupby(second.modifiers, key=lambda m: m.group or id(m)):
        members = list(group)
        sets = [tuple(t for t in m.tokens if t in first.tokens) for m in members]
        taken = list(itertools.product(*sets))
        choices.append([*taken, ()] if members[0].group else taken)
    for parts in itertools.product(*choices):
        tokens = tuple(itertools.chain(*parts))
        if all(_has(tokens, m) for m in needed):
            yield tokens


def _has(tokens: tuple[str, ...], modifier: Modifier) -> bool:
    return any(token in modifier.tokens for token in tokens)


def _both(one: Reading, other: Reading) -> bool:
    """Whether some operands make a legal statement of both lines."""
    for shape in shapes(one):
        if any(not m.errors() for m in matches(one, shape)) and any(not m.errors() for m in matches(other, shape)):
            return True
    return False
