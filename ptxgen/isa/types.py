"""Types, and which registers, constants and addresses an operand of each type accepts (specs/types.yaml).

Names come with or without their dot. The functions are asked for each new combination once and cached.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from attrs import define

from ptxgen.isa.data import load


@define(eq=False, weakref_slot=False, repr=False)
class FloatFormat:
    """What the bits of a floating-point value are for; those that the type has more are zeros below the mantissa."""

    sign: bool
    exponent: int
    mantissa: int
    bias: int
    infinity: bool  # the exponent of all ones is infinity and NaN
    nan: int | None  # the canonical NaN; None when there is none
    subnormal: bool  # exponent 0 is zero and subnormals, no ordinary exponent


@define(eq=False, weakref_slot=False, repr=False)
class Type:
    """A PTX type."""

    name: str  # without its dot
    kind: str  # "bits" | "unsigned" | "signed" | "float" | "fixed" | "predicate" | "opaque"
    lane_bits: int
    lanes: int
    pitch: int  # distance of lanes in bits
    container: str  # the type of the register that holds it, itself when it has registers of its own
    register: bool  # `.reg` of this type may be declared
    element: str  # type of a lane
    format: FloatFormat | None  # of a lane, when it is a float
    fraction: int  # of a lane, when it is fixed: bits after the point

    @property
    def bits(self) -> int:
        """Width of a value, padding between lanes included."""
        return self.pitch * self.lanes


@lru_cache(maxsize=512)
def type_of(name: str) -> Type | None:
    """The type of a name; None when no type is called so."""
    rows = load("types")["types"]
    name = name.lstrip(".")
    row = rows.get(f".{name}")
    if row is None:
        return None
    element = row.get("of", f".{name}")
    base = rows[element]
    lane_bits = int(row.get("bits", base["bits"]))
    return Type(
        name,
        row["kind"],
        lane_bits,
        int(row.get("lanes", 1)),
        int(row.get("pitch", base.get("pitch", lane_bits))),
        row.get("container", f".{name}").lstrip("."),
        "register" in row,
        element.lstrip("."),
        _format(base["format"]) if "format" in base else None,
        int(base.get("fraction", 0)),
    )


def _format(row: dict[str, str]) -> FloatFormat:
    return FloatFormat(
        row.get("sign") != "no",
        int(row["exponent"]),
        int(row["mantissa"]),
        int(row["bias"]),
        row.get("infinity") == "yes",
        int(row["nan"], 16) if "nan" in row else None,
        row.get("subnormal") != "no",
    )


def names() -> tuple[str, ...]:
    """Every type, in the order of types.yaml."""
    return tuple(name.lstrip(".") for name in load("types")["types"])


def known(name: str) -> Type:
    """The type of a name that a specification uses."""
    found = type_of(name)
    assert found is not None, name
    return found


def bits(token: str) -> int:
    """Width of a value of a type, all lanes together; 0 when the token is no type."""
    found = type_of(token)
    return found.lane_bits * found.lanes if found else 0


def size(register: str) -> int:
    """Width of a register of a type."""
    return known(known(register).container).bits


def is_float(token: str) -> bool:
    """Whether a type is floating-point, packed or not."""
    found = type_of(token)
    return found is not None and found.kind == "float"


def is_integer(token: str) -> bool:
    """Signed or unsigned, not packed."""
    found = type_of(token)
    return found is not None and found.kind in ("signed", "unsigned") and found.lanes == 1


def is_signed(token: str) -> bool:
    """Whether a type is a signed integer, packed or not."""
    found = type_of(token)
    return found is not None and found.kind == "signed"


def is_unsigned(token: str) -> bool:
    """Whether a type is an unsigned integer, packed or not."""
    found = type_of(token)
    return found is not None and found.kind == "unsigned"


def is_opaque(token: str) -> bool:
    """Whether a type is that of a texture, sampler or surface."""
    found = type_of(token)
    return found is not None and found.kind == "opaque"


def contains(wide: str, narrow: str) -> bool:
    """Whether every value of one integer type is a value of the other."""
    w, n = type_of(wide), type_of(narrow)
    if w is None or n is None or not (is_integer(wide) and is_integer(narrow)):
        return False
    if w.kind == n.kind:
        return w.lane_bits >= n.lane_bits
    return w.kind == "signed" and w.lane_bits > n.lane_bits


def scaled(token: str, up: int, down: int) -> list[str]:
    """The type of the same letter and another width: `.u16` by 2/1 is u32; [] where there is none."""
    match = re.fullmatch(r"\.?([busf])(\d+)", token)
    if match is None:
        return []
    name = f"{match[1]}{int(match[2]) * up // down}"
    return [name] if type_of(name) else []


@lru_cache(maxsize=1)
def _numbers() -> dict[str, int]:
    return {token: int(number) for token, number in load("tokens")["numbers"].items()}


def number(token: str) -> int:
    """The number that a token such as `.v4`, `.x8` or `.2d` is; 1 for any other."""
    return _numbers().get(token, 1)


def shape(tokens: tuple[str, ...]) -> tuple[int, int, int]:
    """M, N, K of the shape among the tokens; 1 where there is none."""
    for token in tokens:
        if match := re.fullmatch(r"\.m(\d+)n(\d+)(?:k(\d+))?", token):
            return int(match[1]), int(match[2]), int(match[3] or 1)
    return 1, 1, 1


def nth(tokens: tuple[str, ...], number: int) -> str | None:
    """The n-th type among the tokens, from 1."""
    found = [token for token in tokens if type_of(token) is not None]
    return found[number - 1] if number <= len(found) else None


@lru_cache(maxsize=4096)
def order_class(token: str) -> str:
    """The ordered class of a token: "types", "layouts", "spaces", or "" when its place is free."""
    if type_of(token) is not None:
        return "types"
    for name, members in load("tokens")["ordered"].items():
        if token in members:
            return name
    return ""


@lru_cache(maxsize=1)
def repeatable() -> frozenset[str]:
    """The modifiers that ptxas, against the manual, takes twice."""
    return frozenset(load("tokens")["repeatable"])


@lru_cache(maxsize=1)
def movable() -> frozenset[str]:
    """The last words of mnemonics, each after the first word, that may stand among the modifiers."""
    return frozenset(load("tokens")["movable"])


@lru_cache(maxsize=1)
def ignored() -> frozenset[str]:
    """The modifiers that ptxas reads over: alone, or after a mnemonic or the first word of one."""
    return frozenset(load("tokens")["ignored"])


@lru_cache(maxsize=1)
def spaces() -> frozenset[str]:
    """The state spaces of addresses."""
    return frozenset(name for name in load("types")["addresses"] if name.startswith("."))


# ---- registers


def letter(register: str) -> str:
    """How the tables name a register's type: b u s f half2 pred."""
    if register == "pred":
        return "pred"
    return "half2" if register == "f16x2" else register[0]


