"""Arguments of calls against the function or prototype that is called (PTX ISA 9.7.12.5).

What a callee takes is written elsewhere in the module, so it cannot be said in the specification of an instruction:
this is the named exception `call-signature` of specs/README.md. It looks at the kinds of operands (a parameter list, a
function), never at a mnemonic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ptxgen.ir.module import Function
from ptxgen.ir.operands import Arguments, Name, Operand, Reg, Variable
from ptxgen.isa import types
from ptxgen.isa.matching import Match

Signature = tuple[Sequence[Variable[Any] | Reg[Any]], Sequence[Variable[Any] | Reg[Any]]]  # returned, parameters


def callee(match: Match, operands: tuple[Operand, ...]) -> Name | None:
    """The function, prototype or list of targets whose signature a statement has to fit; None when it names none."""
    if not any(template.shape == "list" for line in match.reading.line.family.lines for template in line.operands):
        return None
    for operand in reversed(operands):
        if isinstance(operand, Name) and operand.cls.type in ("func", "callprototype", "calltargets"):
            return operand
    return None


def mismatch(match: Match, operands: tuple[Operand, ...], signature: Signature) -> str:
    """What does not fit between the lists of a statement and a signature; "" when all does."""
    lists = [operand for operand in operands if isinstance(operand, Arguments)]
    returned, parameters = signature
    first_is_result = bool(operands) and isinstance(operands[0], Arguments)
    given = list(lists[0].elements) if first_is_result else []
    rest = lists[1:] if first_is_result else lists
    passed = list(rest[0].elements) if rest else []
    return _compare("result", given, returned) or _compare("argument", passed, parameters)


def alike(first: Function, second: Function) -> bool:
    """Whether two functions return and take the same."""
    pairs = ((first.returns, second.returns), (first.parameters, second.parameters))
    return all(len(a) == len(b) and all(map(_same, a, b)) for a, b in pairs)


def _same(a: Variable[Any] | Reg[Any], b: Variable[Any] | Reg[Any]) -> bool:
    if isinstance(a, Variable) and isinstance(b, Variable):
        return (a.type, a.shape, a.align) == (b.type, b.shape, b.align)
    return isinstance(a, Reg) and isinstance(b, Reg) and a.type == b.type


def _compare(what: str, given: list[Operand], wanted: Sequence[Variable[Any] | Reg[Any]]) -> str:
    if len(given) != len(wanted):
        return f"{len(wanted)} {what}{'s' if len(wanted) != 1 else ''} needed, {len(given)} given"
    for at, (operand, parameter) in enumerate(zip(given, wanted, strict=True), 1):
        if not _fits(operand, parameter):
            need = f".{parameter.type}" + (f" {_size(parameter)} bytes" if isinstance(parameter, Variable) else "")
            return f"{what} {at} takes {need}, got {operand.cls.describe()}"
    return ""


def _fits(operand: Operand, parameter: Variable[Any] | Reg[Any]) -> bool:
    if isinstance(operand, Reg):
        return types.size(operand.type) == types.size(parameter.type) and (operand.type == "pred") == (
            parameter.type == "pred"
        )
    if isinstance(operand, Variable):
        return isinstance(parameter, Variable) and _size(operand) == _size(parameter)
    return parameter.type != "pred"  # a constant


def _size(variable: Variable[Any]) -> int:
    total = types.known(variable.type).bits // 8
    for dimension in variable.shape:
        total *= dimension or 1
    return total
