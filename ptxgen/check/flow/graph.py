"""The control-flow graph of a function: basic blocks, and which may follow which."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Set
from typing import Any

from attrs import define, field

from ptxgen.check.flow.roles import Role, role
from ptxgen.ir.module import Function
from ptxgen.ir.statements import Close, Label, Open, Record, Targets, Variant


@define(eq=False, weakref_slot=False, repr=False)
class Graph:
    """The basic blocks of a body, in its order; block 0 is the first.

    A block is the statements from one of `starts` to the next. `following` has, for each, the blocks that control may
    go on to; `written` those that it would go on to if an instruction that aborts did not.
    """

    body: list[Any]
    heads: list[Any]  # of each statement that is an instruction
    roles: dict[Variant, Role]
    starts: list[int]
    following: list[list[int]]
    written: list[list[int]]
    preceding: list[list[int]] = field(init=False)
    order: list[int] = field(init=False)  # the blocks that are reached, each before those that follow it, loops aside

    def __attrs_post_init__(self) -> None:
        self.order = _order(self.following)
        self.preceding = [[] for _ in self.following]
        for block in self.order:
            for after in self.following[block]:
                self.preceding[after].append(block)

    def role(self, record: Record) -> Role:
        """The role of an instruction of the body."""
        return self.roles[record[0].variant]

    def opcode(self, index: int) -> str:
        """The opcode of an instruction."""
        return self.body[index][0].variant.opcode

    def end(self, block: int) -> int:
        """The index of the statement after a block."""
        return self.starts[block + 1] if block + 1 < len(self.starts) else len(self.body)

    def block_of(self, index: int) -> int:
        """The block of a statement."""
        return bisect_right(self.starts, index) - 1

    def records(self, block: int, first: int = 0) -> Iterator[tuple[int, Record]]:
        """The instructions of a block with their indices, from an index on."""
        begin = max(self.starts[block], first)
        for index, statement in enumerate(self.body[begin : self.end(block)], begin):
            if statement.__class__ is tuple:
                yield index, statement


def graph(function: Function, options: frozenset[str], ending: Set[str] = frozenset()) -> Graph:
    """The graph of a function; `ending` are the functions that never return."""
    body: list[Any] = function.body
    roles: dict[Variant, Role] = {}
    heads: list[Any] = [statement[0] if statement.__class__ is tuple else None for statement in body]
    stops: set[Any] = set()
    for head in dict.fromkeys(heads):
        if head is not None:
            variant = head.variant
            known = roles.get(variant)
            if known is None:
                known = roles[variant] = role(variant, options)
            if known.control:
                stops.add(head)
    marks = list(_marks(heads, body))
    leaders = {0, *(index for index, mark in marks if isinstance(mark, Label))}
    ends = [index for index, head in enumerate(heads) if head in stops]
    leaders.update(index + 1 for index in ends)
    leaders.discard(len(body))
    starts = sorted(leaders)
    places = _Places(marks)
    following: list[list[int]] = [[block + 1] for block in range(len(starts))]
    following[-1:] = [[]]
    written = list(following)
    at = {start: block for block, start in enumerate(starts)}
    for index in ends:
        head = heads[index]
        known = roles[head.variant]
        block = at[index + 1] - 1 if index + 1 < len(body) else len(starts) - 1
        through = [] if known.leaves and head.guard is None else following[block]
        if known.target:
            written[block] = [*through, *(at[place] for place in places.reached(body[index], known, index))]
        else:
            written[block] = through
        following[block] = written[block]
        if head.guard is None and (known.aborts or (known.callee and body[index][known.callee].text in ending)):
            following[block] = []
    return Graph(body, heads, roles, starts, following, written)


def _marks(heads: list[Any], body: list[Any]) -> Iterator[tuple[int, Any]]:
    """The statements that are no instructions, with their indices."""
    at = -1
    for _ in range(heads.count(None)):
        at = heads.index(None, at + 1)
        yield at, body[at]


def _order(following: list[list[int]]) -> list[int]:
    """The blocks that are reached from the first, in reverse postorder."""
    seen = {0}
    found: list[int] = []
    path = [(0, iter(following[0]))] if following else []
    while path:
        block, rest = path[-1]
        after = next((block for block in rest if block not in seen), None)
        if after is None:
            found.append(block)
            path.pop()
        else:
            seen.add(after)
            path.append((after, iter(following[after])))
    found.reverse()
    return found


def reached(following: list[list[int]], first: int = 0, most: int | None = None) -> set[int]:
    """The blocks that are reached from one, itself among them; no more than about so many."""
    seen = {first}
    waiting = list(seen)
    while waiting and (most is None or len(seen) < most):
        for after in following[waiting.pop()]:
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


@define(eq=False, weakref_slot=False, repr=False)
class _Places:
    """Where the labels of a body are; a nested scope may declare one anew."""

    marks: list[tuple[int, Any]]
    labels: dict[tuple[int, str], int] = field(factory=dict[tuple[int, str], int])
    lists: dict[tuple[int, str], Targets] = field(factory=dict[tuple[int, str], Targets])
    scopes: list[tuple[int, int]] = field(factory=list[tuple[int, int]])  # index from which on, scope
    parents: list[int] = field(factory=lambda: [-1])

    def __attrs_post_init__(self) -> None:
        scope = 0
        self.scopes.append((0, scope))
        for index, mark in self.marks:
            if isinstance(mark, Label):
                self.labels[scope, mark.name] = index
            elif isinstance(mark, Targets):
                self.lists[scope, mark.name] = mark
            elif isinstance(mark, Open | Close):
                if isinstance(mark, Open):
                    self.parents.append(scope)
                    scope = len(self.parents) - 1
                else:
                    scope = max(self.parents[scope], 0)
                self.scopes.append((index, scope))

    def reached(self, record: Record, known: Role, index: int) -> Iterator[int]:
        """The indices of the statements that an instruction may branch to."""
        target = record[known.target].text
        scope = 0
        if len(self.scopes) > 1:
            scope = self.scopes[bisect_right(self.scopes, (index, len(self.parents))) - 1][1]
        listed = self.find(self.lists, target, scope) if self.lists else None
        for name in [name.text for name in listed.targets] if listed is not None else [target]:
            place = self.find(self.labels, name, scope)
            if place is not None:
                yield place

    def find(self, table: dict[tuple[int, str], Any], name: str, scope: int) -> Any:
        """What a name stands for in a scope or in those around it."""
        while scope >= 0:
            found = table.get((scope, name))
            if found is not None:
                return found
            scope = self.parents[scope]
        return None
