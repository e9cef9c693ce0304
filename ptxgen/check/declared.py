"""The declarations of a module: variables, heads of functions, directives, what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from ptxgen.check import declarations, explain
from ptxgen.check.alone import Alone
from ptxgen.check.calls import wrong_target
from ptxgen.check.directives import check_age, check_directives
from ptxgen.check.parameters import check_parameters, parameter_bytes
from ptxgen.check.places import Places, place
from ptxgen.check.redeclared import Redeclared
from ptxgen.check.variables import check_linkage, check_place, check_variable
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Item, Module
from ptxgen.ir.operands import Variable
from ptxgen.ir.statements import Directive, Prototype, Raw, Registers, Section, Statement, Targets
from ptxgen.isa import availability
from ptxgen.isa.classes import FUNCTIONS
from ptxgen.isa.data import load
from ptxgen.isa.directives import LOC, PRAGMA
from ptxgen.isa.targets import needs as needs_of
from ptxgen.isa.versions import Version

_PARAM = ".param"


@define(eq=False, weakref_slot=False, repr=False)
class Declarations:
    """The check of everything in one module but its instructions."""

    module: Module
    target: str
    version: Version
    options: frozenset[str]
    places: Places
    newest: Version  # that the ptxas which judges knows
    names: Redeclared = field(factory=Redeclared)
    alone: Alone = field(init=False)
    variables: list[Variable[Any]] = field(factory=list[Variable[Any]])  # those that were seen so far

    def __attrs_post_init__(self) -> None:
        self.alone = Alone(self.module, self.target, self.version, self.newest, self.names)

    def findings(self) -> Iterator[Diagnostic]:
        """What is wrong with the declarations, in order."""
        module = self.module
        kernels = {function.name: function for function in module.functions if function.entry}
        entries = frozenset(kernels)
        yield from explain.lacking(declarations.of_header(module), self.target, self.version)
        for at, item in enumerate(module.items):
            offset = place(module.places, at)
            if problem := self.names.problem(item):
                yield self.places.at(problem, offset)
            for diagnostic in self.of_item(item, entries):
                yield self.places.at(diagnostic, offset)
            if isinstance(item, Function):
                yield from self.of_body(item, kernels)
                if self.where(item) == "kernel":
                    yield from self.of_old_parameters(item)

    def of_item(self, item: Item, kernels: frozenset[str]) -> Iterator[Diagnostic]:
        """The findings about an item, but for the body of a function."""
        if isinstance(item, Variable):
            self.variables.append(item)
            yield from check_variable(item, "module", self.options, self.version)
        elif isinstance(item, Registers):
            yield from check_place(".reg", "module", self.version)
        elif isinstance(item, Function):
            yield from check_linkage(item)
            yield from check_parameters(item, self.options)
            yield from check_directives(item)
            yield from check_age(item, self.target, self.version)
            for directive in item.directives:
                if directive.name == PRAGMA:
                    yield from self.alone.of_pragma(directive, "entry")
        elif isinstance(item, Directive | Section):
            yield from self.alone.findings(item)
            return
        yield from explain.lacking(declarations.of_item(item, kernels), self.target, self.version)

    def of_body(self, function: Function, kernels: dict[str, Function]) -> Iterator[Diagnostic]:
        """The findings about what stands in a body and is no instruction."""
        for at, statement in function.others():
            if isinstance(statement, Directive):
                if statement.name != LOC or len(statement.arguments) > 1:  # of plain ones there are thousands
                    for diagnostic in self.alone.findings(statement, function, at):
                        yield self.places.at(diagnostic, place(function.places, at))
                    self.target = self.alone.target
            else:
                for diagnostic in self.of_statement(function, statement, kernels):
                    yield self.places.at(diagnostic, place(function.places, at))

    def of_old_parameters(self, function: Function) -> Iterator[Diagnostic]:
        """The bytes of the parameters that a kernel of old declares in its body."""
        body = [item for item in function.body if isinstance(item, Variable) and item.space == _PARAM]
        limit = int(load("directives")["functions"][".entry"]["parameters"]["size"][0]["most"])
        total = parameter_bytes(Function(function.name, True, tuple(body)))
        if total > limit:
            message = f"{function.name}: {total} bytes of parameters; there may be {limit}"
            yield Diagnostic("parameter", "error", message, have=str(total), need=str(limit))

    def of_statement(
        self, function: Function, statement: Statement, kernels: dict[str, Function]
    ) -> Iterator[Diagnostic]:  # fmt: skip
        """The findings about a statement that is no instruction."""
        if isinstance(statement, Variable):
            self.variables.append(statement)
            yield from check_variable(statement, self.where(function, statement.space), self.options, self.version)
        elif isinstance(statement, Targets):
            wanted = load("directives")["control"][statement.directive]["syntax"].split()[2]
            for name in statement.targets:
                if (name.cls.type in FUNCTIONS) != (wanted == "func"):
                    message = f"{function.name}: {statement.directive} lists a {wanted} each; {name.text} is none"
                    yield Diagnostic("call-target", "error", message, have=name.text)
                elif name.cls.type in FUNCTIONS and name.text in kernels:
                    message = f"{function.name}: {statement.directive}: {wrong_target(kernels[name.text])}"
                    yield Diagnostic("call-target", "error", message, have=name.text)
        elif isinstance(statement, Prototype):
            signature = (statement.parameters, statement.returns, statement.directives)
            yield from check_directives(Function(statement.name, False, *signature))
        elif isinstance(statement, Raw):
            message = f"{function.name} has text that nobody validated: {statement.text.strip()[:60]!r}"
            yield Diagnostic("unvalidated", "warning", message, hint="k[...] validates any instruction")
        where = self.where(function, statement.space) if isinstance(statement, Variable) else ""
        needs = declarations.of_statement(statement, frozenset(kernels), where)
        yield from explain.lacking(needs, self.target, self.version)

    def where(self, function: Function, space: str = _PARAM) -> str:
        """Where a variable of a body is declared: in a "body", or in that of a "kernel" where old versions differ."""
        row = load("directives")["spaces"][space].get("kernel")
        gone = function.entry and row is not None and availability.first_version(needs_of(row["removed"]), self.target)
        return "kernel" if gone and self.version < gone else "body"
