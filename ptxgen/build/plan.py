"""How the arguments of a call become the operands of an instruction, worked out once for each opcode."""

from __future__ import annotations

from functools import cache

from attrs import define, field

from ptxgen.check.instruction import readings
from ptxgen.isa import types
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import kind_of, types_of
from ptxgen.isa.opcodes import Reading

_WORD = 64  # bits of an integer constant


@define(eq=False, weakref_slot=False, repr=False)
class Place:
    """What the builder has to know about one operand of a line."""

    template: Template
    destination: bool
    width: int  # of a floating-point constant
    listed: bool  # takes a tuple as a parameter list
    low: int  # least and greatest integer constant
    high: int


@define(eq=False, weakref_slot=False, repr=False)
class Plan:
    """How the operands of one reading are made from a call's arguments."""

    reading: Reading
    places: tuple[Place, ...]
    sources: int = field(init=False)  # mandatory ones
    outs: tuple[Place, ...] = field(init=False)
    inputs: tuple[Place, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sources = sum(1 for p in self.places if not p.destination and not p.template.group)
        self.outs = tuple(p for p in self.places if p.destination)
        self.inputs = tuple(p for p in self.places if not p.destination)


@cache
def plans_of(opcode: str) -> list[Plan]:
    """The plans of a canonical opcode, one for each line that has it."""
    known = readings(opcode)
    exact = [reading for reading in known if reading.opcode == opcode]
    return [plan(reading) for reading in exact or known]


def plan(reading: Reading) -> Plan:
    """The plan of one reading."""
    return Plan(reading, tuple(_place(template, reading) for template in reading.line.operands))


def _place(template: Template, reading: Reading) -> Place:
    kind = kind_of(reading, template.name) if template.name and template.shape in ("value", "address") else None
    inner = [kind_of(reading, part.name) for part in template.inner if part.name]
    destination = (kind or {}).get("access") == "out" or any((k or {}).get("access") == "out" for k in inner)
    destination |= template.shape == "sink"  # the result that nobody gets
    width = 32
    for base in (kind or {}).get("bases", ()):
        if base[0] == "type" and any(types.bits(name) == 64 for name in types_of(reading, base[1])):
            width = 64
            break
    return Place(template, destination, width, template.shape == "list", *_range(template, reading))


def _range(template: Template, reading: Reading) -> tuple[int, int]:
    """The integers that have a place's bits, with or without a sign; where the kind has limits of its own, any."""
    kind = kind_of(reading, template.name) if template.name and template.shape == "value" else None
    bases = (kind or {}).get("bases", ())
    names = [name for base in bases if base[0] == "type" for name in types_of(reading, base[1])]
    bits = max(map(types.bits, names), default=0)
    if not 8 <= bits <= _WORD or any(base[0] == "imm" for base in bases):
        bits = _WORD
    return -(1 << (bits - 1)), (1 << bits) - 1
