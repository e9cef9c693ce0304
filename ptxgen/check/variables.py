"""Declarations of variables against specs/directives.yaml: where, how aligned, of what shape, with what initialiser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.check import initial
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Variable
from ptxgen.isa import types, versions
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version


def check_variable(
    variable: Variable[Any], where: str, options: frozenset[str] = frozenset(), version: Version | None = None
) -> Iterator[Diagnostic]:
    """What is wrong with a declaration in a "module" or in the "body" of a function (PTX ISA 5, 11.6)."""
    places = _places(variable.space, version or versions.newest())
    for message in (*_place(variable, where, places, options), *_shape(variable), *_bank(variable, version)):
        yield wrong(variable.text, message)
    if variable.shape and (option := _option(variable, options)):
        message = f"a .{variable.type} wants the option {option} of .target by the manual; ptxas lets arrays through"
        yield wrong(variable.text, message, "beyond-manual")
    if variable.initial is not None:
        for message in initial.problems(variable):
            yield wrong(variable.text, message)
        for message in initial.beyond_manual(variable):
            yield wrong(variable.text, message, "beyond-manual")


def check_place(space: str, where: str, version: Version) -> Iterator[Diagnostic]:
    """What is against declarations of a space in a "module" or a "body" in a version."""
    places = _places(space, version)
    if where not in places:
        yield Diagnostic("variable", "error", f"{_elsewhere(space, where, places)}", have=space)


def check_linkage(function: Function) -> Iterator[Diagnostic]:
    """What is against the linkage of a function."""
    kind = ".entry" if function.entry else ".func"
    allowed = [name[1:] for name, row in load("directives")["linking"].items() if kind in row.get("on", ())]
    if function.linkage and function.linkage not in allowed:
        message = f"{function.name}: a {kind} is not .{function.linkage}; it may be {', '.join(allowed)}"
        yield Diagnostic("linkage", "error", message, have=function.linkage, choices=tuple(allowed))


def check_align(align: int | None, most: int, what: str) -> str:
    """What is wrong with an alignment in bytes of "a .param variable"; "" when nothing is."""
    if align is not None and (align < 1 or align & (align - 1)):
        return f"align={align} is no power of two"
    if align is not None and align > most:
        return f"align={align}; {what} has {most} at most"
    return ""


def check_size(variable: Variable[Any]) -> str:
    """What is wrong with the bytes of a variable; "" when nothing is."""
    most, bytes = int(load("directives")["size"]["most"]), size(variable)
    return f"shape {variable.shape} is {bytes} bytes; a variable has {most} at most" if bytes > most else ""


def size(variable: Variable[Any]) -> int:
    """Bytes of a variable; an array of unknown size counts as one element."""
    total = types.known(variable.type).bits // 8 * variable.vector
    for dimension in variable.shape:
        total *= dimension or 1
    return total


def declared_in(type: str) -> tuple[str, ...]:
    """The state spaces, with their dots, that have variables of a type."""
    row = load("types")["types"].get(f".{type}", {})
    usual = (".const", ".global", ".local", ".param", ".shared") if "register" in row else ()
    return tuple(row.get("variable", usual))


def wrong(name: str, message: str, code: str = "variable") -> Diagnostic:
    """A finding about a variable: an error, or a warning of what only the manual forbids."""
    severity = "warning" if code == "beyond-manual" else "error"
    return Diagnostic(code, severity, f"variable {name}: {message}", have=name)


def _places(space: str, version: Version) -> list[str]:
    """Where variables of a space are declared in a version."""
    table: dict[str, dict[str, str] | str] = load("directives")["spaces"][space]
    rows = {where: row for where, row in table.items() if where in ("module", "body", "kernel")}
    gone = {where: row["removed"] for where, row in rows.items() if isinstance(row, dict) and "removed" in row}
    return [where for where in rows if where not in gone or versions.parse(gone[where]) > version]


def _place(variable: Variable[Any], where: str, places: list[str], options: frozenset[str]) -> Iterator[str]:
    tables, space = load("directives"), variable.space
    opaque = types.known(variable.type).kind == "opaque"
    if where not in places:
        yield _elsewhere(space, where, places)
    if space not in declared_in(variable.type):
        yield f"{space} has no variables of type .{variable.type}"
    elif opaque:
        if where != tables["opaque"]["where"].get("module") and where != "module":
            yield f".{variable.type} variables are declared in a module"
        option = _option(variable, options)
        if option and not variable.shape:
            yield f"a .{variable.type} wants the option {option} of .target"
    linking = {name: entry for name, entry in tables["linking"].items() if space in entry.get("on", ())}
    if variable.linkage and where != "module":
        yield f"linkage={variable.linkage!r}; only the variables of a module have a linkage"
    elif variable.linkage and f".{variable.linkage}" not in linking:
        yield f"linkage={variable.linkage!r}; of {space} variables it is one of {', '.join(n[1:] for n in linking)}"
    elif variable.linkage and linking[f".{variable.linkage}"].get("opaque") == "no" and opaque:
        fit = ", ".join(name[1:] for name, entry in linking.items() if entry.get("opaque") != "no")
        yield f"linkage={variable.linkage!r}; of a .{variable.type} it is one of {fit}"
    for attribute in variable.attributes:
        if attribute.startswith(f"{space}["):
            continue  # its bank
        name, _, numbers = attribute.partition("(")
        entry = tables["attributes"].get(name)
        if entry is None or space not in entry["on"]:
            yield f"{space} variables do not have the attribute {attribute}"
            continue
        wanted = sum(len(names.split(",")) for names in entry.get("arguments", {}))
        if wanted != (len(numbers.split(",")) if numbers else 0):
            yield f"the attribute is written {entry['syntax']}, not {attribute}"


def _bank(variable: Variable[Any], version: Version | None) -> Iterator[str]:
    """What is against a bank of constant memory, such as `.const[2]`. Bank 0 is where constants are anyway."""
    row: dict[str, str] = load("directives")["spaces"][variable.space].get("bank", {})
    for attribute in variable.attributes if row else ():
        if not attribute.startswith(f"{variable.space}["):
            continue
        number, last = int(attribute.rpartition("[")[2].rstrip("]")), int(row["last"])
        if version is not None and version >= versions.parse(row["removed"]):
            yield f"{attribute}: PTX {row['removed']} removed the banks of constant memory; pass a pointer to it"
        elif number > last:
            yield f"{attribute}: banks are numbered from 0 to {last}"
        elif number and not (variable.linkage == "extern" and None in variable.shape):
            yield f"{attribute}: banks from 1 on are for .extern arrays of unknown size"


def _elsewhere(space: str, where: str, places: list[str]) -> str:
    gone: dict[str, str] | str = load("directives")["spaces"][space].get(where, "")
    ended = f"; PTX {gone['removed']} removed those of a {where}" if isinstance(gone, dict) else ""
    return f"{space} variables are declared in a {' or '.join(places)}{ended}"


def _option(variable: Variable[Any], options: frozenset[str]) -> str:
    """The option of `.target` that an opaque type wants and the module lacks; "" for none."""
    option = load("directives")["opaque"].get(variable.type, "")
    return "" if option in options else option


def _shape(variable: Variable[Any]) -> Iterator[str]:
    tables, space, shape = load("directives"), variable.space, variable.shape
    row, vectors = tables["spaces"][space], tables["vectors"]
    most = int(row.get("align", tables["alignment"])["most"])
    if problem := check_align(variable.align, most, f"a {space} variable"):
        yield problem
    if problem := check_size(variable):
        yield problem
    if shape and row["array"] == "none":
        yield f"there are no arrays in {space}"
    if any(n is not None and n < 1 for n in shape):
        yield f"shape {shape} has a dimension below 1"
    if None in shape[1:]:
        yield f"shape {shape}; only the first dimension may be unknown"
    elif None in shape:
        given = [("extern", variable.linkage == "extern"), ("initial", bool(variable.initial))]
        allowed = row.get("unsized", [])
        if not any(holds for name, holds in given if name in allowed):
            ways = {"extern": "linkage='extern'", "initial": "an initialiser that is not empty"}
            need = " or ".join(ways[name] for name in allowed)
            yield f"an array of unknown size wants {need}" if need else f"{space} has no arrays of unknown size"
    if variable.vector == 1:
        return
    if row["vector"] != "yes" or f".{variable.type}" in vectors["not"]:
        yield f"there are no vectors of .{variable.type} in {space}"
    elif f".v{variable.vector}" not in vectors["sizes"]:
        yield f"vector={variable.vector}; a vector variable has {' or '.join(v[2:] for v in vectors['sizes'])} elements"
    elif types.known(variable.type).bits * variable.vector > int(vectors["most"]):
        yield f"a vector of {variable.vector} .{variable.type} has more than {vectors['most']} bits"
