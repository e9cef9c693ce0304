"""An instruction family as its specification file describes it: blocks, syntax lines, modifiers, operands.

Decoded from one JSON line of `ptxgen_isa/instructions.jsonl` on the first use of a mnemonic.
"""

from __future__ import annotations

import json
from typing import Any

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.data import read

Tree = list[Any]


@define(eq=False, weakref_slot=False, repr=False)
class Modifier:
    """One place in the opcode."""

    name: str  # of the slot, with its dot; the token itself for a literal
    tokens: tuple[str, ...]
    group: int  # 0: always there; otherwise the optional group that it belongs to
    slot: bool


@define(eq=False, weakref_slot=False, repr=False)
class Template:
    """One place in the operand list."""

    name: str
    shape: str  # "value" | "address" | "vector" | "list" | "sink" | "number"
    group: int
    inner: tuple[Template, ...]
    second: str  # p of d|p
    second_optional: bool
    selectors: tuple[str, ...]
    selector_slot: str
    selector_optional: bool
    prefix: str  # "!" or "-" when it may be negated


@define(eq=False, weakref_slot=False, repr=False)
class Row:
    """A condition and what hangs on it: a rule, availability by target predicate, or what serves instead."""

    text: str
    condition: Tree
    strength: str = ""  # of a rule: "rules" | "stricter" | "laxer" | "unassembled"
    needs: dict[str, str] = field(factory=dict[str, str])  # target predicate ("" for any) -> PTX ISA version
    phrases: dict[str, str] = field(factory=dict[str, str])  # of `instead`: target predicate -> what serves there


@define(eq=False, weakref_slot=False, repr=False)
class Block:
    """One Syntax block of the manual with the sentences about it."""

    section: str
    kinds: dict[str, list[tuple[Tree | None, dict[str, Any]]]]
    defaults: dict[str, str]
    rules: tuple[Row, ...]
    since: tuple[Row, ...]
    ungated: tuple[Row, ...]
    removed: tuple[Row, ...]
    deprecated: tuple[Row, ...]
    instead: tuple[Row, ...]
    traits: frozenset[str]
    lines: tuple[Line, ...] = ()


