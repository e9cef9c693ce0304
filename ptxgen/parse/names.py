"""What names stand for, scope by scope, and the operands that were made of them.

A scope is a dict from the text of an operand to the operand, so that a text that was seen before costs one look-up.
What is declared in it stands in `own`; a name of an outer scope is found through `outer`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Reg
from ptxgen.isa import registers
from ptxgen.isa.classes import REGISTER, operand_class
from ptxgen.parse.cursor import Cursor, Unreadable

_NAME = re.compile(r"[A-Za-z][\w$]*|[_$%][\w$]+|_", re.ASCII)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,18})", re.ASCII)
_ADDRESS = re.compile(r"\[\s*([A-Za-z_$%][\w$]*)\s*(?:\+\s*(-?(?:0|[1-9]\d{0,9}))\s*)?\]", re.ASCII)
_VECTOR = re.compile(r"\{\s*([\w$%]+(?:\s*,\s*[\w$%]+)*)\s*\}", re.ASCII)
_COMMA = re.compile(r"\s*,\s*")
_DIGITS = "0123456789"
_MOST_DIGITS = 1000  # of a number in a name
_FIELDS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}

Make = Callable[[str], Operand]
MADE_AT_ONCE = 8  # registers of `%r<n>` are made at their declaration when the text has so many characters for each


class Names(dict[str, Any]):
    """One scope: of a module, of a function, or of a block within one."""

    __slots__ = ("labels", "numbered", "outer", "own", "placed", "ranges", "used")

    def __init__(self, outer: Names | None = None) -> None:
        super().__init__()
        self.outer = outer
        self.own: dict[str, Operand] = {}
        self.ranges: dict[str, tuple[int, Make]] = {}  # `stem<n>` -> n and what makes one of them
        self.numbered: dict[str, Operand] = {}  # those of the ranges that were made
        self.placed: Container[str] = ()  # labels of this scope
        self.labels: frozenset[str] = outer.labels if outer is not None else frozenset()  # before a colon, anywhere
        self.used: dict[str, None] = {} if outer is None else outer.used  # names that are declared nowhere yet

    # ---- declarations

    def declare(self, name: str, operand: Operand) -> bool:
        """Let a name stand for an operand; False when it is taken in this scope."""
        if name in self.own or name in self.placed or (self.ranges and self._in_range(name)):
            return False
        if name in self:  # used before, so that other texts may hold what it was then
            self._forget()
        self.own[name] = self[name] = operand
        return True

    def declare_range(self, stem: str, count: int, make: Make, room: int) -> str:
        """Declare `stem<count>`; the first name that is taken, "" when none is.

        `room` is the length of the text: a file cannot use many more names than it has letters for.
        """
        if stem in self.ranges:
            return f"{stem}<"
        names = [f"{stem}{n}" for n in range(min(count, max(room // MADE_AT_ONCE, len(self.own))))]
        if not self.own.keys().isdisjoint(names):
            return next(name for name in names if name in self.own)
        self.ranges[stem] = (count, make)
        if len(names) == count and not stem[-1].isdigit():  # else the few that are used are made when they are
            made = {name: make(name) for name in names}
            if not self.keys().isdisjoint(names):
                self._forget()
            self.numbered |= made
            self |= made
        return ""

    def _forget(self) -> None:
        """Drop the operands that may hold what a name was before it was declared."""
        self.clear()
        self.update(self.own)
        self.update(self.numbered)

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
        found = self.numbered.get(name)
        if found is not None or not self._in_range(name):
            return found
        stem = name.rstrip(_DIGITS)
        canonical = f"{stem}{int(name[len(stem) :]) % (1 << 32)}"
        found = self.numbered.get(canonical)
        if found is None:
            found = self.numbered[canonical] = self.ranges[stem][1](canonical)
        return found

    def _in_range(self, name: str) -> bool:
        stem = name.rstrip(_DIGITS)
        digits = name[len(stem) :]
        return 0 < len(digits) < _MOST_DIGITS and stem in self.ranges and int(digits) % (1 << 32) < self.ranges[stem][0]

    # ---- operands

    def __missing__(self, text: str) -> Operand:
        found = self[text] = self.made(text)
        return found

    def made(self, text: str) -> Operand:
        """The operand of a text that was not seen before in this scope."""
        if _NAME.fullmatch(text):
            return self.named(text)
        if _INTEGER.fullmatch(text):
            return ir.Integer(text, int(text))
        if match := _ADDRESS.fullmatch(text):
            base = self[match[1]]
            if base.__class__ is Reg or base.__class__ is ir.Variable:
                return ir.address(base if match[2] is None else base + int(match[2]))
        elif match := _VECTOR.fullmatch(text):
            elements = tuple([self[element] for element in _COMMA.split(match[1])])
            if not any(element.__class__ is ir.Vector for element in elements):
                return ir.vector(elements)
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
            raise Unreadable(f"{name} is not declared", at, "unknown-name")
        raise Unreadable(f"{name} is {found.cls.describe()} and takes no selector .{selector}", at)


def vector_register(name: str, type: str, length: int) -> ir.Vector:
    """A register of several elements, which may be named by field: `.reg .v4 .f32 v;` `v.x`."""
    cls = operand_class(REGISTER, type)
    elements: tuple[Reg[Any], ...] = tuple(Reg(f"{name}.{field}", cls) for field in "xyzw"[:length])
    return ir.Vector(name, ir.vector(elements).cls, elements)



