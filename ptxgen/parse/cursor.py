"""Tokens of PTX text, read one by one: names, literals, marks, strings, with blanks and remarks between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from attrs import define, field

from ptxgen.ir.statements import Comment

BLANK = re.compile(r"[ \t\r\n\f\x1a]*+")  # ptxas takes Ctrl-Z for a blank, too
_REMARK = re.compile(r"//([^\n]*)|/\*(.*?)\*/", re.DOTALL)
# A line of the C preprocessor says where the next one comes from; no other is read.
_LINE = re.compile(r'#[ \t]*(?:line)?[ \t]*\d+[ \t]+"[^"\n]*"(?:[ \t]+\d+)*[ \t\r]*\n', re.ASCII)
_TOKEN = re.compile(
    r"(?P<float>0[fF][0-9a-fA-F]{8}(?![\w$])|0[dD][0-9a-fA-F]{16}(?![\w$])|\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
    r"|(?P<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)"
    r"|(?P<name>[A-Za-z][\w$]*|[_$%][\w$]+|_)"
    r"|(?P<word>\.[A-Za-z_][\w$]*(?:::[\w$]+)*)"
    r'|(?P<string>"[^"]*")'
    r"|(?P<mark><<|>>|<=|>=|==|!=|&&|\|\||@@|[][{}()<>|,;:@!+\-*/%~&^?=])",
    re.ASCII,
)

RESERVED = frozenset({"_", "WARP_SZ", "function_name", "inlined_at"})  # the only words that cannot be names


MOST_ERRORS = 10_000  # of a text; what has more is no PTX, and could fill the memory with them


class TooManyErrors(Exception):
    """The reader gives up."""


class Unreadable(Exception):
    """The text cannot be read from `offset` on; the reader goes on at the next statement."""

    def __init__(self, message: str, offset: int, code: str = "syntax", hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.code, self.hint = message, offset, code, hint

    @property
    def severity(self) -> str:
        """A "warning" for what can be read, though the manual does not have it."""
        return "warning" if self.code == "beyond-manual" else "error"


def duplicate(name: str, at: int, scope: bool = False) -> Unreadable:
    """The error that a name is declared twice, within a `scope` that may have others in it."""
    hint = "choose another name, or open a scope with {" if scope else "choose another name"
    return Unreadable(f"{name} is declared twice", at, "duplicate-name", hint)


@define(eq=False, weakref_slot=False, repr=False)
class Cursor:
    """A place in the text.

    `remarks` gathers the comments that it passes, each with its offset; `lax` what ptxas reads against the manual.
    """

    text: str
    at: int = 0
    end: int = -1
    remarks: list[tuple[int, Comment]] = field(factory=list[tuple[int, Comment]])
    lax: list[Unreadable] = field(factory=list[Unreadable])

    def __attrs_post_init__(self) -> None:
        if self.end < 0:
            self.end = len(self.text)

    # ---- blanks and remarks

    def skip(self) -> int:
        """Pass blanks, remarks and lines of the C preprocessor; the offset of what comes next."""
        text, at = self.text, self.at
        while True:
            at = BLANK.match(text, at).end()  # pyright: ignore[reportOptionalMemberAccess] - it may be empty
            start = text[at : at + 1]
            if start not in ("/", "#"):
                break
            if start == "/":
                match = _REMARK.match(text, at)
                if match is None:
                    if text[at : at + 2] == "/*":
                        self.at = at
                        raise Unreadable("a remark begins here that never ends; */ is missing", at)
                    break
                self.remark(at, match[1] if match[1] is not None else match[2])
                at = match.end()
            else:
                match = _LINE.match(text, at)
                if match is None:
                    self.at = at
                    raise Unreadable('# begins a line such as # 1 "kernel.cu", and nothing else', at)
                at = match.end()
        self.at = at
        return at

    def remark(self, at: int, text: str) -> None:
        """Note a remark, each of its lines apart."""
        trailing = not begins_line(self.text, at)
        for line in text.split("\n"):
            self.remarks.append((at, Comment(line.strip(), trailing)))
            trailing = False

    # ---- tokens

    def peek(self) -> re.Match[str] | None:
        """The next token, which stays; None at the end, or where none can be read."""
        return _TOKEN.match(self.text, self.skip())

    def next(self, wanted: str) -> re.Match[str]:
        """The next token; an error that says what was wanted when there is none."""
        match = self.peek()
        if match is None:
            self.fail(wanted)
        self.at = match.end()
        return match

    def accept(self, mark: str) -> bool:
        """Whether the next token is this mark, which is then passed."""
        match = self.peek()
        if match is None or match[0] != mark:
            return False
        self.at = match.end()
        return True

    def sees(self, mark: str) -> bool:
        """Whether the next token is this mark, which stays."""
        match = self.peek()
        return match is not None and match[0] == mark

    def expect(self, mark: str, after: str = "", or_: str = "") -> None:
        """Pass a mark that has to come here; `or_` is another one that might have come."""
        if not self.accept(mark):
            self.fail((f"{or_!r} or " if or_ else "") + f"{mark!r}" + (f" {after}" if after else ""))

    def name(self, wanted: str) -> str:
        """An identifier."""
        match = self.peek()
        if match is None or match["name"] is None or match["name"] in RESERVED:
            self.fail(wanted)
        self.at = match.end()
        return match["name"]

    def word(self) -> str:
        """A word that begins with a dot, such as `.global`; "" when none stands here."""
        match = self.peek()
        if match is None or match["word"] is None:
            return ""
        self.at = match.end()
        return match["word"]

    def done(self) -> bool:
        """Whether nothing is left."""
        return self.skip() >= self.end

    def beyond_manual(self, message: str, at: int) -> None:
        """Note that ptxas reads what stands at an offset, and the manual does not have it."""
        self.lax.append(Unreadable(message, at, "beyond-manual"))

    def fail(self, wanted: str) -> NoReturn:
        """The error that something else was wanted here."""
        at = self.skip()
        found = near(self.text, at)
        message = f"{wanted} is missing before {found}" if found else f"the text ends where {wanted} is missing"
        raise Unreadable(message, at)


def ends_line(before: Sequence[object]) -> bool:
    """Whether a remark may stand on the line of what comes before it: another remark would swallow it."""
    return bool(before) and not isinstance(before[-1], Comment)


def near(text: str, at: int) -> str:
    """What stands at an offset, in quotation marks; "" at the end."""
    match = _TOKEN.match(text, at)
    found = match[0] if match else text[at : at + 1]
    return repr(found[:40]) if found else ""


def begins_line(text: str, at: int) -> bool:
    """Whether only blanks stand before an offset on its line. A line may be as long as the text: it is not copied."""
    while at and text[at - 1].isspace():
        at -= 1
        if text[at] == "\n":
            return True
    return not at
