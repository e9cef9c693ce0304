"""Bytes of shared and constant memory that a kernel or module may have, and which variables take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define

from ptxgen.check.assembler import Assembler
from ptxgen.check.variables import size
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Element, Group, Name, Offset, Operand, Pair, Variable
from ptxgen.ir.statements import Targets
from ptxgen.isa.data import load

_NAMED = 6  # variables that a message names


@define(eq=False, weakref_slot=False, repr=False)
class Budgets:
    """The budgets of one module. Its bodies are looked at only when all its variables together exceed one."""

    module: Module
    variables: list[Variable[Any]]  # of the module and of its bodies
    assembler: Assembler

    def findings(self) -> Iterator[tuple[Diagnostic, Function | None]]:
        """What exceeds a budget, with the kernel that does, or None for the module."""
        for space, row in load("directives")["spaces"].items():
            if "budget" not in row:
                continue
            most, each = int(row["budget"]["bytes"]), row["budget"]["of"]
            listed = [variable for variable in self.variables if variable.space == space and None not in variable.shape]
            if sum(map(size, listed)) <= most:
                continue
            if each == "module":
                yield self.exceeded("the module", space, listed, most), None
                continue
            for function in self.module.functions:
                used = self.used_by(function, space) if function.entry and not function.declared else []
                if sum(map(size, used)) > most:
                    yield self.exceeded(function.name, space, used, most), function

    def used_by(self, kernel: Function, space: str) -> list[Variable[Any]]:
        """The variables of a space that a kernel and the functions that it calls name."""
        functions = {function.name: function for function in self.module.functions if not function.declared}
        todo, seen = [kernel], {kernel.name}
        found: dict[str, Variable[Any]] = {}
        while todo:
            for operand in _operands(todo.pop()):
                if isinstance(operand, Variable) and operand.space == space and None not in operand.shape:
                    found[operand.text] = operand
                elif isinstance(operand, Name) and operand.text in functions and operand.text not in seen:
                    seen.add(operand.text)
                    todo.append(functions[operand.text])
        return list(found.values())

    def exceeded(self, of: str, space: str, variables: list[Variable[Any]], most: int) -> Diagnostic:
        """The finding, with the bytes of each variable, the largest first."""
        variables.sort(key=size, reverse=True)
        items = ", ".join(f"{variable.text} {size(variable)}" for variable in variables[:_NAMED])
        rest = f" and {len(variables) - _NAMED} more" if len(variables) > _NAMED else ""
        total = sum(map(size, variables))
        message = f"{of}: {total} bytes of {space} variables ({items}{rest}); {most} assemble"
        hint = "an .extern array of unknown size takes its bytes at the launch" if space == ".shared" else ""
        return self.assembler.finding(message, "", f"{most} bytes at most", hint)


def _operands(function: Function) -> Iterator[Operand]:
    """Every variable and name that the statements of a body mention."""
    todo: list[Operand] = []
    for statement in function.body:
        if isinstance(statement, Variable):
            yield statement
        elif isinstance(statement, tuple | Targets):
            todo += statement[1:] if isinstance(statement, tuple) else statement.targets
        while todo:
            operand = todo.pop()
            if isinstance(operand, Group):
                todo += operand.elements
            elif isinstance(operand, Pair):
                todo += (operand.first, operand.second)
            elif isinstance(operand, Offset):
                todo.append(operand.base)
            elif isinstance(operand, Element):
                todo.append(operand.array)
            else:
                yield operand
