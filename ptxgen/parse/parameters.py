"""Read the parameters of functions and prototypes, and what they return (PTX ISA 5.4.5, 11.2)."""

from __future__ import annotations

from typing import Any

from ptxgen.ir.operands import Reg, Variable
from ptxgen.isa.classes import REGISTER, operand_class
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.declarations import dimensions, made, read_words
from ptxgen.parse.names import Names

Parameter = Variable[Any] | Reg[Any]


def read_parameters(cursor: Cursor, names: Names, entry: bool, prototype: bool = False) -> tuple[Parameter, ...]:
    """Parameters, or returned values, after their opening parenthesis, up to the closing one."""
    found: list[Parameter] = []
    if cursor.accept(")"):
        return ()
    while True:
        found.append(_parameter(cursor, names, entry, prototype))
        if not cursor.accept(","):
            break
    cursor.expect(")", "after a parameter", ",")
    return tuple(found)


def _parameter(cursor: Cursor, names: Names, entry: bool, prototype: bool) -> Parameter:
    words = read_words(cursor, parameter=True)
    if words.space not in (".param", ".reg"):
        raise Unreadable("a parameter is in .param or .reg space", words.at)
    if not words.type:
        cursor.fail("the type of a parameter")
    at = cursor.skip()
    name = "_" if (entry or prototype) and cursor.accept("_") else cursor.name("the name of a parameter")
    if words.space == ".reg":
        operand: Variable[Any] | Reg[Any] = Reg(name, operand_class(REGISTER, words.type))
    else:
        space = ".param::entry" if entry else ".param::func"
        operand = made(words, name, dimensions(cursor), space)
    if not (prototype and name == "_") and not names.declare(name, operand):
        names.taken(name, at)
    return operand
