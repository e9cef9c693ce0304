"""The one family of errors, and the diagnostics that they carry.

Every error that ptxgen raises on purpose is a `PtxError`. Its text is what a person reads; its `diagnostics`
are what a tool reads.
"""

from __future__ import annotations

import sys
from typing import Any, Self, TypeVar

from attrs import asdict, define, evolve

E = TypeVar("E", bound="PtxError")


@define(eq=False, weakref_slot=False, repr=False)
class Diagnostic:
    """One finding about a module, an instruction or an operand.

    `need` says what the construct asks for, `have` what is there, `choices` what would be legal in its place, and
    `hint` what to do. `line` and `column` count from 1; 0 means that the place is not known. `count` is in how many
    places of the module the same is found; the place is that of the first. `operand` counts from 1, 0 is
    the instruction.
    """

    code: str
    severity: str  # "error" | "warning" | "advice"
    message: str
    instruction: str = ""
    need: str = ""
    have: str = ""
    choices: tuple[str, ...] = ()
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    end_column: int = 0
    count: int = 1
    operand: int = 0

    def __str__(self) -> str:
        place = f"{self.file or '<ptx>'}:{self.line}:{self.column}: " if self.line else ""
        notes = (self.repeats, f"help: {self.hint}" if self.hint else "")
        lines = [f"{place}{self.severity}[{self.code}]: {self.message}", *(f"   = {note}" for note in notes if note)]
        return "\n".join(lines)

    @property
    def repeats(self) -> str:
        """In how many places of the module the same is found, in words; "" for one."""
        if self.count == 1:
            return ""
        what = "instructions" if self.instruction else "places"
        return f"{self.count} {what} in this module have the same {'need' if self.need else 'finding'}"

    def __repr__(self) -> str:
        return f"<{self}>"

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return asdict(self) | {"choices": list(self.choices)}

    def at(self, file: str, line: int, column: int = 1, end_column: int = 0) -> Diagnostic:
        """The same finding with a place."""
        return evolve(self, file=file, line=line, column=column, end_column=end_column)


class PtxError(Exception):
    """Base of all errors of ptxgen; `diagnostics` holds the findings, most important first."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics

    @classmethod
    def of(cls, *diagnostics: Diagnostic) -> Self:
        """An error whose text is that of its diagnostics."""
        return cls("\n".join(d.message + (f"; {d.hint}" if d.hint else "") for d in diagnostics), diagnostics)


class SpecError(PtxError):
    """A specification file is wrong; one line `path:line: key: message` a fault."""


class ParseError(PtxError):
    """PTX text that cannot be read."""


class IllegalInstruction(PtxError):
    """No form of the instruction has these modifiers."""


class Unavailable(PtxError):
    """Legal PTX, but not for this target or PTX ISA version."""


class OperandError(PtxError):
    """An operand is missing, superfluous, or of the wrong kind, type or value."""


class UnknownName(OperandError, AttributeError):
    """`k.reg.f33`, `mod.shaerd`, `sreg.tidd`: an AttributeError, too, so that hasattr() and completion work."""


class UnknownMnemonic(IllegalInstruction, KeyError):
    """`ptxgen.isa["foo"]`: a KeyError, too, as mappings have it."""

    def __str__(self) -> str:
        return str(self.args[0])


class WrongOperator(OperandError, TypeError):
    """`reg + reg`, `~reg`: an operator that PTX operands do not have."""


class AssembleError(PtxError):
    """The assembler refused the module; the text holds its log."""


class LoadError(PtxError):
    """The module cannot be loaded on the device."""


class LaunchError(PtxError):
    """A kernel was launched with a wrong grid, block or argument."""


def located(error: E) -> E:
    """The error with the place of the user's call in its diagnostics and as a note.

    The user's is the nearest frame outside the package and the `with` statement's machinery.
    """
    if getattr(error, "__notes__", None):
        return error
    frame: Any = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("ptxgen", "contextlib"):
        frame = frame.f_back
    if frame is not None:
        file, line = frame.f_code.co_filename, frame.f_lineno
        error.diagnostics = tuple(d if d.line else d.at(file, line) for d in error.diagnostics)
        error.add_note(f"at {file}:{line}")
    return error
