"""Why the builder refused an instruction: imported when the first one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptxgen.build.careful import shape_of, wrong_arguments
from ptxgen.check import explain
from ptxgen.check.instruction import readings, verdict, within_limits
from ptxgen.errors import Diagnostic, IllegalInstruction, OperandError, PtxError, Unavailable
from ptxgen.ir.operands import Operand
from ptxgen.isa.classes import Scope, plain, scopes

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder


def owner(scope: Scope) -> str:
    """The function or module that something belongs to, as a noun phrase."""
    return scope.name if scope.parent is not None else "another module"


def refusal(builder: Builder, opcode: str, operands: tuple[Operand, ...]) -> PtxError:
    """The error for an instruction that `builder.try_variant` does not take."""
    shape = shape_of(operands)
    if strangers := builder.strangers(shape):
        names = ", ".join(o.text for o in operands if set(scopes(o.cls)) & set(strangers))
        message = f"{opcode}: {names} belongs to {owner(strangers[0])}, not to {builder.scope.name}"
        return OperandError(message, (Diagnostic("foreign-operand", "error", message, opcode),))
    found = verdict(opcode, tuple(map(plain, shape)), builder.module.option_set)
    if not found.readings or not found.matches:
        problem = explain.illegal(found)
        cls = IllegalInstruction if not found.readings else OperandError
        return cls.of(problem)
    if not found.legal:
        return IllegalInstruction.of(explain.illegal(found))
    module = builder.module
    available = found.available(module.target, module.checked_version)
    if not available:
        return Unavailable.of(
            explain.unavailable(found, module.target, module.checked_version, module.version is not None)
        )
    fitting = [match for match in available if within_limits(match, operands)]
    if not fitting:
        return OperandError.of(explain.value(available, operands, opcode))
    mismatches = [builder.call_mismatch(match, operands) for match in fitting]
    if all(mismatches):
        message = f"{opcode}: {mismatches[0]}"
        return OperandError(message, (Diagnostic("call-signature", "error", message, opcode),))
    match = fitting[mismatches.index("")]  # only the manual is against it
    if match.broken:
        return IllegalInstruction.of(explain.beyond_manual(match, opcode, "error"))
    return Unavailable.of(
        explain.ungated(match, opcode, module.target, module.checked_version, "error", module.version is not None)
    )


def misuse(error: TypeError) -> OperandError | None:
    """What Python itself says of the arguments of an opcode, such as a keyword that it does not have; else None."""
    opcode, called, problem = str(error).partition("() ")
    if not called or not readings(opcode):
        return None
    made = wrong_arguments(opcode, problem)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        made.diagnostics = tuple(d.at(file, line) for d in made.diagnostics)
        made.add_note(f"at {file}:{line}")
    return made
