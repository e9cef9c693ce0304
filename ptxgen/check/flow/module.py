"""All findings about the functions of a module."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check.flow.definitions import unset
from ptxgen.check.flow.divergence import divergent, empty_masks
from ptxgen.check.flow.events import events
from ptxgen.check.flow.finding import Finding, advice
from ptxgen.check.flow.fragments import misused_fragments
from ptxgen.check.flow.graph import Graph, graph
from ptxgen.check.flow.order import out_of_order
from ptxgen.check.flow.register_count import ignored_register_counts
from ptxgen.check.flow.unreachable import unreachable
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Reg

_NEVER_RETURNS = ".noreturn"


def findings(module: Module) -> Iterator[Finding]:
    """Advice about each function of a module that has no errors, in the order of its statements."""
    options = frozenset(module.options)
    ending = frozenset(
        function.name
        for function in module.functions
        if any(directive.name == _NEVER_RETURNS for directive in function.directives)
    )
    for function in module.functions:
        if function.body:
            found = list(_of_function(function, graph(function, options, ending)))
            yield from sorted(found, key=lambda finding: finding.index)


def _of_function(function: Function, flow: Graph) -> Iterator[Finding]:
    yield from _uninitialised(function, flow)
    yield from unreachable(function, flow)
    known = events(flow)
    yield from out_of_order(function, flow, known)
    yield from misused_fragments(function, flow)
    yield from divergent(function, flow, known)
    yield from empty_masks(function, flow, known)
    yield from ignored_register_counts(function, known)


def _uninitialised(function: Function, flow: Graph) -> Iterator[Finding]:
    given = tuple(parameter for parameter in function.parameters if isinstance(parameter, Reg))
    for index, register, never in unset(flow, given):
        opcode = flow.opcode(index)
        if never:
            yield advice(
                "uninitialised", function, index, f"{opcode} reads {register.text}, which nothing sets before",
                f"set {register.text} first", "5.1",
            )  # fmt: skip
        else:
            yield advice(
                "maybe-uninitialised", function, index,
                f"{opcode} reads {register.text}, which is not set on every path that leads here",
                f"set {register.text} on the other paths, too, or before the first branch", "5.1",
            )  # fmt: skip
