"""Hazards of order: after one thing, something must come before another thing.

A rule names three effects. A statement with the first begins to wait for the second, and is a finding where one with
the third is reached and the second was on no path between: whoever fences somewhere on the way may know that two
accesses never meet, which the addresses do not tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import define, frozen

from ptxgen.check.flow.events import Events
from ptxgen.check.flow.finding import Finding, advice
from ptxgen.check.flow.graph import Graph
from ptxgen.ir.module import Function


@frozen
class Order:
    """A rule: after `first`, `between` must come before any of `last`."""

    code: str
    section: str
    first: str
    between: str
    last: frozenset[str]
    message: str  # with {last} and {first} for the opcodes
    hint: str
    same_address: bool = False  # speaks of accesses that have an address in common


ORDERS = (
    Order(
        "proxy-fence", "8.6", "writes-shared", "fences-async-proxy", frozenset({"reads-shared-async"}),
        "{last} reads shared memory through the async proxy; no proxy fence separates it from {first}, which writes "
        "shared memory through the generic proxy",
        "insert fence.proxy.async.shared::cta after the writes and before the barrier that precedes the read",
    ),
    Order(
        "mbarrier-init-fence", "9.7.13.4", "initialises-mbarrier", "fences-mbarrier", frozenset({"reaches-cluster"}),
        "{last} reaches other CTAs of the cluster; no fence makes what {first} initialised visible to them",
        "insert fence.mbarrier_init.release.cluster after the last mbarrier.init, and barrier.cluster.arrive and "
        "barrier.cluster.wait behind it",
    ),
    Order(
        "tensor-load-wait", "9.7.16.6.4", "loads-tensor-memory", "awaits-tensor-loads",
        frozenset({"stores-tensor-memory", "uses-tensor-memory"}),
        "{last} may overwrite tensor memory before {first} has read it",
        "insert tcgen05.wait::ld.sync.aligned between them", same_address=True,
    ),
    Order(
        "tensor-load-wait", "9.7.16.6.4", "loads-tensor-memory", "awaits-tensor-loads",
        frozenset({"releases-tensor-memory"}),
        "{last} may release tensor memory before {first} has read it",
        "insert tcgen05.wait::ld.sync.aligned between them",
    ),
    Order(
        "tensor-store-wait", "9.7.16.6.4", "stores-tensor-memory", "awaits-tensor-stores",
        frozenset({"loads-tensor-memory", "uses-tensor-memory"}),
        "{last} may use tensor memory before {first} has written it",
        "insert tcgen05.wait::st.sync.aligned between them", same_address=True,
    ),
    Order(
        "copy-wait", "9.7.9.25.3", "copies-to-shared", "awaits-copies", frozenset({"reads-shared"}),
        "{last} reads shared memory, and nothing has waited for what {first} copies there",
        "insert cp.async.commit_group and cp.async.wait_group 0, or cp.async.wait_all, and a barrier before the read",
    ),
)  # fmt: skip


@define
class _State:
    """What paths have come to: the first statement that still waits, and whether some path has what it waits for."""

    waiting: int = -1
    done: bool = False

    def meet(self, other: _State) -> bool:
        """Take in another path; whether that changes anything."""
        before = (self.waiting, self.done)
        if other.waiting >= 0 and (self.waiting < 0 or other.waiting < self.waiting):
            self.waiting = other.waiting
        self.done = self.done or other.done
        return before != (self.waiting, self.done)


def out_of_order(function: Function, graph: Graph, events: Events) -> Iterator[Finding]:
    """Every finding of every rule, one for each statement that waits in vain."""
    told: set[tuple[str, int]] = set()
    for rule in ORDERS:
        if rule.first in events.effects and rule.last & events.effects:
            for index, first in _check(graph, events, rule):
                if (rule.code, first) not in told:
                    told.add((rule.code, first))
                    message = rule.message.format(first=events.graph.opcode(first), last=events.graph.opcode(index))
                    yield advice(rule.code, function, index, message, rule.hint, rule.section)


def _check(graph: Graph, events: Events, rule: Order) -> Iterator[tuple[int, int]]:
    if not rule.same_address:
        yield from _unprepared(graph, events, rule, {})
        return
    places: dict[str, set[int]] = {}
    for block in graph.order:
        for index, effects in events.of(block):
            if rule.first in effects or rule.last & effects:
                for text in events.addresses(index):
                    places.setdefault(text, set()).add(index)
    for indices in places.values():
        if len(indices) > 1:
            yield from _unprepared(graph, events, rule, indices)


def _unprepared(graph: Graph, events: Events, rule: Order, only: Collection[int]) -> Iterator[tuple[int, int]]:
    """Where one of `last` is reached unprepared, and the statement that has `first`; `only` these, if there are any."""
    states = {block: _State() for block in graph.order}
    waiting = list(reversed(graph.order))
    queued = set(waiting)
    while waiting:
        block = waiting.pop()
        queued.discard(block)
        state = _State(states[block].waiting, states[block].done)
        for index, effects in events.of(block):
            _step(state, index, effects, rule, only)
        for after in graph.following[block]:
            if states[after].meet(state) and after not in queued:
                queued.add(after)
                waiting.append(after)
    for block in graph.order:
        state = states[block]
        for index, effects in events.of(block):
            meant = not only or index in only
            if meant and rule.last & effects and state.waiting >= 0 and not state.done:
                yield index, state.waiting
            _step(state, index, effects, rule, only)


def _step(state: _State, index: int, effects: frozenset[str], rule: Order, only: Collection[int]) -> None:
    if rule.between in effects:
        state.done = state.done or state.waiting >= 0
        state.waiting = -1
    elif rule.first in effects and state.waiting < 0 and (not only or index in only):
        state.waiting = index
