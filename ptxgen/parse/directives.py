"""Read directives: of a header, of functions, of debugging (PTX ISA 11)."""

from __future__ import annotations

import re

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Name
from ptxgen.ir.statements import Directive, Prototype, Section, Targets
from ptxgen.isa.data import load
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.declarations import constant, numbered, read_parameters
from ptxgen.parse.names import Names

_VERSION = re.compile(r"\s*(\d+)\.(\d+)(?![\w.])", re.ASCII)
_PLACE = re.compile(r"[ \t]*(\d+)[ \t]+(\d+)[ \t]+(\d+)", re.ASCII)
_SECTION = re.compile(r"\s*([.\w$]+)\s*\{([^{}]*)\}", re.ASCII)
_VALUE = r"(?:-?(?:0[xX][\da-fA-F]+|\d+)|[.A-Za-z_$%][\w$.]*)(?:\s*[+-]\s*(?:\d+|[A-Za-z_$%][\w$]*))?"
_SECTION_LINE = re.compile(
    r"\s*(?:(?P<label>[A-Za-z_$%][\w$]*)\s*:"
    rf"|(?P<data>\.b(?:8|16|32|64))\s+(?P<values>{_VALUE}(?:\s*,\s*{_VALUE})*)"
    r"|;)",
    re.ASCII,
)


def version(cursor: Cursor) -> tuple[int, int]:
    """The numbers after `.version`."""
    match = _VERSION.match(cursor.text, cursor.at)
    if match is None:
        cursor.fail("a version such as 8.3")
    cursor.at = match.end()
    if max(len(match[1]), len(match[2])) > 4:
        raise Unreadable(f"{match[0].strip()} is no PTX ISA version; one looks like 8.3", match.start(1))
    return int(match[1]), int(match[2])


def target(cursor: Cursor) -> list[str]:
    """The names after `.target`."""
    found = [cursor.name("a target such as sm_90")]
    while cursor.accept(","):
        found.append(cursor.name("a target or an option"))
    return found


# ---- functions


def performance(cursor: Cursor) -> list[Directive]:
    """The directives between the head of a function and its body."""
    rows = load("directives")["performance"]
    found: list[Directive] = []
    while (match := cursor.peek()) is not None and match["word"]:
        name = match[0]
        if name not in rows:
            return found
        cursor.at = match.end()
        if name == PRAGMA:
            found.append(pragma(cursor))
            continue
        found.append(Directive(name, _arguments(cursor) if rows[name].get("arguments") else ()))
    return found


PRAGMA = ".pragma"


def _arguments(cursor: Cursor) -> tuple[str, ...]:
    """Strings and integer constants, with commas between them."""
    found: list[str] = []
    while True:
        match = cursor.peek()
        if match is not None and match["string"]:
            cursor.at = match.end()
            found.append(match[0])
        else:
            found.append(str(constant(cursor, "an argument of the directive")))
        if not cursor.accept(","):
            return tuple(found)


def pragma(cursor: Cursor) -> Directive:
    """The strings of `.pragma "a", "b";`."""
    found: list[str] = []
    while True:
        match = cursor.peek()
        if match is None or not match["string"]:
            cursor.fail("a string in quotation marks")
        cursor.at = match.end()
        found.append(match[0])
        if not cursor.accept(","):
            break
    cursor.expect(";", "after .pragma")
    return Directive(PRAGMA, tuple(found))


# ---- labels with tables


def prototype(cursor: Cursor, names: Names, name: str) -> Prototype:
    """The signature after `name: .callprototype`."""
    inner = Names(names)
    returns = read_parameters(cursor, inner, False, True) if cursor.accept("(") else ()
    cursor.expect("_", "where a function has its name,")
    parameters = read_parameters(cursor, inner, False, True) if cursor.accept("(") else ()
    directives = tuple(performance(cursor))
    cursor.expect(";", "after .callprototype")
    return Prototype(name, returns, parameters, directives)


