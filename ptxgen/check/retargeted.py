"""Functions in which the target changes: ptxas takes `.target` in a body, and judges what follows by it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Directive, Variant
from ptxgen.isa.directives import TARGET


def may_change(module: Module) -> bool:
    """Whether a body of a module may have a `.target`; quick, and wrong where a remark mentions one."""
    return module.source is not None and module.source.text.count(TARGET) > 1


def pieces(function: Function) -> Iterator[tuple[str, Function]]:
    """What stands between the `.target`s of a body, each with the target that begins it; "" for the first."""
    target, start = "", 0
    for at, statement in enumerate(function.body):
        if isinstance(statement, Directive) and statement.name == TARGET:
            yield target, _piece(function, start, at)
            target, start = statement.arguments[0], at
    yield target, _piece(function, start, len(function.body)) if start else function


def _piece(function: Function, start: int, end: int) -> Function:
    body = function.body[start:end]
    variants: dict[Variant, None] = {record[0].variant: None for record in body if isinstance(record, tuple)}
    return evolve(function, body=body, places=function.places[start:end], variants=variants)
