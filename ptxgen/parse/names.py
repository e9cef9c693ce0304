"""What names stand for, scope by scope, and the operands that were made of them.

A scope is a dict from the text of an operand to the operand, so that a text that was seen before costs one look-up.
What is declared in it stands in `own`; a name of an outer scope is found through `outer`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from functools import cache
from typing import Any

from attrs import define, field

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Reg
from ptxgen.isa import registers
from ptxgen.isa.classes import ADDRESS, REGISTER, VECTOR, OperandClass, operand_class
from ptxgen.parse.cursor import MOST_ERRORS, Cursor, TooManyErrors, Unreadable, duplicate

# What most operands are: a name, an integer, an address, a vector of names, a float in hexadecimal, two names joined,
# a complemented name. Everything else is read token by token.
_NAME = r"(?:[A-Za-z][\w$]*|[_$%][\w$]+)"
_OPERAND = re.compile(
    rf"({_NAME}|_)|(-?[1-9]\d{{0,18}}|0)|\[({_NAME})\]|\[({_NAME})\+(-?[1-9]\d{{0,9}}|0)\]"
    rf"|\{{[ ]?([\w$%]+(?:,[ ]?[\w$%]+)*)[ ]?\}}|0[fF]([0-9a-fA-F]{{8}})|0[dD]([0-9a-fA-F]{{16}})"
    rf"|({_NAME})\|({_NAME})|!({_NAME})",
    re.ASCII,
)
_ALONE, _INTEGER, _BASE, _OFFSET, _ELEMENTS, _SINGLE, _DOUBLE, _SECOND, _COMPLEMENTED = 1, 2, 3, 5, 6, 7, 8, 10, 11
_COMMA = re.compile(r",[ ]?")
_DIGITS = "0123456789"
_MOST_DIGITS = 1000  # of a number in a name
_FIELDS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}

Make = Callable[[Iterable[str]], Iterable[Operand]]  # the operands of names
_CHARACTERS = 8  # a text has to have for each register of `%r<n>` that is made before it is used


class Room:
    """How many names may be made before they are used: a text cannot use more than it has characters for."""

    __slots__ = ("left",)

    def __init__(self, characters: int) -> None:
        self.left = characters // _CHARACTERS

    def takes(self, count: int) -> bool:
        """Whether there is room for so many, which is then taken."""
        if count > self.left:
            return False
        self.left -= count
        return True


@define(eq=False, weakref_slot=False, repr=False)
class _Range:
    """`stem<count>`, declared in one scope."""

    count: int
    make: Make
    made: dict[str, Operand] = field(factory=dict[str, Operand])  # those that were needed so far, by name

    def has(self, digits: str) -> bool:
        """Whether one of them has this number."""
        return 0 < len(digits) < _MOST_DIGITS and int(digits) % (1 << 32) < self.count


@cache
def _address(base: OperandClass) -> OperandClass:
    """The class of an address with this alone in its brackets."""
    return operand_class(ADDRESS, elements=(base,))


@cache
def _offset(base: OperandClass) -> OperandClass:
    """The class of a register or variable plus a constant."""
    return operand_class(base.what, base.type, base.space, offset=True)


@cache
def _vector(elements: tuple[OperandClass, ...]) -> OperandClass:
    """The class of these in braces."""
    return operand_class(VECTOR, elements=elements)


class Names(dict[str, Any]):
    """One scope: of a module, of a function, or of a block within one."""

    __slots__ = ("labels", "outer", "own", "placed", "problems", "ranges", "room", "stems", "used")

    def __init__(self, outer: Names | None = None) -> None:
        super().__init__()
        self.outer = outer
        self.own: dict[str, Operand] = {}
        self.ranges: dict[str, _Range] = {}  # by stem
        self.stems: dict[str, list[str]] | None = None  # `own` by stem, from the first range on
        self.placed: Container[str] = ()  # labels of this scope
        self.labels: frozenset[str] = outer.labels if outer is not None else frozenset()  # before a colon, anywhere
        self.problems: list[Unreadable] = [] if outer is None else outer.problems  # what is found on the way
        self.used: dict[str, None] = {} if outer is None else outer.used  # names that are declared nowhere yet
        self.room: Room = Room(0) if outer is None else outer.room

    # ---- declarations

    def note(self, error: Unreadable) -> None:
        """Something cannot be read."""
        error.__traceback__ = None  # which would keep all that its frames hold, thousands of times
        self.problems.append(error)
        if len(self.problems) >= MOST_ERRORS:
            raise TooManyErrors

    def taken(self, name: str, at: int) -> None:
        """A name was declared that is taken in this scope; the first declaration stands."""
        self.note(duplicate(name, at, self.outer is not None))

    def declare(self, name: str, operand: Operand) -> bool:
        """Let a name stand for an operand; False when it is taken in this scope."""
        if name in self.own or name in self.placed or (self.ranges and self._in_range(name)):
            return False
        if name in self:  # used before, so that other texts may hold what it was then
            self._forget()
        self.own[name] = self[name] = operand
        if self.stems is not None:
            self.stems.setdefault(name.rstrip(_DIGITS), []).append(name)
        return True

    def declare_range(self, stem: str, count: int, make: Make) -> str:
        """Declare `stem<count>`; the first name that is taken, "" when none is."""
        if stem in self.ranges:
            return f"{stem}<"
        if self.stems is None:
            self.stems = {}
            for name in self.own:
                self.stems.setdefault(name.rstrip(_DIGITS), []).append(name)
        declared = self.ranges[stem] = _Range(count, make)
        for name in self.stems.get(stem, ()):
            digits = name[len(stem) :]
            if declared.has(digits) and (digits == "0" or digits[0] != "0"):  # not x05
                del self.ranges[stem]
                return name
        if self.room.takes(count) and not stem[-1].isdigit():  # else the few that are used are made when they are
            names = [f"{stem}{n}" for n in range(count)]
            declared.made.update(zip(names, make(names), strict=True))
            if not self.keys().isdisjoint(names):
                self._forget()
            self |= declared.made
        else:
            self._forget()
        return ""

    def _forget(self) -> None:
        """Drop the operands that may hold what a name was before it was declared; the next use finds them anew."""
        self.clear()

    def find(self, name: str) -> Operand | None:
        """What a name was declared as, here or in an outer scope."""
        scope: Names | None = self
        while scope is not None:
            found = scope.own.get(name)
            if found is None and scope.ranges:
                found = scope._of_range(name)
            if found is not None:
                return found
            scope = scope.outer
        return None

    def _of_range(self, name: str) -> Operand | None:
        """One of `stem<n>`. ptxas takes all digits at the end of a name for the number, modulo 2**32."""
        stem = name.rstrip(_DIGITS)
        declared = self.ranges.get(stem)
        if declared is None:
            return None
        found = declared.made.get(name)
        if found is not None or not declared.has(name[len(stem) :]):
            return found
        canonical = f"{stem}{int(name[len(stem) :]) % (1 << 32)}"
        found = declared.made.get(canonical)
        if found is None:
            (found,) = declared.make((canonical,))
            declared.made[canonical] = found
        return found

    def _in_range(self, name: str) -> bool:
        stem = name.rstrip(_DIGITS)
        declared = self.ranges.get(stem)
        return declared is not None and declared.has(name[len(stem) :])

    # ---- operands

    def __missing__(self, text: str) -> Operand:
        found = self[text] = self.made(text)
        return found

    def made(self, text: str) -> Operand:
        """The operand of a text that was not seen before in this scope."""
        match = _OPERAND.fullmatch(text)
        kind = match.lastindex if match is not None else 0
        if match is not None:
            if kind == _ALONE:
                return self.named(text)
            if kind == _INTEGER:
                return ir.Integer(text, int(text))
            if kind in (_BASE, _OFFSET):
                name = match[_BASE if kind == _BASE else _OFFSET - 1]
                base = self[name]
                if base.__class__ is Reg or base.__class__ is ir.Variable:
                    if base.text != name:  # ptxas reads %r03 as %r3
                        return ir.address(base if kind == _BASE else base + int(match[_OFFSET]))
                    if kind == _OFFSET:
                        base = ir.Offset(text[1:-1], _offset(base.cls), base, int(match[_OFFSET]))
                    return ir.Address(text, _address(base.cls), (base,))
            elif kind == _ELEMENTS:
                elements = tuple([self[element] for element in _COMMA.split(match[_ELEMENTS])])
                if not any(element.__class__ is ir.Vector for element in elements):
                    written = f"{{{', '.join([element.text for element in elements])}}}"
                    return ir.Vector(written, _vector(tuple([element.cls for element in elements])), elements)
            elif kind == _SINGLE:
                return ir.Float(text, int(match[_SINGLE], 16), 32, ir.float32(0.0).cls)
            elif kind == _DOUBLE:
                return ir.Float(text, int(match[_DOUBLE], 16), 64, ir.float64(0.0).cls)
            elif kind == _SECOND:
                first, second = self[match[_SECOND - 1]], self[match[_SECOND]]
                if first.__class__ is second.__class__ is Reg:
                    return ir.pair(first, second)
            elif kind == _COMPLEMENTED:
                register = self[match[_COMPLEMENTED]]
                if register.__class__ is Reg and register.cls.type == "pred":
                    return ~register
        if "(" in text:
            raise KeyError(text)  # a list, or a constant expression: that takes the opcode to tell
        from ptxgen.parse.operands import operand

        cursor = Cursor(text)
        found = operand(cursor, self)
        if not cursor.done():
            cursor.fail("',' or ';'")
        return found

    def named(self, name: str) -> Operand:
        """The operand of a name alone."""
        if name == "_":
            return ir.sink
        if name == "WARP_SZ":
            return ir.Integer(name, 32)
        found = self.find(name)
        if found is not None:
            return found
        if name[0] == "%":
            special = registers.find(name)
            if special is not None:
                return ir.special(*special)
        return self.undeclared(name)

    def undeclared(self, name: str) -> ir.Name:
        """A name that is declared nowhere yet: of a label further on, or a mistake."""
        self.used[name] = None
        return ir.name(name, "label" if name in self.labels else "")

    def selected(self, name: str, selector: str, at: int) -> Operand:
        """The operand of a name with a selector: an element of a vector, a field, bytes of a register."""
        found = self.find(name)
        if found is None and name[0] == "%" and (special := registers.find(f"{name}.{selector}")) is not None:
            return ir.special(*special)
        if isinstance(found, ir.Vector) and selector in _FIELDS and _FIELDS[selector] < len(found.elements):
            return found.elements[_FIELDS[selector]]
        if isinstance(found, Reg):
            return found[selector]
        if found is None:
            return self.undeclared(name)
        raise Unreadable(f"{name} is {found.cls.describe()} and takes no selector .{selector}", at)


def vector_register(name: str, type: str, length: int) -> ir.Vector:
    """A register of several elements, which may be named by field: `.reg .v4 .f32 v;` `v.x`."""
    cls = operand_class(REGISTER, type)
    elements: tuple[Reg[Any], ...] = tuple(Reg(f"{name}.{field}", cls) for field in "xyzw"[:length])
    return ir.Vector(name, ir.vector(elements).cls, elements)
