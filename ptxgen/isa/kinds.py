"""What an operand's kind comes to for an opcode: its types, its length, its address space."""

from __future__ import annotations

from typing import Any

from attrs import define

from ptxgen.isa import types
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.conditions import Tree, holds, value
from ptxgen.isa.opcodes import Reading

Kind = dict[str, Any]
NO_OPTIONS: frozenset[str] = frozenset()


@define(eq=False, weakref_slot=False, repr=False)
class _Prefix:
    """The statement before its operands are bound, for conditions that choose an operand kind."""

    reading: Reading
    options: frozenset[str]

    @property
    def mnemonic(self) -> str:
        return self.reading.mnemonic

    @property
    def alias(self) -> str:
        return self.reading.line.family.alias

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens

    @property
    def slots(self) -> dict[str, int]:
        return self.reading.slots

    @property
    def operands(self) -> dict[str, OperandClass]:
        return {}


def kind_of(reading: Reading, name: str) -> Kind | None:
    """The kind of an operand for this opcode; None where the specification gives none."""
    if name not in reading.kinds:
        prefix = _Prefix(reading, NO_OPTIONS)
        choices = reading.line.block.kinds.get(name, [])
        reading.kinds[name] = next((k for c, k in choices if c is None or holds(c, prefix)), None)
    return reading.kinds[name]


def types_of(reading: Reading, tree: Tree) -> list[str]:
    """The types (without dots) that a type of the kind language stands for."""
    prefix = _Prefix(reading, NO_OPTIONS)
    match tree[0]:
        case "any":
            return [name.lstrip(".") for name in tree[1:]]
        case "scaled":
            token = value(tree[3], prefix)
            return types.scaled(token, tree[1], tree[2]) if isinstance(token, str) else []
        case _:
            token = value(tree, prefix)
            return [token.lstrip(".")] if isinstance(token, str) else []


def length_of(reading: Reading, base: Tree, flags: list[str]) -> int | None:
    """The number of registers that a kind with a length takes; None for a scalar."""
    if len(base) < 3:
        return None
    length = _arithmetic(base[2], reading)
    if length is None:
        return None
    threads = 32 if "warp" in flags else 128 if "warpgroup" in flags else 0
    if threads:
        width = types.bits(types_of(reading, base[1])[0])
        length = length * width // threads // max(32, width)
    return length


def _arithmetic(tree: Tree, reading: Reading) -> int | None:
    match tree[0]:
        case "int":
            return int(tree[1])
        case "num":
            at = reading.slots.get(tree[1])
            return None if at is None else types.number(reading.tokens[at])
        case "dim":
            return types.shape(reading.tokens)["MNK".index(tree[1])]
        case operator:
            left, right = _arithmetic(tree[1], reading), _arithmetic(tree[2], reading)
            if left is None or right is None:
                return None
            return {"*": left * right, "/": left // right if right else 0, "+": left + right, "-": left - right}[
                operator
            ]


def address_space(reading: Reading, base: Tree) -> str:
    """The row of the address table that an address kind names: a state space, "generic", "tmem" or "multimem"."""
    if len(base) > 2:
        return str(base[2])
    space = value(base[1], _Prefix(reading, NO_OPTIONS)) if base[1] else None
    if isinstance(space, str):
        written = {token.split("::")[0] for token in reading.tokens}
        left_out = base[1][0] == "token" and space in reading.line.tokens and space.split("::")[0] not in written
        return "generic" if left_out else space
    return next((token for token in reading.tokens if token.split("::")[0] in types.spaces()), "generic")


def space_of(reading: Reading, tree: Tree) -> str:
    """The state space that a reference of the kind language stands for, without its window."""
    space = value(tree, _Prefix(reading, NO_OPTIONS))
    return space.split("::")[0] if isinstance(space, str) else ""


def address_register(kind: Kind, space: str, register: str) -> str:
    """ "yes", "beyond" (ptxas takes it, the manual does not) or "no": a register as an address of a kind."""
    if not wide_enough(kind, register) or ("exact" in kind.get("flags", ()) and types.letter(register) != "b"):
        return "no"
    return types.address_register(register, space)


def wide_enough(kind: Kind, register: str) -> bool:
    """Whether a register has the bits that ptxas wants of the register of an address."""
    low, high = kind.get("widths") or (0, types.size(register))
    return bool(low <= types.size(register) <= high)
