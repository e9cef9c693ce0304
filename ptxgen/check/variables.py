"""Declarations of variables against specs/directives.yaml: where, how aligned, of what shape, with what initialiser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.errors import Diagnostic
from ptxgen.ir.operands import Float, Integer, Name, Offset, Variable
from ptxgen.isa import types, versions
from ptxgen.isa.classes import FUNCTIONS
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version

_LITERAL_BITS = 64  # of the widest integer constant


def check_variable(
    variable: Variable[Any], where: str, options: frozenset[str] = frozenset(), version: Version | None = None
) -> Iterator[Diagnostic]:
    """What is wrong with a declaration in a "module" or in the "body" of a function (PTX ISA 5, 11.6)."""
    places = _places(variable.space, version or versions.newest())
    for message in (*_place(variable, where, places, options), *_shape(variable), *_initial(variable)):
        yield wrong(variable.text, message)


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


def wrong(name: str, message: str) -> Diagnostic:
    """A finding about a variable."""
    return Diagnostic("variable", "error", f"variable {name}: {message}", have=name)


def _places(space: str, version: Version) -> list[str]:
    """Where variables of a space are declared in a version."""
    table: dict[str, dict[str, str] | str] = load("directives")["spaces"][space]
    rows = {where: row for where, row in table.items() if where in ("module", "body")}
    gone = {where: row["removed"] for where, row in rows.items() if isinstance(row, dict) and "removed" in row}
    return [where for where in rows if where not in gone or versions.parse(gone[where]) > version]


def _place(variable: Variable[Any], where: str, places: list[str], options: frozenset[str]) -> Iterator[str]:
    tables, space = load("directives"), variable.space
    opaque = types.known(variable.type).kind == "opaque"
    if where not in places:
        gone: dict[str, str] | str = tables["spaces"][space].get(where, "")
        ended = f"; PTX {gone['removed']} removed those of a {where}" if isinstance(gone, dict) else ""
        yield f"{space} variables are declared in a {' or '.join(places)}{ended}"
    if space not in declared_in(variable.type):
        yield f"{space} has no variables of type .{variable.type}"
    elif opaque:
        if where != tables["opaque"]["where"].get("module") and where != "module":
            yield f".{variable.type} variables are declared in a module"
        option = tables["opaque"].get(variable.type)
        if option and option not in options:
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
        entry = tables["attributes"].get(attribute.partition("(")[0])
        if entry is None or space not in entry["on"]:
            yield f"{space} variables do not have the attribute {attribute}"


def _shape(variable: Variable[Any]) -> Iterator[str]:
    tables, space, shape = load("directives"), variable.space, variable.shape
    row, vectors = tables["spaces"][space], tables["vectors"]
    most = int(row.get("align", tables["alignment"])["most"])
    if problem := check_align(variable.align, most, f"a {space} variable"):
        yield problem
    if problem := check_size(variable):
        yield problem
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


def _initial(variable: Variable[Any]) -> Iterator[str]:
    if variable.initial is None:
        return
    tables = load("directives")
    if tables["spaces"][variable.space].get("initial") != "yes":
        yield f"{variable.space} variables have no initialiser; .const and .global ones have"
        return
    if variable.linkage == "extern":
        yield "an extern variable is initialised where it is defined"
        return
    dimensions = (*variable.shape, variable.vector) if variable.vector > 1 else variable.shape
    allowed: list[str] = tables["initializers"]["types"].get(f".{variable.type}", [])
    value: Any = variable.initial if dimensions else variable.initial[0]
    if not dimensions and len(variable.initial) != 1:
        yield f"one initial value needed, {len(variable.initial)} given"
        return
    if not allowed:
        bits = types.known(variable.type).bits
        yield f"PTX has no initial values of type .{variable.type}; use .b{bits} and its bits"
        return
    found = _nested(value, dimensions, variable, allowed)
    if found:
        yield found


def _nested(value: Any, dimensions: tuple[int | None, ...], variable: Variable[Any], allowed: list[str]) -> str:
    if not dimensions:
        if isinstance(value, tuple):
            return "the initial values are nested deeper than the shape"
        return _element(value, variable, allowed)
    if not isinstance(value, tuple):
        return f"the initial values are nested less deep than the shape: {dimensions} wants one sequence in another"
    length, of_vector = dimensions[0], len(dimensions) == 1 and variable.vector > 1
    count = len(value)  # pyright: ignore[reportUnknownArgumentType]
    if length is not None and (count > length or (of_vector and count < length)):
        what = "a vector" if of_vector else "a dimension"
        return f"{what} of {length} takes {'' if of_vector else 'at most '}{length} initial values, got {count}"
    for item in value:  # pyright: ignore[reportUnknownVariableType]
        if problem := _nested(item, dimensions[1:], variable, allowed):
            return problem
    return ""


def _element(value: Any, variable: Variable[Any], allowed: list[str]) -> str:
    bits = min(types.known(variable.type).bits, _LITERAL_BITS)
    number = value.value if isinstance(value, Integer) else value
    match number:
        case int():
            if "integer" not in allowed:
                return f"a .{variable.type} takes no integer, got {number}"
            if not -(1 << (bits - 1)) <= number < 1 << bits:
                return f"{number} does not fit in .{variable.type}"
        case Float():
            if "float" not in allowed:
                return f"a .{variable.type} takes no floating-point number, got {number.value}"
        case Variable() | Offset() | Name():
            base: object = number.base if isinstance(number, Offset) else number  # pyright: ignore
            if "address" not in allowed:
                takes = [n for n, kinds in load("directives")["initializers"]["types"].items() if "address" in kinds]
                return f"an address is an initial value of {' and '.join(takes)} only, not of .{variable.type}"
            spaces: list[str] = load("directives")["initializers"]["address"]["variable"]["spaces"]
            if isinstance(base, Variable) and base.space not in spaces:
                allowed_in = " or ".join(spaces)
                return f"{base.text} is in {base.space}; an initial value is the address of a {allowed_in} variable"
            if not isinstance(base, Variable | Name):
                return f"{number.text} is no initial value; it is known when the kernel runs"  # pyright: ignore
            if isinstance(base, Name) and base.cls.type not in FUNCTIONS:
                return f"{base.text} is no initial value"
        case _:
            return f"{getattr(value, 'text', value)!r} is no initial value; it is a number, a variable or a function"
    return ""
