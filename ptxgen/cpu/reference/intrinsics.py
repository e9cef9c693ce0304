"""The intrinsics of the semantics texts: one table, name to function. `specs/semantics.md` says what each means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from attrs import frozen

from ptxgen.cpu.reference import floating, integers, representation
from ptxgen.cpu.reference.arguments import whole

ANY_NUMBER = 1 << 30


class Surroundings(Protocol):
    """What the running program offers to the intrinsics that look beyond their arguments."""

    def active(self, lane: int) -> bool: ...
    def peer(self, operand: str, lane: int) -> object: ...
    def cluster_address(self, address: int, rank: int) -> int: ...
    def length(self, operand: str) -> int: ...
    def negated(self, operand: str) -> bool: ...


@frozen
class Intrinsic:
    """A function of the language.

    `within` gives it the surroundings as first argument, `by_name` then the name of an operand instead of its value.
    """

    function: Callable[..., Any]
    least: int
    most: int
    within: bool = False
    by_name: bool = False

    @property
    def arity(self) -> str:
        if self.most == ANY_NUMBER:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def _active(surroundings: Surroundings, lane: object) -> bool:
    return surroundings.active(whole(lane))


def _peer(surroundings: Surroundings, operand: str, lane: object) -> object:
    return surroundings.peer(operand, whole(lane))


def _len(surroundings: Surroundings, operand: str) -> int:
    return surroundings.length(operand)


def _negated(surroundings: Surroundings, operand: str) -> bool:
    return surroundings.negated(operand)


def _cluster_address(surroundings: Surroundings, address: object, rank: object) -> int:
    return surroundings.cluster_address(whole(address), whole(rank))


INTRINSICS: dict[str, Intrinsic] = {
    # types
    "range": Intrinsic(range, 1, 3),
    "lanes": Intrinsic(representation.lanes, 1, 1),
    "width": Intrinsic(representation.width, 1, 1),
    "size": Intrinsic(representation.size, 1, 1),
    "float": Intrinsic(representation.is_float, 1, 1),
    # integers
    "wrap": Intrinsic(integers.wrap, 2, 2),
    "clamp": Intrinsic(integers.clamp, 2, 2),
    "signed": Intrinsic(integers.signed, 2, 2),
    "unsigned": Intrinsic(integers.unsigned, 2, 2),
    "bit": Intrinsic(integers.bit, 2, 2),
    "bits": Intrinsic(integers.field, 3, 3),
    "with_bit": Intrinsic(integers.with_bit, 3, 3),
    "byte": Intrinsic(integers.byte, 2, 2),
    "popcount": Intrinsic(integers.popcount, 1, 1),
    "abs": Intrinsic(integers.absolute, 1, 1),
    "min": Intrinsic(integers.least, 2, ANY_NUMBER),
    "max": Intrinsic(integers.greatest, 2, ANY_NUMBER),
    "quotient": Intrinsic(integers.quotient, 2, 2),
    "remainder": Intrinsic(integers.remainder, 2, 2),
    "compare": Intrinsic(integers.compare, 3, 3),
    # floating point
    "round": Intrinsic(floating.round_to, 3, 3),
    "round_stochastic": Intrinsic(floating.round_stochastic, 3, 3),
    "integral": Intrinsic(floating.integral, 2, 2),
    "divide": Intrinsic(floating.divide, 4, 4),
    "sqrt": Intrinsic(floating.sqrt, 3, 3),
    "approximate": Intrinsic(floating.approximate, 3, 4),
    "flush": Intrinsic(floating.flush, 1, 1),
    "saturate": Intrinsic(floating.saturate, 1, 1),
    "relu": Intrinsic(floating.relu, 1, 1),
    "is_nan": Intrinsic(floating.is_nan, 1, 1),
    "is_infinite": Intrinsic(floating.is_infinite, 1, 1),
    "is_finite": Intrinsic(floating.is_finite, 1, 1),
    "is_zero": Intrinsic(floating.is_zero, 1, 1),
    "is_normal": Intrinsic(floating.is_normal, 1, 1),
    "is_subnormal": Intrinsic(floating.is_subnormal, 1, 1),
    "negative": Intrinsic(floating.negative, 1, 1),
    "negate": Intrinsic(floating.negate, 1, 1),
    "absolute": Intrinsic(floating.absolute, 1, 1),
    "copysign": Intrinsic(floating.copysign, 2, 2),
    "minimum": Intrinsic(floating.minimum, 2, 2),
    "maximum": Intrinsic(floating.maximum, 2, 2),
    "nan": Intrinsic(floating.nan, 1, 1),
    "infinity": Intrinsic(floating.infinity, 1, 1),
    # representation
    "bits_of": Intrinsic(representation.bits_of, 1, 2),
    "from_bits": Intrinsic(representation.from_bits, 2, 2),
    # operands
    "len": Intrinsic(_len, 1, 1, within=True, by_name=True),
    "negated": Intrinsic(_negated, 1, 1, within=True, by_name=True),
    "select": Intrinsic(integers.select, 3, 3),
    "insert": Intrinsic(integers.insert, 3, 3),
    # other threads
    "active": Intrinsic(_active, 1, 1, within=True),
    "peer": Intrinsic(_peer, 2, 2, within=True, by_name=True),
    "cluster_address": Intrinsic(_cluster_address, 2, 2, within=True),
}
