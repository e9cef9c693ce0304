"""Whether an operand is of its kind: as the manual has it, as ptxas alone takes it, or not at all."""

from __future__ import annotations

import itertools

from ptxgen.isa import registers, types
from ptxgen.isa.classes import (
    FLOAT,
    FUNCTIONS,
    INTEGER,
    LIST,
    NAME,
    REGISTER,
    SINK,
    SPECIAL,
    VARIABLE,
    VECTOR,
    OperandClass,
    operand_class,
)
from ptxgen.isa.conditions import Tree
from ptxgen.isa.kinds import Kind, address_register, address_space, kind_of, length_of, space_of, types_of, wide_enough
from ptxgen.isa.opcodes import Reading

Path = tuple[int, ...]
Notes = tuple[tuple[Path, Tree], ...]  # limits of constants, and ["lax", text]: what only ptxas takes
_SYMBOL: Notes = (((), ["lax", "a constant is a number, not an address"]),)
_SUM: Notes = (((), ["lax", "a register plus a constant is an address and stands in brackets"]),)
BARE: Notes = (((), ["lax", "an address stands in brackets"]),)
_UNCHECKED: Notes = (((), ["lax", "the operand has the instruction's type"]),)
_FRAGMENT: Notes = (((), ["lax", "the elements of a fragment are registers of its type"]),)
_VECTOR_OF_ONE: Notes = (((), ["lax", "a single register stands without braces"]),)


def fit(reading: Reading, name: str, operand: OperandClass, path: Path) -> Notes | None:
    """The limits on values under which the operand fits its kind; None when it cannot."""
    kind = kind_of(reading, name)
    if kind is None:
        return None
    if kind["bases"][0][0] == "addr":  # beside others in brackets: [tensorMap, {x, y}]
        if operand.second is not None:
            return None
        notes = _address_fits(reading, kind, operand)
        return BARE if notes is None and without_brackets(reading, name, operand) else notes
    limited = [base for base in kind["bases"] if base[0] in ("imm", "flt")]
    special = [base for base in kind["bases"] if base[0] == "sreg"]
    if operand.what == VECTOR and any(element.what == SPECIAL for element in operand.elements):
        taken = _as_registers(operand) if special else None
        return None if taken is None else fit(reading, name, taken, path)
    if operand.what in (INTEGER, FLOAT) and limited:
        wanted = "imm" if operand.what == INTEGER else "flt"
        for base in limited:
            if base[0] == wanted:
                cut = ["cut"] if "cut" in kind.get("flags", ()) else []
                return ((path, [*base, *cut]),) if len(base) > 1 else ()
        return None
    for base in kind["bases"]:
        if _base_fits(reading, base, kind, operand):
            if operand.what == VECTOR and limited:
                return tuple(((*path, i), limited[0]) for i, e in enumerate(operand.elements) if e.what == INTEGER)
            if operand.what != REGISTER or not operand.offset:
                return ()
            return None if kind.get("access") in ("out", "inout") else _SUM
    if "unchecked" in kind.get("flags", ()):
        if {"warp", "warpgroup"} & set(kind["flags"]):
            fragment = operand.what == VECTOR and _fragment_fits(reading, kind["bases"][0], kind, operand)
            return _FRAGMENT if fragment else None
        if kind.get("access") and operand.what != REGISTER:
            return None
        return _UNCHECKED if _size_fits(reading, kind["bases"][0], operand) else None
    typed = [base for base in kind["bases"] if base[0] == "type"]
    # Where vectors of the same type have lengths of their own, one element is one too few.
    vectors = [base for base in typed if len(base) > 2]
    lengths = [base for base in vectors if ["type", base[1]] not in typed]
    lengths = lengths if vectors else _slot_lengths(reading, name)
    tuples = [base for base in kind["bases"] if base[0] == "tuple"]
    alone = len(typed) == len(kind["bases"]) - len(limited) - len(special) - len(tuples)
    if alone and _is_symbol(operand) and any(_symbol_fits(reading, base, kind, operand) for base in typed):
        return _SYMBOL
    if operand.what == VECTOR and len(operand.elements) == 1 and lengths:
        return _VECTOR_OF_ONE if fit(reading, name, operand.elements[0], path) == () else None
    return None


def address(reading: Reading, name: str, operand: OperandClass, path: Path) -> Notes | None:
    """The same of what stands alone in brackets."""
    kind = kind_of(reading, name)
    if kind is None:
        return None
    if kind["bases"][0][0] != "addr":  # a texture, sampler or surface handle
        return None if operand.offset else fit(reading, name, operand, (*path, 0))
    return _address_fits(reading, kind, operand)


