"""Directives that stand alone in a module or a body: `.pragma`, `.alias`, `.target`, those of debugging."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from ptxgen.check import debugging, declarations, explain
from ptxgen.check.alias import Aliases
from ptxgen.check.positions import Positions
from ptxgen.check.pragmas import check_pragma, is_ignored
from ptxgen.check.redeclared import Redeclared
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Directive, Section
from ptxgen.isa.directives import ALIAS, PRAGMA, TARGET
from ptxgen.isa.versions import Version


@define(eq=False, weakref_slot=False, repr=False)
class Alone:
    """The check of such directives in one module. `target` is the one of the last `.target` so far."""

    module: Module
    target: str
    version: Version
    newest: Version  # that the ptxas which judges knows
    names: Redeclared
    aliases: Aliases = field(init=False)
    positions: Positions = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.aliases, self.positions = Aliases(self.names), Positions(self.module)

    def findings(
        self, item: Directive | Section, function: Function | None = None, at: int = 0
    ) -> Iterator[Diagnostic]:  # fmt: skip
        """What is wrong with an item of the module, or with a statement of a function."""
        if isinstance(item, Section):
            yield from explain.lacking(debugging.needs(item), self.target, self.version)
            yield from debugging.check_age(item, self.target, self.version)
            return
        if item.name == PRAGMA:
            yield from self.of_pragma(item, "module" if function is None else "body")
            return
        yield from explain.lacking(declarations.of_directive(item), self.target, self.version)
        if item.name == ALIAS:
            if problem := self.aliases.problem(item):
                yield problem
        elif item.name == TARGET:
            self.target = item.arguments[0]
        else:
            yield from debugging.check_age(item, self.target, self.version)
            if function is not None and len(item.arguments) > 1 and (problem := self.positions.problem(function, at)):
                yield problem

    def of_pragma(self, directive: Directive, where: str) -> Iterator[Diagnostic]:
        """What the strings of a `.pragma` need, and whether they belong there."""
        known = [text for text in directive.arguments if not is_ignored(text, self.newest)]
        yield from check_pragma(directive, where, self.newest)
        needs = declarations.of_directive(Directive(PRAGMA, tuple(known)))
        yield from explain.lacking(needs, self.target, self.version)
