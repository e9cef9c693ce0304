"""What the declarations of a module need of its target and version: the tables of specs/ for all but instructions.

The needs are of one kind at a time: `since`, what ptxas asks for; `ungated`, what the manual asks for besides;
`removed`, the versions that no longer have something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ptxgen.check import debugging, directives
from ptxgen.check.stated import SINCE, Need, stated
from ptxgen.ir.initial import Field, Generic, Masked
from ptxgen.ir.module import Function, Item, Module
from ptxgen.ir.operands import Integer, Name, Offset, Variable
from ptxgen.ir.statements import Directive, Prototype, Registers, Section, Statement, Targets
from ptxgen.isa import targets, types
from ptxgen.isa.data import load
from ptxgen.isa.directives import PRAGMA


def others(module: Module) -> list[Statement]:
    """What stands in the bodies of a module beside instructions."""
    return [one for function in module.functions for one in function.body if not isinstance(one, tuple)]


def of_module(module: Module, statements: list[Statement], kind: str = SINCE) -> Iterator[Need]:
    """All needs of a module but those of its instructions; `statements` are its `others`."""
    kernels = frozenset(function.name for function in module.functions if function.entry)
    for item in module.items:
        yield from of_item(item, kernels, kind)
    for statement in statements:
        yield from of_statement(statement, kernels, kind=kind)
    yield from of_header(module, kind)


def of_item(item: Item, kernels: frozenset[str], kind: str = SINCE) -> Iterator[Need]:
    """The needs of an item of a module, but for the body of a function."""
    match item:
        case Variable():
            yield from of_variable(item, "module", kernels, kind)
        case Function():
            yield from of_head(item, kind)
        case Registers():
            yield from stated(load("directives")["spaces"][".reg"]["module"], kind, "a .reg of the module")
            yield from of_types([item.type], kind)
        case Section():
            yield from debugging.needs(item, kind)
        case Directive():
            yield from of_directive(item, kind)
        case _:
            pass


def of_directive(directive: Directive, kind: str = SINCE) -> Iterator[Need]:
    """The needs of a directive in a module or a body."""
    yield from _of_name(directive.name, len(directive.arguments) > 1, kind)
    if directive.name == PRAGMA:
        yield from of_pragma(directive, kind)


@lru_cache(maxsize=256)
def _of_name(name: str, several: bool, kind: str) -> tuple[Need, ...]:
    """The needs of a directive, whatever its arguments are, of which there may be `several`."""
    tables = load("directives")
    rows = [tables[part][name] for part in ("module", "performance") if name in tables[part]]
    found = [need for row in rows for need in stated(row, kind, name)]
    return (*found, *debugging.needs(Directive(name, ("", "") if several else ()), kind))


def of_pragma(directive: Directive, kind: str = SINCE) -> Iterator[Need]:
    """The needs of the strings of a `.pragma`, of those that are known."""
    rows = load("directives")["pragmas"]
    for text in directive.arguments:
        row = rows.get(text.strip('";').partition(" ")[0])
        if row is not None:
            yield from stated(row, kind, f"{PRAGMA} {text}")


def of_header(module: Module, kind: str = SINCE) -> Iterator[Need]:
    """The needs of `.target`'s options and `.address_size`."""
    for option in module.options:
        if option in targets.options():
            yield from stated(targets.options()[option], kind, option)
    if module.address_size:
        yield from stated(load("directives")["module"][".address_size"], kind, ".address_size")


def of_head(function: Function, kind: str = SINCE) -> Iterator[Need]:
    """The needs of a function's linkage, parameters and directives."""
    name = ".entry" if function.entry else ".func"
    yield from _linkage(function.linkage, name, kind)
    alone: dict[str, Any] | None = load("directives")["functions"][name].get("declaration")
    if function.declared and alone is not None:
        yield from stated(alone, kind, f"{name} {function.name} without a body")
    yield from of_types((item.type for item in (*function.parameters, *function.returns)), kind)
    if function.parameters or function.returns:
        from ptxgen.check import parameters

        yield from parameters.needs(function, kind)
    yield from directives.needs(function, kind)


