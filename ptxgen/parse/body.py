"""Read the body of a function: a fast way for plain instructions, a careful one for everything else.

One match of `_STATEMENT` covers guard, opcode and operands of an instruction on one line without remarks. The scope
gives the operand of each text (`ptxgen.parse.names`), and opcode and operand classes the variant. What the fast way
cannot do is read token by token, at the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import repeat
from typing import Any

from attrs import define, field

from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Operand, Reg, Variable
from ptxgen.ir.statements import (
    Close,
    Comment,
    Directive,
    Guarded,
    Label,
    Open,
    Record,
    Registers,
    Statement,
    Variant,
    variant,
)  # fmt: skip
from ptxgen.isa import registers
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.data import load
from ptxgen.isa.directives import ALIAS, LOC, PRAGMA, TARGET
from ptxgen.parse import declarations, directives
from ptxgen.parse.cursor import RESERVED, Cursor, Unreadable, ends_line
from ptxgen.parse.debugging import position
from ptxgen.parse.names import Names
from ptxgen.parse.recovery import after_statement
from ptxgen.parse.statement import Guard, instruction

_STATEMENT: Any = re.compile(  # typeshed has no `scanner`
    r"[ \t\r\n]*+(?:"
    r"(?:@[ \t]*(!?)[ \t]*([\w$%]+)[ \t]+)?([a-z]\w*+(?:\.\w++|::\w++(?::\d++)?)*+)"
    r"(?![.$])[ \t]*+([^;:\"/\n#]*+);"
    r"|([\w$%]+)[ \t]*:(?!:)"
    r"|\.loc[ \t]+(\d{1,9}[ \t]+\d{1,9}[ \t]+\d{1,9})(?=[ \t]*(?:\n|//|\.))"
    r"|\.reg[ \t]+\.(\w+)[ \t]+([%$\w<>, \t]+);"
    r"|\.param[ \t]+(?:\.align[ \t]+([1-9]\d{0,9})[ \t]+)?\.(\w+)[ \t]+([%$\w]+)(?:\[([1-9]\d{0,9})\])?;"
    r"|//([^\n]*)"
    r"|([{}])"
    r")",
    re.ASCII,
)
_GUARD, _OPCODE, _OPERANDS, _LABEL, _LOC, _TYPE, _REGISTERS = 2, 3, 4, 5, 6, 7, 8
_ALIGN, _PARAMETER, _LENGTH, _REMARK, _BRACE = 9, 11, 12, 13, 14
_NUMBERED = re.compile(r"\s*([A-Za-z][\w$]*|[_$%][\w$]+)(?:<([1-9]\d{0,9})>)?\s*", re.ASCII)
_PARTS = re.compile(r"\s*((?:[^,{}()\[\]]|\{[^{}]*\}|\([^()]*\)|\[(?:[^\[\]{}]|\{[^{}]*\})*\])+?)\s*(?:,|$)")

_DEPTH = 1663  # of scopes in a body; ptxas runs out of memory beyond

Places = list[int]


class Heads(dict["tuple[str | OperandClass, ...]", Variant]):
    """The variants of a function by opcode and classes of operands; each is made, and noted, when it is first used."""

    __slots__ = ("variants",)

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.variants = function.variants

    def __missing__(self, key: tuple[Any, ...]) -> Variant:
        found = self[key] = variant(key[0], key[1:])
        self.variants[found] = None
        return found


@define(eq=False, weakref_slot=False, repr=False)
class Body:
    """The statements of one function, as they are read."""

    text: str
    function: Function
    names: Names  # of the innermost scope
    cursor: Cursor
    space: str  # of the operand class of its .param variables
    blocks: list[Names] = field(factory=list[Names])  # scopes around the innermost
    labels: list[dict[str, int]] = field(factory=lambda: [{}])  # of each open scope, with their offsets
    nested: bool = False  # some label stands within a scope of its own
    given_up: bool = False  # scopes are nested too deep to read on
    heads: Heads = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.heads = Heads(self.function)

    # ---- the fast way

    def read(self, at: int) -> int:
        """Read from behind the opening brace; the offset behind the closing one."""
        self.names.placed = self.labels[0]
        text, function, scanner = self.text, self.function, _STATEMENT.scanner
        append, place = function.body.append, function.places.append
        heads = self.heads
        while at >= 0:
            names = self.names
            found: Any = None
            for found in iter(scanner(text, at).match, None):
                kind = found.lastindex
                if kind == _OPERANDS:
                    guard, code, written = found.group(_GUARD, _OPCODE, _OPERANDS)
                    try:
                        if "{" in written:
                            parts: list[str] = _split(written)
                        else:
                            parts = written.split(", ")
                            if len(parts) == 1:
                                parts = written.split(",") if written else []
                        count = len(parts)
                        if count == 3:
                            a, b, c = parts
                            a, b, c = names[a], names[b], names[c]
                            head: Any = heads[code, a.cls, b.cls, c.cls]
                            if guard is not None:
                                head = Guarded(head, self.guard(found))
                            append((head, a, b, c))
                        elif count == 2:
                            a, b = parts
                            a, b = names[a], names[b]
                            head = heads[code, a.cls, b.cls]
                            if guard is not None:
                                head = Guarded(head, self.guard(found))
                            append((head, a, b))
                        else:
                            operands = [names[part] for part in parts]
                            head = heads[(code, *[operand.cls for operand in operands])]
                            if guard is not None:
                                head = Guarded(head, self.guard(found))
                            append((head, *operands))
                    except (Unreadable, KeyError):
                        at = self.careful(found.start())
                        break
                    place(found.start(_OPCODE))
                elif kind == _LOC:
                    append(Directive(LOC, (" ".join(found[_LOC].split()),)))
                    place(text.index(".", found.start()))
                elif kind == _LABEL:
                    if _names_a_table(text, found.end()):
                        at = self.careful(found.start())
                        break
                    self.label(found[_LABEL], found.start(_LABEL))
                    names = self.names
                elif kind == _REMARK:
                    start = found.start(_REMARK) - 2
                    trailing = "\n" not in text[found.start() : start] and ends_line(function.body)
                    append(Comment(found[_REMARK].strip(), trailing))
                    place(start)
                elif kind == _BRACE:
                    if self.brace(found[_BRACE], found.end() - 1):
                        return found.end()
                    names = self.names
                else:
                    at = self.declaration(found)
                    if at != found.end():
                        break
                    names = self.names
            else:
                at = self.careful(at if found is None else found.end())
        return len(text)

    def declaration(self, found: re.Match[str]) -> int:
        """A declaration of registers or of a parameter of a call; the offset behind it."""
        try:
            start = self.text.index(".", found.start())
            if found[_TYPE]:
                self.state(self.registers(found[_TYPE], found[_REGISTERS], found.start(_REGISTERS)), start)
            else:
                self.state(self.parameter(found), start)
        except (Unreadable, KeyError):
            return self.careful(found.start())
        return found.end()

    def registers(self, type: str, written: str, at: int) -> Registers:
        """`.reg .type ...;`; KeyError, before any is declared, for what the careful way has to read."""
        cls = declarations.register_class(type)
        names = self.scope()

        def make(names: Iterable[str]) -> Iterable[Operand]:
            return map(Reg, names, repeat(cls))

        listed: list[tuple[str, int]] = []
        places: list[int] = []
        for part in written.split(","):
            match = _NUMBERED.fullmatch(part)
            if match is None or match[1] in RESERVED or (match[2] and not int(match[2]) < 1 << 32):
                raise KeyError(part)
            listed.append((match[1], int(match[2] or 0)))
            places.append(at + match.start(1))
            at += len(part) + 1
        for (name, count), place in zip(listed, places, strict=True):
            if count:
                taken = names.declare_range(name, count, make)
            else:
                taken = "" if names.declare(name, Reg(name, cls)) else name
            if taken:
                names.taken(taken, place)
        return Registers(type, tuple(listed))

    def parameter(self, found: re.Match[str]) -> Variable[Any]:
        """`.param .align 8 .b8 name[16];`"""
        words = declarations.Words(found.start(), space=".param", type=found[10])
        words.align = int(found[_ALIGN]) if found[_ALIGN] else None
        if f".{words.type}" not in load("types")["types"]:
            raise KeyError(words.type)
        shape = (int(found[_LENGTH]),) if found[_LENGTH] else ()
        variable = declarations.made(words, found[_PARAMETER], shape, self.space)
        if not self.scope().declare(variable.text, variable):
            raise KeyError(variable.text)
        return variable

    def guard(self, found: re.Match[str]) -> Guard:
        """The guard of a match."""
        written = f"!{found[2]}" if found[1] else found[2]
        guard = self.names[written]
        cls = guard.cls
        if cls.type != "pred" or cls.what != "register":
            raise Unreadable("", found.start(2))
        return guard

    def label(self, name: str, at: int) -> None:
        """A label stands here."""
        if self.blocks:
            self.nested = True
        own = self.labels[-1]
        if name in own or name in self.own_names():
            self.names.taken(name, at)
        elif self.names.find(name) is not None or (name[0] == "%" and registers.find(name) is not None):
            # it hides what an outer scope declares
            self.scope().declare(name, ir.name(name, "label"))
        own[name] = at
        self.function.body.append(Label(name))
        self.function.places.append(at)

    def own_names(self) -> dict[str, Operand]:
        """What the innermost scope declares; nothing when it has declared nothing yet."""
        return {} if self.blocks and self.names is self.blocks[-1] else self.names.own

    def brace(self, mark: str, at: int) -> bool:
        """A scope begins or ends; whether the body ends, too."""
        if mark == "{":
            if len(self.blocks) == _DEPTH:
                self.names.note(Unreadable(f"scopes are nested deeper than {_DEPTH}, which is too deep for ptxas", at))
                self.given_up = True
                return True
            self.blocks.append(self.names)  # the scope costs nothing until it declares something
            self.labels.append({})
            self.state(Open(), at)
            return False
        if not self.blocks:
            return True
        self.names = self.blocks.pop()
        self.labels.pop()
        self.state(Close(), at)
        return False

    def scope(self) -> Names:
        """The innermost scope, which from now on is one of its own."""
        if self.blocks and self.names is self.blocks[-1]:
            self.names = Names(self.names)
            self.names.placed = self.labels[-1]
        return self.names

    def state(self, statement: Statement, at: int) -> None:
        """Append a statement."""
        self.function.body.append(statement)
        self.function.places.append(at)

    # ---- the careful way

    def careful(self, at: int) -> int:
        """Read one statement token by token; the offset behind it, -1 at the end of the text."""
        cursor = self.cursor
        cursor.at, cursor.end = at, len(self.text)
        cursor.remarks.clear()
        start = at
        try:
            start = cursor.skip()
            self.remarks()
            if start >= len(self.text):
                opened = "a scope within it" if self.blocks else "it"
                raise Unreadable(f"the body of {self.function.name} has no end; {opened} wants a closing brace", start)
            self.statement(start)
        except Unreadable as error:
            self.names.note(error)
            if error.offset >= len(self.text):
                return -1
            cursor.at = after_statement(self.text, max(error.offset, start), start)
        finally:
            self.remarks()
        return max(cursor.at, at + 1)

    def remarks(self) -> None:
        """Append the remarks that were passed: those before a statement, and those within it behind it."""
        for offset, remark in self.cursor.remarks:
            remark.trailing = remark.trailing and ends_line(self.function.body)
            self.state(remark, offset)
        self.cursor.remarks.clear()

    def statement(self, at: int) -> None:
        """One statement that is not the end of the body."""
        cursor, text = self.cursor, self.text
        match = cursor.peek()
        if match is None:
            raise Unreadable(f"{text[at]!r} begins no statement", at)
        word = match["word"]
        if word:
            cursor.at = match.end()
            self.directive(word, at)
        elif match[0] in "{}":
            return  # after a remark: the fast way takes it
        elif match[0] == "@" or (match["name"] and not self._labelled(match.end())):
            self.instruction(at)
        elif match["name"]:
            cursor.at = match.end()
            cursor.expect(":")
            following = Cursor(text, cursor.at).peek()
            if following is not None and following["word"] in _tables():
                cursor.skip()
                cursor.at = following.end()
                self.table(match["name"], following["word"], at)
            else:
                self.label(match["name"], at)
        else:
            raise Unreadable(f"{match[0]!r} begins no statement", at)

    def _labelled(self, at: int) -> bool:
        inner = Cursor(self.text, at)
        return inner.sees(":")

    def instruction(self, at: int) -> None:
        """An instruction, token by token."""
        cursor = self.cursor
        parsed = instruction(cursor, self.names)
        start = _OPCODE_START.match(self.text, at)
        self.add(parsed.guard, parsed.opcode, parsed.operands, start.end() if start is not None else at)

    def add(self, guard: Guard | None, code: str, operands: tuple[Operand, ...], at: int) -> None:
        """Append an instruction."""
        head = self.heads[(code, *[operand.cls for operand in operands])]
        record: Record = (head if guard is None else Guarded(head, guard), *operands)
        self.function.body.append(record)
        self.function.places.append(at)

    def directive(self, word: str, at: int) -> None:
        """A declaration or directive, after its first word."""
        cursor = self.cursor
        if word in (LOC, ".loc_intermediate"):
            self.state(position(cursor, word), at)
        elif word in (PRAGMA, ALIAS):
            self.state(directives.statement(cursor, word), at)
        elif word == TARGET:
            self.state(directives.retarget(cursor), at)
        elif declarations.begins(word):
            cursor.at = at
            found = declarations.read_words(cursor)
            if not found.space:
                raise Unreadable("a variable has a state space", at)
            if found.space == ".reg":
                self.state(declarations.read_registers(cursor, self.scope(), found), at)
            else:
                space = self.space if found.space == ".param" else ""
                for variable in declarations.read_variables(cursor, self.scope(), found, space):
                    self.state(variable, at)
            cursor.expect(";", "after a declaration", ",")
        else:
            raise directives.unknown(word, "body", at)

    def table(self, name: str, directive: str, at: int) -> None:
        """`name: .callprototype ...`, `.branchtargets`, `.calltargets`."""
        found: Any
        if directive == ".callprototype":
            found = directives.prototype(self.cursor, self.names, name)
        else:
            found = directives.targets(self.cursor, self.names, name, directive)
        if not self.scope().declare(name, directives.table_name(name, directive)):
            self.names.taken(name, at)
        self.state(found, at)

_OPCODE_START = re.compile(r"(?:@\s*!?\s*[\w$%]+\s*)?", re.ASCII)


def _split(written: str) -> list[str]:
    """The texts of operands, without blanks around them."""
    parts: list[str] = []
    at, end = 0, len(written)
    while at < end:
        match = _PARTS.match(written, at)
        if match is None:
            raise KeyError
        parts.append(match[1])
        at = match.end()
    if written.rstrip().endswith(","):
        raise KeyError
    return parts


def _names_a_table(text: str, at: int) -> bool:
    match = _AFTER_LABEL.match(text, at)
    return match is not None and match[1] in _tables()


_AFTER_LABEL = re.compile(r"\s*(\.\w+)", re.ASCII)


def _tables() -> dict[str, Any]:
    return load("directives")["control"]
