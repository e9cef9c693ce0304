"""Arguments of calls against the function or prototype that is called (PTX ISA 9.7.12.5).

What a callee takes is written elsewhere in the module, so it cannot be said in the specification of an instruction:
this is the named exception `call-signature` of specs/README.md. It looks at the kinds of operands (a parameter list, a
function), never at a mnemonic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ptxgen.check.directives import performance
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Arguments, Float, Integer, Name, Operand, Reg, Sink, Variable
from ptxgen.isa import types
from ptxgen.isa.classes import FLOAT, FUNCTIONS, INTEGER
from ptxgen.isa.matching import Match

Signature = tuple[Sequence[Variable[Any] | Reg[Any]], Sequence[Variable[Any] | Reg[Any]]]  # returned, parameters


def callee(match: Match, operands: tuple[Operand, ...]) -> Name | None:
    """The function, prototype or list of targets whose signature a statement has to fit; None when it names none."""
    if not any(template.shape == "list" for line in match.reading.line.family.lines for template in line.operands):
        return None
    for operand in reversed(operands):
        if isinstance(operand, Name) and operand.cls.type in (*FUNCTIONS, "callprototype", "calltargets"):
            return operand
    return None


def wrong_target(function: Function) -> str:
    """What is against calling a function; "" when nothing is. A kernel is launched, never called."""
    return f"{function.name} is a kernel; a device function is needed, define one with m.func" if function.entry else ""


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
    """Whether two functions return and take the same, and come back or not."""
    pairs = ((first.returns, second.returns), (first.parameters, second.parameters))
    if _comes_not_back(first) != _comes_not_back(second):
        return False
    return all(len(a) == len(b) and all(map(_same, a, b)) for a, b in pairs)


def _comes_not_back(function: Function) -> bool:
    return any(performance().get(d.name, {}).get("returned") == "no" for d in function.directives)


def _same(a: Variable[Any] | Reg[Any], b: Variable[Any] | Reg[Any]) -> bool:
    if isinstance(a, Variable) and isinstance(b, Variable):
        return (a.type, a.shape, _form(a).align) == (b.type, b.shape, _form(b).align)
    return isinstance(a, Reg) and isinstance(b, Reg) and a.type == b.type


def _compare(what: str, given: list[Operand], wanted: Sequence[Variable[Any] | Reg[Any]]) -> str:
    omitted = what == "argument" and len(given) + 1 == len(wanted) and _unsized(wanted[-1])
    if len(given) != len(wanted) and not omitted:
        return f"{len(wanted)} {what}{'s' if len(wanted) != 1 else ''} needed, {len(given)} given"
    for at, (operand, parameter) in enumerate(zip(given, wanted, strict=False), 1):
        if not (isinstance(operand, Sink) and what == "result") and not _fits(operand, parameter):
            takes = f".{parameter.type}" if isinstance(parameter, Reg) else _described(parameter)
            return f"{what} {at} takes {takes}, got {_described(operand)}"
    return ""


# Measured on ptxas 13.5. Which kinds may be passed for a kind of parameter, in registers and in memory alike; sizes,
# alignments and whether it is an array have to agree as well.
# A float is a kind of its own, so that elements of arrays differ.
_FLOATS = frozenset({"f16", "f32", "f64"})
_COMPATIBLE: dict[str, frozenset[str]] = {
    "bits": frozenset({"bits", "integer", "packed"}) | _FLOATS,
    "integer": frozenset({"bits", "integer", "packed"}),
    **{name: frozenset({"bits", name, "packed"}) for name in _FLOATS},
    "packed": frozenset({"bits", "integer", "packed", "predicate"}) | _FLOATS,
    "predicate": frozenset({"packed", "predicate"}),
}
# The kinds of parameters, of whatever size, for which a constant may be passed: by its class and how it is written.
_CONSTANTS: dict[tuple[str, str], frozenset[str]] = {
    (INTEGER, ""): frozenset({"bits", "integer"}),
    (FLOAT, "f32"): frozenset({"bits", "packed"}) | _FLOATS,
    (FLOAT, "f64"): frozenset({"bits"}) | _FLOATS,
}
_KINDS = {"unsigned": "integer", "signed": "integer"}
_PREDICATE = 4  # bytes: a predicate is passed like a packed value
_PASSED = ("", ".param::func")  # state spaces: registers, and .param outside of the head of an entry


@frozen
class _Form:
    """What of a parameter, or of a register or variable passed for it, decides whether they fit."""

    kind: str
    array: bool
    align: int
    size: int | None  # in bytes; None of an array that takes any number of elements


def _form(item: Variable[Any] | Reg[Any]) -> _Form:
    type = types.known(item.type)
    kind = "packed" if type.lanes > 1 else type.name if type.kind == "float" else _KINDS.get(type.kind, type.kind)
    element = _PREDICATE if kind == "predicate" else type.bits // 8
    if isinstance(item, Reg):
        return _Form(kind, False, element, element)
    size = None if None in item.shape else element * math.prod(n or 0 for n in item.shape)
    return _Form(kind, bool(item.shape), max(item.align or 1, element), size)


def _fits(operand: Operand, parameter: Variable[Any] | Reg[Any]) -> bool:
    wanted = _form(parameter)
    if isinstance(operand, Integer | Float):
        return not wanted.array and wanted.kind in _CONSTANTS[operand.cls.what, operand.cls.type]
    if not isinstance(operand, Reg | Variable) or operand.cls.space not in _PASSED:
        return False
    given = _form(operand)
    exact = operand.type == parameter.type or "bits" in (given.kind, wanted.kind)
    return (
        (exact if wanted.array else given.kind in _COMPATIBLE[wanted.kind])
        and (given.array, given.align) == (wanted.array, wanted.align)
        and wanted.size in (None, given.size)
    )


def _unsized(parameter: Variable[Any] | Reg[Any]) -> bool:
    return isinstance(parameter, Variable) and None in parameter.shape


def _described(item: Operand) -> str:
    """What the caller sees of an argument: `.param .align 8 .b8[16]`, with an alignment that is not the type's own."""
    if not isinstance(item, Variable):
        return item.cls.describe()
    shape = "".join(f"[{'' if n is None else n}]" for n in item.shape)
    align = _form(item).align
    own = align == types.known(item.type).bits // 8
    return f"{item.space} {'' if own else f'.align {align} '}.{item.type}{shape}"
