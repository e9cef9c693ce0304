"""The rules of a syntax line, against opcodes that are not complete and statements that are known in part."""

from __future__ import annotations

from attrs import define, field

from ptxgen.isa import types
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import holds
from ptxgen.isa.family import Line, Row, Template
from ptxgen.isa.opcodes import Reading
from tools.generate.operands import Alternatives
from tools.generate.partial import Partial, concerns_operands, decide


@define(eq=False)
class LineRules:
    """The rules of one line, sorted by what they are about."""

    line: Line
    tokens: list[Row] = field(init=False)  # about tokens alone
    operands: list[Row] = field(init=False)
    coming: dict[int, frozenset[str]] = field(init=False, factory=dict[int, frozenset[str]])

    def __attrs_post_init__(self) -> None:
        rules, selectors = self.line.block.rules, _selectors(self.line.operands)
        self.tokens = [row for row in rules if not concerns_operands(row.condition, selectors)]
        self.operands = [row for row in rules if concerns_operands(row.condition, selectors)]

    def possible(self, reading: Reading, at: int) -> bool:
        """Whether the tokens so far, before the modifier `at`, may become a legal opcode."""
        statement = Partial(reading, coming=self._coming(at), open=True)
        return all(decide(row.condition, statement) is not False for row in self.line.block.rules)

    def _coming(self, at: int) -> frozenset[str]:
        found = self.coming.get(at)
        if found is None:
            left = self.line.modifiers[at:]
            tokens = {token for modifier in left for token in modifier.tokens}
            typed = {".type"} if any(types.type_of(token) for token in tokens) else set[str]()
            slots = {modifier.name for modifier in left}
            found = self.coming[at] = frozenset(tokens | slots | typed | _selectors(self.line.operands))
        return found

    def hold_for_tokens(self, reading: Reading) -> bool:
        """Whether no rule forbids the tokens of a complete opcode, whatever its operands."""
        statement = Partial(reading)
        return all(holds(row.condition, statement) for row in self.tokens)


@define(eq=False)
class Rules:
    """The rules of a complete opcode for some operands, of which a few are known."""

    reading: Reading
    known: dict[str, OperandClass]
    present: frozenset[str]
    rows: list[Row]  # that concern operands
    undecided: list[Row] = field(init=False)
    hopeless: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        statement = self._statement({})
        self.undecided = []
        for row in self.rows:
            verdict = decide(row.condition, statement)
            if verdict is None:
                self.undecided.append(row)
            elif not verdict:
                self.hopeless = True

    def broken(self, known: dict[str, OperandClass]) -> bool:
        """Whether a rule is broken with this operand too, whatever the others are."""
        rows = self.rows if known.keys() & self.known.keys() else self.undecided
        if not rows:
            return False
        statement = self._statement(known)
        return any(decide(row.condition, statement) is False for row in rows)

    def allowed(self, name: str, accepted: Alternatives) -> Alternatives:
        """What the rules leave of what an operand may be."""
        if not self.undecided:
            return accepted
        return {
            text: classes
            for text, classes in accepted.items()
            if not classes or any(not self.broken({name: cls}) for cls in classes)
        }

    def _statement(self, known: dict[str, OperandClass]) -> Partial:
        operands = {**self.known, **known}
        unknown = tuple(t for t in self.reading.line.operands if t.name in self.present - operands.keys())
        return Partial(self.reading, operands, self.present, frozenset(_selectors(unknown)))


def _selectors(templates: tuple[Template, ...]) -> set[str]:
    """Selectors that operands may bring in, and the slots that they fill."""
    return {name for t in templates if t.selector_slot for name in (t.selector_slot, *t.selectors)}
