"""Evaluate the conditions of the tables on one statement.

A condition is a tree of JSON lists, compiled from the specification; `tools/specification/conditions.py` defines the
language and the tree.
"""

from __future__ import annotations

from typing import Any, Protocol

from ptxgen.isa import types
from ptxgen.isa.classes import (
    ADDRESS,
    FLOAT,
    FUNCTIONS,
    INTEGER,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
)

Tree = list[Any]


class Statement(Protocol):
    """What a condition looks at: an opcode in canonical order and the operands that are bound."""

    @property
    def mnemonic(self) -> str: ...
    @property
    def alias(self) -> str: ...
    @property
    def tokens(self) -> tuple[str, ...]:
        """Canonical order, selectors of operands last."""
        ...

    @property
    def slots(self) -> dict[str, int]:
        """Name of each filled slot -> index of its token."""
        ...

    @property
    def operands(self) -> dict[str, OperandClass]: ...
    @property
    def options(self) -> frozenset[str]: ...


def holds(tree: Tree, statement: Statement) -> bool:
    """Whether the condition holds."""
    match tree[0]:
        case "has":
            return _has(tree, statement)
        case "and":
            return all(holds(part, statement) for part in tree[1:])
        case "or":
            return any(holds(part, statement) for part in tree[1:])
        case "not":
            return not holds(tree[1], statement)
        case "=>":
            return not holds(tree[1], statement) or holds(tree[2], statement)
        case "<=>":
            return holds(tree[1], statement) == holds(tree[2], statement)
        case "==":
            return value(tree[1], statement) == value(tree[2], statement)
        case "in":
            return value(tree[1], statement) in tree[2]
        case "<":
            return _number(tree[1], statement) < _number(tree[2], statement)
        case ">":
            return _number(tree[1], statement) > _number(tree[2], statement)
        case "on":
            return tree[1] in statement.operands
        case "is":
            operand = statement.operands.get(tree[1])
            return operand is not None and any(_is(operand, kind) for kind in tree[2:])
        case "sink":
            named = [statement.operands.get(tree[1])] if tree[1] else list(statement.operands.values())
            return any(operand is not None and _has_sink(operand) for operand in named)
        case "call":
            return predicate(tree[1], [value(argument, statement) for argument in tree[2:]])
        case "mnemonic":
            return tree[1] in (statement.mnemonic, statement.alias)
        case "option":
            return tree[1] in statement.options
        case other:
            raise AssertionError(f"no condition is called {other!r}")


def value(tree: Tree, statement: Statement) -> str | int | None:
    """A token (with its dot), a number, or None where a slot is empty."""
    match tree[0]:
        case "slot":
            at = statement.slots.get(tree[1])
            if at is not None:
                return statement.tokens[at]
            return types.nth(statement.tokens, 1) if tree[1] == ".type" else None
        case "nth":
            return types.nth(statement.tokens, tree[1])
        case "token" | "int":
            return tree[1]
        case "bits":
            token = value(tree[1], statement)
            return types.bits(token) if isinstance(token, str) else 0
        case "count":
            token = value(tree[1], statement)
            return types.number(token) if isinstance(token, str) else 1
        case "*":
            return _number(tree[1], statement) * _number(tree[2], statement)
        case other:
            raise AssertionError(f"no value is called {other!r}")


def _number(tree: Tree, statement: Statement) -> int:
    found = value(tree, statement)
    return found if isinstance(found, int) else 0


def _has(tree: Tree, statement: Statement) -> bool:
    """The tokens occur in this order; a slot stands for the token that fills it."""
    tokens, slots = statement.tokens, statement.slots
    at = 0
    for alternatives in tree[1:]:
        best = -1
        for name in alternatives:
            if name in slots:
                found = slots[name] if slots[name] >= at else -1
            else:
                try:
                    found = tokens.index(name, at)
                except ValueError:
                    continue
            if found >= 0 and (best < 0 or found < best):
                best = found
        if best < 0:
            return False
        at = best + 1
    return True


_WITHIN = ("reg", "var", "imm", "texref", "samplerref", "surfref")


def _is(operand: OperandClass, kind: str) -> bool:
    if operand.what == ADDRESS and kind in _WITHIN and operand.elements:
        operand = operand.elements[0]  # `a is reg` looks inside the brackets
    match kind:
        case "reg":
            return operand.what == REGISTER
        case "imm":
            return operand.what in (INTEGER, FLOAT)
        case "flt":
            return operand.what == FLOAT
        case "double":
            return operand.what == FLOAT and operand.type == "f64"
        case "var":
            return operand.what == VARIABLE
        case "offset":
            return operand.what == VARIABLE and operand.offset
        case "vec":
            return operand.what == VECTOR or (operand.what == SPECIAL and bool(operand.space))
        case "vec1" | "vec2" | "vec4":
            return operand.what == VECTOR and len(operand.elements) == int(kind[3:])
        case "bits":
            return operand.what == REGISTER and types.letter(operand.type) == "b"
        case "int":
            parts = operand.elements or (operand,)
            return all(part.what == REGISTER and types.letter(part.type) in ("u", "s") for part in parts)
        case "texref" | "samplerref" | "surfref":
            return operand.what == VARIABLE and operand.type == kind
        case "neg":
            return bool(operand.prefix)
        case "sink":
            return operand.what == SINK
        case "sreg":
            return operand.what == SPECIAL
        case "label":
            return operand.what == NAME
        case "func":
            return operand.what == NAME and operand.type in FUNCTIONS
        case "kernel":
            return operand.what == NAME and operand.type == "kernel"
        case "selected":
            return bool(operand.selector)
        case "pair":
            return operand.second is not None
        case other:
            raise AssertionError(f"no operand is {other!r}")


def _has_sink(operand: OperandClass) -> bool:
    return operand.what == SINK or any(element.what == SINK for element in operand.elements)


def predicate(name: str, values: list[str | int | None]) -> bool:
    """Whether a predicate, such as `float`, holds of the values of slots; of an empty one none does."""
    tokens = [v for v in values if isinstance(v, str)]
    if len(tokens) < len(values):
        return False
    match name:
        case "float":
            return types.is_float(tokens[0])
        case "int":
            return types.is_integer(tokens[0])
        case "signed":
            return types.is_signed(tokens[0])
        case "unsigned":
            return types.is_unsigned(tokens[0])
        case "contains":
            return types.contains(tokens[0], tokens[1])
        case other:
            raise AssertionError(f"no predicate is called {other!r}")
