"""Changes of a warp's number of registers that the assembler ignores: it has to know the number at entry.

ptxas knows it from `.maxnreg`, or from how many CTAs of how many threads share a multiprocessor.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check.flow.events import Events
from ptxgen.check.flow.finding import Finding, advice
from ptxgen.ir.module import Function

_COUNT, _CTAS, _THREADS = ".maxnreg", ".minnctapersm", (".maxntid", ".reqntid")


def ignored_register_counts(function: Function, events: Events) -> Iterator[Finding]:
    """The first change of the number of registers in an entry that does not say how many it begins with."""
    names = {directive.name for directive in function.directives}
    known = _COUNT in names or (_CTAS in names and not names.isdisjoint(_THREADS))
    if not function.entry or known or "resizes-registers" not in events.effects:
        return
    first = min(
        (index for rows in events.blocks.values() for index, effects in rows if "resizes-registers" in effects),
        default=-1,
    )
    if first >= 0:
        yield advice(
            "register-count", function, first,
            f"ptxas ignores {events.graph.opcode(first)} unless it knows how many registers the entry begins with, and "
            f"{function.name} does not say so",
            "add .maxnreg, or .minnctapersm with .maxntid or .reqntid, or assemble with a limit of registers",
            "9.7.19.5",
        )  # fmt: skip