def targets(cursor: Cursor, names: Names, name: str, directive: str) -> Targets:
    """The names after `name: .branchtargets`."""
    found: list[Name] = []
    while True:
        at = cursor.skip()
        listed = cursor.name("a label or function")
        count = numbered(cursor)
        for each in [listed] if count is None else (f"{listed}{n}" for n in range(count)):
            operand = names[each]
            if not isinstance(operand, Name):
                raise Unreadable(f"{each} is {operand.cls.describe()}; {directive} lists labels or functions", at)
            found.append(operand)
            if each in names.used and each not in names.labels:
                break  # one that is missing is enough
        if not cursor.accept(","):
            break
    cursor.expect(";", f"after {directive}")
    return Targets(name, directive, tuple(found))


def table_name(name: str, directive: str) -> Name:
    """The name of a prototype or list of targets as an operand."""
    return ir.name(name, directive.removeprefix("."))


# ---- debugging


def position(cursor: Cursor, name: str) -> Directive:
    """`.loc 1 2 3`, with `function_name` and `inlined_at` where they follow."""
    match = _PLACE.match(cursor.text, cursor.at)
    if match is None:
        cursor.skip()
        cursor.fail("three numbers, a file, a line and a column,")
    cursor.at = match.end()
    found = [" ".join(match.groups())]
    while cursor.accept(","):
        match = cursor.next("function_name or inlined_at")
        word = match[0]
        if word == "function_name":
            label = cursor.name("a label")
            offset = f"+{constant(cursor, 'an offset')}" if cursor.accept("+") else ""
            found.append(f"{word} {label}{offset}")
        elif word == "inlined_at":
            inner = _PLACE.match(cursor.text, cursor.skip())
            if inner is None:
                cursor.fail("three numbers, a file, a line and a column,")
            cursor.at = inner.end()
            found.append(f"{word} {' '.join(inner.groups())}")
        else:
            raise Unreadable(f"{word} is neither function_name nor inlined_at", match.start())
    return Directive(name, tuple(found))


def file(cursor: Cursor) -> Directive:
    """`.file 1 "name", 12, 34`."""
    number = constant(cursor, "the number of a file")
    text = cursor.next("the name of a file")
    if not text["string"]:
        raise Unreadable('a file has a number and a name: .file 1 "kernel.cu"', text.start())
    found = [f"{number} {text[0]}"]
    while cursor.accept(","):
        found.append(str(constant(cursor, "a time stamp or a size")))
    return Directive(".file", tuple(found))


def section(cursor: Cursor) -> Section:
    """`.section .debug_info { ... }`."""
    match = _SECTION.match(cursor.text, cursor.at)
    if match is None:
        cursor.skip()
        cursor.fail("a section, its name and its data in braces,")
    lines: list[str] = []
    body, at, start = match[2], 0, match.start(2)
    body = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: " " * len(m[0]), body, flags=re.DOTALL)
    while body[at:].strip():
        line = _SECTION_LINE.match(body, at)
        if line is None:
            offset = start + at + len(body[at:]) - len(body[at:].lstrip())
            raise Unreadable("a section has labels and data in .b8, .b16, .b32 and .b64", offset)
        if line["label"]:
            lines.append(f"{line['label']}:")
        elif line["data"]:
            lines.append(f"{line['data']} {', '.join(value.strip() for value in line['values'].split(','))}")
        at = line.end()
    cursor.at = match.end()
    return Section(f".section {match[1]}", tuple(lines))


_INTERMEDIATE = re.compile(r"\s*\{(.*?)\n[ \t]*\}(?=[ \t]*(?:\n|$))", re.DOTALL)


def intermediate(cursor: Cursor) -> Section:
    """`.nv_intermediate_source_section { ... }`: source in another language, line by line."""
    match = _INTERMEDIATE.match(cursor.text, cursor.at)
    if match is None:
        cursor.skip()
        cursor.fail("source in braces")
    cursor.at = match.end()
    return Section(".nv_intermediate_source_section", tuple(match[1].strip("\n").split("\n")))
