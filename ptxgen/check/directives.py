"""Directives of functions against specs/directives.yaml: known, where they belong, with what, with which numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ptxgen.check.stated import SINCE, Need, stated
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function
from ptxgen.ir.statements import Directive
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version


def performance() -> dict[str, Any]:
    """The directives between the head of a function and its body."""
    return load("directives")["performance"]


def takes_text(name: str) -> bool:
    """Whether the arguments of a directive, given with its dot, are strings in quotation marks."""
    return any("string" in kind for kind in performance().get(name, {}).get("arguments", {}).values())


def ordered(found: list[Directive]) -> tuple[Directive, ...]:
    """Directives in the order that PTX wants them in on a device function; the sort is stable."""
    places: dict[str, int] = {}
    for at, names in enumerate(load("directives")["order"]):
        places |= dict.fromkeys([names] if isinstance(names, str) else names, at)
    return tuple(sorted(found, key=lambda directive: places.get(directive.name, -1)))


def check_directives(function: Function) -> Iterator[Diagnostic]:
    """What is wrong with the directives of a function (PTX ISA 11.4, 11.7, 11.8)."""
    where = "entry" if function.entry else "func"
    names = {directive.name for directive in function.directives}
    before: set[str] = set()
    for directive in function.directives:
        row = performance().get(directive.name)
        if row is None or where not in row["on"]:
            allowed = [name for name, other in performance().items() if where in other["on"]]
            what = "no such directive" if row is None else f"it belongs to {' and '.join(row['on'])}"
            yield _wrong(function, f"{directive.name}: {what}", choices=tuple(allowed))
            continue
        yield from _arguments(function, directive, row)
        for other in row.get("conflicts", ()):
            if other in before:
                yield _wrong(function, f"{other} and {directive.name} exclude each other")
        for other in row.get("requires", ()):
            if other not in names:
                yield _wrong(function, f"{directive.name} requires {other}")
        if row.get("needed") and names.isdisjoint(row["needed"]):
            message = f"{function.name}: {directive.name} is ignored without {' or '.join(row['needed'])}"
            yield Diagnostic("directive", "warning", message, need=" or ".join(row["needed"]))
        if row.get("returned") == "no" and function.returns:
            yield _wrong(function, f"{directive.name}: a function that returns a value cannot have it")
        if row.get("declared") == "no" and function.declared:
            yield _wrong(function, f"{directive.name} stands where the function is defined, not on a declaration")
        if row.get("repeat") == "no" and directive.name in before:
            yield _wrong(function, f"{directive.name} stands twice")
        before.add(directive.name)
    right = [directive.name for directive in ordered(list(function.directives))]
    if not function.entry and right != [directive.name for directive in function.directives]:
        need = " ".join(right)
        yield _wrong(function, f"on a device function and a prototype the order is {need}", need=need)
    yield from _attributes(function)


def _attributes(function: Function) -> Iterator[Diagnostic]:
    """Attributes that a function does not have."""
    where = ".entry" if function.entry else ".func"
    known = [name for name, row in load("directives")["attributes"].items() if where in row["on"]]
    for attribute in function.attributes:
        if attribute.partition("(")[0] not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            yield _wrong(function, f"{where} has no attribute {attribute}; {has}", choices=tuple(known))


def check_age(function: Function, target: str, version: Version) -> Iterator[Diagnostic]:
    """Directives that a version no longer has, advises against, or has against the manual."""
    for directive in function.directives:
        row = performance().get(directive.name, {})
        have = f"{target} and PTX {versions.text(version)}"
        removed, deprecated, ungated = (
            availability.first_version(targets.needs(row[key]), target) if key in row else availability.NEVER
            for key in ("removed", "deprecated", "ungated")
        )
        name = f"{function.name}: {directive.name}"
        if removed <= version:
            message = f"{name} was removed in PTX {versions.text(removed)}; the module has PTX {versions.text(version)}"
            yield Diagnostic("removed", "error", message, need=f"a version before {versions.text(removed)}", have=have)
        elif deprecated <= version:
            yield Diagnostic("deprecated", "advice", f"{name} is deprecated from PTX {versions.text(deprecated)} on")
        if version < ungated < availability.NEVER:
            need = f"PTX {versions.text(ungated)}"
            message = f"{name} needs {need} by the manual, though ptxas accepts it; the module has {have}"
            yield Diagnostic("beyond-manual", "warning", message, need=need, have=have)


def needs(function: Function, kind: str = SINCE) -> Iterator[Need]:
    """Which targets and versions the directives of a function need, by ptxas or, "ungated", by the manual alone."""
    for directive in function.directives:
        yield from row_needs(directive, kind)


def row_needs(directive: Directive, kind: str = SINCE) -> Iterator[Need]:
    """Which targets and versions a directive needs."""
    yield from stated(performance().get(directive.name, {}), kind, directive.name)


def _arguments(function: Function, directive: Directive, row: dict[str, Any]) -> Iterator[Diagnostic]:
    kinds = {name.strip(): kind for names, kind in row.get("arguments", {}).items() for name in names.split(",")}
    given = directive.arguments
    least = 0 if not kinds else 1
    most = len(given) if row["syntax"].rstrip(";").endswith("...") else len(kinds)
    if not least <= len(given) <= most:
        need = f"{least} to {len(kinds)} arguments" if len(kinds) > 1 else f"{len(kinds)} argument"
        yield _wrong(function, f"{row['syntax']} takes {need}, got {len(given)}", need=need, have=str(len(given)))
        return
    numbers = [int(text) for text in given if text.isdigit()]
    if "launched" in row and math.prod(numbers) > int(row["launched"]):
        message = f"{function.name}: {directive.name} asks for {math.prod(numbers)}; a GPU launches {row['launched']}"
        yield Diagnostic("directive", "warning", f"{message} at most", need=f"{row['launched']} at most")
    wanted = list(kinds.values()) if most == len(kinds) else list(kinds.values()) * len(given)
    for text, kind in zip(given, wanted, strict=False):
        if not any(_fits(text, one.strip(), directive.name) for one in kind.split("|")):
            takes = " or ".join(one.strip().removeprefix("imm ") for one in kind.split("|"))
            yield _wrong(function, f"{directive.name} takes {takes}, got {text}", need=kind, have=text)


def _fits(text: str, kind: str, name: str) -> bool:
    """Whether an argument is of a kind: `imm lo..hi`, either end open, or `string`."""
    if kind == "string":
        if not re.fullmatch(r'"[^"\n]*"', text):
            return False
        known = load("directives")["languages"].values() if name == ".language" else ()
        return not known or text.strip('"').lower() in known
    number = int(text) if re.fullmatch(r"-?\d+", text, re.ASCII) else None
    match = re.fullmatch(r"imm (-?\w*)\.\.(-?\w*)", kind)
    if match is None:
        return True
    low = int(match[1], 0) if match[1] else None
    high = int(match[2], 0) if match[2] else None
    return number is not None and (low is None or number >= low) and (high is None or number <= high)


def _wrong(
    function: Function, message: str, choices: tuple[str, ...] = (), need: str = "", have: str = ""
) -> Diagnostic:
    return Diagnostic(
        "directive", "error", f"{function.name}: {message}", need=need, have=have, choices=choices,
        hint=f"there are {' '.join(choices)}" if choices else "",
    )  # fmt: skip
