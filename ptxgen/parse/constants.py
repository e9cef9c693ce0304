"""Literals and constant expressions (PTX ISA 4.5).

An expression of integers is computed in 64 bits as ptxas does, which is not the manual's way everywhere: signed, unless
an operand is unsigned, as literals with `U` or beyond the range of .s64 are; `%` and `~` are always unsigned; a
conditional expression has the type of the arm that it takes. One of floating-point numbers is computed in double
precision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from attrs import frozen

from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Float, Integer
from ptxgen.parse.cursor import Cursor, Unreadable

_MASK = (1 << 64) - 1
_NORMAL = 2.0**-1022  # what is closer to zero is refused in decimal
_DIGITS = 400  # of a literal; Python refuses thousands
_SHOWN = 24  # characters of a literal in a message
_BASES = {"x": 16, "b": 2}
_NOT_OCTAL = frozenset("89")


@frozen
class Number:
    """The value of an expression; `text` is how it was written when it is a single literal."""

    value: int | float
    unsigned: bool = False
    literal: Integer | Float | None = None
    width: int = 64  # of a floating-point value

    def operand(self) -> Integer | Float:
        """The operand that it is."""
        if self.literal is not None:
            return self.literal
        return ir.integer(self.value) if isinstance(self.value, int) else ir.float64(self.value)


def integer(text: str, at: int) -> int:
    """The value of an integer literal: decimal, 0x..., 0b..., or octal."""
    digits, base = text.rstrip("U"), 10
    if len(digits) > 1 and digits[0] == "0":
        base = _BASES.get(digits[1].lower(), 8)
        digits = digits[1:] if base == 8 else digits[2:]
    short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    if base == 8 and not _NOT_OCTAL.isdisjoint(digits):
        raise Unreadable(f"{short} is no octal number", at)
    value = int(digits, base) if len(digits) < _DIGITS else _long(digits)
    return value if value <= _MASK else _low_bits(digits, base, Unreadable(f"{short} has more than 64 bits", at))


def _long(digits: str) -> int:
    """The value of more digits than a number of 64 bits has: beyond it, whatever it is."""
    return _MASK + 1 if digits.strip("0") else 0


def _low_bits(digits: str, base: int, error: Unreadable) -> int:
    """The low 64 bits of a number beyond them. ptxas refuses it when it has 64 bits before its last digit is read."""
    value = 0
    for digit in digits:
        if value >> 63:
            raise error
        value = (value * base + int(digit, base)) & _MASK
    return value


def literal(text: str, at: int, negative: bool = False) -> Integer | Float:
    """The operand of a literal, after a minus sign where `negative`."""
    sign = "-" if negative else ""
    kind = text[:2].lower()
    if kind in ("0x", "0b") or text.rstrip("U").isdigit():
        value = integer(text, at)
        return Integer(sign + text, -value if negative else value)
    if kind == "0f":
        bits = int(text[2:], 16)
        if negative:  # ptxas reads a sign before 0d... and decimals only
            raise Unreadable(f"{text} takes no sign; the same bits with the sign are 0f{bits ^ 1 << 31:08X}", at)
        return Float(text, bits, 32, ir.float32(0.0).cls)
    if kind == "0d":
        bits = int(text[2:], 16) ^ (negative << 63)
    else:
        value = float(text)
        if math.isinf(value) or (abs(value) < _NORMAL and re.search("[1-9]", re.split("[eE]", text)[0])):
            raise Unreadable(f"{text} is beyond the range of .f64", at)
        bits = ir.float64(-value if negative else value).bits
    return Float(sign + text, bits, 64, ir.float64(0.0).cls)


def constant(cursor: Cursor, what: str) -> int:
    """An integer literal: in declarations and directives ptxas reads no expressions."""
    match = cursor.next(what)
    if match[0] == "WARP_SZ":
        return 32
    if not match["integer"]:
        raise Unreadable(f"{what} is an integer without a sign, not {match[0]!r}", match.start())
    return integer(match[0], match.start())


# ---- expressions

_LEVELS = (  # of precedence, the weakest first
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_STRENGTH = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a) or bool(b)),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
_COMPARISONS = frozenset({"||", "&&", "==", "!=", "<", "<=", ">", ">="})
_REAL = frozenset({"+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="})
_DEPTH = 200  # of parentheses


def expression(cursor: Cursor, depth: int = 0) -> Number:
    """A constant expression."""
    if depth > _DEPTH:
        raise Unreadable("a constant expression is nested too deep", cursor.at)
    condition = _binary(cursor, 0, depth)
    if not cursor.accept("?"):
        return condition
    at = cursor.at
    first = expression(cursor, depth + 1)
    cursor.expect(":", "of a conditional expression")
    second = expression(cursor, depth + 1)
    if any(isinstance(number.value, float) for number in (condition, first, second)):
        raise Unreadable("? and : are for integers", at)
    return first if condition.value else second


def _binary(cursor: Cursor, level: int, depth: int) -> Number:
    """Operands joined by operators that bind at least as strongly as those of a level."""
    left = unary(cursor, depth)
    while (match := cursor.peek()) is not None and (own := _STRENGTH.get(match[0], -1)) >= level:
        at, cursor.at = match.start(), match.end()
        left = _combined(match[0], left, _binary(cursor, own + 1, depth + 1), at)
    return left


def _combined(sign: str, left: Number, right: Number, at: int) -> Number:
    a, b = left.value, right.value
    if isinstance(a, float) or isinstance(b, float):
        if sign not in _REAL or not (isinstance(a, float) and isinstance(b, float)):
            wanted = "for integers" if sign not in _REAL else "between numbers of one kind, not integer and float"
            raise Unreadable(f"{sign} is {wanted}", at)
        if 32 in (left.width, right.width):
            raise Unreadable("a literal 0f... stands alone; 0d... or a decimal can be computed with", at)
        return _real(sign, a, b, at)
    unsigned = left.unsigned or right.unsigned
    if unsigned:
        a, b = a & _MASK, b & _MASK
    if sign in ("/", "%") and b == 0:
        raise Unreadable("a constant expression divides by zero", at)
    if sign == "%":
        return wrapped((a & _MASK) % (b & _MASK), True)
    if sign == "/":
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrapped(quotient, unsigned)
    return wrapped(_OPERATIONS[sign](a, b), unsigned and sign not in _COMPARISONS)


def _real(sign: str, a: float, b: float, at: int) -> Number:
    match sign:
        case "+":
            return Number(a + b)
        case "-":
            return Number(a - b)
        case "*":
            return Number(a * b)
        case "/":
            if b == 0:
                raise Unreadable("a constant expression divides by zero", at)
            return Number(a / b)
        case _:
            holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
            return Number(int(holds[sign]))


def wrapped(value: int, unsigned: bool) -> Number:
    """A value of 64 bits, signed or unsigned."""
    value &= _MASK
    return Number(value if unsigned or value < 1 << 63 else value - (1 << 64), unsigned)


def unary(cursor: Cursor, depth: int) -> Number:
    """A literal, an expression in parentheses, or one of them with a sign or a cast."""
    if depth > _DEPTH:
        raise Unreadable("a constant expression is nested too deep", cursor.at)
    match = cursor.next("a constant")
    at = match.start()
    if match["integer"] or match["float"]:
        found = literal(match[0], at)
        if isinstance(found, Float):
            return Number(found.value, literal=found, width=found.width)
        return Number(found.value, match[0].endswith("U") or found.value >= 1 << 63, found)
    match match[0]:
        case "WARP_SZ":
            return Number(32, literal=Integer("WARP_SZ", 32))
        case "(":
            if word := cursor.word():
                cursor.expect(")", f"after {word}")
                return _cast(word, unary(cursor, depth + 1), at)
            inner = expression(cursor, depth + 1)
            cursor.expect(")", "of a constant expression")
            return Number(inner.value, inner.unsigned, inner.literal, inner.width)
        case "-" | "+" | "~" | "!":
            return _signed(match[0], cursor, depth, at)
        case _:
            raise Unreadable(f"a constant is missing before {match[0]!r}", at)


def _signed(sign: str, cursor: Cursor, depth: int, at: int) -> Number:
    inner = unary(cursor, depth + 1)
    plain = inner.literal is not None and inner.literal.text[0].isdigit()
    if sign == "-" and plain and inner.literal is not None:
        found = literal(inner.literal.text, at, negative=True)
        if isinstance(found, Float):
            return Number(found.value, literal=found, width=found.width)
        return Number(wrapped(found.value, inner.unsigned).value, inner.unsigned, found)
    if isinstance(inner.value, float):
        if sign in "~!" or inner.width == 32:
            raise Unreadable(f"{sign} is not for {inner.literal.text if inner.literal else 'floats'}", at)
        return Number(-inner.value if sign == "-" else inner.value)
    match sign:
        case "-":
            return wrapped(-inner.value, inner.unsigned)
        case "~":
            return wrapped(~inner.value, True)
        case "!":
            return Number(int(not inner.value))
        case _:
            return Number(inner.value, inner.unsigned)


def _cast(word: str, inner: Number, at: int) -> Number:
    if word not in (".s64", ".u64"):
        raise Unreadable(f"a cast is (.s64) or (.u64), not ({word})", at)
    if isinstance(inner.value, float):
        raise Unreadable(f"({word}) is for integers", at)
    return wrapped(inner.value, word == ".u64")