def _as_registers(vector: OperandClass) -> OperandClass | None:
    """The vector with .b registers of their size for the special registers among its elements: so ptxas takes them.
    None with a whole vector or a predicate among these, or a field beside a constant."""
    special = [element for element in vector.elements if element.what == SPECIAL]
    rows = [registers.table()[element.type] for element in special]
    constant = any(element.what in (INTEGER, FLOAT) for element in vector.elements)
    if any(e.space or row.type == "pred" or (row.vector and constant) for e, row in zip(special, rows, strict=True)):
        return None
    elements = tuple(
        operand_class(REGISTER, f"b{types.size(registers.table()[e.type].type)}") if e.what == SPECIAL else e
        for e in vector.elements
    )
    return operand_class(VECTOR, elements=elements, prefix=vector.prefix, second=vector.second)


def without_brackets(reading: Reading, name: str, operand: OperandClass) -> bool:
    """Whether ptxas takes an address without brackets of its own: any register, or a variable of the space."""
    kind = kind_of(reading, name)
    if kind is None or "bare" not in kind.get("flags", ()) or operand.second is not None:
        return False
    if operand.what == REGISTER:
        return wide_enough(kind, operand.type)
    space = address_space(reading, kind["bases"][0])
    return operand.what == VARIABLE and types.address_variable(space, operand.space, operand.type)


NARROW = "the register of an address has as many bits as addresses of its state space"
_NARROW: Notes = (((), ["lax", NARROW]),)


def _address_fits(reading: Reading, kind: Kind, operand: OperandClass) -> Notes | None:
    space = address_space(reading, kind["bases"][0])
    if operand.what == REGISTER:
        found = address_register(kind, space, operand.type)
        return {"yes": (), "beyond": _NARROW, "no": None}[found]
    if operand.what == VARIABLE:
        return () if types.address_variable(space, operand.space, operand.type) else None
    return () if operand.what == INTEGER and types.address_constant(space) else None


def _base_fits(reading: Reading, base: Tree, kind: Kind, operand: OperandClass) -> bool:
    flags: list[str] = kind.get("flags", [])
    what = operand.what
    match base[0]:
        case "type":
            return _typed_fits(reading, base, kind, operand)
        case "tuple":
            return _tuple_fits(reading, base, kind, operand)
        case "var":
            if what != VARIABLE:
                return False
            if len(base) == 1:
                return not types.is_opaque(operand.type)
            return operand.space.split("::")[0] in ("", space_of(reading, base[1]))
        case "sreg":
            return (
                what == SPECIAL
                and (length_of(reading, base, []) == len(registers.FIELDS) if operand.space else len(base) == 2)
                and any(
                    registers.reads(name, operand.type, "wider" in flags) for name in types_of(reading, base[1])
                )
            )
        case "params":
            return what == LIST
        case "label" | "func" | "branchtargets" | "calltargets" | "callprototype":
            return what == NAME and operand.type in ("", *(FUNCTIONS if base[0] == "func" else base))
        case "texref" | "samplerref" | "surfref":
            return what == VARIABLE and operand.type == base[0] and not operand.offset
        case _:
            return False


def _typed_fits(reading: Reading, base: Tree, kind: Kind, operand: OperandClass) -> bool:
    flags: list[str] = kind.get("flags", [])
    names = types_of(reading, base[1])
    if not names:
        return False
    length = length_of(reading, base, flags)
    if length is None:
        whole = "sink" in flags and not any(len(other) > 2 for other in kind["bases"])
        return _scalar_fits(names, kind, operand, _context(base), whole)
    if operand.what != VECTOR or len(operand.elements) != length or not _alike(operand.elements):
        return False
    mixed = any(e.what == REGISTER and types.letter(e.type) == "b" for e in operand.elements)
    context = (
        "warp" if "warp" in flags
        else "warpgroup" if "warpgroup" in flags
        else "mixed" if mixed
        else "vector" if _context(base) == "modifier"
        else "element"
    )  # fmt: skip
    if context == "element" and types.is_bits(names[0]) and all(e.what == INTEGER for e in operand.elements):
        return False  # integers alone are no .bN
    typeless = context == "warpgroup" or (context == "warp" and types.is_bits(names[0]))
    if typeless and not any(e.what in (REGISTER, FLOAT) for e in operand.elements):
        return False  # integers alone give no type
    return all(_scalar_fits(names, kind, element, context, "sink" in flags) for element in operand.elements)


def _tuple_fits(reading: Reading, base: Tree, kind: Kind, operand: OperandClass) -> bool:
    """Elements of one type, side by side, are alike. A type that the kind fixes is looked at; the others count by their
    size, as beside a .b register, when some element is a register."""
    if operand.what != VECTOR or len(operand.elements) != len(base) - 1:
        return False
    registers_too = any(e.what == REGISTER for e in operand.elements)
    pairs = zip(base[1:], operand.elements, strict=True)
    for tree, run in itertools.groupby(pairs, key=lambda pair: pair[0]):
        elements = tuple(element for _, element in run)
        fixed = tree[0] in ("any", "token")
        context = "element" if fixed else "mixed" if registers_too else "vector"
        names = types_of(reading, tree)
        if not _alike(elements) or not all(_scalar_fits(names, kind, e, context, False) for e in elements):
            return False
    return True


