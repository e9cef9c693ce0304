"""Destination operands: what may be assigned to them, and the bits that they hold in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ptxgen.cpu.reference.formats import Type
from ptxgen.cpu.reference.lanes import Lanes, converted, read, write

#: A register's bits, or those of each register of a vector.
Raw = int | Sequence[int]


class Destination:
    """One value, the lanes of a packed one, or the elements of a vector; each without a value until it is assigned."""

    def __init__(self, type_: Type, count: int = 0, initial: object = None) -> None:
        self.type, self.count = type_, count
        self.packed = not self.count and self.type.lanes > 1
        self.parts: list[Any] = [None] * self.length
        if initial is not None:
            self.assign(initial)

    @property
    def length(self) -> int:
        return self.count or self.type.lanes

    @property
    def value(self) -> object:
        """The whole, read back."""
        if any(part is None for part in self.parts):
            raise ValueError("it has no value yet")
        if self.packed:
            return Lanes(self.type, self.parts)
        return tuple(self.parts) if self.count else self.parts[0]

    @property
    def raw(self) -> Raw:
        """The bits of the register or registers."""
        if any(part is None for part in self.parts):
            raise ValueError("not all of it is assigned")
        if self.count:
            return [write(self.type, part) for part in self.parts]
        return write(self.type, self.parts if self.packed else self.parts[0])

    def part(self, index: int) -> object:
        """One element, read back."""
        if self.parts[index] is None:
            raise ValueError(f"element {index} has no value yet")
        return self.parts[index]

    def assign(self, value: object) -> None:
        """Assign the whole; a packed one also takes all its bits as an integer."""
        if self.packed:
            self.parts = list(sequence(read(self.type, write(self.type, value))))
        elif self.count:
            elements = sequence(value)
            if len(elements) != self.count:
                raise TypeError(f"a vector of {self.count} cannot hold {len(elements)} values")
            for i, each in enumerate(elements):
                self.assign_part(i, each)
        else:
            self.assign_part(0, value)

    def assign_part(self, index: int, value: object) -> None:
        """Assign one element; element 0 of a scalar is the scalar."""
        if index >= len(self.parts):
            raise IndexError(f"there is no element {index}")
        if self.count and self.type.lanes > 1:
            self.parts[index] = read(self.type, write(self.type, value))
        else:
            self.parts[index] = converted(self.type.lane, value)


def sequence(value: object) -> Sequence[object]:
    """`value`, which must be a sequence of values."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return cast("Sequence[object]", value)
    raise TypeError(f"{value!r} is no sequence")
