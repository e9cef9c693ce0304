"""Initial values of variables against specs/directives.yaml (PTX ISA 5.3, 5.4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from ptxgen.ir.initial import Field, Generic, Masked
from ptxgen.ir.operands import Float, Integer, Name, Offset, Variable
from ptxgen.isa import types
from ptxgen.isa.classes import FUNCTIONS
from ptxgen.isa.data import load

Address = Generic | Variable[Any] | Offset | Name

_LITERAL_BITS = 64  # of the widest integer constant


def problems(variable: Variable[Any]) -> Iterator[str]:
    """What is wrong with the initialiser of a variable that has one."""
    tables = load("directives")
    assert variable.initial is not None
    if tables["spaces"][variable.space].get("initial") != "yes":
        yield f"{variable.space} variables have no initialiser; .const and .global ones have"
        return
    if variable.linkage == "extern":
        yield "an extern variable is initialised where it is defined"
        return
    if types.known(variable.type).kind == "opaque":
        yield from _fields(variable)
        return
    dimensions = _dimensions(variable)
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


def beyond_manual(variable: Variable[Any]) -> Iterator[str]:
    """What ptxas takes, and the manual does not have: integers that do not fit, and numbers for words."""
    bits = min(types.known(variable.type).bits, _LITERAL_BITS)
    for value in variable.initial_values():
        number = value.value if isinstance(value, Integer) else value
        if isinstance(number, int) and not -(1 << (bits - 1)) <= number < 1 << bits:
            yield f"{number} does not fit in .{variable.type}"
            return
        if isinstance(value, Field) and isinstance(value.value, int):
            rows: dict[str, dict[str, Any]] = load("directives")["opaque"]["fields"]
            words: str | list[str] = rows.get(value.name, {}).get("value", "")
            if not isinstance(words, str):
                yield f"{value.name} is one of {', '.join(words)} by the manual, not {value.value}"


def _dimensions(variable: Variable[Any]) -> tuple[int | None, ...]:
    return (*variable.shape, variable.vector) if variable.vector > 1 else variable.shape


def _nested(value: Any, dimensions: tuple[int | None, ...], variable: Variable[Any], allowed: list[str]) -> str:
    if not dimensions:
        if isinstance(value, tuple):
            return "the initial values are nested deeper than the shape"
        return _element(value, variable, allowed)
    if not isinstance(value, tuple):
        return f"the initial values are nested less deep than the shape: {dimensions} wants one sequence in another"
    length, of_vector = dimensions[0], len(dimensions) == 1 and variable.vector > 1
    values = cast(tuple[Any, ...], value)
    count = len(values)
    if length is not None and (count > length or (of_vector and count < length)):
        what = "a vector" if of_vector else "a dimension"
        return f"{what} of {length} takes {'' if of_vector else 'at most '}{length} initial values, got {count}"
    if len(dimensions) == 1 and "integer" in allowed and all(item.__class__ is int for item in values):
        return ""  # tables of thousands of numbers are common
    for item in values:
        if problem := _nested(item, dimensions[1:], variable, allowed):
            return problem
    return ""


def _element(value: Any, variable: Variable[Any], allowed: list[str]) -> str:
    match value:
        case int() | Integer():
            if "integer" not in allowed:
                return f"a .{variable.type} takes no integer, got {getattr(value, 'text', value)}"
        case Float():
            if "float" not in allowed:
                return f"a .{variable.type} takes no floating-point number, got {value.value}"
        case Masked():
            return _masked(value, variable, allowed)
        case Generic() | Variable() | Offset() | Name():
            if "address" not in allowed:
                takes = [n for n, kinds in load("directives")["initializers"]["types"].items() if "address" in kinds]
                return f"an address is an initial value of {' and '.join(takes)} only, not of .{variable.type}"
            return _address(cast(Address, value))
        case _:
            return f"{getattr(value, 'text', value)!r} is no initial value; it is a number, a variable or a function"
    return ""


def _address(value: Address) -> str:
    """What is wrong with an address; "" when nothing is."""
    inner = value.base if isinstance(value, Generic) else value
    base: object = inner.base if isinstance(inner, Offset) else inner
    spaces: list[str] = load("directives")["initializers"]["address"]["variable"]["spaces"]
    if isinstance(base, Variable):
        if base.space not in spaces:
            allowed_in = " or ".join(spaces)
            return f"{base.text} is in {base.space}; an initial value is the address of a {allowed_in} variable"
        return ""
    if not isinstance(base, Name):
        return f"{value.text} is no initial value; it is known when the kernel runs"
    return "" if base.cls.type in FUNCTIONS else f"{base.text} is no initial value"


def _masked(value: Masked, variable: Variable[Any], allowed: list[str]) -> str:
    """What is wrong with one byte of an address or constant: `0xff(x)`."""
    table = load("directives")["initializers"]["mask"]
    masks = [int(mask, 0) if isinstance(mask, str) else mask for mask in table["masks"]]
    if not isinstance(value.mask, Integer) or value.mask.value not in masks:
        return f"{value.mask.text} is no mask; one has eight bits at a byte: 0xff, 0xff00 and so on"
    if "mask" not in allowed and not ("integer" in allowed and isinstance(value.value, int | Integer)):
        takes = [name for name, kinds in load("directives")["initializers"]["types"].items() if "mask" in kinds]
        return f"a byte of an address is an initial value of {' and '.join(takes)} only, not of .{variable.type}"
    inner: Any = value.value
    if isinstance(inner, int | Integer):
        return ""
    if isinstance(inner, Generic | Variable | Offset | Name):
        return _address(cast(Address, inner))
    return f"{value.text} is no initial value"


def _fields(variable: Variable[Any]) -> Iterator[str]:
    """What is wrong with the properties of a texture, sampler or surface."""
    rows = load("directives")["opaque"]["fields"]
    nested = sum(isinstance(value, tuple) for value in variable.initial or ())
    length = variable.shape[0] if variable.shape else 0
    if length is not None and nested > length:
        what = f"an array of {length} takes at most {length}" if length else "a single one takes no"
        yield f"{what} initialisers in braces, got {nested}"
    for item in variable.initial_values():
        row = rows.get(item.name) if isinstance(item, Field) else None
        if row is None or f".{variable.type}" not in row["types"]:
            known = [name for name, other in rows.items() if f".{variable.type}" in other["types"]]
            name = item.name if isinstance(item, Field) else getattr(item, "text", item)
            yield f"a .{variable.type} has no property {name}; it has {', '.join(known)}"
        elif isinstance(row["value"], list) and not isinstance(item.value, int) and item.value not in row["value"]:
            yield f"{item.name} is one of {', '.join(row['value'])}, not {item.value}"
        elif row["value"] == "integer" and not isinstance(item.value, int):
            yield f"{item.name} is an integer, not {item.value}"
