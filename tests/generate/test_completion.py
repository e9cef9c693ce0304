"""The attributes of a stub are the tokens that may follow: those, and only those, with which a legal opcode begins."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ptxgen.check.instruction import verdict
from ptxgen.isa import grammar, matching
from ptxgen.isa.classes import (
    ADDRESS,
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
from ptxgen.isa.data import load
from ptxgen.isa.family import Template
from ptxgen.isa.opcodes import Reading, read

STUBS = Path(__file__).parents[2] / "generated" / "ptxgen_isa" / "opcodes"
REGISTERS = [
    operand_class(REGISTER, name.lstrip(".")) for name, row in load("types")["types"].items() if "register" in row
]
CANDIDATES = [
    *REGISTERS,
    *(operand_class(VECTOR, elements=(register,) * length) for register in REGISTERS for length in (2, 4, 8)),
    operand_class(INTEGER),
    operand_class(SINK),
    operand_class(SPECIAL, "tid", ""),
    operand_class(VARIABLE, "b32", ".param"),
    operand_class(NAME, "label"),
]


@cache
def classes(root: str) -> dict[str, dict[str, str]]:
    """Class of a stub -> attribute -> class."""
    tree = ast.parse((STUBS / f"{grammar.escape(root)}.pyi").read_text(encoding="utf-8"))
    return {
        node.name: {
            part.target.id: part.annotation.id
            for part in node.body
            if isinstance(part, ast.AnnAssign)
            and isinstance(part.target, ast.Name)
            and isinstance(part.annotation, ast.Name)
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def offered(root: str, depth: int) -> set[tuple[str, ...]]:
    """Every chain of at most so many attributes that the stub has."""
    found: set[tuple[str, ...]] = set()
    ways: list[tuple[tuple[str, ...], str]] = [((), grammar.escape(root))]
    while ways:
        way, name = ways.pop()
        if way:
            found.add(way)
        if len(way) < depth:
            ways += [((*way, attribute), following) for attribute, following in classes(root)[name].items()]
    return found


def legal(root: str, depth: int) -> set[tuple[str, ...]]:
    """Every chain of at most so many tokens that some legal opcode begins with."""
    found: set[tuple[str, ...]] = set()
    ways: list[tuple[tuple[str, ...], str, grammar.Places]] = [((), root, grammar.start(root))]
    while ways:
        way, opcode, places = ways.pop()
        for token in grammar.choices(places):
            longer = ((*way, grammar.escape(token)), opcode + token, grammar.after(places, token))
            if begins(longer[1], longer[2]):
                found.add(longer[0])
                if len(longer[0]) < depth:
                    ways.append(longer)
    return found


@cache
def begins(opcode: str, places: grammar.Places) -> bool:
    """Whether some legal opcode begins so, the shortest being tried first."""
    level = [(opcode, places)]
    while level:
        if any(grammar.complete(after) and has_legal_operands(longer) for longer, after in level):
            return True
        level = [
            (longer + token, grammar.after(after, token)) for longer, after in level for token in grammar.choices(after)
        ]
    return False


@cache
def has_legal_operands(opcode: str) -> bool:
    """Whether some operands go with an opcode, by the rules of the manual and of ptxas."""
    for reading in read(opcode)[1]:
        if reading.opcode != opcode:
            continue
        optional = {template.group for template in reading.line.operands if template.group}
        for count in range(len(optional) + 1):
            for groups in itertools.combinations(sorted(optional), count):
                templates = [t for t in reading.line.operands if not t.group or t.group in groups]
                for shape in itertools.product(*(list(fitting(reading, template)) for template in templates)):
                    found = verdict(opcode, shape)
                    if any(not match.broken for match in found.legal):
                        return True
    return False


def fitting(reading: Reading, template: Template) -> Iterator[OperandClass]:
    """Operands for one place, one of each sort."""
    if template.inner or template.shape == "list":
        inner = [next(fitting(reading, part)) for part in template.inner]
        yield operand_class(ADDRESS if template.shape == "address" else VECTOR, elements=tuple(inner))
        return
    if template.shape == "sink":
        yield operand_class(SINK)
        return
    if template.shape == "address":
        yield operand_class(ADDRESS, elements=(operand_class(REGISTER, "u64"),))
        yield operand_class(ADDRESS, elements=(operand_class(VARIABLE, "b32", ".param::func"),))
        return
    sorts: set[tuple[str, int]] = set()
    for candidate in CANDIDATES:
        sort = (candidate.what, len(candidate.elements))
        if sort not in sorts and matching.fits(reading, template.name, candidate):
            sorts.add(sort)
            if not template.second or template.second_optional:
                yield candidate
            if template.second:
                second = operand_class(REGISTER, "pred")
                yield operand_class(candidate.what, candidate.type, elements=candidate.elements, second=second)


@pytest.mark.parametrize(
    ("root", "depth"), [("add", 9), ("mul", 9), ("bar", 9), ("cvt", 2), ("ld", 1), ("setp", 2), ("fence", 3)]
)
def test_attributes_are_the_legal_tokens(root: str, depth: int) -> None:
    assert offered(root, depth) == legal(root, depth)


def test_completion_after_add() -> None:
    wanted = {way[0] for way in legal("add", 1)}
    assert set(classes("add")["add"]) == wanted
    assert {"rn", "sat", "cc", "f32", "u32"} <= wanted
    assert not {"b32", "hi", "wide"} & wanted
