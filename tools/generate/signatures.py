"""What a complete opcode takes and returns in Python: the signature of `k.fma.rn.f32(a, b, c)`.

The operands are those that `ptxgen.isa.matching` accepts, the results those that `ptxgen.build.leaf` makes. A type is a
set of alternatives, each the text of a Python type with the operand classes that it stands for.
"""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from ptxgen.build.plan import Place, plan
from ptxgen.isa import matching, registers, types
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
)  # fmt: skip
from ptxgen.isa.conditions import Tree, holds
from ptxgen.isa.family import Line, Row, Template
from ptxgen.isa.matching import Kind
from ptxgen.isa.opcodes import Reading
from tools.generate.aliases import LONGEST, Aliases
from tools.generate.partial import Partial, concerns_operands, decide
from tools.generate.relevance import names

Alternatives = dict[str, list[OperandClass]]  # Python type -> operand classes
Elements = dict[str, OperandClass]

_REFERENCES = ("texref", "samplerref", "surfref")
_NAMES = ("label", "func", "branchtargets", "calltargets", "callprototype")
_ARGUMENTS = "tuple[Argument, ...]"


@frozen
class Parameter:
    """A positional parameter."""

    name: str
    types: frozenset[str]
    optional: bool = False


@frozen
class Signature:
    """Positional parameters, `out=`, and the result."""

    parameters: tuple[Parameter, ...]
    out: frozenset[str]  # nothing when there is no destination
    out_optional: bool
    result: str

    @property
    def required(self) -> int:
        """How many parameters there are at least."""
        return sum(not parameter.optional for parameter in self.parameters)


@define(eq=False)
class _Destination:
    """One way to write and return a destination."""

    known: dict[str, OperandClass]
    out: frozenset[str]
    optional: bool  # fresh registers take its place
    result: str


@define(eq=False)
class _Rows:
    """The rules of a line."""

    tokens: list[Row]  # about tokens alone
    operands: list[Row]


