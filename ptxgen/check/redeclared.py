"""Names of a module that are declared more than once: what has to agree, and what may follow what (PTX ISA 11.6)."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from ptxgen.check.calls import alike
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Item
from ptxgen.ir.operands import Variable

_YIELDING = ("visible", "weak", "common")  # linkages of a definition that may follow an .extern declaration
_SILENT = ("visible", "weak")  # of a declaration whose definition need not repeat it


@define(eq=False, weakref_slot=False, repr=False)
class Redeclared:
    """The functions and variables of a module so far."""

    functions: dict[str, Function] = field(factory=dict[str, Function])
    variables: dict[str, Variable[Any]] = field(factory=dict[str, Variable[Any]])

    def problem(self, item: Item) -> Diagnostic | None:
        """What is against a further item of the module; None when nothing is."""
        if isinstance(item, Function):
            return self._of_function(item)
        return self._of_variable(item) if isinstance(item, Variable) else None

    def _of_function(self, function: Function) -> Diagnostic | None:
        known = self.functions.get(function.name)
        message = "" if known is None else _functions(known, function)
        if not message and function.linkage == "extern" and not function.declared:
            message = "it is .extern, so its body is elsewhere"
        self.functions[function.name] = function
        return _finding(function.name, message)

    def _of_variable(self, variable: Variable[Any]) -> Diagnostic | None:
        known = self.variables.get(variable.text)
        message = "" if known is None else _variables(known, variable)
        if known is None or known.linkage == "extern":
            self.variables[variable.text] = variable
        return _finding(variable.text, message)


def _finding(name: str, message: str) -> Diagnostic | None:
    return Diagnostic("redeclared", "error", f"{name}: {message}", have=name) if message else None


def _functions(first: Function, second: Function) -> str:
    """What is against the second of two functions of a name; "" when nothing is."""
    if first.entry != second.entry:
        return "a kernel and a device function cannot have one name"
    if not first.declared:
        return "it is defined above; declarations come before the definition"
    silent = not second.linkage and first.linkage in _SILENT
    if first.linkage != second.linkage and not silent:
        said = f".{first.linkage}" if first.linkage else "without a linkage"
        return f"it is declared {said} above, and has to be so here"
    if not alike(first, second):
        return "what it takes or returns differs from its declaration above"
    return ""


def _variables(first: Variable[Any], second: Variable[Any]) -> str:
    """What is against the second of two variables of a name, of which one is .extern; "" when nothing is."""
    if first.linkage == "extern" and second.linkage not in ("extern", *_YIELDING):
        return "it is declared .extern above, so its definition is .visible, .weak or .common"
    if (first.type, first.vector, len(first.shape)) != (second.type, second.vector, len(second.shape)):
        return "its type differs from that of its declaration above"
    if first.shape != second.shape and None not in (*first.shape[:1], *second.shape[:1]):
        return "its size differs from that of its declaration above"
    return ""
