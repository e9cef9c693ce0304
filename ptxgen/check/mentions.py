"""Where a text first has what asks for a version: an opcode, a directive, a declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptxgen.check import declarations
from ptxgen.check.places import place
from ptxgen.ir.module import Function, Module


def first_lines(module: Module, wanted: Iterable[str]) -> dict[str, int]:
    """What -> the line of its first mention; nothing for what has no line, and for a module that was built."""
    source, missing = module.source, set(wanted)
    found: dict[str, int] = {}
    if source is None:
        return found
    for what, offset in _mentions(module):
        if what in missing and offset >= 0:
            found[what] = source.line_column(offset)[0]
            missing.remove(what)
            if not missing:
                break
    return found


def _mentions(module: Module) -> Iterator[tuple[str, int]]:
    kernels = frozenset(function.name for function in module.functions if function.entry)
    for at, item in enumerate(module.items):
        offset = place(module.places, at)
        yield from ((what, offset) for _, what in declarations.of_item(item, kernels))
        if isinstance(item, Function):
            yield from _of_body(item, kernels)


def _of_body(function: Function, kernels: frozenset[str]) -> Iterator[tuple[str, int]]:
    for at, statement in enumerate(function.body):
        offset = place(function.places, at)
        if isinstance(statement, tuple):
            yield statement[0].variant.opcode, offset
        else:
            yield from ((what, offset) for _, what in declarations.of_statement(statement, kernels))