@define(eq=False)
class Signatures:
    """Makes the signatures of readings."""

    aliases: Aliases
    registers: list[str] = field(init=False)  # types of registers
    specials: dict[str, list[OperandClass]] = field(init=False)
    variables: dict[str, list[OperandClass]] = field(init=False)
    cache: dict[object, Alternatives] = field(init=False, factory=dict[object, Alternatives])
    cached_elements: dict[object, Elements] = field(init=False, factory=dict[object, Elements])
    rows: dict[Line, _Rows] = field(init=False, factory=dict[Line, _Rows])
    coming: dict[tuple[Line, int], frozenset[str]] = field(init=False, factory=dict[tuple[Line, int], frozenset[str]])

    def __attrs_post_init__(self) -> None:
        self.registers = self.aliases.registers
        self.specials = {}
        for name, register in registers.table().items():
            self.specials.setdefault(f"Special[{register.type}]", []).append(operand_class(SPECIAL, name))
            if register.vector:
                vector = operand_class(SPECIAL, name, "vector")
                self.specials.setdefault(f"SpecialVector[{register.type}]", []).append(vector)
        spaces = sorted(types.spaces())
        self.variables = {
            "Variable[Any]": [operand_class(VARIABLE, "b32", space) for space in spaces],
            "Offset": [operand_class(VARIABLE, "b32", space, offset=True) for space in spaces],
            **{f"Variable[{t}]": [operand_class(VARIABLE, t, space) for space in spaces] for t in _REFERENCES},
        }

    def of(self, reading: Reading) -> Iterator[Signature]:
        """Every signature of one reading; none when its tokens go against a rule."""
        rows = self.split(reading.line)
        if not all(holds(row.condition, Partial(reading)) for row in rows.tokens):
            return
        places = plan(reading).places
        optional = [place for place in places if not place.destination and place.template.group]
        for spare in range(len(optional) + 1):
            left_out = {id(place) for place in optional[spare:]}
            chosen = [place for place in places if id(place) not in left_out]
            groups = {place.template.group for place in chosen if place.template.group}
            if not any(place.template.group in groups for place in places if id(place) in left_out):
                yield from self._with(reading, chosen)

    def _with(self, reading: Reading, places: list[Place]) -> Iterator[Signature]:
        """The signatures with just these operands."""
        ways = [list(self._destinations(reading, place.template)) for place in places if place.destination]
        for way in itertools.product(*ways):
            present = set(names(tuple(place.template for place in places)))
            seconds = {place.template.second for place in places if place.template.second}
            known = {name: cls for destination in way for name, cls in destination.known.items()}
            present -= seconds - known.keys()
            rules = _Rules(reading, known, frozenset(present), self.split(reading.line).operands)
            if rules.broken({}):
                continue
            parameters = self._parameters(reading, places, rules)
            if parameters is not None:
                yield _signature(parameters, [self._without_sinks(d, rules) for d in way])

    def _parameters(self, reading: Reading, places: list[Place], rules: _Rules) -> list[Parameter] | None:
        found: list[Parameter] = []
        for place in places:
            if place.destination:
                continue
            accepted = frozenset(rules.allowed(place.template, self.source(place.template, rules)))
            if not accepted:
                return None
            found.append(Parameter(_parameter_name(place.template), accepted))
        return _distinct(found)

    def possible(self, reading: Reading, at: int) -> bool:
        """Whether the tokens so far, before the modifier `at` of the line, may become a legal opcode."""
        line = reading.line
        coming = self.coming.get((line, at))
        if coming is None:
            left = line.modifiers[at:]
            selectors = {n for t in line.operands if t.selector_slot for n in (t.selector_slot, *t.selectors)}
            tokens = {token for modifier in left for token in modifier.tokens}
            typed = {".type"} if any(types.type_of(token) for token in tokens) else set[str]()
            coming = frozenset(tokens | {modifier.name for modifier in left} | selectors | typed)
            self.coming[line, at] = coming
        statement = Partial(reading, coming=coming, open=True)
        return all(decide(row.condition, statement) is not False for row in line.block.rules)

    def split(self, line: Line) -> _Rows:
        """The rules of a line, those about tokens alone apart."""
        found = self.rows.get(line)
        if found is None:
            selectors = {n for t in line.operands if t.selector_slot for n in (t.selector_slot, *t.selectors)}
            tokens = [row for row in line.block.rules if not concerns_operands(row.condition, selectors)]
            found = self.rows[line] = _Rows(tokens, [row for row in line.block.rules if row not in tokens])
        return found

    # ---- sources

    def source(self, template: Template, rules: _Rules) -> Alternatives:
        """What may stand in a place, as Python types."""
        reading = rules.reading
        match template.shape:
            case "sink":
                return {"Sink": [operand_class(SINK)]}
            case "number":
                return {f"Literal[{template.name}]": [operand_class(INTEGER)]}
            case "list":
                return {_ARGUMENTS: []}
            case "vector":
                return {f"tuple[{', '.join(self._nested(template.inner, rules))}]": []}
            case "address" if template.inner:
                return {f"list[{' | '.join(dict.fromkeys(self._nested(template.inner, rules)))}]": []}
            case "address":
                return self._address(template, rules)
            case _:
                return self._selected(template, self._value(reading, template.name))

    def _nested(self, templates: tuple[Template, ...], rules: _Rules) -> list[str]:
        found: list[str] = []
        for template in templates:
            found.append(self.aliases.name(frozenset(self.source(template, rules) or {"Any": []})))
        return found

    def _selected(self, template: Template, accepted: Alternatives) -> Alternatives:
        """With the selectors and the prefix that registers may have here."""
        plain = dict(accepted)
        taken = [(text, classes) for text, classes in accepted.items() if text.startswith("Reg[")]
        if template.selectors:
            selector = template.selectors[0]
            plain |= {
                text.replace("Reg", "Selected"): [evolve_class(c, selector=selector) for c in classes]
                for text, classes in taken
            }
            if not template.selector_optional:
                plain = {text: classes for text, classes in plain.items() if text.startswith("Selected")}
        if template.prefix:
            plain |= {
                text.replace("Reg", "Prefixed"): [evolve_class(c, prefix=template.prefix) for c in classes]
                for text, classes in taken
            }
        return plain

    def _address(self, template: Template, rules: _Rules) -> Alternatives:
        reading = rules.reading
        kind = matching.kind_of(reading, template.name)
        if kind is None:
            return {}
        base = kind["bases"][0]
        inside: Alternatives = {}
        if base[0] != "addr":
            handles = self._value(reading, template.name)
            inside = {text: c for text, c in handles.items() if text not in ("int", "float", "Offset")}
        else:
            space = matching.address_space(reading, base)
            for name in self.registers:
                if types.address_register(name, space) == "yes":
                    inside[f"Reg[{name}]"] = [operand_class(REGISTER, name)]
            for text, classes in self.variables.items():
                fitting = [c for c in classes if types.address_variable(space, c.space, c.type)]
                if fitting and (text != "Offset" or types.address_offset(space)):
                    inside[text] = fitting
            if "Variable[Any]" in inside:
                inside = {text: c for text, c in inside.items() if not text.startswith("Variable[") or "Any" in text}
            if inside and types.address_offset(space):
                inside.setdefault("Offset", [])
            if types.address_constant(space):
                inside["int"] = [operand_class(INTEGER)]
        inside = {t: c for t, c in inside.items() if not c or any(not rules.broken({template.name: x}) for x in c)}
        if not inside:
            return {}
        item = self.aliases.name(frozenset(inside), "Pointer")
        found: Alternatives = {f"list[{item}]": []}
        if template.selectors:
            found["Address"] = []
        return found

    def _value(self, reading: Reading, name: str) -> Alternatives:
        kind = matching.kind_of(reading, name)
        if kind is None:
            return {}
        key = self._facts(reading, kind)
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = self._probe(reading, name, kind)
        return found

    def _facts(self, reading: Reading, kind: Kind) -> object:
        """What a kind comes to for this opcode; the same facts mean the same operands."""
        return id(reading.line), id(kind), *(_fact(reading, base, kind) for base in kind["bases"])

    def _probe(self, reading: Reading, name: str, kind: Kind) -> Alternatives:
        """Ask the matcher about everything that could be an operand."""
        found: Alternatives = {}

        def ask(text: str, classes: Iterable[OperandClass]) -> None:
            accepted = [cls for cls in classes if matching.fits(reading, name, cls)]
            if accepted:
                found.setdefault(text, []).extend(accepted)

        for register in self.registers:
            ask(f"Reg[{register}]", [operand_class(REGISTER, register)])
        ask("int", [operand_class(INTEGER)])
        ask("float", [operand_class(FLOAT, "f64" if _wide(reading, kind) else "f32")])
        ask("Sink", [operand_class(SINK)])
        bases = {base[0] for base in kind["bases"]}
        if bases - {"type", "tuple", "imm", "flt", "addr"}:
            for text, classes in (*self.variables.items(), *self.specials.items()):
                ask(text, classes)
            for what in _NAMES:
                ask("Function" if what == "func" else "Name", [operand_class(NAME, what)])
            if "params" in bases:
                found[_ARGUMENTS] = []
        if "Variable[Any]" in found:
            found = {text: c for text, c in found.items() if not text.startswith("Variable[") or "Any" in text}
        for base in kind["bases"]:
            self._probe_vector(reading, name, kind, base, found)
        wanted = [name for base in kind["bases"] for name in _base_types(reading, base)]
        lax = {f"Reg[{r}]" for r in self.registers if any(types.is_lax(name, r) for name in wanted)}
        return {text: classes for text, classes in found.items() if text not in lax}

    def _probe_vector(self, reading: Reading, name: str, kind: Kind, base: Tree, found: Alternatives) -> None:
        length = _length(reading, base, kind)
        if length is None:
            return
        elements = self.elements(reading, name, kind, length)
        if elements:
            item = self.aliases.name(frozenset(elements))
            found.setdefault(_tuple(item, length), []).append(
                operand_class(VECTOR, elements=(next(iter(elements.values())),) * length)
            )

    def elements(self, reading: Reading, name: str, kind: Kind, length: int) -> Elements:
        """What the elements of a vector may be."""
        key = (self._facts(reading, kind), length)
        found = self.cached_elements.get(key)
        if found is None:
            found = self.cached_elements[key] = self._probe_elements(reading, name, length, _wide(reading, kind))
        return found

    def _probe_elements(self, reading: Reading, name: str, length: int, wide: bool) -> Elements:
        candidates = {f"Reg[{register}]": operand_class(REGISTER, register) for register in self.registers}
        candidates["int"] = operand_class(INTEGER)
        candidates["float"] = operand_class(FLOAT, "f64" if wide else "f32")
        fitting = {
            text: cls
            for text, cls in candidates.items()
            if matching.fits(reading, name, operand_class(VECTOR, elements=(cls,) * length))
        }
        return fitting if any(cls.what == REGISTER for cls in fitting.values()) else {}

    # ---- destinations

    def _destinations(self, reading: Reading, template: Template) -> Iterator[_Destination]:
        if template.shape == "vector":
            inner = [next(self._written(reading, part.name, part), None) for part in template.inner]
            parts = [part for part in inner if part is not None]
            out = ", ".join(f"{self.aliases.name(part.out)} | None" for part in parts)
            result = f"tuple[{', '.join(part.result for part in parts)}]"
            known = {name: cls for part in parts for name, cls in part.known.items()}
            yield _Destination(known, frozenset({f"tuple[{out}]"}), True, result)
            return
        for first in self._written(reading, template.name, template):
            if not template.second or template.second_optional:
                yield first
            if template.second:
                second = next(self._written(reading, template.second, template))
                out = f"tuple[{self.aliases.name(first.out)} | None, {self.aliases.name(second.out)} | None]"
                yield _Destination(
                    {**first.known, **second.known},
                    frozenset({out}),
                    not template.second_optional and first.optional,
                    f"tuple[{first.result}, {second.result}]",
                )

    def _written(self, reading: Reading, name: str, template: Template) -> Iterator[_Destination]:
        """A destination as one register, or as a vector of each length that its kind has; the first may be fresh."""
        kind = matching.kind_of(reading, name)
        if kind is None:
            return
        fresh = True
        seen: set[int | None] = set()
        for base in kind["bases"]:
            made = _made(reading, base, kind)
            length = _length(reading, base, kind)
            if not made or length in seen:
                continue
            seen.add(length)
            if length is None:
                accepted = self._selected(template, self._value(reading, name))
                scalars = frozenset(t for t in accepted if not t.startswith(("tuple", "Selected")))
                parts = frozenset(t for t in accepted if t.startswith("Selected"))
                result = self.aliases.result(made[0])
                if scalars:
                    yield _Destination({name: operand_class(REGISTER, made[0])}, scalars, fresh, result)
                if parts:
                    part = operand_class(REGISTER, made[0], selector=template.selectors[0])
                    yield _Destination({name: part}, parts, False, result)
            else:
                elements = frozenset(self.elements(reading, name, kind, length))
                if not elements:
                    continue
                if "sink" in kind.get("flags", []):
                    elements |= {"Sink"}
                out = _tuple(f"{self.aliases.name(elements)} | None", length)
                fresh_ones = tuple(operand_class(REGISTER, type_) for type_ in made)
                known = {name: operand_class(VECTOR, elements=fresh_ones)}
                yield _Destination(known, frozenset({out}), fresh, self.aliases.vector(made))
            fresh = False

    def _without_sinks(self, destination: _Destination, rules: _Rules) -> _Destination:
        """Without `_` where a rule forbids it."""
        if not rules.rows:
            return destination
        ((name, cls), *_) = destination.known.items()
        sink = operand_class(SINK)
        if cls.what == VECTOR:
            tried = operand_class(VECTOR, elements=(sink, *cls.elements[1:]))
        else:
            tried = sink
        if not rules.broken({name: tried}):
            return destination
        return evolve(destination, out=frozenset(self.aliases.without(text, "Sink") for text in destination.out) - {""})


