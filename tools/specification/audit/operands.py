"""One operand of each sort that may stand in a place: what conditions about operands are tried on.

A selector is a sort of its own only where it is looked at: operands of video instructions have thousands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from attrs import evolve

from ptxgen.isa import types
from ptxgen.isa.classes import (
    ADDRESS,
    FLOAT,
    INTEGER,
    LIST,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
    operand_class,
)
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import kind_of, length_of, types_of
from ptxgen.isa.matching import matches
from ptxgen.isa.opcodes import Reading
from tools.specification.names import NAMES

Bound = dict[str, OperandClass]

_REGISTERS = ("b32", "pred", "b64", "b16", "u32", "f32", "b8", "b128")
_SINK = operand_class(SINK)
_MOST = 2000  # operand lists that are tried of one opcode


def shapes(reading: Reading) -> Iterator[tuple[OperandClass, ...]]:
    """Operand lists of a line, of every sort."""
    templates = reading.line.operands
    for taken in subsets([t.group for t in templates]):
        kept = [t for t in templates if not t.group or t.group in taken]
        yield from itertools.islice(itertools.product(*(variants(reading, t) for t in kept)), _MOST)


def bindings(
    reading: Reading, templates: tuple[Template, ...], names: frozenset[str], tokens: frozenset[str]
) -> Iterator[Bound]:
    """What some operands may be, in every sort, and where they are optional also without them.

    `names` are the operands that are looked at; "_" are all of them. `tokens` are the selectors, or their sets.
    """
    tops = [t for t in templates if "_" in names or not names.isdisjoint(_names(t)) or _looked_at(t, tokens)]
    for taken in subsets([t.group for t in tops]):
        kept = [t for t in tops if not t.group or t.group in taken]
        for parts in itertools.product(*(list(_place(reading, t, names, tokens)) for t in kept)):
            yield {name: cls for part in parts for name, cls in part.items()}


def _looked_at(template: Template, tokens: frozenset[str]) -> tuple[str, ...]:
    """The selectors of a place that are told apart."""
    if template.selector_slot in tokens:
        return template.selectors
    return tuple(selector for selector in template.selectors if selector in tokens)


def selected(templates: tuple[Template, ...], tokens: frozenset[str]) -> set[str]:
    """The operands whose selectors are told apart."""
    found = {t.name for t in templates if _looked_at(t, tokens)}
    return found.union(*(selected(t.inner, tokens) for t in templates))


def _place(reading: Reading, template: Template, names: frozenset[str], tokens: frozenset[str]) -> Iterator[Bound]:
    if template.inner:
        yield from bindings(reading, template.inner, names, tokens)
        return
    for cls in variants(reading, template, _looked_at(template, tokens)):
        bound = {template.name if template.shape != "sink" else "_": cls}
        if cls.second is not None:
            bound[template.second] = cls.second
        yield bound


def _names(template: Template) -> Iterator[str]:
    yield template.name
    yield template.second
    for inner in template.inner:
        yield from _names(inner)


def subsets(groups: list[int]) -> list[frozenset[int]]:
    """Every choice of optional groups; 0 is no group."""
    distinct = sorted(set(groups) - {0})
    return [frozenset(c) for size in range(len(distinct) + 1) for c in itertools.combinations(distinct, size)]


def variants(reading: Reading, template: Template, selectors: tuple[str, ...] = ()) -> list[OperandClass]:
    """An operand of each sort that fits a place; with a selector at least one, and each of `selectors`."""
    bare = evolve(reading.line.block, rules=())
    single = Reading(
        evolve(reading.line, operands=(evolve(template, group=0),), block=bare), reading.mnemonic, reading.tokens,
        reading.slots, kinds=reading.kinds,
    )  # fmt: skip
    found: dict[tuple[object, ...], OperandClass] = {}
    for cls in _candidates(reading, template, (*template.selectors[:1], *selectors)):
        sort = _sort(cls)
        if sort not in found and next(matches(single, (cls,)), None) is not None:
            found[sort] = cls
    return list(found.values())


def _sort(cls: OperandClass) -> tuple[object, ...]:
    """What conditions can see of an operand."""
    inside = (cls.elements[0].what, _opaque(cls.elements[0])) if cls.what == ADDRESS and cls.elements else ""
    second = cls.second.what if cls.second is not None else ""
    written = cls.type if cls.what in (FLOAT, NAME) else cls.offset
    return (
        cls.what,
        written,
        cls.offset,
        cls.prefix,
        cls.selector,
        second,
        inside,
        any(e.what == SINK for e in cls.elements),
        len(cls.elements),
        _opaque(cls),
        frozenset(types.letter(e.type) for e in cls.elements or (cls,) if e.what == REGISTER) & {"b", "u"},
    )


def _opaque(cls: OperandClass) -> str:
    return cls.type if cls.what == VARIABLE and types.is_opaque(cls.type) else ""


def _candidates(reading: Reading, template: Template, selectors: tuple[str, ...]) -> Iterator[OperandClass]:
    match template.shape:
        case "sink":
            yield _SINK
        case "number":
            yield operand_class(INTEGER)
        case "list":
            yield operand_class(LIST, elements=(operand_class(REGISTER, "b32"),))
        case "vector":
            inner = [variants(reading, t) for t in template.inner]
            yield from (operand_class(VECTOR, elements=elements) for elements in itertools.product(*inner))
        case "address" if template.inner:
            for taken in subsets([t.group for t in template.inner]):
                inner = [variants(reading, t) for t in template.inner if not t.group or t.group in taken]
                yield from (operand_class(ADDRESS, elements=elements) for elements in itertools.product(*inner))
        case "address":
            for base in _bare(reading, template.name):
                yield operand_class(ADDRESS, elements=(base,))
                yield from (operand_class(ADDRESS, elements=(base,), selector=s) for s in selectors)
        case _:
            yield from _values(reading, template, selectors)


def _values(reading: Reading, template: Template, selectors: tuple[str, ...]) -> Iterator[OperandClass]:
    for cls in _bare(reading, template.name):
        yield cls
        if cls.what == REGISTER:
            prefixes = ("", template.prefix) if template.prefix else ("",)
            for prefix, selector in itertools.product(prefixes, ("", *selectors)):
                yield operand_class(REGISTER, cls.type, prefix=prefix, selector=selector)
        if template.second and cls.what in (REGISTER, VECTOR, SINK):
            for second in _bare(reading, template.second):
                if second.what in (REGISTER, SINK):
                    yield operand_class(cls.what, cls.type, cls.space, cls.elements, second=second)


def _bare(reading: Reading, name: str) -> Iterator[OperandClass]:
    """Operands of all sorts, without prefix, selector or second part; those that the kind names come first."""
    kind = kind_of(reading, name)
    bases = [base for base in kind["bases"] if base[0] in ("type", "tuple")] if kind else []
    flags: list[str] = kind.get("flags", []) if kind else []
    named = [types.known(types.known(n).container).name for b in bases for n in _types(reading, b)]
    registers = [operand_class(REGISTER, type) for type in dict.fromkeys((*named, *_REGISTERS))]
    yield from registers
    lengths = {n for base in bases if (n := _length(reading, base, flags))}
    for length in sorted(lengths or ({1} if "unchecked" in flags else ())):
        for register in registers:
            yield operand_class(VECTOR, elements=(register,) * length)
            yield operand_class(VECTOR, elements=(_SINK, *(register,) * (length - 1)))
    for base in bases:
        if base[0] == "tuple" and all(types_of(reading, tree) for tree in base[1:]):
            names = [types.known(types.known(types_of(reading, tree)[0]).container).name for tree in base[1:]]
            yield operand_class(VECTOR, elements=tuple(operand_class(REGISTER, type) for type in names))
    yield from (operand_class(INTEGER), operand_class(FLOAT, "f32"), operand_class(FLOAT, "f64"), _SINK)
    yield from (operand_class(SPECIAL, "tid"), operand_class(SPECIAL, "clock64"))
    for cls in dict.fromkeys(row.operand.cls for row in NAMES.values() if row.operand is not None):
        yield cls
        if cls.what == VARIABLE:
            yield operand_class(VARIABLE, cls.type, cls.space, offset=True)


def _types(reading: Reading, base: list[object]) -> list[str]:
    return types_of(reading, base[1]) if base[0] == "type" else []  # type: ignore[arg-type]


def _length(reading: Reading, base: list[object], flags: list[str]) -> int | None:
    return length_of(reading, base, flags) if base[0] == "type" and _types(reading, base) else None
