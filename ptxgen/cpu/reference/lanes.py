"""Operands as values and back: bits of registers to numbers, and the lanes of packed types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast, overload

from ptxgen.cpu.reference.formats import Type, Value
from ptxgen.cpu.reference.values import Real, real


class Lanes(Sequence[Value]):
    """The lanes of a packed value, from the least significant."""

    def __init__(self, type_: Type, values: Iterable[Value]) -> None:
        self.type = type_
        self.values = tuple(values)

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Value, ...]: ...
    def __getitem__(self, index: int | slice) -> Value | tuple[Value, ...]:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def bits(self) -> int:
        return write(self.type, self)

    def __repr__(self) -> str:
        return f"{self.type.name}{list(self.values)}"


def read(type_: Type, bits: int) -> Value | Lanes:
    """The value that a register of the type holds."""
    if type_.lanes == 1:
        return type_.decode(bits)
    lane = type_.lane
    return Lanes(type_, (lane.decode(bits >> i * type_.width & (1 << type_.width) - 1) for i in range(type_.lanes)))


def write(type_: Type, value: object) -> int:
    """The bits of a value of the type: a sequence of lanes, or all bits as one integer, for a packed type."""
    if type_.lanes == 1:
        return type_.encode(converted(type_, value))
    if isinstance(value, int):
        return value & (1 << type_.bits) - 1
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(f"{type_.name} has {type_.lanes} lanes, and {value!r} has none")
    lanes = cast("Sequence[object]", value)
    if len(lanes) != type_.lanes:
        raise TypeError(f"{type_.name} has {type_.lanes} lanes, not {len(lanes)}")
    return sum(write(type_.lane, each) << i * type_.width for i, each in enumerate(lanes))


def converted(type_: Type, value: object) -> Value:
    """`value` as the value that a lane of the type holds after it is assigned: integers wrap, reals must fit."""
    if isinstance(value, int) and type_.format is not None and not isinstance(value, bool):
        value = real(value)
    if not isinstance(value, int | Real):
        raise TypeError(f"{value!r} cannot be assigned to {type_.name}")
    return type_.decode(type_.encode(value))
