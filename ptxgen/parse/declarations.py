"""Read declarations of registers and variables (PTX ISA 5.2 to 5.4, 11.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

from attrs import define, field

from ptxgen.ir.operands import Operand, Reg, Variable, variable_class
from ptxgen.ir.statements import Registers
from ptxgen.isa import types
from ptxgen.isa.classes import REGISTER, OperandClass, operand_class
from ptxgen.isa.data import load
from ptxgen.parse.constants import constant
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.initial import read_initial
from ptxgen.parse.names import Names, vector_register

_VECTOR = re.compile(r"\.v(\d+)", re.ASCII)
_BANK = re.compile(r"\.const\s*\[\s*(\d{1,9})\s*\]", re.ASCII)


@define(eq=False, weakref_slot=False, repr=False)
class Words:
    """The words with a dot that begin a declaration, sorted out."""

    at: int
    linkage: str = ""
    space: str = ""
    type: str = ""
    vector: int = 1
    align: int | None = None
    attributes: list[str] = field(factory=list[str])
    body: bool = True  # no parameter of a function


def spaces() -> dict[str, Any]:
    """The state spaces that declarations name, with what may be declared in them."""
    return load("directives")["spaces"]


def begins(word: str) -> bool:
    """Whether a word begins the declaration of a variable or of registers."""
    return word in spaces() or word in (".align", ".attribute")


def read_words(cursor: Cursor, parameter: bool = False) -> Words:
    """All words before the first name, in the order that PTX wants them in."""
    found = Words(cursor.skip(), body=not parameter)
    known = load("types")["types"]
    reached = 0
    while (match := cursor.peek()) is not None and match["word"]:
        word, at = match[0], match.start()
        cursor.at = match.end()
        rank = _rank(word, found)
        if rank < reached:
            raise Unreadable(f"{word} stands too late; a declaration goes {_ORDER}", at)
        reached = rank
        if is_linkage(word):
            if found.linkage or found.space or found.align:
                raise Unreadable(f"{word} comes first in a declaration, and is the only word of its kind", at)
            found.linkage = word[1:]
        elif word in spaces():
            if found.space:
                raise Unreadable(f"a declaration has one state space; here are {found.space} and {word}", at)
            found.space = word
            _bank(cursor, found, at)
        elif word == ".align":
            found.align = constant(cursor, "an alignment in bytes")
        elif word == ".attribute":
            found.attributes += attributes(cursor)
        elif word == ".ptr":
            found.attributes.append(_pointer(cursor))
        elif vector := _VECTOR.fullmatch(word):
            if word not in load("directives")["vectors"]["sizes"]:
                raise Unreadable(f"a vector is {' or '.join(load('directives')['vectors']['sizes'])}, not {word}", at)
            found.vector = int(vector[1])
        elif word in known:
            if found.type:
                raise Unreadable(f"a declaration has one type; here are .{found.type} and {word}", at)
            found.type = word[1:]
        else:
            raise Unreadable(f"{word} is no state space, type or linkage of a declaration", at)
    return found


_ORDER = ".visible or the like, state space with .align and .attribute, .v2 or .v4, type, name"


def _rank(word: str, found: Words) -> int:
    """The place of a word in a declaration. `.align` may also stand behind the type of a parameter."""
    if is_linkage(word):
        return 0
    if word in spaces() or word == ".attribute":
        return 1
    if word == ".align":
        return 3 if found.type and found.space == ".param" and not found.body else 1
    return 2 if _VECTOR.fullmatch(word) else 3


def is_linkage(word: str) -> bool:
    """Whether a word says how others see a declaration."""
    return word in load("directives")["linking"]


def _bank(cursor: Cursor, found: Words, at: int) -> None:
    match = _BANK.match(cursor.text, at)
    if match is not None:
        found.attributes.append(f".const[{int(match[1])}]")
        cursor.at = match.end()


def attributes(cursor: Cursor) -> list[str]:
    """What stands in the parentheses of `.attribute(.managed, .unified(1, 2))`."""
    cursor.expect("(", "after .attribute")
    found: list[str] = []
    while True:
        name = cursor.word() or cursor.fail("an attribute such as .managed")
        if cursor.accept("("):
            numbers = [str(constant(cursor, "a number"))]
            while cursor.accept(","):
                numbers.append(str(constant(cursor, "a number")))
            cursor.expect(")", f"after {name}")
            name += f"({', '.join(numbers)})"
        found.append(name)
        if not cursor.accept(","):
            break
    cursor.expect(")", "after .attribute")
    return found


def _pointer(cursor: Cursor) -> str:
    """`.ptr`, what it points to, and how that is aligned."""
    words = [".ptr"]
    if (match := cursor.peek()) is not None and match["word"] and match[0] != ".align":
        cursor.at = match.end()
        words.append(match[0])
    if cursor.sees(".align"):
        words += [cursor.word(), str(constant(cursor, "an alignment in bytes"))]
    return " ".join(words)


# ---- registers


def read_registers(cursor: Cursor, names: Names, found: Words) -> Registers:
    """The names after `.reg .b32`, each of which is declared."""
    if not found.type:
        cursor.fail("the type of the registers")
    try:
        cls = register_class(found.type)
    except KeyError:
        raise Unreadable(f"there are no registers of type .{found.type}", found.at, "type") from None
    vectors = load("directives")["vectors"]
    wide = found.vector * types.known(found.type).bits > int(vectors["most"])
    if found.vector > 1 and (wide or f".{found.type}" in vectors["not"]):
        raise Unreadable(f"there are no registers of {found.vector} .{found.type}", found.at, "type")

    def make(names: Iterable[str]) -> Iterable[Operand]:
        if found.vector > 1:
            return (vector_register(name, found.type, found.vector) for name in names)
        return map(Reg, names, repeat(cls))

    listed: list[tuple[str, int]] = []
    while not (not listed and cursor.sees(";")):  # ptxas takes a declaration without names
        at = cursor.skip()
        name = cursor.name("the name of a register")
        count = numbered(cursor)
        if count is not None:
            taken = names.declare_range(name, count, make)
        else:
            taken = "" if names.declare(name, *make((name,))) else name
        if taken:
            names.taken(taken, at)
        if count != 0:
            listed.append((name, count or 0))
        if not cursor.accept(","):
            break
    return Registers(found.type, tuple(listed), found.vector)


@lru_cache(maxsize=64)
def register_class(type: str) -> OperandClass:
    """The class of registers of a type; KeyError when there are none."""
    if "register" not in load("types")["types"][f".{type}"]:
        raise KeyError(type)
    return operand_class(REGISTER, type)


def numbered(cursor: Cursor) -> int | None:
    """The count of `name<count>`; None without one."""
    if not cursor.accept("<"):
        return None
    at = cursor.skip()
    count = constant(cursor, "a number of names")
    if count >= 1 << 32:
        raise Unreadable(f"{count} names are too many", at)
    cursor.expect(">", "after a number of names")
    return count


# ---- variables


def _all(found: Words, space: str, names: Iterable[str]) -> Iterable[Operand]:
    """The variables that `x<n>` stands for."""
    return (made(found, name, (), space) for name in names)


def read_variables(cursor: Cursor, names: Names, found: Words, space: str = "") -> Iterator[Variable[Any]]:
    """The variables of a declaration, each of which is declared when it was read; `space` as for `made`."""
    if not found.type:
        cursor.fail("the type of the variable")
    while not cursor.sees(";"):  # ptxas takes a declaration without names
        at = cursor.skip()
        name = cursor.name("the name of a variable")
        count = numbered(cursor)
        variable = made(found, name, () if count is not None else dimensions(cursor), space)
        variable.count = count or 0
        if count is not None:
            taken = names.declare_range(name, count, partial(_all, found, space))
        else:
            taken = "" if names.declare(name, variable) or _again(names, name, variable) else name
        if taken:
            names.taken(taken, at)
        if count is None and cursor.accept("="):
            variable.initial = read_initial(cursor, names, bool(variable.shape or variable.vector > 1), variable.type)
        yield variable
        if not cursor.accept(","):
            return
        if cursor.sees(";"):
            cursor.fail("the name of a variable")


def _again(names: Names, name: str, variable: Variable[Any]) -> bool:
    """Whether an `.extern` declaration and the definition of a variable meet; `ptxgen.check` compares them."""
    known = names.own.get(name)
    if not isinstance(known, Variable) or "extern" not in (known.linkage, variable.linkage):
        return False
    if known.linkage == "extern":
        names.own[name] = names[name] = variable
    return True


def made(found: Words, name: str, shape: tuple[int | None, ...], space: str = "") -> Variable[Any]:
    """The variable of some words and a name. `space` is that of its operand class when it says more."""
    vector = found.vector
    return Variable(
        name, variable_class(found.type, space or found.space), found.type, found.space, shape, found.align, vector,
        linkage=found.linkage, attributes=tuple(found.attributes),
    )  # fmt: skip


def dimensions(cursor: Cursor) -> tuple[int | None, ...]:
    """`[4][]` as (4, None)."""
    found: list[int | None] = []
    while cursor.accept("["):
        if cursor.accept("]"):
            found.append(None)
            continue
        found.append(constant(cursor, "the length of an array"))
        cursor.expect("]", "of an array")
    return tuple(found)
