"""Kernels for tests of the flow of control and data, as text."""

from __future__ import annotations

import ptxgen
from ptxgen.check.flow import findings
from ptxgen.check.flow.finding import Finding
from ptxgen.check.flow.graph import Graph, graph
from ptxgen.ir.module import Function

DECLARED = """.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .f32 %f<40>;
.shared .align 16 .b8 buffer[1024]; .shared .align 8 .b64 bar;
"""


def text(body: str, target: str = "sm_90a", directives: str = "", before: str = "") -> str:
    """A module with one kernel of this body."""
    head = f".version 8.7\n.target {target}\n.address_size 64\n{before}\n"
    return f"{head}.visible .entry kernel(.param .u64 pointer) {directives}\n{{\n{DECLARED}{body}\n}}\n"


def found(body: str, target: str = "sm_90a", directives: str = "", before: str = "") -> list[tuple[str, str]]:
    """Code and line of each finding in a kernel."""
    module = ptxgen.parse(text(body, target, directives, before))
    assert [d for d in ptxgen.check(module).diagnostics if d.severity == "error"] == []
    return [(finding.diagnostic.code, written(module, finding)) for finding in findings(module)]


def written(module: ptxgen.Module, finding: Finding) -> str:
    """The line of the source that a finding is about."""
    assert module.source is not None
    line, _ = module.source.line_column(finding.function.places[finding.index])
    return module.source.line(line).strip()


def codes(body: str, target: str = "sm_90a", directives: str = "", before: str = "") -> list[str]:
    """The codes of the findings in a kernel."""
    return [code for code, _ in found(body, target, directives, before)]


def flow(body: str, before: str = "") -> tuple[Function, Graph]:
    """A kernel with its graph."""
    (function,) = [f for f in ptxgen.parse(text(body, before=before)).functions if f.entry]
    return function, graph(function, frozenset(), frozenset({"stop"}))
