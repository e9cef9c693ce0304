"""Registers that belong to an asynchronous matrix multiplication: fenced before it, left alone until it is waited for.

What holds registers holds its fragments: the accumulator, and the first matrix where it is in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, field

from ptxgen.check.flow.finding import Finding, advice
from ptxgen.check.flow.graph import Graph
from ptxgen.check.flow.roles import Role, registers
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Integer, Operand, Reg
from ptxgen.ir.statements import Record

SECTION = "9.7.15.7"
OLDEST = 16  # groups that are told apart; older ones are waited for by any wait that leaves no more
_Report = Callable[[int, str, str, str], None]


@define
class _State:
    """Of all paths: registers that are held, with the groups committed since; those that are set and not fenced."""

    held: dict[Reg[Any], int] = field(factory=dict[Reg[Any], int])
    accessed: set[Reg[Any]] = field(factory=set[Reg[Any]])
    fenced: bool = False  # on every path so far

    def meet(self, other: _State) -> bool:
        """Take in another path; whether that changes anything."""
        changed = False
        for register, age in other.held.items():
            if age < self.held.get(register, OLDEST + 1):
                self.held[register] = age
                changed = True
        if not other.accessed <= self.accessed:
            self.accessed |= other.accessed
            changed = True
        if self.fenced and not other.fenced:
            self.fenced = False
            changed = True
        return changed

    def copy(self) -> _State:
        return _State(dict(self.held), set(self.accessed), self.fenced)


def misused_fragments(function: Function, graph: Graph) -> Iterator[Finding]:
    """Accesses to registers that are held, and multiplications whose registers no fence has ordered."""
    if not any("holds-registers" in role.effects for role in graph.roles.values()):
        return
    rows = _rows(graph)
    states = {0: _State(fenced=not function.entry)}  # the caller of a function may have fenced
    waiting = [0]
    while waiting:
        block = waiting.pop()
        state = states[block].copy()
        for index, record, role, touched in rows.get(block, ()):
            _step(state, index, record, role, touched, _silent)
        for after in graph.following[block]:
            if after not in states:
                states[after] = state.copy()
                waiting.append(after)
            elif states[after].meet(state):
                waiting.append(after)
    found: list[Finding] = []

    def report(index: int, code: str, message: str, hint: str) -> None:
        found.append(advice(code, function, index, message, hint, SECTION))

    for block in graph.order:
        state = states[block]
        for index, record, role, touched in rows.get(block, ()):
            _step(state, index, record, role, touched, report)
    yield from found


_Row = tuple[int, Record, Role, tuple[Reg[Any], ...]]


def _rows(graph: Graph) -> dict[int, list[_Row]]:
    """The instructions of each block that have to do with fragments, with the registers of these that they access."""
    having = {head for head in set(graph.heads) if head is not None and graph.roles[head.variant].fragments}
    records = [graph.body[index] for index, head in enumerate(graph.heads) if head in having]
    fragments = {
        register for record in records for at in graph.role(record).fragments for register in registers(record[at])
    }
    inside: dict[Operand, tuple[Reg[Any], ...]] = {}  # of an operand, as many occur many times
    found: dict[int, list[_Row]] = {}
    for block in graph.order:
        for index, record in graph.records(block):
            touched: tuple[Reg[Any], ...] = ()
            for operand in record[1:]:
                known = inside.get(operand)
                if known is None:
                    known = inside[operand] = tuple(r for r in registers(operand) if r in fragments)
                if known:
                    touched += known
            role = graph.role(record)
            if touched or role.effects & _GROUPS:
                found.setdefault(block, []).append((index, record, role, touched))
    return found


_GROUPS = frozenset({"fences-registers", "commits-registers", "awaits-registers"})


def _step(
    state: _State, index: int, record: Record, role: Role, touched: tuple[Reg[Any], ...], report: _Report
) -> None:
    opcode = record[0].variant.opcode
    if "fences-registers" in role.effects:
        state.accessed.clear()
        state.fenced = True
    elif "commits-registers" in role.effects:
        state.held = {register: min(age + 1, OLDEST) for register, age in state.held.items()}
    elif "awaits-registers" in role.effects:
        left = next((operand.value for operand in record[1:] if isinstance(operand, Integer)), 0)
        state.held = {register: age for register, age in state.held.items() if 0 <= age <= left or age == 0}
    elif "holds-registers" in role.effects:
        unfenced = [register for register in touched if register in state.accessed]
        if not state.fenced:
            report(
                index, "register-fence", f"no wgmma.fence precedes {opcode}",
                "insert wgmma.fence.sync.aligned before the first wgmma.mma_async",
            )  # fmt: skip
        elif unfenced:
            report(
                index, "register-fence",
                f"{opcode} takes {unfenced[0].text}, which was set after the last wgmma.fence",
                "insert wgmma.fence.sync.aligned between them",
            )  # fmt: skip
        state.fenced = True  # said once
        state.accessed.difference_update(unfenced)
        for at in role.fragments:
            for register in registers(record[at]):
                state.held[register] = 0
    else:
        early = [register for register in touched if register in state.held]
        if early:
            report(
                index, "register-wait",
                f"{opcode} accesses {early[0].text}, which belongs to a wgmma.mma_async that nothing has waited for",
                "insert wgmma.commit_group.sync.aligned and wgmma.wait_group.sync.aligned 0 before it",
            )  # fmt: skip
            state.held.clear()  # once is enough
        if role.single > 0:
            written = {record[role.single]}
        else:
            written = {register for operand in role.writes(record) for register in registers(operand)}
        state.accessed.update(written.intersection(touched))


def _silent(_index: int, _code: str, _message: str, _hint: str) -> None:
    pass
