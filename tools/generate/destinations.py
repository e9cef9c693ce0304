"""What `out=` takes and what a call returns, as `ptxgen.build.careful` makes destinations."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve

from ptxgen.isa import kinds, types
from ptxgen.isa.classes import REGISTER, SINK, VECTOR, OperandClass, operand_class
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import Kind
from ptxgen.isa.opcodes import Reading
from tools.generate.aliases import Aliases
from tools.generate.operands import Operands, base_types, selected, tuple_of, vector_length
from tools.generate.rules import Rules


@define(eq=False)
class Destination:
    """One way to write and return a destination."""

    known: dict[str, OperandClass]
    out: frozenset[str]  # Python types
    optional: bool  # whether fresh registers take its place
    result: str


def ways(reading: Reading, template: Template, operands: Operands) -> Iterator[Destination]:
    """Every way to write a destination, the one with fresh registers first."""
    aliases = operands.aliases
    if template.shape == "sink":
        yield Destination({"_": operand_class(SINK)}, frozenset({"Sink"}), True, "None")
        return
    if template.shape == "vector":
        parts = [part for inner in template.inner for part in list(_written(reading, inner.name, inner, operands))[:1]]
        out = f"tuple[{', '.join(f'{aliases.name(part.out)} | None' for part in parts)}]"
        known = {name: cls for part in parts for name, cls in part.known.items()}
        yield Destination(known, frozenset({out}), True, f"tuple[{', '.join(part.result for part in parts)}]")
        return
    for first in _written(reading, template.name, template, operands):
        if not template.second or template.second_optional:
            yield first
        if template.second:
            second = next(_written(reading, template.second, template, operands))
            yield Destination(
                {**first.known, **second.known},
                frozenset({f"tuple[{aliases.name(first.out)} | None, {aliases.name(second.out)} | None]"}),
                not template.second_optional and first.optional,
                f"tuple[{first.result}, {second.result}]",
            )


def _written(reading: Reading, name: str, template: Template, operands: Operands) -> Iterator[Destination]:
    """A destination as one register, and as a vector of each length that its kind has."""
    kind = kinds.kind_of(reading, name)
    if kind is None:
        return
    aliases = operands.aliases
    fresh = True
    seen: set[int | None] = set()
    for base in kind["bases"]:
        made = _made(reading, base, kind)
        length = vector_length(reading, base, kind)
        if not made or length in seen:
            continue
        seen.add(length)
        if length is None:
            accepted = selected(template, operands.value(reading, name))
            parts = frozenset(text for text in accepted if text.startswith("Selected"))
            scalars = frozenset(text for text in accepted if not text.startswith(("tuple", "Selected")))
            result = aliases.result(made[0])
            if scalars:
                yield Destination({name: operand_class(REGISTER, made[0])}, scalars, fresh, result)
            if parts:
                part = operand_class(REGISTER, made[0], selector=template.selectors[0])
                yield Destination({name: part}, parts, False, result)
        else:
            elements = frozenset(operands.elements(reading, name, kind, length))
            if not elements:
                continue
            if "sink" in kind.get("flags", []):
                elements |= {"Sink"}
            vector = operand_class(VECTOR, elements=tuple(operand_class(REGISTER, type_) for type_ in made))
            out = tuple_of(f"{aliases.name(elements)} | None", length)
            yield Destination({name: vector}, frozenset({out}), fresh, aliases.vector(made))
        fresh = False


def _made(reading: Reading, base: Tree, kind: Kind) -> list[str]:
    """The types of the fresh registers for a base."""
    found = base_types(reading, base)
    if base[0] == "tuple" or not found:
        return found
    container = types.known(found[0]).container
    if {"warp", "warpgroup"} & set(kind.get("flags", [])) and types.size(container) < 32:
        container = "b32"
    return [container] * (vector_length(reading, base, kind) or 1)


def without_sink(destination: Destination, rules: Rules, aliases: Aliases) -> Destination:
    """Without `_` where a rule forbids it."""
    if not rules.rows:
        return destination
    ((name, cls), *_) = destination.known.items()
    tried = operand_class(SINK)
    if cls.what == VECTOR:
        tried = operand_class(VECTOR, elements=(tried, *cls.elements[1:]))
    if not rules.broken({name: tried}):
        return destination
    return evolve(destination, out=frozenset(aliases.without(text, "Sink") for text in destination.out) - {""})
