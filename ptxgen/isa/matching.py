"""Match a statement (opcode and operand classes) against the syntax lines and operand kinds of its family."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from ptxgen.isa.classes import (
    ADDRESS,
    ELEMENT,
    FLOAT,
    INTEGER,
    LIST,
    SINK,
    VARIABLE,
    VECTOR,
    OperandClass,
    operand_class,
)
from ptxgen.isa.conditions import Tree, holds
from ptxgen.isa.family import Row, Template
from ptxgen.isa.fitting import BARE, NARROW, Notes, Path, address, fit, without_brackets
from ptxgen.isa.kinds import NO_OPTIONS, kind_of
from ptxgen.isa.opcodes import Reading

_Bound = tuple[dict[str, OperandClass], Notes]


@define(eq=False, weakref_slot=False, repr=False)
class Match:
    """A reading of the opcode with its operands bound. It is a `ptxgen.isa.conditions.Statement`."""

    reading: Reading
    operands: dict[str, OperandClass]
    options: frozenset[str] = NO_OPTIONS
    limits: tuple[tuple[Path, Tree], ...] = ()  # where a constant's value is restricted, and how
    lax: tuple[str, ...] = ()  # what in the operands ptxas takes and the manual does not have
    tokens: tuple[str, ...] = field(init=False)
    slots: dict[str, int] = field(init=False)
    broken: tuple[Row, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tokens, self.slots = self.reading.tokens, self.reading.slots
        for template in self.reading.line.operands:
            operand = self.operands.get(template.name) if template.selector_slot else None
            if operand is not None and operand.selector:
                self.slots = {**self.slots, template.selector_slot: len(self.tokens)}
                self.tokens = (*self.tokens, operand.selector)
        self.broken = tuple(row for row in self.reading.line.block.rules if not holds(row.condition, self))
        if self.reading.line.beyond:
            self.broken += (Row(f"the manual has no {self.reading.line.text!r}", [], "laxer"),)
        self.broken += tuple(Row(f"the manual has {token} once", [], "laxer") for token in self.reading.repeated)
        self.broken += tuple(Row(f"the manual has no {token} here", [], "laxer") for token in self.reading.ignored)
        self.broken += tuple(Row(text, [], "laxer") for text in dict.fromkeys(self.lax))

    @property
    def mnemonic(self) -> str:
        return self.reading.mnemonic

    @property
    def alias(self) -> str:
        return self.reading.line.family.alias

    def errors(self) -> tuple[Row, ...]:
        """The broken rules that ptxas enforces when it reads."""
        return tuple(row for row in self.broken if row.strength not in ("laxer", "unassembled"))

    def beyond_manual(self) -> tuple[Row, ...]:
        """The broken rules that only the manual states."""
        return tuple(row for row in self.broken if row.strength == "laxer")

    def unassembled(self) -> tuple[Row, ...]:
        """The broken rules that matter when code is made."""
        return tuple(row for row in self.broken if row.strength == "unassembled")

    @property
    def narrow(self) -> bool:
        """Whether an address of 64 bits is in a register of 32."""
        return any(note == NARROW for note in self.lax)


def matches(
    reading: Reading, operands: tuple[OperandClass, ...], options: frozenset[str] = NO_OPTIONS
) -> Iterator[Match]:
    """Every way to bind the operands to the places of the reading's line."""
    binder = _Binder(reading)
    for bound, notes in binder.places(reading.line.operands, operands, (), 0, {}):
        limits = tuple((path, tree) for path, tree in notes if tree[0] != "lax")
        yield Match(reading, bound, options, limits, tuple(tree[1] for _, tree in notes if tree[0] == "lax"))


def fits(reading: Reading, name: str, operand: OperandClass) -> bool:
    """Whether one operand is of its kind, as the manual has it; the values of constants aside."""
    limits = fit(reading, name, operand, ())
    return limits is not None and all(tree[0] != "lax" for _, tree in limits)


