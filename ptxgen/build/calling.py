"""Calls against the functions of a module: imported when the first one is written, as most kernels have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptxgen.check import calls
from ptxgen.ir.operands import Arguments, Operand
from ptxgen.ir.statements import Prototype, Targets
from ptxgen.isa.matching import Match

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder


def mismatch(builder: Builder, match: Match, operands: tuple[Operand, ...]) -> str:
    """What does not fit between a call and the function or prototype that it names; "" when all does."""
    called = calls.callee(match, operands)
    if called is None:
        return ""
    signature = _signature(builder, called.text)
    if signature is None:
        return f"{called.text} is not declared before its call"
    if isinstance(signature, str):
        return signature
    own = (*builder.function.returns, *builder.function.parameters)
    for operand in operands:
        for passed in operand.elements if isinstance(operand, Arguments) else ():
            if any(passed is variable and passed.cls.space for variable in own):
                return f"{passed.text} is a parameter of the caller; pass a register, or a variable made with k.param"
    return calls.mismatch(match, operands, signature)


def _signature(builder: Builder, name: str) -> calls.Signature | str | None:
    """What the function, prototype or list of targets of a name returns and takes, or why it is not to call."""
    for function in (builder.function, *builder.module.functions):
        if function.name == name:
            return calls.wrong_target(function) or (function.returns, function.parameters)
    for statement in builder.function.body:
        if isinstance(statement, Prototype) and statement.name == name:
            return statement.returns, statement.parameters
        if isinstance(statement, Targets) and statement.name == name:
            return _signature(builder, statement.targets[0].text)
    return None
