"""A file read, printed and read again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptxgen.errors import ParseError
from ptxgen.ir.equal import difference
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Comment, Section
from ptxgen.parse.module import parse

PARSED, EQUAL, FIXED, REMARKS = "parsed", "equal", "fixed", "remarks"
HEADINGS = (PARSED, EQUAL, FIXED, REMARKS)

# Strings first, so that no remark begins within one. Remarks in source of another language are not PTX.
_REMARK = re.compile(
    r'"[^"\n]*"|\.nv_intermediate_source_section\s*\{.*?\n[ \t]*\}|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/', re.DOTALL
)


def faults(text: str) -> Iterator[tuple[str, str]]:
    """What does not hold: a heading, and what is there instead."""
    try:
        module = parse(text)
    except ParseError as error:
        yield PARSED, str(error)
        return
    printed = module.ptx()
    try:
        again = parse(printed)
    except ParseError as error:
        yield EQUAL, f"its printed text cannot be read: {error}"
        return
    if unequal := difference(module, again):
        yield EQUAL, unequal
    if again.ptx() != printed:
        yield FIXED, "printed twice it is another text"
    if lost := _first_apart(_written(text), remarks(module)):
        yield REMARKS, lost


def remarks(module: Module) -> list[str]:
    """The remarks of a module in order, line by line, without the empty ones."""
    every = [remark.text for remark in module.banner]
    for item in module.items:
        if isinstance(item, Section) and item.name.startswith(".section"):
            every += [line.partition("//")[2] for line in item.lines]
        statements = item.body if isinstance(item, Function) else [item]
        every += [statement.text for statement in statements if isinstance(statement, Comment)]
    return [line.strip() for remark in every for line in remark.split("\n") if line.strip()]


def _written(text: str) -> list[str]:
    """The same of a text, found without the reader."""
    found = (match["line"] or match["block"] or "" for match in _REMARK.finditer(text))
    return [line.strip() for remark in found for line in remark.split("\n") if line.strip()]


def _first_apart(written: list[str], kept: list[str]) -> str:
    """What remark is not kept; remarks may change places when they stood within a statement."""
    left = list(kept)
    for remark in written:
        if remark not in left:
            return f"{remark!r} is lost; {len(written)} are written and {len(kept)} kept"
        left.remove(remark)
    return f"{left[0]!r} is written nowhere" if left else ""