def of_variable(
    variable: Variable[Any], where: str, kernels: frozenset[str] = frozenset(), kind: str = SINCE
) -> Iterator[Need]:
    """The needs of a variable in a "module", a "body" or that of a "kernel"; `kernels` names those of the module."""
    tables = load("directives")
    space = tables["spaces"][variable.space]
    if where in space:
        yield from stated(space[where], kind, f"{variable.space} {variable.text}")
    yield from of_types([variable.type], kind)
    yield from _linkage(variable.linkage, variable.space, kind)
    for attribute in variable.attributes:
        if attribute in tables["attributes"]:
            yield from stated(tables["attributes"][attribute], kind, attribute)
    if types.known(variable.type).kind == "opaque":
        yield from stated(tables["opaque"], kind, f".{variable.type} {variable.text}")
    banked = [a for a in variable.attributes if a.startswith(f"{variable.space}[")]
    if banked and "[0]" not in banked[0]:
        yield from stated(space["bank"], kind, banked[0])
    elif "incomplete" in space and variable.linkage == "extern" and None in variable.shape:
        yield from stated(space["incomplete"], kind, f"{variable.space} {variable.text}[]")
    yield from _of_initial(variable, kernels, kind)


def _of_initial(variable: Variable[Any], kernels: frozenset[str], kind: str) -> Iterator[Need]:
    tables = load("directives")
    values = variable.initial_values()
    for origin in sorted({_address(value, kernels) for value in values} - {""}):
        what = "generic()" if origin == "generic" else f"the address of a {origin}"
        yield from stated(tables["initializers"]["address"][origin], kind, f"{what} in {variable.text}")
    for value in values:
        if isinstance(value, Masked):
            mask = tables["initializers"]["mask"]
            row = mask["constant"] if isinstance(value.value, int | Integer) else mask
            yield from stated(row, kind, f"{value.text} in {variable.text}")
        elif isinstance(value, Field) and value.name in tables["opaque"]["fields"]:
            yield from stated(tables["opaque"]["fields"][value.name], kind, f"{value.name} of {variable.text}")


def of_statement(
    statement: Statement, kernels: frozenset[str] = frozenset(), where: str = "", kind: str = SINCE
) -> Iterator[Need]:
    """The needs of what stands in a body and is no instruction; `where` as for `of_variable`, "" as it was read."""
    match statement:
        case Variable():
            yield from of_variable(statement, where or _place(statement), kernels, kind)
        case Registers():
            yield from of_types([statement.type], kind)
        case Targets(directive=name):
            yield from stated(load("directives")["control"][name], kind, name)
        case Prototype(directives=given):
            yield from stated(load("directives")["control"][".callprototype"], kind, ".callprototype")
            for directive in given:
                yield from directives.row_needs(directive, kind)
        case Directive():
            yield from of_directive(statement, kind)
        case _:
            pass


def _place(variable: Variable[Any]) -> str:
    """Where a variable of a body stands: in that of a "kernel" if it is one of its parameters, as in old versions."""
    return "kernel" if variable.cls.space == f"{variable.space}::entry" else "body"


def of_types(names: Iterable[str], kind: str = SINCE) -> Iterator[Need]:
    """The needs of types of registers and variables."""
    rows = load("types")["types"]
    for name in sorted(set(names)):
        yield from stated({SINCE: rows[f".{name}"].get("register", "1.0")}, kind, f".{name}")


def _linkage(linkage: str, of: str, kind: str) -> Iterator[Need]:
    table = load("directives")["linking"]
    row = table.get(f".{linkage} {of}") or table.get(f".{linkage}")
    if linkage and row is not None:
        yield from stated(row, kind, f".{linkage}")


def _address(value: Any, kernels: frozenset[str]) -> str:
    """What an initial value is the address of: a row of the table of addresses; "" when it is none."""
    match value:
        case Name():
            return "kernel" if value.text in kernels else "function"
        case Generic():
            return "generic"
        case Variable() | Offset():
            return "variable"
        case _:
            return ""
