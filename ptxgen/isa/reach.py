"""Where a syntax line has legal statements: on which targets, since when, and with which tokens.

The modifiers of a line are chosen one by one, and a choice is given up as soon as a rule is certainly broken or no
target is left. What rules say of operands' sorts, and of options, is taken for satisfiable. What only ptxas takes does
not count: neither lines that the manual lacks, nor statements against the manual's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, evolve, field

from ptxgen.isa import targets, types, versions
from ptxgen.isa.availability import NEVER, first_version
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Line, Modifier, Template
from ptxgen.isa.partial import LEFT_OUT, Partial, open_line, truth
from ptxgen.isa.versions import Version

OLDEST: Version = (1, 0)

Rows = list[tuple[str, Tree, tuple[Version, ...]]]  # "rule" | "since" | "removed", condition, a version for each target
Wanted = Callable[[str, Version, Version], bool]  # target, first version, and the one that took it away


def since(
    lines: Iterable[Line], mnemonic: str, names: Iterable[str], at: Version | None = None, which: Tree | None = None
) -> dict[str, Version]:
    """Target -> the version that brought the first legal statement, where there is one: in version `at`, or ever.

    With `which`, only statements for which that condition holds count. The version is that of the specification's rows:
    the target itself may be younger.
    """
    order = tuple(names)
    best: dict[str, Version] = {}

    def better(name: str, first: Version, end: Version) -> bool:
        return first < best.get(name, NEVER) and has(name, first, end, at)

    for line in lines:
        if not line.beyond:
            for reached in Search(line, mnemonic, order, better, which).found():
                best.update((name, first) for name, first, end in reached.spans if better(name, first, end))
    return {name: best[name] for name in order if name in best}


def has(name: str, first: Version, end: Version, at: Version | None = None) -> bool:
    """Whether a target has what came in one version and went in another: in version `at`, or in any that is known."""
    start = max(first, targets.target(name).since)
    return start < end and start <= versions.newest() if at is None else start <= at < end


def reduced(line: Line, mnemonic: str, names: Iterable[str], at: Version) -> Line | None:
    """The line with only such tokens as some legal statement has on a target in a version; None without any."""
    search = Search(line, mnemonic, tuple(names), lambda name, first, end: has(name, first, end, at))
    whole = next(search.found(), None) if not line.beyond else None
    if whole is None:
        return None
    legal: list[set[str]] = [set() for _ in line.modifiers]
    _note(whole, line, legal)
    for place, modifier in enumerate(line.modifiers):
        for token in modifier.tokens:
            if token not in legal[place] and (witness := next(search.found(place, token), None)) is not None:
                _note(witness, line, legal)
    kept = [
        evolve(modifier, tokens=tuple(token for token in modifier.tokens if token in tokens))
        for modifier, tokens in zip(line.modifiers, legal, strict=True)
        if tokens
    ]
    return without_impossible(evolve(line, modifiers=tuple(kept)), mnemonic)


def without_impossible(line: Line, mnemonic: str) -> Line:
    """The line without the optional operands that no choice of its modifiers goes together with."""
    return evolve(line, operands=tuple(t for t in line.operands if not t.group or _possible(t, line, mnemonic)))


def _possible(template: Template, line: Line, mnemonic: str) -> bool:
    """Whether an optional operand is not against a rule, whatever the modifiers are."""
    given = open_line(line, mnemonic, frozenset({template.name}))
    return all(truth(row.condition, given) is not False for row in line.block.rules)


def _note(found: Reached, line: Line, legal: list[set[str]]) -> None:
    for modifier, token, tokens in zip(line.modifiers, found.tokens, legal, strict=True):
        tokens.update(modifier.tokens if token is None else {token} - {LEFT_OUT})


@define(eq=False, weakref_slot=False, repr=False)
class Reached:
    """Statements with these tokens (None: any of the place), and for each target when they came and went."""

    tokens: tuple[str | None, ...]
    spans: tuple[tuple[str, Version, Version], ...]


@define(eq=False, weakref_slot=False, repr=False)
class Search:
    """All statements of a line on some targets, as far as `wanted` asks for one of the targets."""

    line: Line
    mnemonic: str
    names: tuple[str, ...]
    wanted: Wanted
    which: Tree | None = None
    rows: Rows = field(init=False)
    order: tuple[int, ...] = field(init=False)  # of the places whose choice matters; what is asked about comes first

    def __attrs_post_init__(self) -> None:
        block = self.line.block
        conditions = [row.condition for row in block.rules] + ([self.which] if self.which is not None else [])
        self.rows = [("rule", condition, ()) for condition in conditions]
        for kind, rows in (("since", block.since + block.ungated), ("removed", block.removed)):
            for row in rows:
                self.rows.append((kind, row.condition, tuple(first_version(row.needs, name) for name in self.names)))
        words = _Words(tree for _, tree, _ in self.rows)
        groups = {modifier.group for modifier in self.line.modifiers if words.concern(modifier)} - {0}
        asked = _Words([self.which] if self.which is not None else [])
        matters = [(at, m) for at, m in enumerate(self.line.modifiers) if words.concern(m) or m.group in groups]
        matters.sort(key=lambda pair: (not asked.concern(pair[1]), pair[1].group > 0))
        self.order = tuple(at for at, _ in matters)

    def found(self, place: int = -1, token: str = "") -> Iterator[Reached]:
        """Everything wanted, or what has a token in one place; `wanted` may change its mind in between."""
        given = Partial(self.line, self.mnemonic, [None] * len(self.line.modifiers))
        groups = {0: True}
        if place >= 0:
            given.chosen[place] = token
            groups[self.line.modifiers[place].group] = True
        count = len(self.names)
        yield from self._from(given, groups, self.rows, (OLDEST,) * count, (NEVER,) * count)

    def _from(
        self, given: Partial, groups: dict[int, bool], rows: Rows, first: tuple[Version, ...], end: tuple[Version, ...]
    ) -> Iterator[Reached]:
        undecided: Rows = []
        for row in rows:
            kind, tree, needs = row
            holds = truth(tree, given)
            if holds is None:
                undecided.append(row)
            elif kind == "rule":
                if not holds:
                    return
            elif holds and kind == "since":
                first = tuple(map(max, first, needs))
            elif holds:
                end = tuple(map(min, end, needs))
        if not any(map(self.wanted, self.names, first, end)):
            return
        modifiers = self.line.modifiers
        at = next((place for place in self.order if given.chosen[place] is None), -1)
        if at < 0:
            yield Reached(tuple(given.chosen[: len(modifiers)]), tuple(zip(self.names, first, end, strict=True)))
            return
        group = modifiers[at].group
        if not groups.get(group):
            given.chosen[at] = LEFT_OUT
            yield from self._from(given, {**groups, group: False}, undecided, first, end)
        if groups.get(group, True):
            for token in modifiers[at].tokens:
                given.chosen[at] = token
                yield from self._from(given, {**groups, group: True}, undecided, first, end)
        given.chosen[at] = None


class _Words:
    """The names in conditions."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        self.names: set[str] = set()
        self.types = False
        for tree in trees:
            self._read(tree)

    def _read(self, tree: Tree) -> None:
        self.types |= tree[0] == "nth" or tree[:2] == ["slot", ".type"]
        for part in tree:
            if isinstance(part, list):
                self._read(part)  # pyright: ignore[reportUnknownArgumentType]
            elif isinstance(part, str):
                self.names.add(part)

    def concern(self, modifier: Modifier) -> bool:
        """Whether the choice of a modifier's token can matter."""
        if modifier.name in self.names or not self.names.isdisjoint(modifier.tokens):
            return True
        return self.types and any(types.type_of(token) is not None for token in modifier.tokens)
