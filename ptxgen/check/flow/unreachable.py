"""Code that no path from the beginning of the function reaches."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check.flow.finding import Finding, advice
from ptxgen.check.flow.graph import Graph, reached
from ptxgen.ir.module import Function


def unreachable(function: Function, graph: Graph) -> Iterator[Finding]:
    """One finding for each stretch of unreachable code that does more than leave.

    Compilers write a return where none is needed, and code behind what aborts.
    """
    live = reached(graph.written)
    if len(live) == len(graph.starts):
        return
    first = -1
    for block in range(len(graph.starts)):
        if block in live:
            first = -1
        elif first < 0:
            first = next((index for index, record in graph.records(block) if not graph.role(record).leaves), -1)
            if first >= 0:
                yield advice(
                    "unreachable", function, first, f"no path reaches this {graph.opcode(first)}",
                    "remove the code, or branch to a label in front of it",
                )  # fmt: skip