def _rows(table: dict[str, Any], name: str) -> Any:
    """The most specific row: of the type, of a group with it, of its kind; None when there is none."""
    if f".{name}" in table:
        return table[f".{name}"]
    for group, members in load("types")["groups"].items():
        if f".{name}" in members and group in table:
            return table[group]
    return table.get(known(name).kind)


@lru_cache(maxsize=8192)
def fits(name: str, register: str, context: str, wider: bool) -> bool:
    """Whether a register holds an operand of a type.

    `context` is "modifier" or "fixed" for a whole operand, "vector", "warp" or "warpgroup" for an element, "element"
    for that of a vector whose type the instruction fixes, "mixed" for that of a vector with a .b register.
    """
    if context == "mixed":
        register, context = f"b{size(register)}", "vector"
    tables = load("types")["operands"]
    row = _rows(tables[context], name)
    if row is None and context == "element":
        row = _rows(tables["vector"], name)
    if row is None:
        row = _rows(tables["modifier"], name)
    if row is None:
        return False
    want = known(known(name).container).bits
    have = size(register)
    if letter(register) in row.get("lax", ()):
        return True
    if context in ("warp", "warpgroup"):
        want = max(want, 32)  # elements are packed in 32-bit registers
    if have == want:
        return letter(register) in row["exact"]
    return wider and have > want and letter(register) in row.get("wider", ())


def is_lax(name: str, register: str) -> bool:
    """Whether ptxas takes a register for an operand of a type, and the manual does not."""
    row = _rows(load("types")["operands"]["modifier"], name)
    return row is not None and letter(register) in row.get("lax", ())


def is_bits(name: str) -> bool:
    """Whether a type says no more than a width."""
    return known(name).kind == "bits"


def is_narrow(name: str) -> bool:
    """Whether a type belongs to the narrow formats."""
    return f".{name}" in load("types")["groups"]["narrow"]


def alike(letters: set[str]) -> bool:
    """Whether registers with these letters, `b` aside, may stand in one vector."""
    rest = letters - {"b"}
    return not rest or any(rest <= set(kind) for kind in load("types")["vectors"]["alike"])


@lru_cache(maxsize=512)
def takes_constant(name: str, literal: str, context: str = "whole") -> bool:
    """Whether a source of a type accepts a literal: "integer", "single" or "double"; as a whole, or as an element."""
    tables = load("types")["constants"]
    context = "vector" if context == "element" else context
    row = _rows(tables.get(context, tables["whole"]), name)
    if row is None:
        row = _rows(tables["whole"], name)
    return literal in (row or ())


# ---- addresses


@lru_cache(maxsize=512)
def address_register(register: str, space: str) -> str:
    """ "yes", "beyond" (ptxas takes it, the manual does not) or "no": a register as an address in a state space."""
    row = _address_row(space)
    if letter(register) not in row["register"]:
        return "no"
    width = str(size(register))
    return "yes" if width in row["bits"] else "beyond" if width in row.get("beyond", ()) else "no"


def address_bits(space: str) -> list[int]:
    """The widths of registers that are addresses in a state space by the manual."""
    return [int(bits) for bits in _address_row(space)["bits"]]


def address_variable(space: str, variable_space: str, variable_type: str) -> bool:
    """Whether a variable may be the base of an address in a state space."""
    allowed = _address_row(space).get("variable", ())
    if is_opaque(variable_type):
        return f".{variable_type}" in allowed
    return bool({variable_space, variable_space.split("::")[0], f".{variable_type}"} & set(allowed))


def address_constant(space: str) -> bool:
    """Whether a constant alone is an address in a state space."""
    return "immediate" in _address_row(space)


def address_offset(space: str) -> bool:
    """Whether a constant may be added to an address in a state space."""
    return _address_row(space).get("offset") != "no"


def _address_row(space: str) -> dict[str, Any]:
    table = load("types")["addresses"]
    return table.get(space) or table.get(space.split("::")[0]) or table["generic"]


# ---- special registers


@lru_cache(maxsize=512)
def reads_special(instruction_type: str, special: str, legacy: tuple[str, ...], wider: bool) -> bool:
    """Whether an instruction type reads a special register of a type."""
    want, have = type_of(instruction_type), type_of(special)
    if want is None or have is None:
        return False
    if "pred" in (want.name, have.name):
        return want.name == have.name
    if want.kind == "float" or want.lanes > 1:
        return False
    widths = {have.bits, *(known(name).bits for name in legacy)}
    return want.bits in widths or (wider and want.bits < have.bits)
