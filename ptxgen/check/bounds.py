"""Accesses at constant places: beyond the variable, or at an offset that its type cannot have. ptxas checks neither."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.check.variables import size
from ptxgen.errors import Diagnostic
from ptxgen.ir.operands import Address, Offset, Operand, Variable
from ptxgen.isa import types
from ptxgen.isa.matching import Match


def moved(match: Match) -> int:
    """The bytes that a load or store moves; 0 of all else, whose bytes the opcode does not say."""
    block = match.reading.line.block
    if len({"reads-memory", "writes-memory"} & block.traits) != 1 or ".type" not in match.slots:
        return 0
    name = match.tokens[match.slots[".type"]].lstrip(".")
    vector = match.tokens[match.slots[".vec"]] if ".vec" in match.slots else ".v1"
    if types.type_of(name) is None or not vector[2:].isdigit():
        return 0
    return types.known(name).bits // 8 * int(vector[2:])


def findings(bytes: int, operands: tuple[Operand, ...], opcode: str) -> Iterator[Diagnostic]:
    """What is wrong with the constant place of an access to so many bytes."""
    for operand in operands:
        if not isinstance(operand, Address) or len(operand.elements) != 1:
            continue
        inside = operand.elements[0]
        base, offset = (inside.base, inside.value) if isinstance(inside, Offset) else (inside, 0)
        if not isinstance(base, Variable):
            continue
        variable: Variable[Any] = base
        if types.is_opaque(variable.type):
            continue
        there = size(variable)
        if None not in variable.shape and not 0 <= offset <= there - bytes:
            message = f"{opcode} takes {bytes} bytes at {inside.text}; {variable.text} has {there}"
            need = f"an offset within {there} bytes"
            yield Diagnostic("bounds", "warning", message, opcode, need=need, have=inside.text)
        aligned = max(variable.align or 1, types.known(variable.type).bits // 8 * variable.vector)
        if offset % bytes or aligned % bytes:
            have = f"aligned to {aligned}" if aligned % bytes else f"{offset} bytes away"
            message = f"{opcode} takes {bytes} bytes at {inside.text}, which is {have}: a misaligned access"
            hint = f"declare {variable.text} with .align {bytes}" if aligned % bytes else ""
            yield Diagnostic("misaligned", "warning", message, opcode, need=f"a multiple of {bytes}", hint=hint)
