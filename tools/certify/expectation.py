"""What the specification says of a statement that stands alone in the certification environment."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ptxgen.check import calls
from ptxgen.check.instruction import Verdict, verdict, within_limits
from ptxgen.errors import PtxError
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand
from ptxgen.isa import versions
from ptxgen.isa.matching import Match
from ptxgen.parse.statement import Parsed, parse_statement
from tools.specification.environment import resolve

_PARAMETER: ir.Variable[Any] = ir.Variable("pa", ir.variable_class("b32", ".param::func"), "b32", ".param")
_SIGNATURES: dict[str, calls.Signature] = {
    "devf": ((), (ir.register("x", "b32"),)),
    "extf": ((_PARAMETER,), (_PARAMETER,)),
    "kern": ((), ()),
    "noargs": ((), ()),
    "$proto": ((), (_PARAMETER,)),
    "$calls": ((), (ir.register("x", "b32"),)),
}


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


def called_rightly(match: Match, operands: tuple[Operand, ...]) -> bool:
    """Whether the lists of a call fit the function or prototype of the environment that it names."""
    called = calls.callee(match, operands)
    return called is None or not calls.mismatch(match, operands, _SIGNATURES[called.text])
