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
            self._definitions = {}
            for block in self.graph.order:
                for _, record in self.graph.records(block):
                    role = self.graph.role(record)
                    if role.single > 0:
                        self._note(record[role.single], record)
                    elif role.single:
                        for operand in role.writes(record):
                            for written in registers(operand):
                                self._note(written, record)
        return self._definitions.get(register)

    def _note(self, register: Reg[Any], record: Record) -> None:
        assert self._definitions is not None
        self._definitions[register] = None if register in self._definitions else record
