"""Positions of `.loc` that a later one names as where it was inlined (PTX ISA 11.5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Directive
from ptxgen.isa.directives import LOC

_INLINED = "inlined_at "


@define(eq=False, weakref_slot=False, repr=False)
class Positions:
    """The positions of the `.loc` of a module; looked for when the first `inlined_at` is met."""

    module: Module
    first: dict[str, tuple[int, int]] | None = None  # position -> the function and the statement that have it first

    def problem(self, function: Function, at: int) -> Diagnostic | None:
        """What is against `inlined_at` in a statement of a function: an earlier `.loc` has its position."""
        directive = function.body[at]
        assert isinstance(directive, Directive)
        named = directive.arguments[-1].removeprefix(_INLINED)
        if self.first is None:
            self.first = dict(reversed(list(self._all())))
        place = (self.module.functions.index(function), at)
        if self.first.get(named, place) < place:
            return None
        message = f"{function.name}: inlined_at {named} names no position of an earlier .loc"
        return Diagnostic("position", "error", message, have=named, hint=f"put .loc {named} before it")

    def _all(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for number, function in enumerate(self.module.functions):
            for at, statement in enumerate(function.body):
                if isinstance(statement, Directive) and statement.name == LOC:
                    yield " ".join(str(int(word)) for word in statement.arguments[0].split()), (number, at)
