"""What the analyses of the flow of control and data find."""

from __future__ import annotations

from attrs import define

from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function


@define(eq=False, weakref_slot=False, repr=False)
class Finding:
    """A diagnostic about a statement of a function; `index` is that of the statement in the body."""

    diagnostic: Diagnostic
    function: Function
    index: int


def advice(code: str, function: Function, index: int, message: str, hint: str, section: str = "") -> Finding:
    """Advice about an instruction, with the section of the manual that speaks of the hazard."""
    record = function.body[index]
    opcode = record[0].variant.opcode if isinstance(record, tuple) else ""
    need = f"PTX ISA {section}" if section else ""
    return Finding(Diagnostic(code, "advice", f"{function.name}: {message}", opcode, need, hint=hint), function, index)
