"""Second names of functions, `.alias a, b;`: which names may stand there (PTX ISA 11.2.3)."""

from __future__ import annotations

from attrs import define, field

from ptxgen.check.calls import alike
from ptxgen.check.redeclared import Redeclared
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function
from ptxgen.ir.statements import Directive
from ptxgen.isa.directives import ALIAS

_FOREIGN = ("extern", "weak")  # linkages whose functions have no second name


@define(eq=False, weakref_slot=False, repr=False)
class Aliases:
    """The aliases of a module so far, each with the function that it stands for."""

    names: Redeclared  # the functions and variables so far
    found: dict[str, str] = field(factory=dict[str, str])

    def problem(self, directive: Directive) -> Diagnostic | None:
        """What is against an alias; None when nothing is, and it counts from here on."""
        alias, function = directive.arguments
        for name, what in ((alias, "the alias"), (function, "the function it stands for")):
            if name not in self.names.functions:
                if name in self.names.variables:
                    return _finding(alias, f"{name} is a variable; {what} is a device function")
                message = f"{ALIAS} {alias}: {name} is not declared"
                return Diagnostic("unknown-name", "error", message, have=name, hint=f"declare {name} before {ALIAS}")
        if message := self._wrong(self.names.functions[alias], self.names.functions[function]):
            return _finding(alias, message)
        self.found[alias] = function
        return None

    def _wrong(self, alias: Function, function: Function) -> str:
        for one in (alias, function):
            if one.entry:
                return f"{one.name} is a kernel; only device functions have aliases"
        if alias.name == function.name:
            return "a function is no alias of itself"
        if alias.name in self.found:
            return f"it stands for {self.found[alias.name]} already"
        if not alias.declared:
            return "it has a body of its own; an alias is declared without one"
        if function.linkage in _FOREIGN:
            return f"{function.name} is .{function.linkage}; functions that may be replaced have no aliases"
        return "" if alike(alias, function) else f"what it takes or returns differs from what {function.name} does"


def _finding(alias: str, message: str) -> Diagnostic:
    return Diagnostic("alias", "error", f"{ALIAS} {alias}: {message}", have=alias)
