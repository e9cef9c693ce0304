"""A semantics text for one match: everything that the opcode and the sorts of the operands decide is settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field

from ptxgen.cpu.reference.destinations import Raw
from ptxgen.cpu.reference.formats import is_type, type_named
from ptxgen.cpu.reference.interpreter import Program, WarpContext, compile_semantics, token_value
from ptxgen.cpu.reference.language import name_of
from ptxgen.cpu.reference.names import TYPES, names_of, tokens_of
from ptxgen.cpu.reference.places import Place, places_of
from ptxgen.errors import PtxError
from ptxgen.isa import semantics, types
from ptxgen.isa.family import Block, Line
from ptxgen.isa.matching import Match

Cluster = Callable[[int, int], int]


class Unmodelled(PtxError):
    """The specification has no semantics for the instruction: as a rule, it is no function of values."""


@define(eq=False)
class Computation:
    """What a legal statement computes, by the names of the operands in its syntax line."""

    match: Match
    program: Program
    places: tuple[Place, ...]
    constants: dict[str, object]  # slots with their defaults, types
    flags: dict[str, bool]
    negated: frozenset[str]
    sources: tuple[Place, ...] = field(init=False)
    destinations: tuple[Place, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sources = tuple(place for place in self.places if place.access != "out")
        self.destinations = tuple(place for place in self.places if place.access != "in")

    def run(
        self,
        bits: Mapping[str, Raw],
        carry: int = 0,
        warp: WarpContext | None = None,
        cluster: Cluster | None = None,
    ) -> dict[str, Raw]:
        """The bits of the destinations for those of the sources, and of `CC` if it is set."""
        return self.program.execute(
            {**self.constants, "CC": carry},
            {place.name: (place.type, bits[place.name]) for place in self.sources},
            {place.name: (place.type, place.count) for place in self.destinations},
            self.flags,
            warp,
            cluster,
            self.negated,
        )


def computation(match: Match) -> Computation:
    """The computation of a legal match; `Unmodelled` where its block has no semantics."""
    line = match.reading.line
    return Computation(
        match,
        _program(line, match.reading.opcode),
        places_of(match),
        _constants(match),
        {name_of(token): token in match.tokens for token in tokens_of(line.family)},
        frozenset(name_of(name) for name, operand in match.operands.items() if operand.prefix == "-"),
    )


_programs: dict[Block, Program] = {}


def _program(line: Line, opcode: str) -> Program:
    """The program of a block, compiled once."""
    found = _programs.get(line.block)
    if found is None:
        text = semantics.text_of(line)
        if not text:
            section = line.block.section.split()[0]
            raise Unmodelled(f"{opcode} has no semantics: the specification leaves it unmodelled (PTX ISA {section})")
        found = _programs[line.block] = compile_semantics(text, names_of(line.block, line.family))
    return found


def _constants(match: Match) -> dict[str, object]:
    block, family = match.reading.line.block, match.reading.line.family
    slots = {**block.defaults, **{slot: match.tokens[at] for slot, at in match.slots.items()}}
    selectors = {template.selector_slot for line in block.lines for template in line.operands}
    found: dict[str, object] = {
        name_of(slot): token.removeprefix(".") if slot in selectors else token_value(token)  # .b32 selects two bytes
        for slot, token in slots.items()
    }
    for number, name in enumerate(TYPES):
        token = types.nth(match.reading.tokens, number or 1)
        if token is not None and is_type(token.removeprefix(".")):
            found.setdefault(name, type_named(token.removeprefix(".")))
    if family.alias:
        found[family.alias] = match.mnemonic
    return found
