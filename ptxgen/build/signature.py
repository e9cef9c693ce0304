"""Read a kernel's Python signature: `def saxpy(k: Builder, n: Param[u32], x: Param[u64])`."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

from attrs import define

from ptxgen.build.values import is_integer
from ptxgen.errors import Diagnostic, OperandError, located
from ptxgen.ir.operands import Reg, Variable
from ptxgen.isa import types

# Python functions whose call runs nothing of them: what their code is marked with, and how one sees it.
_NOT_RUN = {
    inspect.CO_GENERATOR: "has a yield in it",
    inspect.CO_COROUTINE: "is async",
    inspect.CO_ASYNC_GENERATOR: "is async and has a yield in it",
}


@define(eq=False, repr=False)
class ParameterType:
    """How a parameter is declared."""

    name: str
    type: str
    register: bool  # `.reg` instead of `.param`, for device functions
    shape: tuple[int | None, ...] = ()  # of an array
    align: int | None = None
    pointer: str = ""  # ".ptr .global .align 16"


def read_signature(function: Callable[..., Any], results: int, depth: int) -> list[ParameterType]:
    """The parameters after the builder and the `results` that come first."""
    code: Any = getattr(function, "__code__", None)
    if code is None:
        raise _wrong(function, f"a kernel is a Python function, got {type(function).__name__}")
    for flag, have in _NOT_RUN.items():
        if code.co_flags & flag:
            raise _wrong(function, f"a kernel is a def without async or yield: its body runs at once; this one {have}")
    bound = getattr(function, "__self__", None) is not None
    names = code.co_varnames[bound : code.co_argcount]
    if code.co_kwonlyargcount:
        raise _wrong(function, "a parameter of a kernel is positional; the * in its signature makes some keyword-only")
    if not names:
        raise _wrong(function, "a kernel takes the builder first: def kernel(k: Builder, ...)")
    if len(names) < 1 + results:
        what = "the value" if results == 1 else f"the {results} values"
        raise _wrong(function, f"after the builder comes an argument for {what} returned")
    # annotations may name what is local to the caller
    frame = sys._getframe(depth)  # pyright: ignore[reportPrivateUsage]
    try:
        hints = typing.get_type_hints(function, localns=dict(frame.f_locals), include_extras=True)
    except Exception as error:  # an annotation is any Python expression, and may fail in any way
        raise _wrong(function, f"an annotation cannot be read: {error}") from error
    return [read_hint(function.__name__, f"the parameter {n}", hints.get(n), n) for n in names[1 + results :]]


def read_hint(owner: str, what: str, hint: Any, name: str) -> ParameterType:
    """How `Param[u32]`, `Reg[f32]` or `Annotated[Param[...], ...]` declares `name`; `what` says what that is."""
    extras: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        extras = tuple(rest)
    origin = get_origin(hint)
    if origin not in (Variable, Reg) or len(get_args(hint)) != 1:
        wanted = "an annotation such as Param[u32] or, in a device function, Reg[u32]"
        raise _refused(owner, f"{what} wants {wanted}" + ("" if hint is None else f", got {_text(hint)}"))
    type = getattr(get_args(hint)[0], "__name__", "")
    if types.type_of(type) is None:
        raise _refused(owner, f"{what} has no PTX type: {_text(get_args(hint)[0])}")
    if not types.known(type).register and types.known(type).kind != "opaque":
        container = types.known(type).container
        raise _refused(owner, f"{what}: nothing is declared of type .{type}; its values are held by .{container}")
    found = ParameterType(name, type, origin is Reg)
    if extras:
        _annotate(found, extras, owner, what)
    if found.register and (found.shape or found.pointer):
        raise _refused(owner, f"{what} is a register; ptr(...) and array(...) are for Param[...]")
    return found


def _annotate(found: ParameterType, extras: tuple[Any, ...], owner: str, what: str) -> None:
    """Take what `Annotated[...]` says beside the type."""
    from ptxgen.build.annotations import array, ptr

    for extra in extras:
        if isinstance(extra, ptr):
            _see(owner, what, "align", extra.align)
            if not isinstance(extra.space, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise _refused(owner, f"{what}: the space of ptr(...) is a string, got {extra.space!r}")
            found.pointer = extra.text()
        elif isinstance(extra, array):
            _see(owner, what, "count", extra.count)
            _see(owner, what, "align", extra.align)
            found.shape, found.align = (extra.count,), extra.align
        else:
            raise _refused(owner, f"{what}: {extra!r} is neither ptr(...) nor array(...)")


def _see(owner: str, what: str, field: str, value: Any) -> None:
    if value is not None and not is_integer(value):
        raise _refused(owner, f"{what}: {field}={value!r} is no integer")


def _text(hint: Any) -> str:
    return getattr(hint, "__name__", None) or repr(hint)


def _wrong(function: Any, message: str) -> OperandError:
    return _refused(getattr(function, "__name__", "kernel"), message)


def _refused(owner: str, message: str) -> OperandError:
    text = f"{owner}: {message}"
    return located(OperandError(text, (Diagnostic("signature", "error", text, hint="see Module.entry"),)))