@define(eq=False)
class _Rules:
    """The rules of a reading, for some of its operands."""

    reading: Reading
    known: dict[str, OperandClass]
    present: frozenset[str]
    rows: list[Row]  # that concern operands
    undecided: list[Row] = field(init=False)
    hopeless: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.undecided = []
        statement = self._statement({})
        for row in self.rows:
            verdict = decide(row.condition, statement)
            if verdict is None:
                self.undecided.append(row)
            elif not verdict:
                self.hopeless = True

    def broken(self, known: dict[str, OperandClass]) -> bool:
        """Whether a rule is broken whatever the operands are of which nothing is known."""
        if self.hopeless and not known:
            return True
        rows = self.undecided if not known.keys() & self.known.keys() else self.rows
        statement = self._statement(known)
        return any(decide(row.condition, statement) is False for row in rows)

    def allowed(self, template: Template, accepted: Alternatives) -> Alternatives:
        """What the rules leave of what a place accepts."""
        if not self.undecided or template.shape != "value":
            return accepted
        return {
            text: classes
            for text, classes in accepted.items()
            if not classes or any(not self.broken({template.name: cls}) for cls in classes)
        }

    def _statement(self, known: dict[str, OperandClass]) -> Partial:
        selectable = {
            name
            for template in self.reading.line.operands
            if template.selector_slot and template.name in self.present - known.keys() - self.known.keys()
            for name in (template.selector_slot, *template.selectors)
        }
        return Partial(self.reading, {**self.known, **known}, self.present, frozenset(selectable))