@define(eq=False, weakref_slot=False, repr=False)
class _Binder:
    """Binds the operands of a statement to the templates of one line."""

    reading: Reading

    def places(
        self,
        templates: tuple[Template, ...],
        operands: tuple[OperandClass, ...],
        path: Path,
        at: int,
        groups: dict[int, bool],
    ) -> Iterator[_Bound]:
        if not templates:
            if at == len(operands):
                yield {}, ()
            return
        template, rest = templates[0], templates[1:]
        if at < len(operands) and groups.get(template.group, True):
            taken = {**groups, template.group: True} if template.group else groups
            for names, limits in self.place(template, operands[at], (*path, at)):
                for more, further in self.places(rest, operands, path, at + 1, taken):
                    yield {**names, **more}, limits + further
        if template.group and not groups.get(template.group):
            yield from self.places(rest, operands, path, at, {**groups, template.group: False})

    def place(self, template: Template, operand: OperandClass, path: Path) -> Iterator[_Bound]:
        """Bind one operand; nothing when it does not fit."""
        if operand.selector == ELEMENT:
            meant = self.of_element(template, operand)
            if meant is None:
                return
            operand = meant
        if operand.prefix and operand.prefix != template.prefix:
            return
        if operand.selector and operand.selector not in template.selectors:
            return
        if template.selectors and not template.selector_optional and not operand.selector:
            return
        match template.shape:
            case "sink":
                if operand.what == SINK:
                    yield {"_": operand}, ()
            case "number":
                if operand.what == INTEGER:
                    number = int(template.name)
                    yield {}, ((path, ["imm", "range", number, number, 1]),)
            case "list":
                if operand.what == LIST:
                    yield {template.name: operand}, ()
            case "vector":
                if operand.what == VECTOR:
                    yield from self.places(template.inner, operand.elements, path, 0, {})
            case "address" if template.inner:
                if operand.what == ADDRESS and not any(element.offset for element in operand.elements):
                    for names, notes in self.places(template.inner, operand.elements, path, 0, {}):
                        if all(self.beside_others(name, part) for name, part in names.items()):
                            yield names, notes
            case "address":
                if operand.what == ADDRESS and len(operand.elements) == 1:
                    limits = address(self.reading, template.name, operand.elements[0], path)
                    if limits is not None:
                        yield {template.name: operand}, limits
                elif without_brackets(self.reading, template.name, operand):
                    yield {template.name: operand}, BARE
            case _:
                yield from self.value(template, operand, path)

    def of_element(self, template: Template, operand: OperandClass) -> OperandClass | None:
        """The address that an element of an array is, where one is read: in loads, stores, and for a variable."""
        plain = operand_class(VARIABLE, operand.type, operand.space, offset=True)
        if template.shape == "address":
            moves = {"reads-memory", "writes-memory"} & self.reading.line.block.traits
            return operand_class(ADDRESS, elements=(plain,)) if len(moves) == 1 else None
        kind = kind_of(self.reading, template.name) if template.shape == "value" else None
        return plain if kind is not None and any(base[0] == "var" for base in kind["bases"]) else None

    def beside_others(self, name: str, operand: OperandClass) -> bool:
        """Whether ptxas reads an operand within brackets that is no address: not a constant alone."""
        kind = kind_of(self.reading, name)
        address = kind is not None and kind["bases"][0][0] == "addr"
        return address or operand.what not in (INTEGER, FLOAT)

    def value(self, template: Template, operand: OperandClass, path: Path) -> Iterator[_Bound]:
        limits = fit(self.reading, template.name, operand, path)
        if limits is None:
            return
        names = {template.name: operand}
        if operand.second is not None:
            if not template.second or fit(self.reading, template.second, operand.second, path) is None:
                return
            names[template.second] = operand.second
        elif template.second and not template.second_optional:
            return
        yield names, limits
