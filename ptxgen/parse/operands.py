"""Read an operand: names, constants, addresses, vectors, lists, pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Prefixed, Reg, Selected
from ptxgen.isa import types
from ptxgen.isa.classes import operand_class
from ptxgen.parse.constants import expression
from ptxgen.parse.cursor import Cursor, Unreadable
from ptxgen.parse.names import Names

_CONSTANT = frozenset("(~+!-")  # a mark that may begin a constant expression
_DEPTH = 40  # of braces and brackets


def operand(cursor: Cursor, names: Names, lists: bool = False, depth: int = 0) -> Operand:
    """An operand, or two of them joined by `|`. With `lists`, parentheses hold arguments, and no constant."""
    first = single(cursor, names, lists, depth)
    if cursor.accept("|"):
        return ir.pair(first, single(cursor, names, lists, depth))
    return first


def single(cursor: Cursor, names: Names, lists: bool = False, depth: int = 0) -> Operand:
    """An operand without a second one."""
    if depth > _DEPTH:
        raise Unreadable("operands are nested too deep", cursor.at)
    match = cursor.next("an operand")
    at = match.start()
    match match[0]:
        case "[":
            return ir.address(*_series(cursor, names, "]", _in_address, depth), selector=_suffix(cursor))
        case "{":
            return ir.vector(_series(cursor, names, "}", _in_vector, depth))
        case "(" if lists:
            return ir.arguments(_series(cursor, names, ")", _in_list, depth))
        case "!" | "-" as sign:
            following = cursor.peek()
            if following is not None and following["name"] and following["name"] != "WARP_SZ":
                return _prefixed(sign, single(cursor, names, False, depth + 1), at)
        case _:
            if match["name"] and match["name"] != "WARP_SZ":
                return _named(cursor, names, match["name"], at)
            if not (match["integer"] or match["float"] or match[0] in _CONSTANT or match["name"]):
                cursor.at = at
                cursor.fail("an operand")
    cursor.at = at
    return expression(cursor).operand()


def _series(
    cursor: Cursor, names: Names, end: str, fitting: Callable[[Operand, int], Operand], depth: int
) -> tuple[Operand, ...]:
    """Operands up to a closing mark; `fitting` refuses what does not belong there."""
    found: list[Operand] = []
    if cursor.accept(end):
        return ()
    while True:
        at = cursor.skip()
        found.append(fitting(operand(cursor, names, False, depth + 1), at))
        if not cursor.accept(","):
            break
    cursor.expect(end, or_=",")
    return tuple(found)


def _in_vector(element: Operand, at: int) -> Operand:
    """An element of a vector: no vector or address again, and no sum."""
    if isinstance(element, ir.Vector | ir.Address | ir.Offset | ir.Pair):
        raise Unreadable(f"{element.text} is {element.cls.describe()}, which is no element of a vector", at)
    return element


def _in_address(element: Operand, at: int) -> Operand:
    if isinstance(element, Prefixed | ir.Element) or is_element(element):
        raise Unreadable(f"{element.text} is no base of an address; a register or variable is", at)
    return element


def _in_list(element: Operand, at: int) -> Operand:
    if is_element(element):
        raise Unreadable(f"{element.text} cannot be passed; move the element to a register", at)
    return element


def is_element(operand: Operand) -> bool:
    """Whether an operand is an element of a vector register, `v.x`."""
    register = operand.base if isinstance(operand, ir.Offset) else operand
    return isinstance(register, Reg) and "." in register.text


def _element(array: ir.Variable[Any], index: Operand, at: int) -> ir.Element:
    if not array.shape:
        raise Unreadable(f"{array.text} is no array", at)
    register = index.base if isinstance(index, ir.Offset) else index
    numbered = isinstance(register, Reg) and types.letter(register.type) in ("b", "u", "s")
    if not (numbered or isinstance(register, ir.Integer | ir.Variable)):
        raise Unreadable(f"the index of an element is an integer, not {index.cls.describe()}", at)
    return ir.element(array, index)


def _suffix(cursor: Cursor) -> str:
    """A word right behind a bracket: `[a].unified`."""
    if cursor.text[cursor.at : cursor.at + 1] != ".":
        return ""
    return cursor.word()


def _prefixed(sign: str, inner: Operand, at: int) -> Operand:
    if inner.cls.undeclared:
        return inner
    if sign == "-" and isinstance(inner, Reg | Selected):
        return -inner
    if sign == "!" and isinstance(inner, Reg):
        cls = inner.cls
        complement = operand_class(cls.what, cls.type, cls.space, prefix="!", scope=cls.scope)
        return Prefixed(f"!{inner.text}", complement, inner)
    wanted = "a register" if sign == "!" else "a constant or a register"
    raise Unreadable(f"{sign} is put before {wanted}, not before {inner.text}", at)


def _named(cursor: Cursor, names: Names, name: str, at: int) -> Operand:
    selector = cursor.word().removeprefix(".") if cursor.text[cursor.skip() : cursor.at + 1] == "." else ""
    base = names.selected(name, selector, at) if selector else names[name]
    if isinstance(base, ir.Variable) and cursor.accept("["):
        index = single(cursor, names)
        cursor.expect("]", "after the index of an element")
        return _element(cast(ir.Variable[Any], base), index, at)
    if isinstance(base, Reg | ir.Variable):
        return _offset(cursor, cast(Reg[Any] | ir.Variable[Any], base))
    if base.cls.undeclared and (cursor.accept("+") or cursor.accept("-")):  # the name is what is wrong
        expression(cursor)
    return base


def _offset(cursor: Cursor, base: Reg[Any] | ir.Variable[Any]) -> Operand:
    """A register or variable with the constant that is added to it."""
    if cursor.sees("-"):
        at = cursor.skip()
        raise Unreadable("a negative offset is written +-4, not -4", at, hint="write a plus before the minus")
    if not cursor.accept("+"):
        return base
    at = cursor.skip()
    following = cursor.peek()
    if following is not None and following["name"] and following["name"] != "WARP_SZ":
        raise Unreadable("only an integer constant can be added to a register or variable", at)
    value = expression(cursor).value
    if not isinstance(value, int):
        raise Unreadable("only an integer constant can be added to a register or variable", at)
    return base + value
