"""What the specification says of a statement that stands alone in the certification environment."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ptxgen.check import calls
from ptxgen.check.instruction import Verdict, verdict, within_limits
from ptxgen.errors import PtxError
from ptxgen.ir.operands import Operand
from ptxgen.isa import versions
from ptxgen.isa.kinds import NO_OPTIONS
from ptxgen.isa.matching import Match
from ptxgen.isa.versions import Version
from ptxgen.parse.statement import Parsed, parse_statement
from tools.specification.environment import resolve
from tools.specification.names import NAMES


@lru_cache(maxsize=1 << 16)
def parsed(statement: str) -> Parsed | None:
    """The statement, or None when it cannot be read at all."""
    try:
        return parse_statement(statement, resolve)
    except PtxError:
        return None


def examine(statement: str, options: frozenset[str] = frozenset()) -> tuple[Verdict, tuple[Operand, ...]] | None:
    """The verdict on a statement, and its operands."""
    read = parsed(statement)
    if read is None:
        return None
    return verdict(read.opcode, tuple(o.cls for o in read.operands), options), read.operands


def legal(statement: str, target: str, version: str, options: frozenset[str] = frozenset()) -> bool:
    """Whether ptxas should accept a statement. What only the manual forbids does not count."""
    found = examine(statement, options)
    if found is None:
        return False
    said, operands = found
    return any(
        within_limits(match, operands) and called_rightly(match, operands)
        for match in said.available(target, versions.parse(version))
    )


def first_target(
    statement: str, targets: Iterable[str], version: Version, options: frozenset[str] = NO_OPTIONS
) -> str | None:
    """The first of some targets on which ptxas should accept a statement in a version; None when it should on none."""
    found = examine(statement, options)
    if found is None:
        return None
    said, operands = found
    fit = {match for match in said.legal if within_limits(match, operands) and called_rightly(match, operands)}
    return next((target for target in targets if not fit.isdisjoint(said.available(target, version))), None)


def called_rightly(match: Match, operands: tuple[Operand, ...]) -> bool:
    """Whether the lists of a call fit the function or prototype of the environment that it names."""
    called = calls.callee(match, operands)
    if called is None:
        return True
    signature = NAMES[called.text].signature
    return signature is not None and not calls.mismatch(match, operands, signature)
