"""Read a kernel's Python signature: `def saxpy(k: Builder, n: Param[u32], x: Param[u64])`."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

from attrs import define

from ptxgen.errors import Diagnostic, OperandError
from ptxgen.ir.operands import Reg, Variable
from ptxgen.isa import types


@define(eq=False, repr=False)
class ParameterType:
    """How a parameter is declared."""

    name: str
    type: str
    register: bool  # `.reg` instead of `.param`, for device functions
    count: int | None = None  # of an array
    align: int | None = None
    pointer: str = ""  # ".ptr .global .align 16"


@define(frozen=True)
class ptr:
    """`.ptr`: what a pointer parameter points to: `Annotated[Param[u64], ptr("global", align=16)]`."""

    space: str = ""
    align: int | None = None

    def text(self) -> str:
        """As PTX writes it."""
        words = [".ptr"]
        if self.space:
            words.append(f".{self.space.lstrip('.')}")
        if self.align is not None:
            words.append(f".align {self.align}")
        return " ".join(words)


@define(frozen=True)
class array:
    """An array parameter: `Annotated[Param[b8], array(128, align=64)]`."""

    count: int
    align: int | None = None


def read_signature(function: Callable[..., Any], results: int, depth: int) -> list[ParameterType]:
    """The parameters after the builder and the `results` that come first."""
    frame = sys._getframe(depth)  # annotations may name what is local to the caller
    try:
        hints = typing.get_type_hints(function, localns=dict(frame.f_locals), include_extras=True)
    except NameError as error:
        raise _wrong(function, f"an annotation cannot be read: {error}") from error
    code: Any = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if not names:
        raise _wrong(function, "a kernel takes the builder first: def kernel(k: Builder, ...)")
    return [_parameter(function, name, hints.get(name)) for name in names[1 + results :]]


def _parameter(function: Callable[..., Any], name: str, hint: Any) -> ParameterType:
    extras: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        extras = tuple(rest)
    origin = get_origin(hint)
    if origin not in (Variable, Reg) or len(get_args(hint)) != 1:
        raise _wrong(function, f"the parameter {name} wants an annotation such as Param[u32] or, in a device function, Reg[u32]")
    found = ParameterType(name, get_args(hint)[0].__name__, origin is Reg)
    if types.type_of(found.type) is None:
        raise _wrong(function, f"the parameter {name} has no PTX type: {found.type}")
    for extra in extras:
        if isinstance(extra, ptr):
            found.pointer = extra.text()
        elif isinstance(extra, array):
            found.count, found.align = extra.count, extra.align
        else:
            raise _wrong(function, f"the parameter {name}: {extra!r} is neither ptr(...) nor array(...)")
    return found


def _wrong(function: Callable[..., Any], message: str) -> OperandError:
    name = getattr(function, "__name__", "kernel")
    text = f"{name}: {message}"
    return OperandError(text, (Diagnostic("signature", "error", text, hint="see Module.entry"),))
