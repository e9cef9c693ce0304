"""Directives that stand alone in a module or a body: `.pragma`, `.alias`, `.target`, those of debugging."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from ptxgen.check import debugging, declarations, explain
from ptxgen.check.alias import ALIAS, Aliases
from ptxgen.check.debugging import Positions
from ptxgen.check.declarations import PRAGMA
from ptxgen.check.redeclared import Redeclared
from ptxgen.check.retargeted import TARGET
from ptxgen.check.stated import Need
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Directive, Section
from ptxgen.isa import availability, versions
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
            yield from self.missing(debugging.needs(item))
            yield from debugging.check_age(item, self.target, self.version)
            return
        if item.name == PRAGMA:
            yield from self.of_pragma(item)
            return
        yield from self.missing(declarations.of_directive(item))
        if item.name == ALIAS:
            if problem := self.aliases.problem(item):
                yield problem
        elif item.name == TARGET:
            self.target = item.arguments[0]
        else:
            yield from debugging.check_age(item, self.target, self.version)
            if function is not None and len(item.arguments) > 1 and (problem := self.positions.problem(function, at)):
                yield problem

    def of_pragma(self, directive: Directive) -> Iterator[Diagnostic]:
        """What the strings need; a ptxas passes over those that came after it, whatever they need."""
        for need, what in declarations.of_directive(directive):
            if what != PRAGMA and min(map(versions.parse, need.values())) > self.newest:
                message = f"{what} has no effect: it is unknown to what ends at PTX {versions.text(self.newest)}"
                yield Diagnostic("directive", "warning", message, have=what)
            else:
                yield from self.missing(iter([(need, what)]))

    def missing(self, needs: Iterator[Need]) -> Iterator[Diagnostic]:
        """What the target does not have in the version."""
        for need, what in needs:
            if availability.first_version(need, self.target) > self.version:
                yield explain.missing(need, what, self.target, self.version)