def _tuple(item: str, length: int) -> str:
    """So many of a type; of many, the number is left to the run time."""
    return f"tuple[{item}, ...]" if length > LONGEST else f"tuple[{', '.join([item] * length)}]"


def evolve_class(cls: OperandClass, prefix: str = "", selector: str = "") -> OperandClass:
    """The class of the same operand with a prefix or a selector."""
    return operand_class(cls.what, cls.type, cls.space, cls.elements, cls.offset, prefix, selector)


def _signature(parameters: list[Parameter], destinations: list[_Destination]) -> Signature:
    if not destinations:
        return Signature(tuple(parameters), frozenset(), True, "None")
    if len(destinations) == 1:
        (only,) = destinations
        return Signature(tuple(parameters), only.out, only.optional, only.result)
    out = ", ".join(" | ".join(sorted(d.out)) + " | None" for d in destinations)
    result = f"tuple[{', '.join(d.result for d in destinations)}]"
    return Signature(tuple(parameters), frozenset({f"tuple[{out}]"}), all(d.optional for d in destinations), result)


def _parameter_name(template: Template) -> str:
    """The operand's name as Python spells it."""
    first = template.name if template.shape in ("value", "address", "list") else ""
    name = re.sub(r"\W", "_", first or next(names(template.inner), "") or template.shape)
    name = f"_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name


