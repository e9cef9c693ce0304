"""Ask the ISA: `ptxgen.isa["cp.async.bulk.tensor"].forms`, `ptxgen.isa["cvt"].on("sm_90", "8.0")`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from ptxgen.errors import Diagnostic, UnknownMnemonic
from ptxgen.isa import opcodes, reach, targets, versions, wording
from ptxgen.isa.availability import lowest
from ptxgen.isa.certification import Certificate, certificate
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Family, Line, Modifier, Row, Template, table
from ptxgen.isa.partial import open_line, settled, truth

Availability = tuple[tuple[str, dict[str, str]], ...]  # condition, target predicate ("" for any) -> PTX ISA version


@frozen
class Form:
    """One syntax line.

    In what `on` returns, tokens, rules and rows are those that matter to some statement that is legal there.
    """

    syntax: str
    section: str  # of the manual
    modifiers: tuple[tuple[str, ...], ...]  # the tokens of each place
    operands: tuple[str, ...]
    defaults: dict[str, str]  # what an omitted modifier means
    rules: tuple[str, ...]  # of the manual and ptxas
    stricter: tuple[str, ...]  # of ptxas only
    laxer: tuple[str, ...]  # of the manual only
    since: Availability
    ungated: Availability  # stated by the manual, not enforced by ptxas
    removed: Availability
    deprecated: Availability
    instead: Availability  # condition, target predicate -> what serves where a target lacks the statement
    traits: frozenset[str]
    sets: dict[str, tuple[str, ...]]  # the tokens of each slot
    left_out: tuple[str, ...]  # of the syntax: modifiers and operands that no statement has there
    kinds: dict[str, str]  # what each operand takes, with the conditions that decide
    mnemonic: str
    line: Line = field(repr=False, eq=False)  # of the tables, without the tokens that are left out

    def on(self, target: str | None = None, version: str | None = None) -> Form | None:
        """The form as far as it is legal on a target (else on some target) in a version (else the newest).

        None where no statement of it is; ValueError when there is no such target or version.
        """
        names, at = _names(target), _version(version)
        line = reach.reduced(self.line, self.mnemonic, names, at)
        if line is None:
            return None
        form = _form(line, self.mnemonic, lambda tree: bool(reach.since([line], self.mnemonic, names, at, tree)))
        there = {modifier.name for modifier in line.modifiers} | set(form.operands)
        names_here = [*(modifier.name for modifier in self.line.modifiers), *self.operands]
        return evolve(form, left_out=tuple(name for name in names_here if name not in there))

    def available(self) -> dict[str, str]:
        """Target -> the first PTX ISA version in which it has some statement of this form."""
        return _available([self.line], self.mnemonic)


@frozen
class Instruction:
    """What the specification says of a mnemonic."""

    mnemonic: str
    summary: str
    forms: tuple[Form, ...]

    def __str__(self) -> str:
        return "\n".join([f"{self.mnemonic}: {self.summary}", *(f"  {form.syntax}" for form in self.forms)])

    def on(self, target: str | None = None, version: str | None = None) -> Instruction:
        """The instruction with the forms, and of these the tokens, that are legal there; see `Form.on`."""
        forms = [form.on(target, version) for form in self.forms]
        return evolve(self, forms=tuple(form for form in forms if form is not None))

    def available(self) -> dict[str, str]:
        """Target -> the first PTX ISA version in which it has some statement of the instruction."""
        return _available([form.line for form in self.forms], self.mnemonic)

    def needs(self) -> dict[str, str]:
        """The least alternatives of target and version that have something of it: predicate ("" for any) -> version."""
        names = [name for name in targets.names() if targets.present(name).name == name]
        return lowest(reach.since([form.line for form in self.forms], self.mnemonic, names))

    def instead(self, target: str) -> tuple[tuple[str, str], ...]:
        """Conditions of which a target has no statement, each with what serves there instead."""
        found: dict[str, str] = {}
        for form in self.forms:
            given = open_line(form.line, self.mnemonic)
            for row in form.line.block.instead:
                phrase = next((text for who, text in row.phrases.items() if targets.meets(target, who)), "")
                if phrase and truth(row.condition, given) is not False:
                    had = reach.since([form.line], self.mnemonic, [target], which=row.condition)
                    found.setdefault(row.text, "" if had else phrase)
        return tuple((condition, phrase) for condition, phrase in found.items() if phrase)

    def certificate(self) -> Certificate:
        """How its specification was held against ptxas."""
        return certificate(self.mnemonic)


class Isa(Mapping[str, Instruction]):
    """Mnemonic -> instruction."""

    def __getitem__(self, mnemonic: str) -> Instruction:
        family = table().family(mnemonic)
        if family is None:
            message = f"the specification has no instruction called {mnemonic!r}"
            raise UnknownMnemonic(message, (Diagnostic("unknown-instruction", "error", message, have=str(mnemonic)),))
        return _instruction(family, mnemonic)

    def __contains__(self, mnemonic: object) -> bool:
        return isinstance(mnemonic, str) and table().family(mnemonic) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(table().mnemonics())

    def __len__(self) -> int:
        return len(table().mnemonics())


isa = Isa()


def _instruction(family: Family, mnemonic: str) -> Instruction:
    lines = [line for line in family.lines_of(mnemonic) if not line.beyond]
    return Instruction(mnemonic, family.summary, tuple(_form(line, mnemonic) for line in lines))


def _form(line: Line, mnemonic: str, legal: Callable[[Tree], bool] = lambda tree: True) -> Form:
    """A form with the rules and rows that can matter to the line: of rows, such as some legal statement satisfies."""
    block, given = line.block, open_line(line, mnemonic)

    def rules(sort: str) -> tuple[str, ...]:
        rows = [row for row in block.rules if row.strength == sort and truth(row.condition, given) is not True]
        return tuple(dict.fromkeys(row.text for row in rows))

    def rows(kind: tuple[Row, ...]) -> Availability:
        there = [row for row in kind if truth(row.condition, given) is not False and legal(row.condition)]
        return tuple((row.text, row.needs or row.phrases) for row in there)

    sets = {modifier.name: modifier.tokens for modifier in line.modifiers if modifier.slot}
    return Form(
        line.text, block.section, tuple(modifier.tokens for modifier in line.modifiers),
        tuple(template.name or template.shape for template in line.operands),
        {slot: token for slot, token in block.defaults.items() if slot in sets or slot in line.tokens},
        rules("rules"), rules("stricter"), rules("laxer"), rows(block.since), rows(block.ungated), rows(block.removed),
        rows(block.deprecated), rows(block.instead), block.traits, sets, (), _kinds([line], mnemonic), mnemonic, line,
    )  # fmt: skip


def operand_kinds(forms: Sequence[Form]) -> dict[str, str]:
    """What each operand takes in any of some forms of one block, with the conditions that decide."""
    return _kinds([form.line for form in forms], forms[0].mnemonic)


def _kinds(lines: list[Line], mnemonic: str) -> dict[str, str]:
    given = [open_line(line, mnemonic) for line in lines]

    def decided(tree: Tree) -> bool | None:
        truths = {truth(tree, one) for one in given}
        return truths.pop() if len(truths) == 1 else None

    names = dict.fromkeys(name for line in lines for name in _operands(line.operands))
    return {name: wording.kinds(lines[0].block.kinds[name], decided) for name in names}


def of_opcode(opcode: str) -> Instruction | None:
    """The instruction as far as one opcode goes: its forms with these modifiers alone; None when it is none."""
    mnemonic, readings = opcodes.read(opcode)
    lines = [_fixed(reading) for reading in readings if not reading.line.beyond and not reading.repeated]
    if not lines:
        return None
    family = lines[0].family
    return Instruction(mnemonic, family.summary, tuple(_form(line, mnemonic) for line in lines))


def _fixed(reading: opcodes.Reading) -> Line:
    """The line of a reading with its tokens alone; kinds name the types that these are."""
    left = list(reading.tokens)
    modifiers: list[Modifier] = []
    for modifier in reading.line.modifiers:
        if left and left[0] in modifier.tokens and reading.slots.get(modifier.name, len(modifiers)) == len(modifiers):
            modifiers.append(evolve(modifier, tokens=(left.pop(0),), group=0))
    line = reach.without_impossible(evolve(reading.line, modifiers=tuple(modifiers)), reading.mnemonic)
    given = open_line(line, reading.mnemonic)
    kinds = {
        name: [(when, {**kind, "bases": [settled(base, given) for base in kind["bases"]]}) for when, kind in choices]
        for name, choices in line.block.kinds.items()
    }
    return evolve(line, block=evolve(line.block, kinds=kinds))


@frozen
class Listed:
    """A mnemonic as a list has it."""

    mnemonic: str
    summary: str
    version: str  # the first that has something of it, on the target that was asked for, or on any
    needs: dict[str, str]  # the least alternatives: target predicate ("" for any) -> PTX ISA version


def listing(target: str | None = None, version: str | None = None) -> list[Listed]:
    """Every instruction of which a target (else some target) has something in a version (else in any).

    ValueError when there is no such target or version.
    """
    at = None if version is None else _version(version)
    names, present = _names(target), [name for name in targets.names() if targets.present(name).name == name]
    found: list[Listed] = []
    for mnemonic in table().mnemonics():
        family = table().family(mnemonic)
        assert family is not None
        lines = family.lines_of(mnemonic)
        if had := reach.since(lines, mnemonic, names, at):
            first = min(had.values()) if target is None else max(had[target], targets.target(target).since)
            needs = lowest(reach.since(lines, mnemonic, present))
            found.append(Listed(mnemonic, family.summary, versions.text(first), needs))
    return found


def _operands(templates: tuple[Template, ...]) -> Iterator[str]:
    """The names of operands that have kinds, those within vectors and addresses, too."""
    for template in templates:
        if template.inner:
            yield from _operands(template.inner)
        elif template.shape in ("value", "address", "list"):
            yield template.name
            if template.second:
                yield template.second


def _names(target: str | None) -> tuple[str, ...]:
    return targets.names() if target is None else (targets.target(target).name,)


def _version(text: str | None) -> versions.Version:
    if text is None:
        return versions.newest()
    version = versions.parse(text)
    if version not in versions.known():
        raise ValueError(f"there is no PTX ISA version {text}")
    return version


def _available(lines: list[Line], mnemonic: str) -> dict[str, str]:
    had = reach.since(lines, mnemonic, targets.names())
    return {name: versions.text(max(first, targets.target(name).since)) for name, first in had.items()}
