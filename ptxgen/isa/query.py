"""Ask the ISA: `ptxgen.isa["cp.async.bulk.tensor"].forms`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from ptxgen.errors import Diagnostic, UnknownMnemonic
from ptxgen.isa.family import Block, Family, Line, Row, table

Availability = tuple[tuple[str, dict[str, str]], ...]  # condition, target predicate ("" for any) -> PTX ISA version


@frozen
class Form:
    """One syntax line."""

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
    traits: frozenset[str]


@frozen
class Instruction:
    """What the specification says of a mnemonic."""

    mnemonic: str
    summary: str
    forms: tuple[Form, ...]

    def __str__(self) -> str:
        return "\n".join([f"{self.mnemonic}: {self.summary}", *(f"  {form.syntax}" for form in self.forms)])


class Isa(Mapping[str, Instruction]):
    """Mnemonic -> instruction."""

    def __getitem__(self, mnemonic: str) -> Instruction:
        family = table().family(mnemonic)
        if family is None:
            message = f"the specification has no instruction called {mnemonic!r}"
            raise UnknownMnemonic(message, (Diagnostic("unknown-instruction", "error", message, have=str(mnemonic)),))
        return _instruction(family, mnemonic)

    def __iter__(self) -> Iterator[str]:
        return iter(table().mnemonics())

    def __len__(self) -> int:
        return len(table().mnemonics())


isa = Isa()


def _instruction(family: Family, mnemonic: str) -> Instruction:
    lines = [line for line in family.lines_of(mnemonic) if not line.beyond]
    return Instruction(mnemonic, family.summary, tuple(_form(line, line.block) for line in lines))


def _form(line: Line, block: Block) -> Form:
    def rules(sort: str) -> tuple[str, ...]:
        return tuple(row.text for row in block.rules if row.strength == sort)

    def rows(kind: tuple[Row, ...]) -> Availability:
        return tuple((row.text, row.needs) for row in kind)

    return Form(
        line.text, block.section, tuple(modifier.tokens for modifier in line.modifiers),
        tuple(template.name or template.shape for template in line.operands), block.defaults, rules("rules"),
        rules("stricter"), rules("laxer"), rows(block.since), rows(block.ungated), rows(block.removed),
        rows(block.deprecated), block.traits,
    )  # fmt: skip