def _distinct(parameters: list[Parameter]) -> list[Parameter]:
    seen: dict[str, int] = {}
    found: list[Parameter] = []
    for parameter in parameters:
        count = seen[parameter.name] = seen.get(parameter.name, 0) + 1
        found.append(parameter if count == 1 else evolve(parameter, name=f"{parameter.name}_{count}"))
    return found


def _base_types(reading: Reading, base: Tree) -> list[str]:
    if base[0] == "type":
        return matching.types_of(reading, base[1])
    if base[0] == "tuple":
        return [name for tree in base[1:] for name in matching.types_of(reading, tree)]
    return []


def _length(reading: Reading, base: Tree, kind: Kind) -> int | None:
    """Elements of the vector that a base wants; None for a scalar."""
    if base[0] == "tuple":
        return len(base) - 1
    if base[0] != "type" or not matching.types_of(reading, base[1]):
        return None
    return matching.length_of(reading, base, kind.get("flags", []))


def _wide(reading: Reading, kind: Kind) -> bool:
    """Whether the builder writes a floating-point constant with 64 bits here, as `ptxgen.build.leaf` decides."""
    return any(types.bits(t) == 64 for base in kind["bases"] if base[0] == "type" for t in _base_types(reading, base))


def _made(reading: Reading, base: Tree, kind: Kind) -> list[str]:
    """The types of the fresh registers for a base of a destination, as `ptxgen.build.leaf` makes them."""
    if base[0] == "tuple":
        return [matching.types_of(reading, tree)[0] for tree in base[1:]]
    found = _base_types(reading, base)
    if not found:
        return []
    container = types.known(found[0]).container
    if {"warp", "warpgroup"} & set(kind.get("flags", [])) and types.size(container) < 32:
        container = "b32"
    return [container] * (_length(reading, base, kind) or 1)


def _fact(reading: Reading, base: Tree, kind: Kind) -> object:
    """What a base comes to for this opcode."""
    match base[0]:
        case "type" | "tuple":
            return (*_base_types(reading, base), _length(reading, base, kind))
        case "sreg":
            return tuple(matching.types_of(reading, base[1]))
        case "var" if len(base) > 1:
            return tuple(matching.types_of(reading, base[1]))
        case "addr":
            return matching.address_space(reading, base)
        case other:
            return other


def merge(found: Iterable[Signature]) -> list[Signature]:
    """As few signatures as say the same."""
    left: list[Signature] = []
    for signature in found:
        _absorb(left, signature)
    return left


def _absorb(left: list[Signature], signature: Signature) -> None:
    for at, other in enumerate(left):
        joined = _joined(other, signature)
        if joined is not None:
            del left[at]
            _absorb(left, joined)
            return
    left.append(signature)


def _joined(a: Signature, b: Signature) -> Signature | None:
    """One signature for two, when they differ in one parameter or in operands that may be left out at the end."""
    if (a.out, a.out_optional, a.result) != (b.out, b.out_optional, b.result):
        return None
    short, long = sorted((a, b), key=lambda s: len(s.parameters))
    length = len(short.parameters)
    pairs = list(zip(short.parameters, long.parameters, strict=False))
    differing = sum(x.types != y.types for x, y in pairs)
    if length == len(long.parameters) and a.required == b.required and differing <= 1:
        return evolve(a, parameters=tuple(evolve(x, types=x.types | y.types) for x, y in pairs))
    if differing or long.required > length + 1:
        return None
    required = min(short.required, long.required)
    return evolve(long, parameters=tuple(evolve(p, optional=at >= required) for at, p in enumerate(long.parameters)))


__all__ = ["Any", "Parameter", "Signature", "Signatures", "merge"]
