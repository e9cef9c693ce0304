"""The instructions of a module: legal, available, with constants in their ranges, calls with the right arguments.

Almost all depends on the variant, opcode and operand classes, which is judged once. Only instructions of a variant with
a finding, with limits on constants, or with a callee are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from ptxgen.check import bounds, explain
from ptxgen.check.assembler import Assembler
from ptxgen.check.calls import Signature, callee, mismatch, wrong_target
from ptxgen.check.instruction import Verdict, verdict, within_limits
from ptxgen.check.places import Places, place
from ptxgen.check.retargeted import may_change, pieces
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Address, Arguments, Name, Offset, Operand
from ptxgen.ir.statements import Prototype, Record, Targets, Variant
from ptxgen.isa import availability, versions
from ptxgen.isa.classes import FUNCTIONS, LIST, VARIABLE
from ptxgen.isa.fitting import NARROW
from ptxgen.isa.matching import Match
from ptxgen.isa.versions import Version


@define(eq=False, weakref_slot=False, repr=False)
class Judged:
    """What is known of a variant before its instructions are looked at."""

    verdict: Verdict
    found: tuple[Diagnostic, ...] = ()  # the same for each of its instructions
    available: tuple[Match, ...] = ()
    limited: bool = False  # values of constants decide
    calling: bool = False  # arguments have to fit a callee
    parameters: bool = False  # something in .param space is named
    moved: int = 0  # bytes of a load or store at a variable


@define(eq=False, weakref_slot=False, repr=False)
class Statements:
    """The check of all instructions of one module against a target and version."""

    module: Module
    target: str
    version: Version
    options: frozenset[str]
    places: Places
    assembler: Assembler
    functions: dict[str, Function] = field(factory=dict[str, Function])
    judged: dict[Variant, Judged] = field(factory=dict[Variant, Judged])

    def findings(self) -> Iterator[Diagnostic]:
        """What is wrong with the instructions, in order."""
        changing = may_change(self.module)
        for function in self.module.functions:
            self.functions.setdefault(function.name, function)
            for target, piece in pieces(function) if changing else (("", function),):
                if target:
                    self.target, self.judged = target, {}
                concerned = {v for v in piece.variants if self.concerns(v)}
                if concerned:
                    yield from self.of_body(piece, concerned)

    def concerns(self, variant: Variant) -> bool:
        """Whether the instructions of a variant have to be looked at."""
        known = self.judged.get(variant)
        if known is None:
            known = self.judged[variant] = self.judge(variant)
        return bool(known.found) or known.limited or known.calling or known.parameters or known.moved > 0

    def judge(self, variant: Variant) -> Judged:
        """What the specification says of a variant on the target, in the version."""
        found = verdict(variant.opcode, variant.shape, self.options)
        if found.readings and any(cls.undeclared for cls in variant.shape):
            return Judged(found)  # the name has its finding; what it would be is not known
        if not found.legal:
            return Judged(found, (explain.illegal(found),))
        available = found.available(self.target, self.version)
        if not available:
            said = explain.unavailable(found, self.target, self.version)
            return Judged(found, (said,))
        calling = any(cls.what == LIST or cls.type in FUNCTIONS for cls in variant.shape) or any(
            cls.type in _TABLES for cls in variant.shape
        )
        named = any(element.space == _PARAMETER for cls in variant.shape for element in cls.elements)
        placed = any(element.what == VARIABLE for cls in variant.shape for element in cls.elements)
        moved = bounds.moved(available[0]) if placed else 0
        remarks = tuple(self.remarks(found, available[0]))
        return Judged(found, remarks, available, found.limited, calling, named, moved)

    def remarks(self, found: Verdict, best: Match) -> Iterator[Diagnostic]:
        """What is legal and available, but not by the manual, or not for long."""
        wide = self.module.address_size == WIDE
        if any(wide or row.text != NARROW for row in best.beyond_manual()):
            yield explain.beyond_manual(best, found.opcode, "warning")
        yield from self.unassembled(found, best)
        if availability.span(best, self.target, "ungated").first > self.version:
            yield explain.ungated(best, found.opcode, self.target, self.version, "warning")
        for row in availability.rows(best, "deprecated"):
            first = availability.first_version(row.needs, self.target)
            if first <= self.version:
                text = f"{found.opcode} is deprecated from PTX {versions.text(first)} on"
                yield Diagnostic("deprecated", "advice", text, found.opcode)

    def unassembled(self, found: Verdict, best: Match) -> Iterator[Diagnostic]:
        """What ptxas reads, and makes no code of: an error when the question is whether it assembles."""
        for row in best.unassembled():
            message = f"{found.opcode}: {row.text!r} does not hold, and ptxas makes no code of it"
            yield self.assembler.finding(message, found.opcode, row.text)
        if best.narrow and self.module.address_size == WIDE and (need := self.assembler.wide_addresses()):
            message = f"{found.opcode} has an address of 64 bits in a register of 32; {need}"
            hint = "convert the address to a register of 64 bits"
            yield self.assembler.finding(message, found.opcode, "an address of 64 bits", hint)

    def of_body(self, function: Function, concerned: set[Variant]) -> Iterator[Diagnostic]:
        """The findings about the concerned instructions of a function."""
        tables: dict[str, Prototype | Targets] = {}
        for at, statement in enumerate(function.body):
            if isinstance(statement, tuple):
                variant = statement[0]
                if variant.__class__ is not Variant:
                    variant = variant.variant
                if variant in concerned:
                    for diagnostic in self.of_instruction(function, self.judged[variant], statement, tables):
                        yield self.places.at(diagnostic, place(function.places, at), len(variant.opcode))
            elif isinstance(statement, Prototype | Targets):
                tables[statement.name] = statement

    def of_instruction(
        self, function: Function, known: Judged, record: Record, tables: dict[str, Prototype | Targets]
    ) -> Iterator[Diagnostic]:  # fmt: skip
        """The findings about one instruction."""
        yield from known.found
        operands: tuple[Operand, ...] = record[1:]
        if known.limited and not any(within_limits(match, operands) for match in known.available):
            yield explain.value(known.available, operands, known.verdict.opcode)
        elif known.calling and (message := self.wrong_call(known.available, operands, tables)):
            opcode = known.verdict.opcode
            yield Diagnostic("call-target", "error", f"{function.name}: {opcode}: {message}", opcode, have=message)
        if known.moved:
            yield from bounds.findings(known.moved, operands, known.verdict.opcode)
        if known.parameters and not function.entry and (message := self.misused(function, known, operands)):
            opcode = known.verdict.opcode
            yield Diagnostic("parameter", "error", f"{function.name}: {opcode}: {message}", opcode, have=message)

    def misused(self, function: Function, known: Judged, operands: tuple[Operand, ...]) -> str:
        """What is wrong with the use of the function's own parameters and results; "" when nothing is."""
        traits = known.available[0].reading.line.block.traits
        for operand in operands:
            for element in operand.elements if isinstance(operand, Address | Arguments) else ():
                variable = element.base if isinstance(element, Offset) else element
                taken = any(variable is each for each in function.parameters)
                if not taken and not any(variable is each for each in function.returns):
                    continue
                what = "a parameter" if taken else "what the function returns"
                if isinstance(operand, Arguments):
                    return f"{variable.text} is {what}; pass a register or a .param variable of the body"
                if taken and "writes-memory" in traits and "reads-memory" not in traits:
                    return f"{variable.text} is {what}, which is read only"
                if not taken and "reads-memory" in traits:
                    return f"{variable.text} is {what}, which is written only"
        return ""

    def wrong_call(
        self, matches: tuple[Match, ...], operands: tuple[Operand, ...], tables: dict[str, Prototype | Targets]
    ) -> str:  # fmt: skip
        """What is wrong with the callee of an instruction or with its arguments; "" when nothing is."""
        found = ""
        for match in matches:
            called = callee(match, operands)
            if called is None:
                return ""
            found = self._wrong_callee(match, operands, called, tables.get(called.text))
            if not found:
                return ""
        return found

    def _wrong_callee(
        self, match: Match, operands: tuple[Operand, ...], called: Name, table: Prototype | Targets | None
    ) -> str:  # fmt: skip
        if isinstance(table, Prototype):
            return mismatch(match, operands, (table.returns, table.parameters))
        names = [name.text for name in table.targets] if isinstance(table, Targets) else [called.text]
        for name in names:
            function = self.functions.get(name)
            if function is None:
                continue
            signature: Signature = (function.returns, function.parameters)
            if message := wrong_target(function) or mismatch(match, operands, signature):
                return message
        return ""


WIDE = 64  # bits of an address
_PARAMETER = ".param::func"  # the space of what functions and calls pass
_TABLES = ("callprototype", "calltargets")
