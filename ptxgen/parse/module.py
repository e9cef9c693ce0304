"""Read PTX text: header, declarations, functions. After an error the reader goes on at the next statement."""

from __future__ import annotations

import re
from string import ascii_letters, digits

from attrs import define, field

from ptxgen.collection import no_collection
from ptxgen.errors import Diagnostic, OperandError, ParseError, located
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function, Item, Module
from ptxgen.ir.source import Source
from ptxgen.ir.statements import Comment
from ptxgen.isa import registers
from ptxgen.isa.directives import ALIAS, FILE, INTERMEDIATE, PRAGMA, SECTION
from ptxgen.parse import declarations, directives
from ptxgen.parse.body import Body
from ptxgen.parse.characters import foreign
from ptxgen.parse.constants import constant
from ptxgen.parse.cursor import MOST_ERRORS, Cursor, TooManyErrors, Unreadable, ends_line
from ptxgen.parse.debugging import Debugging
from ptxgen.parse.labels import unknown_names
from ptxgen.parse.names import Names, Room
from ptxgen.parse.parameters import read_parameters
from ptxgen.parse.recovery import after_item, behind_braces

_IN_NAMES = f"{ascii_letters}{digits}_$%"
_DWARF = re.compile(r"@@DWARF(?![\w$])", re.ASCII)


def parse(text: str, filename: str | None = None) -> Module:
    """PTX text as a module.

    text      PTX of any version, 1.0 to the newest
    filename  the name that diagnostics give

    `ParseError` has every error of the text, each with line and column: what cannot be read, names that are not
    declared or declared twice. Whether the instructions are legal is the question of `ptxgen.check`.
    """
    module, found = read(text, filename or "")
    errors = [diagnostic for diagnostic in found if diagnostic.severity == "error"]
    if errors:
        raise ParseError("\n".join(map(str, errors)), tuple(errors))
    return module


