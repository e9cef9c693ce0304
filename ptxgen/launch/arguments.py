"""Python arguments held against a kernel's `.param` list, before anything is launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from attrs import evolve, field, frozen

from ptxgen.errors import Diagnostic, LaunchError
from ptxgen.launch.arrays import Array, Copied
from ptxgen.launch.parameters import Parameter, kind, width
from ptxgen.launch.scalars import Unfit, scalar_bytes

ADDRESS_SIZE = 8  # bytes; a launch passes 64-bit addresses only


@frozen
class Bound:
    """An argument that fits: exactly the bytes of the parameter, little-endian.

    For an array these are its address, and `array` keeps it alive. Where `copy` is set, the engine has to put a copy
    of `array` in its own memory and pass that address instead (`at`). `native` is an object that only the engine can
    turn into bytes (a tensor map of cuda.core); `data` is then empty.
    """

    parameter: Parameter
    data: bytes
    array: Array | None = field(default=None, eq=False)
    copy: Copied | None = None
    native: object = field(default=None, eq=False)

    def at(self, address: int) -> Bound:
        """The same argument with the address of the engine's own memory."""
        return evolve(self, data=address.to_bytes(ADDRESS_SIZE, "little"))


class Memory(Protocol):
    """The memory that a kernel will see, and how Python objects lie in it."""

    @property
    def copies(self) -> bool:
        """Whether it is not the host's, so that a `copied` array has to be copied."""
        ...

    def view(self, value: object) -> Array | None:
        """The memory behind an object, None where there is none; raises Unfit if its owner does not give access."""
        ...

    def passes(self, value: object, parameter: Parameter) -> bool:
        """Whether the engine can pass this object by value as this parameter, without knowing its bytes here."""
        ...


def bind(
    kernel: str, parameters: Sequence[Parameter], arguments: Sequence[object], memory: Memory
) -> tuple[Bound, ...]:
    """The arguments as bytes of the parameters, or a LaunchError with one diagnostic for each that does not fit."""
    if len(arguments) != len(parameters):
        raise LaunchError.of(_wrong_count(kernel, parameters, arguments))
    bound: list[Bound] = []
    wrong: list[Diagnostic] = []
    for position, (parameter, value) in enumerate(zip(parameters, arguments, strict=True), 1):
        try:
            bound.append(_bind_one(parameter, value, memory))
        except Unfit as unfit:
            got = describe(value, memory)
            wrong.append(
                Diagnostic(
                    code="argument",
                    severity="error",
                    message=f"{kernel}, argument {position}: parameter {parameter} wants {unfit}, got {got}",
                    instruction=kernel,
                    need=f"{parameter}: {unfit}",
                    have=got,
                    hint=unfit.hint,
                )
            )
    if wrong:
        raise LaunchError.of(*wrong)
    return tuple(bound)


def describe(value: object, memory: Memory) -> str:
    """How an error names an argument: type and value of a number, dtype, shape and place of an array."""
    if isinstance(value, Copied):
        return f"copied({describe(value.array, memory)})"
    if isinstance(value, int | float):
        return f"{type(value).__name__} {value!r}" if abs(value) < 1 << 128 else f"a huge {type(value).__name__}"
    try:
        array = memory.view(value)
    except Unfit:
        array = None
    if array is not None:
        return array.what
    name = type(value).__qualname__
    return name if type(value).__module__ == "builtins" else f"{type(value).__module__}.{name}"


def _bind_one(parameter: Parameter, value: object, memory: Memory) -> Bound:
    if not width(parameter.type):
        raise Unfit("nothing that a launch can pass", f"a .{parameter.type} is bound by name, not passed")
    if memory.passes(value, parameter):
        return Bound(parameter, b"", native=value)
    if parameter.count is not None:
        return Bound(parameter, _aggregate_bytes(parameter, value))
    if not parameter.holds_address:
        return Bound(parameter, scalar_bytes(parameter.type, value))
    wrapped = value if isinstance(value, Copied) else None
    array = memory.view(wrapped.array if wrapped else value)
    if array is None:
        if wrapped:
            raise Unfit("an array inside copied()")
        return Bound(parameter, _address_or_number(parameter, value))
    copy = wrapped if memory.copies else None
    if copy:
        _check_copy(copy, array)
    elif array.obstacle:
        raise Unfit("memory that the kernel can reach", array.obstacle)
    elif array.size and array.address % parameter.align:
        raise Unfit(f"an address aligned to {parameter.align} bytes")
    _check_elements(parameter, array)
    return Bound(parameter, b"", array=array, copy=copy).at(array.address)


def _address_or_number(parameter: Parameter, value: object) -> bytes:
    """Of something that is no array: a raw address, or the number of a plain 64-bit parameter."""
    try:
        data = scalar_bytes(parameter.type, value)
    except Unfit as unfit:
        raise Unfit(f"an array, an address or {unfit}" if not parameter.pointer else "an array or an address") from None
    if parameter.pointer and int.from_bytes(data, "little") % parameter.align:
        raise Unfit(f"an address aligned to {parameter.align} bytes")
    return data


def _check_copy(copy: Copied, array: Array) -> None:
    if not array.obstacle:
        raise Unfit("an array in host memory inside copied()", "pass it as it is: the kernel can already reach it")
    if copy.back and array.readonly:
        raise Unfit("a writable array, since it is copied back", "copied(array, back=False) only copies it in")


def _check_elements(parameter: Parameter, array: Array) -> None:
    if not array.dense:
        raise Unfit(
            "an array without gaps", "make it contiguous, or pass its address as an int and its strides as parameters"
        )
    if parameter.element and array.itemsize != width(parameter.element) // 8:
        raise Unfit(f"elements of {width(parameter.element) // 8} bytes (.{parameter.element})")


def _aggregate_bytes(parameter: Parameter, value: object) -> bytes:
    """The bytes of a by-value array: of an object with a buffer of just that size, or of a sequence of numbers."""
    if isinstance(value, list | tuple):
        items = cast("Sequence[object]", value)
        if len(items) != parameter.count:
            raise Unfit(f"{parameter.count} numbers or {parameter.size} bytes")
        return b"".join(scalar_bytes(parameter.type, item) for item in items)
    try:
        buffer = memoryview(cast(Any, value))
    except TypeError:
        raise Unfit(f"{parameter.count} numbers or {parameter.size} bytes") from None
    if buffer.nbytes != parameter.size:
        raise Unfit(f"{parameter.size} bytes", f"this has {buffer.nbytes}")
    if buffer.itemsize > 1 and width(parameter.type) > 8:  # bare bytes stand for anything
        if buffer.itemsize != width(parameter.type) // 8:
            raise Unfit(f"elements of {width(parameter.type) // 8} bytes")
        floats = buffer.format[-1] in "efd"
        if kind(parameter.type) != "b" and floats != (kind(parameter.type) == "f"):
            raise Unfit("ints" if floats else "floats")
    return buffer.tobytes()


def _wrong_count(kernel: str, parameters: Sequence[Parameter], arguments: Sequence[object]) -> Diagnostic:
    listing = ", ".join(map(str, parameters)) or "none"
    missing = ", ".join(p.name for p in parameters[len(arguments) :])
    return Diagnostic(
        code="argument",
        severity="error",
        message=f"{kernel} takes {len(parameters)} argument{'' if len(parameters) == 1 else 's'} ({listing}), "
        f"got {len(arguments)}" + (f": {missing} missing" if missing else ""),
        instruction=kernel,
        need=listing,
        have=f"{len(arguments)} arguments",
    )
