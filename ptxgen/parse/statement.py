"""Read one instruction: guard, opcode and operands, with positions in its errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from attrs import frozen

from ptxgen.errors import Diagnostic, ParseError
from ptxgen.ir.operands import Operand, Prefixed, Reg
from ptxgen.isa import registers, types
from ptxgen.isa.classes import REGISTER, operand_class
from ptxgen.isa.family import table
from ptxgen.parse.cursor import Cursor, Unreadable, near
from ptxgen.parse.names import Names
from ptxgen.parse.operands import is_element, operand, single

Resolve = Callable[[str], "Operand | None"]
Guard = Reg[object] | Prefixed[object]

OPCODE = re.compile(r"[A-Za-z][\w$]*(?:(?:\.|::)[\w$]+(?::\d+|\[\d+\](?=\.|\s+[^\s,;]))?)*", re.ASCII)
_MORE = re.compile(r"(?:\.[\w$]+(?:::[\w$]+(?::\d+)?)*)+", re.ASCII)  # modifiers after a blank


@frozen
class Parsed:
    """An instruction as written."""

    guard: Guard | None
    opcode: str
    operands: tuple[Operand, ...]


def parse_statement(text: str, resolve: Resolve) -> Parsed:
    """Read `@p add.u32 d, a, 1;`.

    `resolve` gives the operand that an identifier stands for, None when it knows none. `ParseError` says where the
    text cannot be read.
    """
    cursor, names = Cursor(text), _Resolved(resolve)
    try:
        found = instruction(cursor, names)
        if not cursor.done():
            raise Unreadable("one instruction was expected; more text follows its ';'", cursor.at)
        if names.used:
            name = next(iter(names.used))
            raise Unreadable(f"{name} is not declared", text.find(name), "unknown-name")
    except Unreadable as error:
        column, rest = error.offset + 1, text[error.offset :].strip()[:20]
        full = f"{error.message}, at column {column}" + (f" near {rest!r}" if rest else "")
        raise ParseError(full, (Diagnostic(error.code, "error", error.message, column=column, line=1),)) from None
    return found


class _Resolved(Names):
    """Names that somebody else knows, but for special registers."""

    __slots__ = ("resolve",)

    def __init__(self, resolve: Resolve) -> None:
        super().__init__()
        self.resolve = resolve

    def find(self, name: str) -> Operand | None:
        return None if name[0] == "%" and registers.find(name) is not None else self.resolve(name)


def instruction(cursor: Cursor, names: Names) -> Parsed:
    """Read an instruction with its semicolon."""
    guard = read_guard(cursor, names) if cursor.accept("@") else None
    text = opcode(cursor)
    operands = tuple(read_operands(cursor, names, takes_lists(text)))
    return Parsed(guard, text, operands)


def read_guard(cursor: Cursor, names: Names) -> Guard:
    """The predicate after `@`."""
    at = cursor.skip()
    found = single(cursor, names)
    if isinstance(found, Prefixed) and found.cls.prefix == "!" and found.register.type == "pred":
        return found
    if isinstance(found, Reg) and found.type == "pred" and not is_element(found):
        return found
    if found.cls.undeclared:
        return Reg(found.text, operand_class(REGISTER, "pred"))
    raise Unreadable(f"a guard is a predicate register, not {found.cls.describe()}", at, "guard")


def opcode(cursor: Cursor) -> str:
    """An opcode; blanks may stand before its dots."""
    at = cursor.skip()
    match = OPCODE.match(cursor.text, at)
    if match is None:
        found = near(cursor.text, at)
        raise Unreadable(f"an instruction begins with its opcode, not with {found or 'the end of the text'}", at)
    cursor.at = match.end()
    first = text = match[0]
    while cursor.text[cursor.skip() : cursor.at + 1] == "." and (match := _MORE.match(cursor.text, cursor.at)):
        cursor.at = match.end()
        text += match[0]
    if first != text and not _may_end(first, text):
        raise Unreadable(f"{text} begins with one word; no blank may stand behind {first}", at)
    return text


@lru_cache(maxsize=1024)
def _may_end(first: str, text: str) -> bool:
    """Whether a blank may stand in an opcode behind its first part: not within the mnemonic and the head of a line.

    A word of a mnemonic that may also stand among the modifiers is none of them.
    """
    mnemonic, tokens = table().split(text)
    family = table().family(mnemonic) if mnemonic else None
    if family is None:
        return True
    stem, _, last = mnemonic.rpartition(".")
    words = stem if mnemonic.partition(".")[0] + f".{last}" in types.movable() else mnemonic
    heads = [line.head for line in family.lines_of(mnemonic) if set(tokens) <= line.tokens]
    contiguous = words + "".join(tokens[: min(heads, default=0)])
    return first.count(".") >= contiguous.count(".")


def read_operands(cursor: Cursor, names: Names, lists: bool) -> list[Operand]:
    """The operands and the semicolon after them."""
    found: list[Operand] = []
    if cursor.accept(";"):
        return found
    found.append(operand(cursor, names, lists))
    while cursor.accept(","):
        found.append(operand(cursor, names, lists))
    cursor.expect(";", or_=",")
    return found


@lru_cache(maxsize=1024)
def takes_lists(text: str) -> bool:
    """Whether an instruction has lists of parameters, so that parentheses are no constant expression."""
    mnemonic, _ = table().split(text)
    family = table().family(mnemonic) if mnemonic else None
    return family is not None and any(t.shape == "list" for line in family.lines for t in line.operands)
