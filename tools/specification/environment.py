"""The environment in which examples, rejects and certified statements stand: which names mean what.

A few variables, functions and labels are declared; `%u32_1` is a register of the type in its name. In the examples of a
specification every other identifier is a register, too, whose type follows from the operand's kind.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand
from ptxgen.isa import types
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Family, Template
from ptxgen.isa.kinds import kind_of, length_of, types_of
from ptxgen.isa.matching import Match, matches
from ptxgen.isa.opcodes import Reading, readings
from ptxgen.parse.statement import parse_statement
from tools.specification.names import NAMES

_REGISTER = re.compile(r"%(\w+?)_\d+")
_GUARD = re.compile(r"^@!?[%$\w]+\s+")
_MOST = 64  # assignments of types that are tried for one statement


@lru_cache(maxsize=4096)
def resolve(name: str) -> Operand | None:
    """The operand that a name of the environment stands for."""
    if match := _REGISTER.fullmatch(name):
        found = types.type_of(match[1])
        return ir.register(name, match[1]) if found is not None and found.register else None
    return NAMES[name].operand if name in NAMES else None


@frozen
class Case:
    """A statement with a type for each of its registers."""

    operands: tuple[Operand, ...]
    matches: tuple[Match, ...]  # all that fit, legal or not


@frozen
class Statement:
    """A statement of the examples, and every way to understand it."""

    readings: tuple[Reading, ...]
    cases: tuple[Case, ...]


def understand(text: str, family: Family, mnemonic: str, options: frozenset[str]) -> Statement:
    """Read a statement of a family; `ParseError` when it cannot be read whatever its registers are."""
    text = _GUARD.sub("", text)
    free: dict[str, None] = {}

    def note(name: str) -> Operand:
        found = resolve(name)
        if found is None:
            free[name] = None
            return ir.register(name, "b32")
        return found

    parsed = parse_statement(text, note)
    words = parsed.opcode.split(".")
    for word in mnemonic.split("."):
        words.remove(word)
    tokens = tuple(f".{word}" for word in words)
    found = tuple(readings(family, mnemonic, tokens))
    cases: list[Case] = []
    for assignment in _assignments(found, parsed.operands, tuple(free)):
        operands = parse_statement(text, lambda name, types=assignment: _typed(name, types)).operands
        shape = tuple(operand.cls for operand in operands)
        cases.append(Case(operands, tuple(m for reading in found for m in matches(reading, shape, options))))
    return Statement(found, tuple(cases))


def _typed(name: str, types: dict[str, str]) -> Operand | None:
    return ir.register(name, types[name]) if name in types else resolve(name)


def _assignments(
    found: tuple[Reading, ...], operands: tuple[Operand, ...], free: tuple[str, ...]
) -> Iterator[dict[str, str]]:
    """Types for the free identifiers, as each way to bind the operands wants them."""
    seen: list[dict[str, str]] = []
    for reading in found:
        for places in _bindings(reading.line.operands, operands):
            wanted: dict[str, list[str]] = {name: [] for name in free}
            for template, operand in places:
                for name, type in _wanted(reading, template, operand):
                    if name in wanted and type not in wanted[name]:
                        wanted[name].append(type)
            choices = [wanted[name] or ["b32"] for name in free]
            for chosen in itertools.islice(itertools.product(*choices), _MOST):
                assignment = dict(zip(free, chosen, strict=True))
                if assignment not in seen:
                    seen.append(assignment)
                    yield assignment
    if not seen:
        yield dict.fromkeys(free, "b32")


def _bindings(
    templates: tuple[Template, ...], operands: tuple[Operand, ...]
) -> Iterator[tuple[tuple[Template, Operand], ...]]:
    """Every choice of optional operands that leaves as many places as there are operands."""
    groups = sorted({t.group for t in templates if t.group})
    for size in range(len(groups) + 1):
        for left_out in itertools.combinations(groups, size):
            kept = [t for t in templates if t.group not in left_out]
            if len(kept) == len(operands):
                yield tuple(zip(kept, operands, strict=True))


def _wanted(reading: Reading, template: Template, operand: Operand) -> Iterator[tuple[str, str]]:
    """The registers in an operand, each with the types that its place asks for."""
    match operand:
        case ir.Pair():
            yield from _wanted(reading, template, operand.first)
            if template.second:
                yield from _registers(reading, template.second, (operand.second,))
        case ir.Vector() | ir.Address() if template.inner:
            for places in _bindings(template.inner, operand.elements):
                for inner, element in places:
                    yield from _wanted(reading, inner, element)
        case ir.Vector():
            yield from _registers(reading, template.name, operand.elements, vector=True)
        case ir.Address():
            yield from _registers(reading, template.name, operand.elements)
        case _:
            yield from _registers(reading, template.name, (operand,))


def _registers(
    reading: Reading, name: str, operands: tuple[Operand, ...], vector: bool = False
) -> Iterator[tuple[str, str]]:
    kind = kind_of(reading, name)
    flags: list[str] = kind.get("flags", []) if kind else []
    for base in kind["bases"] if kind else ():
        wanted = _types(reading, base, flags, len(operands), vector)
        for operand, names in zip(operands, wanted, strict=False):
            if isinstance(operand, ir.Selected | ir.Prefixed):
                operand = operand.register
            elif isinstance(operand, ir.Offset):
                operand = operand.base
            if isinstance(operand, ir.Reg):
                for type in names:
                    yield operand.text, type


def _types(reading: Reading, base: Tree, flags: list[str], count: int, vector: bool) -> list[list[str]]:
    """For each register, the types that a base of a kind takes; [] when it takes none or another number."""
    match base[0]:
        case "type":
            length = length_of(reading, base, flags)
            if (length is not None) != vector or length not in (None, count):
                return []
            names = types_of(reading, base[1])
            if "warp" in flags or "warpgroup" in flags:
                names = [name if name in ("f32", "f64", "s32") else "b32" for name in names]
            return [_containers(names)] * count
        case "tuple":
            return [_containers(types_of(reading, tree)) for tree in base[1:]] if vector else []
        case "addr":
            return [["b32" if base[-1] == "tmem" else "u64"]]
        case _:
            return []


def _containers(names: list[str]) -> list[str]:
    return [types.known(types.known(name).container).name for name in names]
