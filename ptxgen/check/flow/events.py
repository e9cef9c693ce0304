"""The instructions of a function that have effects, by block."""

from __future__ import annotations

from attrs import define, field

from ptxgen.check.flow.graph import Graph
from ptxgen.check.flow.roles import registers
from ptxgen.check.flow.values import Values
from ptxgen.ir.operands import Address

_Event = tuple[int, frozenset[str]]


@define(eq=False, weakref_slot=False, repr=False)
class Events:
    """Statements with effects. What has none is passed over once, and never looked at again."""

    graph: Graph
    values: Values
    effects: frozenset[str]  # of any statement
    blocks: dict[int, list[_Event]] = field(factory=dict[int, list[_Event]])

    def of(self, block: int) -> list[_Event]:
        """Index and effects of the statements of a block, in order."""
        return self.blocks.get(block, [])

    def addresses(self, index: int) -> list[str]:
        """The addresses of an instruction that stay what they are: each register in them is set at one place only."""
        record = self.graph.body[index]
        return [
            operand.text
            for operand in record[1:]
            if isinstance(operand, Address) and all(map(self.values.definition, registers(operand)))
        ]


def events(graph: Graph) -> Events:
    """The events of all blocks that are reached."""
    effects = frozenset[str]().union(*(role.effects for role in graph.roles.values()))
    found = Events(graph, Values(graph), effects)
    if effects:
        live = set(graph.order)
        roles = {head: graph.roles[head.variant] for head in set(graph.heads) if head is not None}
        having = {head: role.effects for head, role in roles.items() if role.effects}
        for index in [index for index, head in enumerate(graph.heads) if head in having]:
            block = graph.block_of(index)
            if block in live:
                found.blocks.setdefault(block, []).append((index, having[graph.heads[index]]))
    return found
