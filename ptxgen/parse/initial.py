"""Read the initial values of variables: numbers, addresses, bytes of them, properties of textures (PTX ISA 5.4.4)."""

from __future__ import annotations

import re
from typing import Any

from ptxgen.ir.initial import Field, Generic, Masked
from ptxgen.ir.operands import Integer, Name, Offset, Operand, Variable
from ptxgen.isa import types
from ptxgen.isa.classes import FUNCTIONS
from ptxgen.parse.constants import Number, constant, expression
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.names import Names

_NUMBER = r"-?(?:0[xX][0-9a-fA-F]{1,16}|0|[1-9]\d{0,18})"  # longer ones are for the careful way
_NUMBERS = re.compile(rf"\{{\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\}}", re.ASCII)
_DEPTH = 60  # of nested initialisers


def read_initial(cursor: Cursor, names: Names, braces: bool, type: str) -> tuple[Any, ...]:
    """The initial values after `=`, in `braces` or a single one; the properties of a texture, sampler or surface."""
    opaque = types.known(type).kind == "opaque"
    if opaque:
        return _fields(cursor, 0)
    return _sequence(cursor, names, 0) if braces else (_element(cursor, names),)


def _sequence(cursor: Cursor, names: Names, depth: int) -> tuple[Any, ...]:
    if depth > _DEPTH:
        raise Unreadable("initial values are nested too deep", cursor.at)
    match = _NUMBERS.match(cursor.text, cursor.skip())
    if match is not None:  # tables of thousands of numbers are common
        cursor.at = match.end()
        return tuple([int(text, 0) for text in match[1].split(",")])
    cursor.expect("{", "of an initialiser")
    found: list[Any] = []
    if cursor.accept("}"):
        return ()
    while True:
        found.append(_sequence(cursor, names, depth + 1) if cursor.sees("{") else _element(cursor, names))
        if not cursor.accept(","):
            break
    cursor.expect("}", or_=",")
    return tuple(found)


def _element(cursor: Cursor, names: Names) -> Any:
    """A number, an address, or a byte of one: `0xff(x)`."""
    if (address := _address(cursor, names)) is not None:
        return address
    value = expression(cursor)
    if cursor.accept("("):
        address = _address(cursor, names)
        inside = _plain(expression(cursor)) if address is None else address
        cursor.expect(")", "after the value of a mask")
        return Masked.of(value.operand(), inside)
    return _plain(value)


def _plain(value: Number) -> Any:
    """A number as Python has it, or as it was written where that is not in decimal."""
    found = value.operand()
    return found.value if isinstance(found, Integer) and found.text.lstrip("-").isdigit() else found


def _address(cursor: Cursor, names: Names) -> Operand | Generic | None:
    """The address of what a name stands for; None where no name stands."""
    match = cursor.peek()
    if match is None or not match["name"] or match[0] == "WARP_SZ":
        return None
    at = match.start()
    name = cursor.name("a name")
    generic = name == "generic" and cursor.accept("(")
    if generic:
        at = cursor.skip()
        name = cursor.name("a variable")
    base = names.find(name)
    if base is None:
        raise Unreadable(f"{name} is not declared", at, "unknown-name", "declare it before its address is taken")
    if generic:
        cursor.expect(")", "after generic(")
    if not isinstance(base, Variable):
        if isinstance(base, Name) and base.cls.type in FUNCTIONS and not generic:
            return base
        raise Unreadable(f"{name} is {base.cls.describe()}, which has no address", at)
    found: Variable[Any] | Offset = base
    if cursor.accept("+"):
        value = expression(cursor).value
        if not isinstance(value, int):
            raise Unreadable("only an integer is added to an address", at)
        found = found + value
    return Generic.of(found) if generic else found


def _fields(cursor: Cursor, depth: int) -> tuple[Any, ...]:
    """`{ width = 1, ... }`, or those of an array in braces."""
    if depth > _DEPTH:
        raise Unreadable("initial values are nested too deep", cursor.at)
    cursor.expect("{", "of an initialiser")
    found: list[Any] = []
    while not cursor.accept("}"):
        if cursor.sees("{"):
            found.append(_fields(cursor, depth + 1))
            if not cursor.accept(","):
                cursor.expect("}", or_=",")
                break
            continue
        name = cursor.name("a property such as width")
        cursor.expect("=", f"after {name}")
        match = cursor.peek()
        value = cursor.name("a value") if match is not None and match["name"] else constant(cursor, f"{name}")
        found.append(Field(f"{name} = {value}", name, value))
        if not cursor.accept(","):
            cursor.expect("}", or_=",")
            break
    return tuple(found)
