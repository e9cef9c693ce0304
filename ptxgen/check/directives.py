"""Directives of functions against specs/directives.yaml: known, where they belong, with what, with which numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Directive, Function
from ptxgen.isa.data import load


def performance() -> dict[str, Any]:
    """The directives between the head of a function and its body."""
    return load("directives")["performance"]


def check_directives(function: Function) -> Iterator[Diagnostic]:
    """What is wrong with the directives of a function (PTX ISA 11.4, 11.7, 11.8)."""
    where = "entry" if function.entry else "func"
    names = [directive.name for directive in function.directives]
    for directive in function.directives:
        row = performance().get(directive.name)
        allowed = [name for name, other in performance().items() if where in other["on"]]
        if row is None or where not in row["on"]:
            what = "no such directive" if row is None else f"it belongs to {' and '.join(row['on'])}"
            yield _wrong(function, f"{directive.name}: {what}", choices=tuple(allowed))
            continue
        yield from _arguments(function, directive, row)
        for other in row.get("conflicts", ()):
            if other in names:
                yield _wrong(function, f"{directive.name} and {other} exclude each other")
        for other in row.get("requires", ()):
            if other not in names:
                yield _wrong(function, f"{directive.name} requires {other}")
        if row.get("returned") == "no" and function.returns:
            yield _wrong(function, f"{directive.name}: a function that returns a value cannot have it")
        if row.get("repeat") == "no" and names.count(directive.name) > 1:
            yield _wrong(function, f"{directive.name} stands twice")


def needs(function: Function) -> Iterator[tuple[dict[str, str], str]]:
    """Which targets and versions the directives of a function need."""
    for directive in function.directives:
        row = performance().get(directive.name)
        if row is not None:
            since = row["since"]
            yield (dict(since) if isinstance(since, dict) else {"": since}), directive.name


def _arguments(function: Function, directive: Directive, row: dict[str, Any]) -> Iterator[Diagnostic]:
    kinds = {name.strip(): kind for names, kind in row.get("arguments", {}).items() for name in names.split(",")}
    if any("string" in kind for kind in kinds.values()):
        return
    least = 0 if not kinds else 1
    if not least <= len(directive.arguments) <= len(kinds):
        need = f"{least} to {len(kinds)} arguments" if len(kinds) > 1 else f"{len(kinds)} argument"
        yield _wrong(function, f"{row['syntax']} takes {need}, got {len(directive.arguments)}", need=need)
        return
    for text, kind in zip(directive.arguments, kinds.values(), strict=False):
        number = int(text) if re.fullmatch(r"-?\d+", text) else None
        if number is None or not _within(number, kind):
            yield _wrong(function, f"{directive.name} takes {kind.removeprefix('imm ')}, got {text}", need=kind, have=text)


def _within(number: int, kind: str) -> bool:
    """Whether a number is in `imm lo..hi`, either end open."""
    match = re.fullmatch(r"imm (-?\w*)\.\.(-?\w*)", kind)
    if match is None:
        return True
    low = int(match[1], 0) if match[1] else None
    high = int(match[2], 0) if match[2] else None
    return (low is None or number >= low) and (high is None or number <= high)


def _wrong(
    function: Function, message: str, choices: tuple[str, ...] = (), need: str = "", have: str = ""
) -> Diagnostic:
    return Diagnostic(
        "directive", "error", f"{function.name}: {message}", need=need, have=have, choices=choices,
        hint=f"there are {' '.join(choices)}" if choices else "",
    )  # fmt: skip
