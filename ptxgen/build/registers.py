"""Numbered registers of one type in one function: %f0, %f1, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from typing import Any

from ptxgen.build.values import is_integer
from ptxgen.errors import Diagnostic, OperandError, UnknownName, located
from ptxgen.ir.operands import Reg
from ptxgen.isa.classes import REGISTER, Scope, operand_class

# Names of registers, as nvcc chooses them where it has a choice.
PREFIXES = {
    "pred": "%p", "b8": "%bc", "u8": "%rc", "s8": "%ic", "b16": "%bs", "u16": "%rs", "s16": "%is", "f16": "%h",
    "b32": "%b", "u32": "%r", "s32": "%i", "f32": "%f", "f16x2": "%hh", "b64": "%bd", "u64": "%rd", "s64": "%id",
    "f64": "%fd", "b128": "%bq",
}  # fmt: skip


# How many registers `k.reg.u32(count)` makes at most: each is a Python object, so a mistaken count exhausts the memory.
MOST = 1 << 20


def is_fresh(name: str) -> bool:
    """Whether a fresh register may get this name."""
    return any(name.startswith(prefix) and name[len(prefix) :].isdigit() for prefix in PREFIXES.values())


def check_type(type: Any) -> None:
    """See that there are registers of a type."""
    if not isinstance(type, str) or type not in PREFIXES:
        choices = tuple(PREFIXES)
        message = f"there are no registers of type .{type}; there are {' '.join(choices)}"
        raise located(UnknownName(message, (Diagnostic("type", "error", message, choices=choices),)))


def check_count(type: str, count: Any) -> None:
    """See that `k.reg.u32(count)` asks for a number of registers, MOST at most."""
    if not is_integer(count) or not 0 <= count <= MOST:
        long = is_integer(count) and count.bit_length() > 64  # Python writes 4300 digits at most
        have = f"a number of {count.bit_length()} bits" if long else repr(count)
        message = f"k.reg.{type}({have}): the count of registers is a number from 0 to {MOST}"
        raise located(OperandError(message, (Diagnostic("count", "error", message, have=have),)))


_KEPT = 1 << 17
_names: dict[str, list[str]] = {}


def _all_names(prefix: str) -> Iterator[str]:
    """prefix0, prefix1, ... without end. Every function has the same, so the first ones are made once."""
    kept = _names.setdefault(prefix, [])
    return chain(iter(_Kept(prefix, kept)), map(prefix.__add__, map(str, count(_KEPT))))


class _Kept:
    """The names that are kept, made a block at a time."""

    def __init__(self, prefix: str, kept: list[str]) -> None:
        self.prefix = prefix
        self.kept = kept

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(map(self.block, range(0, _KEPT, _BLOCK)))

    def block(self, first: int) -> list[str]:
        """The names from `first` on, _BLOCK of them."""
        while len(self.kept) < first + _BLOCK:
            start = len(self.kept)
            self.kept += [f"{self.prefix}{number}" for number in range(start, start + _BLOCK)]
        return self.kept[first : first + _BLOCK]


_BLOCK = 256


class Pool:
    """Makes registers; `fresh` is an iterator that no Python code runs in, as most instructions make one."""

    def __init__(self, type: str, scope: Scope) -> None:
        self.prefix = PREFIXES[type]
        self.cls = operand_class(REGISTER, type, scope=scope)
        registers: Iterator[Reg[Any]] = map(Reg, _all_names(self.prefix), repeat(self.cls))
        self.fresh: Callable[[], Reg[Any]] = registers.__next__
        self.returned: list[Reg[Any]] = []

    def take(self) -> Reg[Any]:
        """A register that was given back, or else a fresh one."""
        return self.returned.pop() if self.returned else self.fresh()

    def count(self) -> int:
        """How many registers to declare. Called once, at the end: it takes one to see its number."""
        return int(self.fresh().text.removeprefix(self.prefix))