def read(text: str, filename: str = "") -> tuple[Module, list[Diagnostic]]:
    """What can be read of PTX text, and what is wrong with it, in the order of the text.

    Warnings are about what ptxas reads, and the manual does not have.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"parse takes PTX text, got {type(text).__name__}"
        raise located(OperandError(message, (Diagnostic("text", "error", message, have=type(text).__name__),)))
    with no_collection():
        return _Reader(Source(text, filename)).module()


@define(eq=False, weakref_slot=False, repr=False)
class _Reader:
    source: Source
    found: list[Unreadable] = field(factory=list[Unreadable])
    versions: list[tuple[int, int]] = field(factory=list[tuple[int, int]])
    debugging: Debugging = field(factory=Debugging)
    result: Module = field(init=False)
    names: Names = field(init=False)
    cursor: Cursor = field(init=False)

    def module(self) -> tuple[Module, list[Diagnostic]]:
        text = self.source.text
        self.result = Module("", None, 0, source=self.source)
        self.names = Names()
        self.names.problems = self.found
        self.names.room = Room(len(text))
        self.names.labels = _before_colons(text)
        self.cursor = cursor = Cursor(text)
        try:
            self._items()
        except TooManyErrors:
            message = f"there are {MOST_ERRORS} errors; what follows is not read"
            self.found.append(Unreadable(message, max(error.offset for error in self.found)))
        told = {error.code for error in self.found}.intersection(("header", "target"))
        if not self.result.target and not told:
            self.found.append(Unreadable("the module has no .target", 0, "header", "write .target sm_90, say"))
        if self.result.version is None and not told:
            self.found.append(Unreadable("the module has no .version", 0, "header", "write .version 8.3, say, first"))
        self.found += cursor.lax
        self.found += foreign(text, {error.offset for error in self.found})
        self.found.sort(key=lambda error: error.offset)
        return self.result, [self._diagnostic(error) for error in self.found]

    def _items(self) -> None:
        text, cursor = self.source.text, self.cursor
        begun = False
        while True:
            cursor.remarks.clear()
            start = cursor.at
            try:
                done = cursor.done()
                self._remarks(begun)
                if done:
                    break
                begun = True
                start = cursor.at
                self._item(start)
            except Unreadable as error:
                self.names.note(error)
                cursor.at = max(after_item(text, max(error.offset, start), start), start + 1)
            self._remarks(begun)

    def _diagnostic(self, error: Unreadable) -> Diagnostic:
        line, column = self.source.line_column(error.offset)
        file, severity = self.source.filename, error.severity
        return Diagnostic(error.code, severity, error.message, hint=error.hint, file=file, line=line, column=column)

    def _remarks(self, begun: bool, within: bool = False) -> None:
        """The remarks that were passed become items, before the header the banner; `within` the item that is next."""
        if not begun and not self.versions:
            self.result.banner += tuple(remark for _, remark in self.cursor.remarks)
        else:
            items = self.result.items
            for offset, remark in self.cursor.remarks:
                remark.trailing = remark.trailing and not within and (not items or ends_line(items))
                self._add(remark, offset)
        self.cursor.remarks.clear()

    def _add(self, item: Item, at: int) -> None:
        self.result.items.append(item)
        self.result.places.append(at)

    # ---- items

    def _item(self, at: int) -> None:
        cursor = self.cursor
        if (match := _DWARF.match(cursor.text, at)) is not None:
            cursor.at = match.end()
            self._add(self.debugging.dwarf(cursor), at)
            return
        match = cursor.peek()
        if match is None or not match["word"]:
            cursor.fail("a directive such as .entry or .global")
        word = match["word"]
        if word in (".version", ".target", ".address_size"):
            cursor.at = match.end()
            self._header(word, at)
        elif word in (FILE, SECTION, INTERMEDIATE):
            cursor.at = match.end()
            self._add(self.debugging.read(cursor, word), at)
        elif word in (PRAGMA, ALIAS):
            cursor.at = match.end()
            self._add(directives.statement(cursor, word), at)
        else:
            self._declaration(at)

    def _header(self, word: str, at: int) -> None:
        cursor, module = self.cursor, self.result
        if word == ".version":
            self.versions.append(directives.version(cursor))
            if len(self.versions) > 1:
                raise Unreadable("a module has one .version", at, "header")
            if self._has_items():
                raise Unreadable(".version comes first in a module", at, "header")
            module.version = f"{self.versions[0][0]}.{self.versions[0][1]}"
            return
        if not self.versions:
            raise Unreadable(f".version comes before {word}", at, "header")
        if self._has_items() or module.address_size:
            before = ".address_size" if module.address_size else "declarations"
            what = "a module has one .address_size" if word == ".address_size" else ".target follows .version at once"
            hint = f"move it before the {before}" if before == "declarations" else ""
            raise Unreadable(f"{what}; here it stands behind {before}", at, "header", hint)
        if word == ".target":
            before = module.target
            module.target, options = directives.target(cursor)
            if before and before != module.target:
                cursor.beyond_manual(f"a .target {before} comes before {module.target}; the last one counts", at)
            module.options += tuple(options)
            return
        if not module.target:
            raise Unreadable(".target comes before .address_size", at, "header")
        module.address_size = constant(cursor, "an address size")

    def _has_items(self) -> bool:
        return not all(isinstance(item, Comment) for item in self.result.items)

    def _declaration(self, at: int) -> None:
        cursor = self.cursor
        mark = Cursor(cursor.text, at)
        linkage = ""
        while (match := mark.peek()) is not None and match["word"] and declarations.is_linkage(match["word"]):
            if linkage:
                raise Unreadable(f"a declaration has one of .{linkage} and {match['word']}, not both", match.start())
            linkage = match["word"][1:]
            mark.at = match.end()
        word = match["word"] if match is not None else ""
        if word in (".entry", ".func"):
            assert match is not None
            cursor.at = match.end()
            self._function(word == ".entry", linkage, at)
            return
        if not declarations.begins(word or ""):
            mark.at = match.start() if match is not None else mark.at
            if not word:
                cursor.at = mark.at
                cursor.fail("a declaration")
            raise directives.unknown(word, "module", mark.at)
        found = declarations.read_words(cursor)
        if not found.space:
            raise Unreadable("a variable has a state space", at)
        if found.space == ".reg":
            self._add(declarations.read_registers(cursor, self.names, found), at)
        else:
            for variable in declarations.read_variables(cursor, self.names, found):
                self._predefined(variable.text, at)
                self._add(variable, at)
        cursor.expect(";", "after a declaration", ",")

    # ---- functions

    def _function(self, entry: bool, linkage: str, at: int) -> None:
        cursor = self.cursor
        names = Names(self.names)
        names.used = {}
        attributes: list[str] = []
        while cursor.sees(".attribute"):
            cursor.word()
            attributes += declarations.attributes(cursor)
        returns = read_parameters(cursor, names, entry) if cursor.accept("(") else ()
        place = cursor.skip()
        name = cursor.name("the name of a function")
        parameters = read_parameters(cursor, names, entry) if cursor.accept("(") else ()
        function = Function(name, entry, parameters, returns, (), linkage, attributes=tuple(attributes))
        function.directives = tuple(directives.performance(cursor, "entry" if entry else "func"))
        self._declare(function, place)
        self._remarks(True, within=True)
        self._add(function, at)
        if not cursor.accept("{"):
            function.declared = True
            following = cursor.peek()
            optional = not entry and (following is None or following["word"])  # ptxas does without the semicolon
            if not cursor.accept(";") and not optional:
                cursor.fail("'{' or ';' after the head of a function")
            return
        body = Body(cursor.text, function, names, cursor, self._parameter_space(entry))
        opening = cursor.at - 1
        cursor.at = body.read(cursor.at)
        if body.given_up:
            cursor.at = behind_braces(cursor.text, opening)
        for error in unknown_names(body, at, cursor.at):
            self.names.note(error)

    def _parameter_space(self, entry: bool) -> str:
        """What .param variables of a body are: arguments of calls, or, before PTX 1.4, the parameters of the kernel."""
        return ".param::entry" if entry and self.versions[:1] < [(2, 0)] else ".param::func"

    def _predefined(self, name: str, at: int) -> None:
        """Special registers are names of the module's scope; only those within it may hide them."""
        if name[0] == "%" and registers.find(name) is not None:
            message = f"{name} is a special register, which no name of a module hides"
            raise Unreadable(message, at, "duplicate-name", "choose another name; only within a function it is free")

    def _declare(self, function: Function, at: int) -> None:
        known = self.names.own.get(function.name)
        self._predefined(function.name, at)
        if known is None:
            self.names.declare(function.name, ir.name(function.name, "kernel" if function.entry else "func"))
        elif not isinstance(known, ir.Name):
            self.names.taken(function.name, at)


def _before_colons(text: str) -> frozenset[str]:
    """The names that stand before a colon, as labels do."""
    ends = (piece.rstrip() for piece in text.split(":")[:-1])
    return frozenset(end[len(end.rstrip(_IN_NAMES)) :] for end in ends)
