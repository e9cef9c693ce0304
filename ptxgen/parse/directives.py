"""Read directives: of a header, of functions, of bodies (PTX ISA 11)."""

from __future__ import annotations

import re
from difflib import get_close_matches

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Name
from ptxgen.ir.statements import Directive, Prototype, Targets
from ptxgen.isa.data import load
from ptxgen.isa.directives import ALIAS, PRAGMA, TARGET, places
from ptxgen.isa.directives import words as all_words
from ptxgen.isa.targets import names as target_names
from ptxgen.isa.targets import options as target_options
from ptxgen.isa.targets import written_as
from ptxgen.parse.constants import constant
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.declarations import numbered
from ptxgen.parse.names import Names
from ptxgen.parse.parameters import read_parameters

# All of it on one line; what follows may be glued to it, unless it is a part of the number.
_VERSION = re.compile(r"[ \t\r\f]+(\d+)\.(\d+)(?![\w$%]|\.\d)", re.ASCII)
_WORD = (1 << 32) - 1  # ptxas reads 32 bits of each number
_DIGITS = 400  # of a number; Python refuses thousands


def version(cursor: Cursor) -> tuple[int, int]:
    """The numbers after `.version`."""
    match = _VERSION.match(cursor.text, cursor.at)
    if match is None:
        raise Unreadable(".version takes a number such as 8.3, on the same line", cursor.at, "header")
    cursor.at = match.end()
    written = match[0].strip()
    if len(written) > _DIGITS:
        raise Unreadable("a number of so many digits is no PTX ISA version; one looks like 8.3", match.start(1))
    major, minor = (int(digits) & _WORD for digits in match.groups())
    if written != f"{major}.{minor}" and not match[2].startswith("0"):
        cursor.beyond_manual(f"{written} is read as {major}.{minor}", match.start(1))
    return major, minor


def target(cursor: Cursor) -> tuple[str, list[str]]:
    """The architecture after `.target`, of several the last, and the options."""
    architecture, options = "", list[str]()
    while True:
        at = cursor.skip()
        name = cursor.name("an option of .target" if architecture else "a target such as sm_90")
        if name in target_options():
            if not architecture:
                message = f".target names an architecture first, such as sm_90, then options; {name} is an option"
                raise Unreadable(message, at, "target")
            options.append(name)
        elif architecture and not written_as(name):
            options.append(name)
        else:
            architecture = _architecture(cursor, name, architecture, at)
        if not cursor.accept(","):
            return architecture, options


def retarget(cursor: Cursor) -> Directive:
    """`.target sm_90` in a body: ptxas judges what follows, of this function and later ones, by another target."""
    at = cursor.skip()
    architecture, options = target(cursor)
    if options:
        message = f".target in a body names an architecture alone; {options[0]} stands in the header"
        raise Unreadable(message, at, "target")
    if architecture not in target_names():
        raise Unreadable(f"no target is called {architecture!r}", at, "target")
    cursor.beyond_manual(f".target {architecture} in a body; the manual has it in the header alone", at)
    return Directive(TARGET, (architecture,))


def _architecture(cursor: Cursor, name: str, before: str, at: int) -> str:
    """The target that ptxas takes a name for; what the manual does not have is noted."""
    found = written_as(name) or name
    if found != name:
        cursor.beyond_manual(f"ptxas reads .target {name} as {found}", at)
    if before and before != found:
        cursor.beyond_manual(f".target names {before} and {found}; the last one counts", at)
    return found


# ---- functions


def performance(cursor: Cursor, where: str) -> list[Directive]:
    """The directives between the head of an "entry", a "func" or a "prototype" and its body."""
    rows = load("directives")["performance"]
    found: list[Directive] = []
    while (match := cursor.peek()) is not None and match["word"]:
        name = match[0]
        if name not in rows:
            if "module" not in places(name):  # the next declaration, which ptxas takes without a semicolon before it
                raise unknown(name, where, match.start())
            return found
        cursor.at = match.end()
        if name == PRAGMA:
            found.append(pragma(cursor))
            continue
        found.append(Directive(name, _arguments(cursor) if rows[name].get("arguments") else ()))
    return found


_WHERE = {
    "module": "a module", "body": "the body of a function", "entry": "the head of a kernel",
    "func": "the head of a device function", "prototype": "a prototype",
}  # fmt: skip


def unknown(word: str, where: str, at: int) -> Unreadable:
    """The error that a word begins nothing in a "module", a "body" or a head."""
    if elsewhere := places(word):
        owners = " or ".join(_WHERE[place] for place in elsewhere)
        return Unreadable(f"{word} stands in {owners}, not in {_WHERE[where]}", at, "directive")
    known = sorted(name for name in all_words() if where in places(name))
    close = get_close_matches(word, known, 3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {' '.join(known)}"
    return Unreadable(f"{word} begins nothing in {_WHERE[where]}", at, "directive", hint)


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


def statement(cursor: Cursor, name: str) -> Directive:
    """A directive with a semicolon, which stands in modules and bodies: `.pragma` or `.alias`."""
    return pragma(cursor) if name == PRAGMA else alias(cursor)


def alias(cursor: Cursor) -> Directive:
    """The two functions of `.alias a, b;`."""
    first = cursor.name("the alias, a function,")
    cursor.expect(",", "after the alias")
    second = cursor.name("the function that it stands for")
    cursor.expect(";", "after .alias")
    return Directive(ALIAS, (first, second))


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
    directives = tuple(performance(cursor, "prototype"))
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
