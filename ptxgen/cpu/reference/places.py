"""The operands of a matched statement: where each stands, and what its value is."""

from __future__ import annotations

from attrs import frozen

from ptxgen.cpu.reference.formats import Type, is_type, type_named
from ptxgen.cpu.reference.language import name_of
from ptxgen.ir.operands import Address, Arguments, Operand, Pair, Vector
from ptxgen.isa import registers, types
from ptxgen.isa.classes import ADDRESS, FLOAT, INTEGER, SPECIAL, VECTOR, OperandClass
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import kind_of, length_of, types_of
from ptxgen.isa.matching import Match
from ptxgen.isa.opcodes import Reading


@frozen
class Place:
    """One operand. `count` is the number of elements of a vector, 0 of a single value."""

    name: str  # as the semantics texts spell it
    path: tuple[int, ...]  # of indices, into vectors, addresses and `d|p`
    access: str  # "in" | "out" | "inout"
    type: Type
    count: int

    def find(self, operands: tuple[Operand, ...]) -> Operand:
        """The operand among those of a statement."""
        found = operands[self.path[0]]
        for index in self.path[1:]:
            if isinstance(found, Pair):
                found = (found.first, found.second)[index]
            else:
                assert isinstance(found, Address | Vector | Arguments)
                found = found.elements[index]
        return found


def places_of(match: Match) -> tuple[Place, ...]:
    """The places that have a value; a list of arguments, an address in brackets, a label have none."""
    reading = match.reading
    found: list[Place] = []
    for name, path in _paths(reading.line.operands, match.operands, ()).items():
        kind = kind_of(reading, name)
        typed = value_type(reading, name, match.operands[name]) if kind else None
        if kind and typed:
            found.append(Place(name_of(name), path, kind.get("access", "in"), *typed))
    return tuple(found)


def value_type(reading: Reading, name: str, cls: OperandClass) -> tuple[Type, int] | None:
    """The type of an operand's value and its number of elements (0: no vector); None where it has no value.

    Of the alternatives of its kind, the first one of its shape counts, before that the first one of its size.
    """
    kind = kind_of(reading, name)
    if kind is None or cls.what == ADDRESS:
        return None
    declared = cls.elements[0].type if cls.elements else cls.type
    found = [name for base in kind["bases"] if (name := _type_of(reading, base, kind.get("flags", []), cls, declared))]
    found = [name for name in found if _same_size(name, declared)] or found
    if found and is_type(found[0]):
        return type_named(found[0]), _count(cls) or 0
    if cls.what in (INTEGER, FLOAT):  # a constant where only constants may stand
        return type_named("s64" if cls.what == INTEGER else "f64"), 0
    return None


def _type_of(reading: Reading, base: Tree, flags: list[str], cls: OperandClass, declared: str) -> str:
    """The type of the values in an alternative of a kind; "" where the operand's shape is another."""
    if base[0] == "tuple" and cls.what == VECTOR and len(base) - 1 == len(cls.elements):
        names = list(dict.fromkeys(name for tree in base[1:] for name in types_of(reading, tree)))
        return names[0] if len(names) == 1 else ""
    names = types_of(reading, base[1]) if base[0] == "type" else []
    if not names or length_of(reading, base, flags) != _count(cls):
        return ""
    if declared in names:
        return declared
    return next((name for name in names if _same_size(name, declared)), names[0])


def _count(cls: OperandClass) -> int | None:
    """The number of elements; None where the operand is no vector."""
    if cls.what == SPECIAL and cls.space:
        return len(registers.FIELDS)
    return len(cls.elements) if cls.what == VECTOR else None


def _same_size(name: str, register: str) -> bool:
    return types.type_of(register) is not None and types.size(name) == types.size(register)


def _paths(
    templates: tuple[Template, ...], bound: dict[str, OperandClass], path: tuple[int, ...]
) -> dict[str, tuple[int, ...]]:
    """Operand name -> where it stands; `bound` tells which optional groups the statement has."""
    taken = {t.group for t in templates if not t.group or any(name in bound for name in _names(t))}
    found: dict[str, tuple[int, ...]] = {}
    for at, template in enumerate(t for t in templates if t.group in taken):
        here = (*path, at)
        if template.inner:
            found.update(_paths(template.inner, bound, here))
        elif template.second in bound:
            found[template.name], found[template.second] = (*here, 0), (*here, 1)
        elif template.name in bound:
            found[template.name] = (*here, 0) if template.shape == "address" else here
    return found


def _names(template: Template) -> list[str]:
    return [template.name, template.second, *(name for inner in template.inner for name in _names(inner))]
