"""What kernels name: PTX types (`f32`), parameters (`Param[u32]`), registers (`Reg[f32]`), `sreg.tid.x`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import define
from ptxgen_isa import names as generated
from ptxgen_isa.names import *  # noqa: F403
from ptxgen_isa.names import SpecialRegisters

from ptxgen.errors import Diagnostic, UnknownName, located
from ptxgen.ir.operands import Reg, Special, special
from ptxgen.ir.operands import Variable as Param
from ptxgen.isa import registers

T = TypeVar("T")


@define(eq=False, weakref_slot=False, repr=False)
class SpecialVector(Special[tuple[T, T, T, T]], Generic[T]):
    """A special register of four fields, itself an operand of `mov.v4`."""

    x: Special[T]
    y: Special[T]
    z: Special[T]
    w: Special[T]


class _SpecialRegisters(SpecialRegisters):
    """Each special register as an attribute, made on first use."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            register = registers.table().get(name)
            if register is None:
                if name.startswith("__"):
                    raise AttributeError(name)
                message = f"there is no special register %{name}{_like(name)}"
                raise located(UnknownName(message, (Diagnostic("special-register", "error", message, have=name),)))
            found = special(register)
            if register.vector:
                fields = [special(register, field) for field in registers.FIELDS]
                found = SpecialVector(found.text, found.cls, *fields)
            self.__dict__[name] = found
            return found

    def __dir__(self) -> list[str]:
        return list(registers.table())


def _like(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, registers.table(), 3)
    return f"; did you mean {' or '.join(f'%{n}' for n in close)}?" if close else ""


sreg = _SpecialRegisters()

__all__: list[str] = ["Param", "Reg", "SpecialVector", "sreg"]
__all__ += generated.__all__
