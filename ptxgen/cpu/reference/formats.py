"""Floating-point formats and the types that the semantics texts name.

Both come from the table of types (specs/types.yaml). A format is five numbers and four facts, and everything else
follows: what a code means (`decode`), which code a value has (`encode`), how far apart neighbours are.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

from attrs import evolve, field, frozen

from ptxgen.cpu.reference.values import INFINITY, NAN, ZERO, Kind, Real
from ptxgen.isa import types


@frozen(eq=False, slots=False)
class Format:
    """A binary number format: sign, exponent, mantissa, and what its topmost codes are used for.

    The codes of exponent 0 have no hidden bit. An exponent of no bits thus makes a fixed-point format. There is one
    object for each format.
    """

    name: str
    exponent_bits: int
    mantissa_bits: int
    bias: int
    #: "ieee": the largest exponent holds infinity and NaNs; "top": the topmost code is the NaN; "none": all are numbers
    specials: Literal["ieee", "top", "none"] = "ieee"
    #: the NaN that an operation delivers; None where the format has none
    canonical_nan: int | None = None
    signed: bool = True
    #: codes are two's complement instead of sign and magnitude
    twos_complement: bool = False
    #: exponent 0 holds zero and the subnormals; otherwise it is an ordinary exponent, and there is no zero
    subnormals: bool = True
    #: zero bits below the code, where the register is wider than the format
    padding: int = 0

    @cached_property
    def magnitude_bits(self) -> int:
        return self.exponent_bits + self.mantissa_bits

    @cached_property
    def width(self) -> int:
        """Bits of a code, with its padding."""
        return self.magnitude_bits + self.signed + self.padding

    @cached_property
    def sign_bit(self) -> int:
        return 1 << self.magnitude_bits + self.padding

    @cached_property
    def least_exponent(self) -> int:
        """Exponent of the smallest normal number."""
        return (1 if self.subnormals else 0) - self.bias

    @cached_property
    def smallest_normal(self) -> Fraction:
        return power_of_two(self.least_exponent)

    @cached_property
    def largest(self) -> Fraction:
        """The largest finite number."""
        top = (1 << self.magnitude_bits) - 1
        unusable = {"ieee": 1 << self.mantissa_bits, "top": 1, "none": 0}[self.specials]
        return self._magnitude(top - unusable)

    @cached_property
    def lowest(self) -> Fraction:
        """The most negative finite number; 0 if the format has no sign."""
        if self.twos_complement:
            return -self.largest - self.quantum(ZERO)
        return -self.largest if self.signed else ZERO

    def quantum(self, magnitude: Fraction) -> Fraction:
        """Distance of neighbours from `magnitude` on, away from zero, as if the exponent had no upper bound."""
        if not self.exponent_bits:
            return power_of_two(self.least_exponent - self.mantissa_bits)
        exponent = max(floor_log2(magnitude), self.least_exponent) if magnitude else self.least_exponent
        return power_of_two(exponent - self.mantissa_bits)

    def is_subnormal(self, x: Real) -> bool:
        return self.subnormals and bool(self.exponent_bits) and x.is_finite and 0 < x.magnitude < self.smallest_normal

    def decode(self, bits: int) -> Real:
        """The value of a code; bits above the format and padding below it are ignored."""
        code = bits >> self.padding & (1 << self.width - self.padding) - 1
        magnitude = code & (1 << self.magnitude_bits) - 1
        negative = self.signed and bool(code >> self.magnitude_bits)
        sign = -1 if negative else 1
        if self.twos_complement:
            magnitude = (1 << self.magnitude_bits) - magnitude if negative else magnitude
            return Real(self._magnitude(magnitude), sign, format=self)
        if self.specials == "top" and magnitude == (1 << self.magnitude_bits) - 1:
            return Real(ZERO, sign, Kind.NAN, self, bits & (1 << self.width) - 1)
        if self.specials == "ieee" and magnitude >> self.mantissa_bits == (1 << self.exponent_bits) - 1:
            if magnitude & (1 << self.mantissa_bits) - 1:
                return Real(ZERO, sign, Kind.NAN, self, bits & (1 << self.width) - 1)
            return Real(ZERO, sign, Kind.INFINITE, self)
        return Real(self._magnitude(magnitude), sign, format=self)

    def encode(self, x: Real) -> int:
        """The code of a value, which must be one of the format's; ValueError otherwise. An undetermined zero is +0."""
        if x.is_nan:
            if x.format == self and x.payload is not None:
                return x.payload
            if self.canonical_nan is None:
                raise ValueError(f"{self.name} has no NaN")
            return self.canonical_nan
        if x.negative and not self.signed:
            raise ValueError(f"{self.name} has no negative values")
        if x.is_infinite:
            if self.specials != "ieee":
                raise ValueError(f"{self.name} has no infinity")
            code = (1 << self.exponent_bits) - 1 << self.mantissa_bits
        else:
            code = self._code(x)
        if self.twos_complement:
            return (-code if x.negative else code) & (1 << self.width) - 1
        return (code | (1 << self.magnitude_bits if x.negative else 0)) << self.padding

    def _magnitude(self, code: int) -> Fraction:
        """The number of a code without sign."""
        exponent, mantissa = code >> self.mantissa_bits, code & (1 << self.mantissa_bits) - 1
        if not self.exponent_bits:
            exponent, mantissa = 0, code
        if exponent == 0 and self.subnormals:
            return mantissa * power_of_two(self.least_exponent - self.mantissa_bits)
        return (mantissa + (1 << self.mantissa_bits)) * power_of_two(exponent - self.bias - self.mantissa_bits)

    def _code(self, x: Real) -> int:
        if not x.is_zero or self.subnormals:
            steps = x.magnitude / self.quantum(x.magnitude)
            if steps.denominator == 1 and self.lowest <= x.rational <= self.largest:
                if not self.exponent_bits or (self.subnormals and x.magnitude < self.smallest_normal):
                    return int(steps)
                hidden = 1 << self.mantissa_bits
                if steps >= hidden:
                    return (floor_log2(x.magnitude) + self.bias << self.mantissa_bits) + int(steps) - hidden
        raise ValueError(f"{x} is not a value of {self.name}; round it first")


