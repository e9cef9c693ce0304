"""What may stand in an operand's place, in Python's types: found by asking the matcher about everything.

A set of alternatives maps the text of a Python type to the operand classes that it stands for there.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from ptxgen.isa import kinds, matching, registers, types
from ptxgen.isa.classes import (
    FLOAT,
    INTEGER,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
    operand_class,
)
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import Kind
from ptxgen.isa.opcodes import Reading
from tools.generate.aliases import LONGEST, Aliases

Alternatives = dict[str, list[OperandClass]]
Elements = dict[str, OperandClass]

ARGUMENTS = "tuple[Argument, ...]"
_REFERENCES = ("texref", "samplerref", "surfref")
_NAMES = {
    "label": "Name", "func": "Function", "branchtargets": "Name", "calltargets": "Name", "callprototype": "Name",
}  # fmt: skip


@define(eq=False)
class Operands:
    """Asks the matcher, once for each kind and what it comes to for an opcode."""

    aliases: Aliases
    registers: Elements = field(init=False)
    symbols: Alternatives = field(init=False)  # variables
    specials: Alternatives = field(init=False)
    values: dict[object, Alternatives] = field(init=False, factory=dict[object, Alternatives])
    vectors: dict[object, Elements] = field(init=False, factory=dict[object, Elements])
    addresses: dict[object, Alternatives] = field(init=False, factory=dict[object, Alternatives])

    def __attrs_post_init__(self) -> None:
        self.registers = {f"Reg[{name}]": operand_class(REGISTER, name) for name in self.aliases.registers}
        spaces = sorted(types.spaces())
        self.symbols = {
            "Variable[Any]": [operand_class(VARIABLE, "b32", space) for space in spaces],
            "Offset": [operand_class(VARIABLE, "b32", space, offset=True) for space in spaces],
            **{f"Variable[{t}]": [operand_class(VARIABLE, t, space) for space in spaces] for t in _REFERENCES},
        }
        self.specials = {}
        for name, register in registers.table().items():
            self.specials.setdefault(f"Special[{register.type}]", []).append(operand_class(SPECIAL, name))
            if register.vector:
                vector = operand_class(SPECIAL, name, "vector")
                self.specials.setdefault(f"SpecialVector[{register.type}]", []).append(vector)

    def value(self, reading: Reading, name: str) -> Alternatives:
        """What an operand may be that stands by itself."""
        kind = kinds.kind_of(reading, name)
        if kind is None:
            return {}
        key = _facts(reading, kind)
        found = self.values.get(key)
        if found is None:
            found = self.values[key] = self._value(reading, name, kind)
        return found

    def _value(self, reading: Reading, name: str, kind: Kind) -> Alternatives:
        found: Alternatives = {}

        def ask(text: str, classes: Iterable[OperandClass]) -> None:
            accepted = [cls for cls in classes if matching.fits(reading, name, cls)]
            if accepted:
                found.setdefault(text, []).extend(accepted)

        wanted = [type_ for base in kind["bases"] for type_ in base_types(reading, base)]
        for text, register in self.registers.items():
            if not any(types.is_lax(type_, register.type) for type_ in wanted):
                ask(text, [register])
        ask("int", [operand_class(INTEGER)])
        ask("float", [operand_class(FLOAT, _float(reading, kind))])
        ask("Sink", [operand_class(SINK)])
        bases = {base[0] for base in kind["bases"]}
        if bases - {"type", "tuple", "imm", "flt", "addr"}:
            for text, classes in (*self.symbols.items(), *self.specials.items()):
                ask(text, classes)
            for what, text in _NAMES.items():
                ask(text, [operand_class(NAME, what)])
            if "params" in bases:
                found[ARGUMENTS] = []
        for base in kind["bases"]:
            length = vector_length(reading, base, kind)
            elements = self.elements(reading, name, kind, length) if length is not None else {}
            if length is not None and elements:
                vector = operand_class(VECTOR, elements=(next(iter(elements.values())),) * length)
                found.setdefault(tuple_of(self.aliases.name(frozenset(elements)), length), []).append(vector)
        return _without_narrower(found)

    def elements(self, reading: Reading, name: str, kind: Kind, length: int) -> Elements:
        """What the elements of a vector may be; nothing when no register fits."""
        key = (_facts(reading, kind), length)
        found = self.vectors.get(key)
        if found is None:
            constants = {"int": operand_class(INTEGER), "float": operand_class(FLOAT, _float(reading, kind))}
            specials = {text: classes[0] for text, classes in self.specials.items() if text.startswith("Special[")}
            found = {
                text: cls
                for text, cls in (self.registers | constants | specials).items()
                if matching.fits(reading, name, operand_class(VECTOR, elements=(cls,) * length))
            }
            if found.keys() <= constants.keys():
                found = {}
            self.vectors[key] = found
        return found

    def pointers(self, reading: Reading, name: str) -> Alternatives:
        """What may stand between brackets."""
        kind = kinds.kind_of(reading, name)
        if kind is None:
            return {}
        base = kind["bases"][0]
        if base[0] != "addr":  # a handle of a texture, sampler or surface
            handles = self.value(reading, name)
            return {text: classes for text, classes in handles.items() if text not in ("int", "float", "Offset")}
        key = _facts(reading, kind)
        found = self.addresses.get(key)
        if found is None:
            found = self.addresses[key] = self._pointers(kind, kinds.address_space(reading, base))
        return found

    def _pointers(self, kind: Kind, space: str) -> Alternatives:
        found: Alternatives = {
            text: [register]
            for text, register in self.registers.items()
            if kinds.address_register(kind, space, register.type) == "yes"
        }
        for text, classes in self.symbols.items():
            fitting = [c for c in classes if types.address_variable(space, c.space, c.type)]
            if fitting and text != "Offset":
                found[text] = fitting
        if found and types.address_offset(space):
            found["Offset"] = []
        if types.address_constant(space):
            found["int"] = [operand_class(INTEGER)]
        return _without_narrower(found)


def selected(template: Template, accepted: Alternatives) -> Alternatives:
    """With the selectors and the prefix that registers may have in a place."""
    found = dict(accepted)
    taken = [(text, classes) for text, classes in accepted.items() if text.startswith("Reg[")]
    if template.selectors:
        selector = template.selectors[0]
        parts = {
            text.replace("Reg", "Selected"): [_altered(cls, selector=selector) for cls in classes]
            for text, classes in taken
        }
        found = {**found, **parts} if template.selector_optional else parts
    if template.prefix:
        found |= {
            text.replace("Reg", "Prefixed"): [_altered(cls, prefix=template.prefix) for cls in classes]
            for text, classes in taken
        }
    return found


def tuple_of(item: str, length: int) -> str:
    """So many of a type; of many, the number is left to the run time."""
    return f"tuple[{item}, ...]" if length > LONGEST else f"tuple[{', '.join([item] * length)}]"


def base_types(reading: Reading, base: Tree) -> list[str]:
    """The PTX types of a base of a kind."""
    if base[0] == "type":
        return kinds.types_of(reading, base[1])
    if base[0] == "tuple":
        return [name for tree in base[1:] for name in kinds.types_of(reading, tree)]
    return []


def vector_length(reading: Reading, base: Tree, kind: Kind) -> int | None:
    """Elements of the vector that a base wants; None for a scalar."""
    if base[0] == "tuple":
        return len(base) - 1
    if base[0] != "type" or not kinds.types_of(reading, base[1]):
        return None
    return kinds.length_of(reading, base, kind.get("flags", []))


def _altered(cls: OperandClass, prefix: str = "", selector: str = "") -> OperandClass:
    return operand_class(cls.what, cls.type, cls.space, cls.elements, cls.offset, prefix, selector)


def _without_narrower(found: Alternatives) -> Alternatives:
    """Variables of any type include those of particular ones."""
    if "Variable[Any]" not in found:
        return found
    return {text: classes for text, classes in found.items() if text == "Variable[Any]" or "Variable[" not in text}


def _float(reading: Reading, kind: Kind) -> str:
    """How the builder writes a floating-point constant here, as `ptxgen.build.plan` decides."""
    wanted = [name for base in kind["bases"] if base[0] == "type" for name in base_types(reading, base)]
    return "f64" if any(types.bits(name) == 64 for name in wanted) else "f32"


def _facts(reading: Reading, kind: Kind) -> object:
    """What a kind comes to for this opcode; the same facts mean the same operands."""
    return id(reading.line), id(kind), *(_fact(reading, base, kind) for base in kind["bases"])


def _fact(reading: Reading, base: Tree, kind: Kind) -> object:
    match base[0]:
        case "type" | "tuple":
            return (*base_types(reading, base), vector_length(reading, base, kind))
        case "sreg":
            return tuple(kinds.types_of(reading, base[1]))
        case "var" if len(base) > 1:
            return tuple(kinds.types_of(reading, base[1]))
        case "addr":
            return kinds.address_space(reading, base)
        case other:
            return other
