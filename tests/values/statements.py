"""Statements as text, with a type for each register, ready to be evaluated; values as the examples write them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache

from ptxgen.check.instruction import within_limits
from ptxgen.cpu.reference import Statement, Type, format_named, prepare, type_named
from ptxgen.cpu.reference.rounding import rounded
from ptxgen.cpu.reference.values import INFINITY, Real, real
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand
from ptxgen.isa.family import table
from tools.specification.environment import resolve, understand

_STATEMENT = re.compile(r"(?:@!?[%$\w]+\s+)?([A-Za-z](?:\w|\.|::|:(?=\d))*)")


@cache
def statement(text: str, options: tuple[str, ...] = ()) -> Statement:
    """The statement with the register types that its operands ask for; `%u32_1` is of the type in its name."""
    found = _STATEMENT.match(text)
    assert found, text
    mnemonic, _ = table().split(found[1])
    family = table().family(mnemonic)
    assert family, f"{text} begins with no mnemonic"
    for case in understand(text, family, mnemonic, frozenset(options)).cases:
        if any(not match.errors() and within_limits(match, case.operands) for match in case.matches):
            return prepare(found[1], *case.operands, options=frozenset(options))
    raise AssertionError(f"{text} is not legal")


def result(text: str, values: dict[str, int]) -> int:
    """The bits of the only register that a statement writes."""
    (got,) = statement(text).run(values).values()
    return got


def types(of: Statement) -> dict[str, Type]:
    """The type of the value of each register: that of the operand, unless the register's name says one."""
    found = {"CC": type_named("pred")}
    for place in of.computation.places:
        operand = place.find(of.operands)
        elements = operand.elements if isinstance(operand, ir.Vector) else (operand,)
        for name in map(_register, elements):
            found.setdefault(name, _forced(name) or place.type)
    return found


def _register(operand: Operand) -> str:
    return operand.register.text if isinstance(operand, ir.Selected | ir.Prefixed) else operand.text


def _forced(name: str) -> Type | None:
    found = resolve(name)
    return type_named(found.type) if isinstance(found, ir.Reg) else None


# ---- values


def bits(text: str, type_: Type) -> int:
    """The bits of a value as examples write it."""
    text = text.strip()
    if found := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})", text):
        written = format_named("f32" if found[1] else "f64")
        code = int(found[1] or found[2], 16)
        return code if type_.format is None or type_.format == written else _encoded(written.decode(code), type_)
    if type_.format is None and re.search(r"[.]|inf|nan", text):
        return _encoded(_number(text), type_named(f"f{type_.width}"))
    if type_.format is None or type_.lanes > 1 or re.match(r"[-+]?0[xXbBoO]", text):
        return int(text, 0) & (1 << type_.bits) - 1
    return _encoded(_number(text), type_)


def _number(text: str) -> Real | None:
    word = text.lower().lstrip("+-")
    if word == "nan":
        return None
    if word == "inf":
        return INFINITY.with_sign(text.startswith("-"))
    return real(abs(Fraction(text))).with_sign(text.startswith("-"))


def _encoded(x: Real | None, type_: Type) -> int:
    if type_.format is None:
        raise ValueError(f"{type_.name} is no floating-point type")
    if x is None:
        return type_.format.canonical_nan or 0
    return type_.format.encode(rounded(x, type_.format, "rn"))


def is_nan(text: str) -> bool:
    """Whether an example asks for a NaN, whichever."""
    return text.strip().lower().lstrip("+-") == "nan"


def describe(raw: int, type_: Type) -> str:
    """Bits for a message."""
    value = type_.decode(raw) if type_.lanes == 1 else ""
    if isinstance(value, Real) and value.is_finite and not math.isinf(float(value.magnitude)):
        return f"{raw:#x} ({'-' if value.negative else ''}{float(value.magnitude)!r})"
    return f"{raw:#x} ({value})"
