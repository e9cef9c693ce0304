"""What the declarations of a module need of its target and version: the tables of specs/ for all but instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, cast

from ptxgen.check import debugging, directives
from ptxgen.ir.initial import Field, Generic, Masked
from ptxgen.ir.module import Function, Item, Module
from ptxgen.ir.operands import Integer, Name, Offset, Variable
from ptxgen.ir.statements import Directive, Prototype, Registers, Section, Statement, Targets
from ptxgen.isa import targets, types
from ptxgen.isa.data import load

PRAGMA = ".pragma"
Need = tuple[dict[str, str], str]  # target predicate ("" for any) -> PTX ISA version; what needs it


def of_module(module: Module) -> Iterator[Need]:
    """All needs of a module but those of its instructions."""
    kernels = frozenset(function.name for function in module.functions if function.entry)
    for item in module.items:
        yield from of_item(item, kernels)
        for statement in [s for s in item.body if not isinstance(s, tuple)] if isinstance(item, Function) else ():
            yield from of_statement(statement, kernels)
    yield from of_header(module)


def of_item(item: Item, kernels: frozenset[str]) -> Iterator[Need]:
    """The needs of an item of a module, but for the body of a function."""
    match item:
        case Variable():
            yield from of_variable(item, "module", kernels)
        case Function():
            yield from of_head(item)
        case Registers():
            yield from of_types([item.type])
        case Section():
            yield from debugging.needs(item)
        case Directive():
            yield from of_directive(item)
        case _:
            pass


def of_directive(directive: Directive) -> Iterator[Need]:
    """The needs of a directive in a module or a body."""
    yield from _of_name(directive.name, len(directive.arguments) > 1)
    if directive.name == PRAGMA:
        yield from of_pragma(directive)


@lru_cache(maxsize=256)
def _of_name(name: str, several: bool) -> tuple[Need, ...]:
    """The needs of a directive, whatever its arguments are, of which there may be `several`."""
    tables = load("directives")
    rows = [tables[part][name] for part in ("module", "performance") if name in tables[part]]
    found = [(targets.needs(row["since"]), name) for row in rows]
    return (*found, *debugging.needs(Directive(name, ("", "") if several else ())))


def of_pragma(directive: Directive) -> Iterator[Need]:
    """The needs of the strings of a `.pragma`, of those that are known."""
    rows = load("directives")["pragmas"]
    for text in directive.arguments:
        row = rows.get(text.strip('";').partition(" ")[0])
        if row is not None:
            yield targets.needs(row["since"]), f"{PRAGMA} {text}"


def of_header(module: Module) -> Iterator[Need]:
    """The needs of `.target`'s options and `.address_size`."""
    for option in module.options:
        if option in targets.options():
            yield targets.needs(targets.options()[option]["since"]), option
    if module.address_size:
        yield targets.needs(load("directives")["module"][".address_size"]["since"]), ".address_size"


def of_head(function: Function) -> Iterator[Need]:
    """The needs of a function's linkage, parameters and directives."""
    kind = ".entry" if function.entry else ".func"
    yield from _linkage(function.linkage, kind)
    alone: dict[str, Any] | None = load("directives")["functions"][kind].get("declaration")
    if function.declared and alone is not None:
        yield targets.needs(alone["since"]), f"{kind} {function.name} without a body"
    yield from of_types(item.type for item in (*function.parameters, *function.returns))
    if function.parameters or function.returns:
        from ptxgen.check import parameters

        yield from parameters.needs(function)
    yield from directives.needs(function)


def of_variable(variable: Variable[Any], where: str, kernels: frozenset[str] = frozenset()) -> Iterator[Need]:
    """The needs of a variable in a "module", a "body" or that of a "kernel"; `kernels` names those of the module."""
    tables = load("directives")
    row: Any = tables["spaces"][variable.space].get(where)
    if row is not None:
        since = cast(Any, row["since"] if isinstance(row, dict) and "since" in row else row)
        yield targets.needs(since), f"{variable.space} {variable.text}"
    yield from of_types([variable.type])
    yield from _linkage(variable.linkage, variable.space)
    for attribute in variable.attributes:
        if attribute in tables["attributes"]:
            yield targets.needs(tables["attributes"][attribute]["since"]), attribute
    if types.known(variable.type).kind == "opaque":
        yield targets.needs(tables["opaque"]["since"]), f".{variable.type} {variable.text}"
    row = tables["spaces"][variable.space]
    incomplete, banked = row.get("incomplete"), [a for a in variable.attributes if a.startswith(f"{variable.space}[")]
    if banked and "[0]" not in banked[0]:
        yield targets.needs(row["bank"]["since"]), banked[0]
    elif incomplete and variable.linkage == "extern" and None in variable.shape:
        yield targets.needs(incomplete["since"]), f"{variable.space} {variable.text}[]"
    for kind in sorted({_address(value, kernels) for value in variable.initial_values()} - {""}):
        since = tables["initializers"]["address"][kind]["since"]
        what = "generic()" if kind == "generic" else f"the address of a {kind}"
        yield targets.needs(since), f"{what} in {variable.text}"
    for value in variable.initial_values():
        if isinstance(value, Masked):
            mask = tables["initializers"]["mask"]
            row = mask["constant"] if isinstance(value.value, int | Integer) else mask
            yield targets.needs(row["since"]), f"{value.text} in {variable.text}"
        elif isinstance(value, Field):
            since = tables["opaque"]["fields"].get(value.name, {}).get("since", "1.0")
            yield targets.needs(since), f"{value.name} of {variable.text}"


def of_statement(statement: Statement, kernels: frozenset[str] = frozenset(), where: str = "body") -> Iterator[Need]:
    """The needs of what stands in a body and is no instruction; `where` as for `of_variable`."""
    match statement:
        case Variable():
            yield from of_variable(statement, where, kernels)
        case Registers():
            yield from of_types([statement.type])
        case Targets(directive=name):
            yield targets.needs(load("directives")["control"][name]["since"]), name
        case Prototype(directives=given):
            yield targets.needs(load("directives")["control"][".callprototype"]["since"]), ".callprototype"
            for directive in given:
                yield from directives.row_needs(directive)
        case Directive():
            yield from of_directive(statement)
        case _:
            pass


def of_types(names: Iterable[str]) -> Iterator[Need]:
    """The needs of types of registers and variables."""
    rows = load("types")["types"]
    for name in sorted(set(names)):
        yield targets.needs(rows[f".{name}"].get("register", "1.0")), f".{name}"


def _linkage(linkage: str, of: str) -> Iterator[Need]:
    table = load("directives")["linking"]
    row = table.get(f".{linkage} {of}") or table.get(f".{linkage}")
    if linkage and row is not None:
        yield targets.needs(row["since"]), f".{linkage}"


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
