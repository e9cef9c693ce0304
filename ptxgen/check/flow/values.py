"""Where registers get their values, for those who ask: gathered when first asked for."""

from __future__ import annotations

from typing import Any

from attrs import define

from ptxgen.check.flow.graph import Graph
from ptxgen.check.flow.roles import registers
from ptxgen.ir.operands import Reg
from ptxgen.ir.statements import Record


@define(eq=False, weakref_slot=False, repr=False)
class Values:
    """The one instruction that sets a register."""

    graph: Graph
    _definitions: dict[Reg[Any], Record | None] | None = None

    def definition(self, register: Reg[Any]) -> Record | None:
        """The instruction that sets a register; None where there are several, or none."""
        if self._definitions is None:
            self._definitions = self._gather()
        return self._definitions.get(register)

    def _gather(self) -> dict[Reg[Any], Record | None]:
        graph, found = self.graph, dict[Reg[Any], "Record | None"]()
        roles = {head: graph.roles[head.variant] for head in dict.fromkeys(graph.heads) if head is not None}
        singles: dict[Any, int] = {head: role.single for head, role in roles.items()}
        for block in graph.order:
            start, end = graph.starts[block], graph.end(block)
            places = [singles.get(head, 0) for head in graph.heads[start:end]]
            for record, single in zip(graph.body[start:end], places, strict=True):
                if single > 0:
                    register = record[single]
                    found[register] = None if register in found else record
                elif single:
                    for operand in roles[record[0]].writes(record):
                        for register in registers(operand):
                            found[register] = None if register in found else record
        return found