@define(eq=False, weakref_slot=False, repr=False)
class Line:
    """One syntax line."""

    text: str
    mnemonic: str
    modifiers: tuple[Modifier, ...]
    operands: tuple[Template, ...]
    head: int  # so many leading modifiers are matched in order
    beyond: bool  # ptxas takes it, the manual does not have it
    block: Block
    family: Family
    tokens: frozenset[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tokens = frozenset(token for modifier in self.modifiers for token in modifier.tokens)


@define(eq=False, weakref_slot=False, repr=False)
class Family:
    """Everything about the mnemonics of one specification file."""

    name: str  # of its file
    alias: str  # what the manual's lines begin with, when that is no mnemonic (vop)
    mnemonics: tuple[str, ...]
    summary: str
    blocks: tuple[Block, ...] = ()
    lines: tuple[Line, ...] = ()
    tokens: frozenset[str] = frozenset()  # of all lines

    def lines_of(self, mnemonic: str) -> tuple[Line, ...]:
        """The syntax lines of one mnemonic."""
        return tuple(line for line in self.lines if line.mnemonic in (mnemonic, self.alias))


def decode(text: str) -> Family:
    """The family in one line of the table."""
    raw: dict[str, Any] = json.loads(text)
    family = Family(raw["name"], raw.get("alias", ""), tuple(raw["mnemonics"]), raw["summary"])
    family.blocks = tuple(_block(block, family) for block in raw["blocks"])
    family.lines = tuple(line for block in family.blocks for line in block.lines)
    family.tokens = frozenset().union(*(line.tokens for line in family.lines))
    return family


def _block(raw: dict[str, Any], family: Family) -> Block:
    block = Block(
        raw["section"],
        {name: [(c, k) for c, k in kinds] for name, kinds in raw["kinds"].items()},
        raw.get("defaults", {}),
        tuple(Row(text, condition, strength) for text, condition, strength in raw.get("rules", ())),
        *(
            tuple(Row(text, condition, needs=needs) for text, condition, needs in raw.get(key, ()))
            for key in ("since", "ungated", "removed", "deprecated")
        ),
        instead=tuple(Row(text, condition, phrases=phrases) for text, condition, phrases in raw.get("instead", ())),
        traits=frozenset(raw.get("traits", ())),
    )
    sets: list[tuple[str, ...]] = [tuple(tokens) for tokens in raw["sets"]]
    block.lines = tuple(_line(line, sets, block, family) for line in raw["lines"])
    return block


def _line(raw: list[Any], sets: list[tuple[str, ...]], block: Block, family: Family) -> Line:
    modifiers: list[tuple[str, int, int, int]]
    text, mnemonic, modifiers, operands, head, beyond = raw
    return Line(
        text,
        mnemonic,
        tuple(Modifier(name, sets[index], group, bool(slot)) for name, index, group, slot in modifiers),
        tuple(_template(operand, sets) for operand in operands),
        head,
        bool(beyond),
        block,
        family,
    )


def _template(raw: dict[str, Any], sets: list[tuple[str, ...]]) -> Template:
    selectors: int | None = raw.get("selectors")
    return Template(
        raw.get("name", ""),
        raw.get("shape", "value"),
        raw.get("group", 0),
        tuple(_template(inner, sets) for inner in raw.get("inner", ())),
        raw.get("second", ""),
        raw.get("second_optional", False),
        () if selectors is None else sets[selectors],
        raw.get("selector_slot", ""),
        raw.get("selector_optional", True),
        raw.get("prefix", ""),
    )


class Table:
    """All families, found by mnemonic; a family is decoded when it is first asked for."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._families: dict[int, Family] = {}
        index: dict[str, int] = json.loads(lines[0])
        self._index = index
        self._longest = max((name.count(".") for name in index), default=0) + 1  # words

    def mnemonics(self) -> list[str]:
        """All mnemonics, in the order of their specification files."""
        return list(self._index)

    def family(self, mnemonic: str) -> Family | None:
        """The family of exactly this mnemonic."""
        at = self._index.get(mnemonic)
        if at is None:
            return None
        found = self._families.get(at)
        if found is None:
            found = self._families[at] = decode(self._lines[at])
        return found

    def text(self, mnemonic: str) -> str:
        """The line of the table that a known mnemonic's family is decoded from."""
        return self._lines[self._index[mnemonic]]

    def split(self, opcode: str) -> tuple[str, tuple[str, ...]]:
        """`cvt.pack.sat.u8.s32` -> ("cvt.pack", (".sat", ".u8", ".s32")); "" when no mnemonic begins it.

        The last word of some mnemonics may also stand among the modifiers.
        """
        words = opcode.split(".")
        for count in range(min(len(words), self._longest), 0, -1):
            name = ".".join(words[:count])
            if name in self._index:
                tokens = tuple(f".{word}" for word in words[count:])
                for at, token in enumerate(tokens):
                    if words[0] + token in types.movable() and name + token in self._index:
                        return name + token, tokens[:at] + tokens[at + 1 :]
                return name, tokens
        return "", tuple(f".{word}" for word in words[1:])

    def starts(self, prefix: str) -> bool:
        """Whether some dotted mnemonic begins with these whole words."""
        return any(name.startswith(prefix + ".") for name in self._index)


_table: list[Table] = []


def table() -> Table:
    """The compiled instruction table, read on first use."""
    if not _table:
        install(read("instructions.jsonl"))
    return _table[0]


def install(text: str) -> None:
    """Take this table from now on: the package's, or, for the generator, a newer one."""
    lines = text.split("\n")
    _table[:] = [Table([line for line in lines[:4] if not line.startswith("#")] + lines[4:])]


def forget() -> None:
    """Read the package's table again when it is next asked for."""
    _table.clear()