def floor_log2(x: Fraction) -> int:
    """The largest n with 2**n <= x, for x > 0."""
    n = x.numerator.bit_length() - x.denominator.bit_length()
    return n if power_of_two(n) <= x else n - 1


@cache
def power_of_two(n: int) -> Fraction:
    return Fraction(1 << n) if n >= 0 else Fraction(1, 1 << -n)


Value = int | bool | Real


@frozen
class Type:
    """A type of the semantics language: `lanes` values of `width` bits each, from the least significant.

    `kind` is "u", "s" or "b" for integers, "p" for the predicate, "f" for floating point in `format`. A code narrower
    than the `width` is followed by zero bits.
    """

    name: str
    kind: Literal["u", "s", "b", "p", "f"]
    width: int
    lanes: int = 1
    format: Format | None = field(default=None, repr=False)

    @property
    def bits(self) -> int:
        return self.width * self.lanes

    @property
    def signed(self) -> bool:
        return self.kind == "s" or (self.format is not None and self.format.signed)

    @property
    def integer(self) -> bool:
        return self.kind in "usb"

    @property
    def lane(self) -> Type:
        """The type of one lane."""
        return _lane(self) if self.lanes > 1 else self

    @property
    def range(self) -> tuple[int, int]:
        """Smallest and largest integer of a lane."""
        if self.kind == "s":
            return -(1 << self.width - 1), (1 << self.width - 1) - 1
        return 0, (1 << self.width) - 1

    def wrap(self, x: int) -> int:
        """`x` modulo 2**width, as a value of this type."""
        x &= (1 << self.width) - 1
        return x - (1 << self.width) if self.kind == "s" and x >> self.width - 1 else x

    def decode(self, bits: int) -> Value:
        """The value of one lane's bits."""
        if self.format is not None:
            return self.format.decode(bits)
        return bool(bits & 1) if self.kind == "p" else self.wrap(bits)

    def encode(self, value: Value) -> int:
        """The bits of one lane's value. Integers wrap; a floating-point value must be one of the format's."""
        if self.format is not None:
            if not isinstance(value, Real):
                raise ValueError(f"{value} is no floating-point value, and {self.name} wants one")
            return self.format.encode(value)
        if isinstance(value, Real):
            raise ValueError(f"{self.name} wants an integer, not a floating-point value")
        if self.kind == "p" and value not in (0, 1):
            raise ValueError(f"a predicate is 0 or 1, not {value}")
        return value & (1 << self.width) - 1


_KINDS: dict[str, Literal["u", "s", "b", "p", "f"]] = {
    "unsigned": "u", "signed": "s", "bits": "b", "predicate": "p", "float": "f", "fixed": "f",
}  # fmt: skip


@cache
def _type(name: str) -> Type | None:
    found = types.type_of(name)
    if found is None or found.kind not in _KINDS:
        return None
    if found.kind == "bits" and found.lane_bits < 8:  # elements of matrices; here .b1 and .b2 are selectors of bytes
        return None
    return Type(name, _KINDS[found.kind], found.pitch, found.lanes, _format(found.element))


@cache
def _lane(packed: Type) -> Type:
    return evolve(packed, name=types.known(packed.name).element, lanes=1)


@cache
def _format(element: str) -> Format | None:
    t = types.known(element)
    if t.kind == "fixed":  # one exponent, such that the last bit counts 2**-fraction
        mantissa = t.lane_bits - 1
        return Format(element, 0, mantissa, t.fraction + 1 - mantissa, "none", twos_complement=True)
    if t.format is None:
        return None
    f = t.format
    return Format(
        element,
        f.exponent,
        f.mantissa,
        f.bias,
        "ieee" if f.infinity else "none" if f.nan is None else "top",
        f.nan,
        f.sign,
        subnormals=f.subnormal,
        padding=t.lane_bits - f.sign - f.exponent - f.mantissa,
    )


def is_type(name: str) -> bool:
    return _type(name) is not None


def type_named(name: str) -> Type:
    """The type of a PTX type name without its dot; KeyError if there is none."""
    if (found := _type(name)) is None:
        raise KeyError(f"no type is called {name!r}")
    return found


def format_named(name: str) -> Format:
    """The format of a floating-point or fixed-point type; KeyError if there is none."""
    if (found := type_named(name).format) is None:
        raise KeyError(f"{name} has no format")
    return found


def scalar(fmt: Format, x: Real) -> Real:
    """`x`, known to be a value of `fmt`."""
    return Real(x.magnitude, x.sign, x.kind, fmt)


def nan_of(fmt: Format, negative: bool = False) -> Real:
    """The canonical NaN, or with `negative` the one that has the sign set besides."""
    if negative and fmt.signed and fmt.canonical_nan is not None:
        return Real(ZERO, -1, Kind.NAN, fmt, fmt.canonical_nan | fmt.sign_bit)
    return scalar(fmt, NAN)


def infinity_of(fmt: Format, negative: bool = False) -> Real:
    return scalar(fmt, INFINITY.with_sign(negative))