def _fragment_fits(reading: Reading, base: Tree, kind: Kind, operand: OperandClass) -> bool:
    """What ptxas takes for a fragment that it does not check: beside a .b register any other of its size, and in a
    source a constant."""
    flags: list[str] = kind["flags"]
    names = types_of(reading, base[1])
    if not names or length_of(reading, base, flags) != len(operand.elements):
        return False
    size = max(32, types.bits(types.known(names[0]).container))
    sorts = (INTEGER, FLOAT) if not kind.get("access") and "reg" not in flags else ()
    return any(e.what == REGISTER and types.letter(e.type) == "b" for e in operand.elements) and all(
        (e.what == REGISTER and types.size(e.type) == size and not e.offset)
        or (e.what == SINK and "sink" in flags)
        or (e.what in sorts and not _excludes(kind, e) and (e.what == INTEGER or size == 32))
        for e in operand.elements
    )


def _is_symbol(operand: OperandClass) -> bool:
    """An address that ptxas takes for a constant: a variable plus an offset, or a function."""
    return (operand.what == VARIABLE and operand.offset) or (operand.what == NAME and operand.type in FUNCTIONS)


def _symbol_fits(reading: Reading, base: Tree, kind: Kind, operand: OperandClass) -> bool:
    """Functions pass for any type but a narrow one where a modifier gives the type, and nowhere else; variables plus
    an offset for integers, of 32 bits where no modifier gives the type."""
    names = types_of(reading, base[1])
    if kind.get("access") or "reg" in kind.get("flags", []) or len(base) > 2 or not names:
        return False
    fixed = _context(base) == "fixed"
    if operand.what == NAME:
        return not fixed and not any(types.is_narrow(name) for name in names)
    return "pred" not in names and any(
        types.takes_constant(name, "integer") and not (fixed and types.bits(name) != 32) for name in names
    )


def _slot_lengths(reading: Reading, name: str) -> list[Tree]:
    """The bases by which an operand is a vector when the opcode has a slot such as `.vec`."""
    bases = [base for _, kind in reading.line.block.kinds.get(name, ()) for base in kind["bases"]]
    return [base for base in bases if base[0] == "type" and len(base) > 2 and base[2][0] == "num"]


def _size_fits(reading: Reading, base: Tree, operand: OperandClass) -> bool:
    """What ptxas takes where it does not check an operand: registers of the size, alone or in a vector, predicates,
    addresses with an offset, and constants of 32 bits."""
    size = types.known(types.known(types_of(reading, base[1])[0]).container).bits
    match operand.what:
        case "register":
            return operand.type == "pred" or types.size(operand.type) == size
        case "vector":
            sizes = {types.size(e.type) if e.what == REGISTER else 0 for e in operand.elements}
            return len(operand.elements) <= 2 and sizes == {size}
        case "float":
            return operand.type == "f32" and size == 32
        case what:
            return what == VARIABLE and operand.offset


def _context(base: Tree) -> str:
    """Whether a modifier of the instruction gives an operand's type (`.type`), or the kind fixes it (`.b32`)."""
    return "fixed" if base[1][0] in ("any", "token") else "modifier"


def _alike(elements: tuple[OperandClass, ...]) -> bool:
    """Elements of a vector have one size, and one kind of register besides .b; `_` alone says too little. None is a
    sum."""
    if any(e.offset for e in elements):
        return False
    declared = [e.type for e in elements if e.what == REGISTER]
    letters = {types.letter(name) for name in declared}
    letters |= {"u" for e in elements if e.what == INTEGER} | {"f" for e in elements if e.what == FLOAT}
    sizes = {types.size(name) for name in declared}
    return len(sizes) <= 1 and types.alike(letters) and any(e.what != SINK for e in elements)


def _excludes(kind: Kind, constant: OperandClass) -> bool:
    """Whether a kind names constants of the other sort only."""
    named = {base[0] for base in kind["bases"]} & {"imm", "flt"}
    return bool(named) and ("imm" if constant.what == INTEGER else "flt") not in named


def _scalar_fits(names: list[str], kind: Kind, operand: OperandClass, context: str, sink: bool) -> bool:
    flags: list[str] = kind.get("flags", [])
    if context not in ("modifier", "fixed") and (operand.prefix or operand.second is not None):
        return False
    if operand.what == SINK:
        return sink
    if operand.what == REGISTER:
        letter = types.letter(operand.type)
        if ("exact" in flags and letter != "b") or ("signed" in flags and letter != "s"):
            return False
        wider = "wider" in flags or ("wider64" in flags and types.size(operand.type) <= 64)
        return any(types.fits(name, operand.type, context, wider) for name in names)
    if operand.what in (INTEGER, FLOAT):
        if kind.get("access") or "reg" in flags or _excludes(kind, operand):
            return False
        literal = "integer" if operand.what == INTEGER else "single" if operand.type == "f32" else "double"
        return any(types.takes_constant(name, literal, context) for name in names)
    return False
