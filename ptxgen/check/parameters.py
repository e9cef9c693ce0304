"""Parameters and returned values of functions against specs/directives.yaml: types, arrays, alignment, size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.check.stated import SINCE, Need, stated
from ptxgen.check.variables import check_align, check_size, declared_in, size
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Reg, Variable
from ptxgen.isa import types
from ptxgen.isa.data import load


def check_parameters(function: Function, options: frozenset[str] = frozenset()) -> Iterator[Diagnostic]:
    """What is wrong with the head of a function (PTX ISA 5.1.6, 11.2)."""
    tables = load("directives")["functions"][".entry" if function.entry else ".func"]
    for at, item in enumerate(function.parameters):
        if isinstance(item, Reg):
            if function.entry:
                yield _wrong(function, item, "an entry has .param parameters only; annotate it with Param[...]")
            continue
        for message in _parameter(function, item, at + 1 == len(function.parameters), options):
            yield _wrong(function, item, message)
    for item in function.returns:
        if isinstance(item, Variable):
            for message in _parameter(function, item, False, options):
                yield _wrong(function, item, message)
    if function.entry and function.returns:
        yield _finding(function, "an entry returns nothing")
    most = int(tables.get("returned", {}).get("count", 0))
    if not function.entry and len(function.returns) > most:
        found = f"{len(function.returns)} values returned; a function returns {most}"
        if all(isinstance(item, Reg) for item in function.returns):
            yield _finding(function, f"{found} by the manual, though ptxas accepts more in registers", "beyond-manual")
        else:
            yield _finding(function, found)
    if function.entry:
        total, limit = parameter_bytes(function), int(tables["parameters"]["size"][-1]["most"])
        if total > limit:
            yield _finding(function, f"{total} bytes of parameters; there may be {limit}")


def parameter_bytes(function: Function) -> int:
    """Bytes of the parameters, each at its alignment; opaque ones do not count."""
    total = 0
    for item in function.parameters:
        kind = types.known(item.type)
        if isinstance(item, Variable) and kind.kind != "opaque":
            align = max(item.align or 1, kind.bits // 8)
            total = -(-total // align) * align + size(item)
    return total


def needs(function: Function, kind: str = SINCE) -> Iterator[Need]:
    """Which targets and versions the head of a function needs."""
    tables = load("directives")["functions"][".entry" if function.entry else ".func"]["parameters"]
    variables = [item for item in (*function.parameters, *function.returns) if isinstance(item, Variable)]
    if variables:
        what = f".param of {'an entry' if function.entry else 'a function'}"
        yield from stated({SINCE: tables["space"][".param"]}, kind, what)
    for item in variables:
        if types.known(item.type).kind == "opaque":
            yield from stated(load("directives")["opaque"], kind, f".{item.type} {item.text}")
        if any(a.startswith(".ptr") for a in item.attributes):
            row = load("directives")["functions"][".entry"]["parameters"]["ptr"]
            yield from stated(row, kind, f".ptr of {item.text}")
        if None in item.shape and not function.entry:
            yield from stated(tables["array"]["unsized"], kind, f"{item.text}[]")
    if function.entry and variables:
        total = parameter_bytes(function)
        row = next((row for row in tables["size"] if total <= int(row["most"])), None)
        if row is not None and row is not tables["size"][0]:
            yield from stated(row, kind, f"{total} bytes of parameters")


def _parameter(function: Function, item: Variable[Any], last: bool, options: frozenset[str]) -> Iterator[str]:
    tables = load("directives")["functions"]
    row = tables[".entry" if function.entry else ".func"]["parameters"]
    opaque = types.known(item.type).kind == "opaque"
    if ".param" not in declared_in(item.type) or (opaque and not function.entry):
        yield f"a parameter {'of an entry' if function.entry else 'of a function'} has not the type .{item.type}"
        return
    option = row.get("opaque", {}).get(item.type) if opaque else None
    if option and option not in options:
        yield f"a .{item.type} wants the option {option} of .target"
    if problem := check_align(item.align, int(row["align"]["most"]), "a .param variable"):
        yield problem
    if problem := check_size(item):
        yield problem
    if item.vector > 1:
        yield "a .param parameter is no vector"
    if len(item.shape) > int(row["array"]["dimensions"]):
        yield f"an array of {len(item.shape)} dimensions; a parameter has one"
    if any(n is not None and n < 1 for n in item.shape):
        yield f"an array of {item.shape[0]} elements"
    if None in item.shape and (function.entry or not last):
        yield "only the last parameter of a device function may be an array of unknown size"
    for words in (a.split() for a in item.attributes if a.startswith(".ptr")):
        yield from _pointer(item, words, tables[".entry"]["parameters"]["ptr"], function.entry)


def _pointer(item: Variable[Any], words: list[str], row: dict[str, Any], entry: bool) -> Iterator[str]:
    if not entry:
        yield ".ptr is for the parameters of an entry"
    if f"{types.known(item.type).bits}" not in row["types"]["bits"] or item.shape:
        yield f"a pointer has 32 or 64 bits; .{item.type} has not"
    spaces = [word for word in words[1:] if word.startswith(".") and word != ".align"]
    for space in spaces:
        if space not in row["spaces"]:
            known = " ".join(row["spaces"])
            yield f"a pointer points to {known} or, without a space, to generic addresses, not to {space}"
    align = int(words[words.index(".align") + 1]) if ".align" in words else None
    if problem := check_align(align, int(row["align"]["most"]), "what a pointer points to"):
        yield f".ptr: {problem}"


def _wrong(function: Function, item: Variable[Any] | Reg[Any], message: str) -> Diagnostic:
    return _finding(function, f"parameter {item.text.lstrip('%')}: {message}")


def _finding(function: Function, message: str, code: str = "parameter") -> Diagnostic:
    severity = "warning" if code == "beyond-manual" else "error"
    return Diagnostic(code, severity, f"{function.name}: {message}", have=function.name)
