"""Examples are legal, rejects are not; the values of an example can be read.

An example is legal on some target in some PTX ISA version, a reject on none in the newest.
"""

from __future__ import annotations

import re

from ptxgen.check.instruction import within_limits
from ptxgen.errors import ParseError
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.family import Block as CompiledBlock
from ptxgen.isa.family import Family as Compiled
from ptxgen.isa.family import Table
from ptxgen.isa.matching import Match
from ptxgen.isa.versions import Version
from tools.specification.environment import Case, Statement, understand
from tools.specification.family import Example, Family
from tools.specification.reader import Problems

_OPCODE = re.compile(r"(?:@!?[%$\w]+\s+)?([A-Za-z][\w.:]*)")
_ASSIGNMENT = re.compile(r"\s*([%$\w]+)\s*=\s*(\S+)\s*")
_VALUE = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+|inf|nan)"
    r"|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}"
)
_STATES = ("CC", "laneid")


def audit(family: Family, compiled: Compiled, table: Table, problems: Problems) -> set[int]:
    """Add a fault for every example or reject that is not what it is called; return the `id` of each example's line."""
    proven: set[int] = set()
    for block, compiled_block in zip(family.blocks, compiled.blocks, strict=True):
        for example in block.examples:
            key = "examples" if example.legal else "rejects"
            for message in _faults(example, family, compiled_block, table, proven):
                problems.add(family.path, example.line, key, message)
    return proven


def _faults(example: Example, family: Family, block: CompiledBlock, table: Table, proven: set[int]) -> list[str]:
    unknown = sorted(set(example.options) - family.names.options)
    if unknown:
        return [f"no option is called {unknown[0]}"]
    opcode = _OPCODE.match(example.text)
    mnemonic = table.split(opcode[1])[0] if opcode else ""
    compiled = table.family(mnemonic)
    if compiled is None or (example.legal and mnemonic not in family.mnemonics):
        return [f"{example.text!r} begins with no mnemonic" + (" of this file" if mnemonic else "")]
    try:
        statement = understand(example.text, compiled, mnemonic, frozenset(example.options))
    except ParseError as error:
        return [f"{example.text!r} cannot be read: {error}"] if example.legal else []
    legal = [match for case in statement.cases for match in case.matches if _legal(match, case)]
    if not example.legal:
        now = [match for match in legal if _available(match, versions.newest())]
        return [f"{example.text!r} is legal: {now[0].reading.line.text}"] if now else []
    legal = [match for match in legal if _available(match)]
    if not legal:
        return [f"{example.text!r} is not legal: {_reason(statement)}"]
    if all(match.reading.line.block is not block for match in legal):
        return [f"{example.text!r} belongs to the block {legal[0].reading.line.block.section!r}"]
    proven.update(id(match.reading.line) for match in legal)
    return _values(example)


def _legal(match: Match, case: Case) -> bool:
    return not match.errors() and within_limits(match, case.operands)


def _available(match: Match, version: Version | None = None) -> bool:
    """Whether some target has a statement, in one version or in any."""
    spans = (availability.span(match, name) for name in reversed(targets.names()))
    if version is not None:
        return any(version in span for span in spans)
    return any(span and span.first <= versions.newest() for span in spans)


def _reason(statement: Statement) -> str:
    """Why a statement is not legal, from the reading that comes nearest."""
    if not statement.readings:
        return "no syntax line has these modifiers"
    matches = [(match, case) for case in statement.cases for match in case.matches]
    if not matches:
        return "the operands fit no syntax line"
    match, case = min(matches, key=lambda pair: len(pair[0].errors()))
    if match.errors():
        return f"it breaks {match.errors()[0].text!r}"
    return "no target has it" if within_limits(match, case.operands) else "a constant is out of range"


def _values(example: Example) -> list[str]:
    words = set(re.findall(r"[%$\w]+", example.text))
    for text in (example.inputs, example.outputs):
        for part in text.split(",") if text else ():
            assignment = _ASSIGNMENT.fullmatch(part)
            if assignment is None:
                return [f"{part.strip()!r} is no value; one is written name=value"]
            name, value = assignment.groups()
            if name not in words and name not in _STATES:
                return [f"{name} is no register of {example.text!r}"]
            if not _VALUE.fullmatch(value):
                return [f"{value!r} is no number; write it as in Python, as 0f... or 0d..., or as inf or nan"]
    return []
