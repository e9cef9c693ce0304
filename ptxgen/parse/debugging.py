"""Read what debuggers read: files, positions in them, sections of DWARF data, source text (PTX ISA 11.5)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from attrs import define, field

from ptxgen.ir.statements import Directive, Section
from ptxgen.isa.data import load
from ptxgen.isa.directives import DWARF, FILE, INTERMEDIATE, LOC, SECTION
from ptxgen.parse.constants import constant, integer
from ptxgen.parse.cursor import Cursor, Unreadable, duplicate

_WORD = 1 << 32
_DECIMAL = r"-?(?:0|[1-9]\d{0,18})"
_PLAIN = re.compile(rf"\s*(\.\w+)[ \t]+({_DECIMAL}(?:[ \t]*,[ \t]*{_DECIMAL})*)[ \t\r]*(?=\n)", re.ASCII)
_KIND = re.compile(r"\.\w+", re.ASCII)
_PROGBITS = re.compile(r'\s*(\.\w+)\s*,\s*("[^"]*")\s*,\s*@progbits(?![\w$])', re.ASCII)
_NUMBER = r"(?:0[xX][\da-fA-F]+|0[bB][01]+|\d+)U?"
_KEYS = re.compile(
    r'\s*\.code_block\s*\{\s*\.ir_name:\s*("[^"]*")\s*'
    rf"\.sourceFileName:\s*({_NUMBER})\s*\.source_begin[ \t\r]*\n",
    re.ASCII,
)
_END = re.compile(r"^[ \t]*\.source_end[ \t\r]*$", re.MULTILINE)


# ---- positions


def position(cursor: Cursor, name: str) -> Directive:
    """`.loc 1 2 3`, with `function_name` and `inlined_at` where they follow."""
    found = [_place(cursor)]
    if name == LOC and cursor.accept(","):
        cursor.expect("function_name", "after a position and a comma")
        label = cursor.word() or cursor.name("a label of a section")
        offset = f"+{number(cursor, 'an offset')}" if cursor.accept("+") else ""
        found.append(f"function_name {label}{offset}")
        cursor.expect(",", "before inlined_at")
        cursor.expect("inlined_at", "after function_name and its label")
        found.append(f"inlined_at {_place(cursor)}")
    return Directive(name, tuple(found))


def _place(cursor: Cursor) -> str:
    return " ".join(str(number(cursor, what)) for what in ("the number of a file", "a line", "a column"))


def number(cursor: Cursor, what: str) -> int:
    """An integer of 32 bits, as directives take them."""
    at = cursor.skip()
    found = constant(cursor, what)
    if found >= _WORD:
        raise Unreadable(f"{what} has 32 bits; {found} has more", at)
    return found


# ---- files and sections


@define(eq=False, weakref_slot=False, repr=False)
class Debugging:
    """The files and labels of one module, and the directives that name them."""

    files: dict[int, str] = field(factory=dict[int, str])
    labels: set[str] = field(factory=set[str])  # of all sections: they have a name space of their own

    def read(self, cursor: Cursor, word: str) -> Directive | Section:
        """What follows one of the directives of a module."""
        return {FILE: self.file, SECTION: self.section, INTERMEDIATE: self.intermediate}[word](cursor)

    def file(self, cursor: Cursor) -> Directive:
        """`.file 1 "name", 12, 34`."""
        at = cursor.skip()
        index = number(cursor, "the number of a file")
        text = cursor.next("the name of a file")
        if not text["string"]:
            raise Unreadable('a file has a number and a name: .file 1 "kernel.cu"', text.start())
        found = [f"{index} {text[0]}"]
        for what in ("a time stamp", "a size"):
            if cursor.accept(","):
                found.append(str(constant(cursor, what)))
        if index in self.files:
            message = f"file {index} is {self.files[index]} already; {text[0]} needs a number of its own"
            raise Unreadable(message, at, "duplicate-name")
        self.files[index] = text[0]
        return Directive(FILE, tuple(found))

    def section(self, cursor: Cursor) -> Section:
        """`.section .debug_info { ... }`."""
        at = cursor.skip()
        name = cursor.word() or cursor.fail("the name of a section, which begins with a dot,")
        if name in _words():
            raise Unreadable(f"{name} is a word of PTX, and no name of a section", at)
        cursor.expect("{", "after the name of a section")
        row = load("directives")["debugging"][SECTION]
        data = _Data(cursor, row)
        lines: list[str] = []
        while (line := not cursor.remarks and data.plain()) or not self._ended(cursor, lines):
            if line:
                lines.append(line)
            elif (match := cursor.peek()) is not None and match["name"]:
                cursor.at = match.end()
                cursor.expect(":", "after a label")
                if match[0] in self.labels:
                    raise duplicate(match[0], match.start())
                self.labels.add(match[0])
                data.features["section label"] = None
                lines.append(f"{match[0]}:")
            else:
                lines.append(data.line())
                self._remarks(cursor, lines)  # which were passed in looking for a comma
        return Section(f"{SECTION} {name}", tuple(lines), tuple(data.features))

    def _ended(self, cursor: Cursor, lines: list[str]) -> bool:
        """Whether the section ends here; remarks may stand before that."""
        end = cursor.accept("}")
        self._remarks(cursor, lines)
        return end

    def _remarks(self, cursor: Cursor, lines: list[str]) -> None:
        """The remarks that were passed become lines, or stand behind one."""
        for _, remark in cursor.remarks:
            text = f"// {remark.text}".rstrip()
            if remark.trailing and lines:
                lines[-1] += f" {text}"
            else:
                lines.append(text)
        cursor.remarks.clear()

    def dwarf(self, cursor: Cursor) -> Directive:
        """`@@DWARF .byte 1, 2`."""
        cursor.skip()
        row = load("directives")["debugging"][DWARF]
        if cursor.sees(SECTION):
            cursor.word()
            match = _PROGBITS.match(cursor.text, cursor.at)
            if match is None:
                cursor.fail('a name, flags and the kind of the section, as in .debug_info, "", @progbits,')
            cursor.at = match.end()
            return Directive(DWARF, (f"{SECTION} {match[1]}, {match[2]}, @progbits",))
        return Directive(DWARF, (_Data(cursor, row).line(),))

    # ---- source text

    def intermediate(self, cursor: Cursor) -> Section:
        """`.nv_intermediate_source_section { ... }`: source in another language, line by line."""
        cursor.expect("{", f"after {INTERMEDIATE}")
        lines: list[str] = []
        while not cursor.accept("}"):
            at = cursor.skip()
            match = _KEYS.match(cursor.text, at)
            if match is None:
                keys = ".code_block { .ir_name: string .sourceFileName: number .source_begin, and a new line"
                raise Unreadable(f"a block of source text begins with {keys}", at)
            if integer(match[2], match.start(2)) not in self.files:
                message = f"file {match[2]} is not declared"
                raise Unreadable(message, match.start(2), "unknown-name", "put a .file with this number before it")
            end = _END.search(cursor.text, match.end())
            if end is None:
                raise Unreadable("this source text has no end, a line with .source_end alone", match.end())
            lines += [f"\t.code_block {{ .ir_name: {match[1]} .sourceFileName: {match[2]} .source_begin"]
            lines += cursor.text[match.end() : end.start()].split("\n")[:-1]
            lines += [".source_end", "\t}"]
            cursor.at = end.end()
            cursor.expect("}", "after .source_end")
        return Section(INTERMEDIATE, tuple(lines))


@define(eq=False, weakref_slot=False, repr=False)
class _Data:
    """Lines of data. `row` has the range of each kind and says which ones take names."""

    cursor: Cursor
    row: dict[str, Any]
    features: dict[str, None] = field(factory=dict[str, None])  # of directives.yaml that the lines use

    def plain(self) -> str:
        """The next line if it is a usual one, of decimal numbers; there are thousands of them."""
        match = _PLAIN.match(self.cursor.text, self.cursor.at)
        if match is None or (kind := match[1]) not in self.row["data"]:
            return ""
        low, high = _range(self.row["data"][kind])
        values = [int(value) for value in match[2].split(",")]
        least = min(values)
        if least < low or max(values) > high:
            return ""
        self.cursor.at = match.end()
        self._note(kind, least < 0)
        return f"{kind} {', '.join(map(str, values))}"

    def line(self) -> str:
        """The next line: its kind, and numbers or one name."""
        if line := self.plain():
            return line
        cursor, kinds = self.cursor, self.row["data"]
        at = cursor.skip()
        match = _KIND.match(cursor.text, at)
        if match is None or match[0] not in kinds:
            raise Unreadable(f"data stands in {', '.join(kinds)}", at)
        kind = match[0]
        cursor.at = match.end()
        following = cursor.peek()
        if following is not None and (following["name"] or following["word"]):
            if kind not in self.row["names"]:
                message = f"{kind} takes numbers; names stand in {' and '.join(self.row['names'])}"
                raise Unreadable(message, following.start())
            return f"{kind} {self._reference()}"
        values = [self._value(kind)]
        while cursor.accept(","):
            values.append(self._value(kind))
        return f"{kind} {', '.join(values)}"

    def _note(self, kind: str, negative: bool) -> None:
        if feature := _gated().get(kind):
            self.features[feature] = None
        if negative:
            self.features["section negative"] = None

    def _value(self, kind: str) -> str:
        cursor = self.cursor
        at = cursor.skip()
        negative = cursor.accept("-")
        match = cursor.next("a number")
        if not match["integer"]:
            raise Unreadable(f"{kind} takes numbers, with or without -, not {match[0]!r}", match.start())
        value = integer(match[0], match.start()) * (-1 if negative else 1)
        low, high = _range(self.row["data"][kind])
        if not low <= value <= high:
            raise Unreadable(f"{kind} takes {low} to {high}, got {value}", at)
        self._note(kind, negative)
        return f"{'-' if negative else ''}{match[0]}"

    def _reference(self) -> str:
        """`name`, `name+4`, `name-name`."""
        cursor, offset = self.cursor, self.row.get("offset") != "no"
        name = cursor.word() or cursor.name("a name")
        if offset and cursor.accept("+"):
            self.features["section label + offset"] = None
            return f"{name}+{number(cursor, 'an offset')}"
        if offset and cursor.accept("-"):
            self.features["section label - label"] = None
            return f"{name}-{cursor.word() or cursor.name('a name to subtract')}"
        return name


@lru_cache(maxsize=1)
def _gated() -> dict[str, str]:
    """Kinds of data that are features of their own."""
    table: dict[str, Any] = load("directives")["debugging"]
    return {kind: f"section {kind}" for kind in table[SECTION]["data"] if f"section {kind}" in table["features"]}


@lru_cache(maxsize=64)
def _range(kind: str) -> tuple[int, int]:
    low, _, high = kind.removeprefix("imm ").partition("..")
    return int(low, 0), int(high, 0)


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """Words of PTX that no section is named after."""
    tables = load("directives")
    parts = ("module", "functions", "performance", "control", "debugging", "linking", "spaces")
    found = {name for part in parts for name in tables[part]}
    return frozenset({*found, *load("types")["types"], *load("tokens")["numbers"]})
