"""Match a statement (opcode and operand classes) against the syntax lines and operand kinds of its family."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from attrs import define, field

from ptxgen.isa import registers, types
from ptxgen.isa.classes import (
    ADDRESS,
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
)  # fmt: skip
from ptxgen.isa.conditions import Tree, holds, value
from ptxgen.isa.family import Row, Template
from ptxgen.isa.opcodes import Reading

Kind = dict[str, Any]
Path = tuple[int, ...]
NO_OPTIONS: frozenset[str] = frozenset()


@define(eq=False, weakref_slot=False, repr=False)
class Match:
    """A reading of the opcode with its operands bound. It is a `ptxgen.isa.conditions.Statement`."""

    reading: Reading
    operands: dict[str, OperandClass]
    options: frozenset[str] = NO_OPTIONS
    limits: tuple[tuple[Path, Tree], ...] = ()  # where a constant's value is restricted, and how
    lax: tuple[str, ...] = ()  # what in the operands ptxas takes and the manual does not have
    tokens: tuple[str, ...] = field(init=False)
    slots: dict[str, int] = field(init=False)
    broken: tuple[Row, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tokens, self.slots = self.reading.tokens, self.reading.slots
        for template in self.reading.line.operands:
            operand = self.operands.get(template.name) if template.selector_slot else None
            if operand is not None and operand.selector:
                self.slots = {**self.slots, template.selector_slot: len(self.tokens)}
                self.tokens = (*self.tokens, operand.selector)
        self.broken = tuple(row for row in self.reading.line.block.rules if not holds(row.condition, self))
        if self.reading.line.beyond:
            self.broken += (Row("the manual has this combination", [], "laxer"),)
        self.broken += tuple(Row(f"{token} once", [], "laxer") for token in self.reading.repeated)
        self.broken += tuple(Row(f"not {token}", [], "laxer") for token in self.reading.ignored)
        self.broken += tuple(Row(text, [], "laxer") for text in dict.fromkeys(self.lax))

    @property
    def mnemonic(self) -> str:
        return self.reading.mnemonic

    @property
    def alias(self) -> str:
        return self.reading.line.family.alias

    def errors(self) -> tuple[Row, ...]:
        """The broken rules that ptxas enforces."""
        return tuple(row for row in self.broken if row.strength != "laxer")

    def beyond_manual(self) -> tuple[Row, ...]:
        """The broken rules that only the manual states."""
        return tuple(row for row in self.broken if row.strength == "laxer")


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


def matches(
    reading: Reading, operands: tuple[OperandClass, ...], options: frozenset[str] = NO_OPTIONS
) -> Iterator[Match]:
    """Every way to bind the operands to the places of the reading's line."""
    binder = _Binder(reading)
    for bound, notes in binder.places(reading.line.operands, operands, (), 0, {}):
        limits = tuple((path, tree) for path, tree in notes if tree[0] != "lax")
        yield Match(reading, bound, options, limits, tuple(tree[1] for _, tree in notes if tree[0] == "lax"))


def fits(reading: Reading, name: str, operand: OperandClass) -> bool:
    """Whether one operand is of its kind, as the manual has it; the values of constants aside."""
    limits = _Binder(reading).fits(name, operand, ())
    return limits is not None and all(tree[0] != "lax" for _, tree in limits)


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


Notes = tuple[tuple[Path, Tree], ...]  # limits of constants, and ["lax", text]: see Match
_Bound = tuple[dict[str, OperandClass], Notes]
_SYMBOL: Notes = (((), ["lax", "a constant is a number, not an address"]),)
_SUM: Notes = (((), ["lax", "a register plus a constant is an address and stands in brackets"]),)
_NARROW: Notes = (((), ["lax", "the register of an address has as many bits as addresses of the state space"]),)
_BARE: Notes = (((), ["lax", "an address stands in brackets"]),)
_UNCHECKED: Notes = (((), ["lax", "the operand has the instruction's type"]),)
_FRAGMENT: Notes = (((), ["lax", "the elements of a fragment are registers of its type"]),)
_VECTOR_OF_ONE: Notes = (((), ["lax", "a single register stands without braces"]),)


@define(eq=False, weakref_slot=False, repr=False)
class _Binder:
    """Binds the operands of a statement to the templates of one line."""

    reading: Reading

    def places(
        self,
        templates: tuple[Template, ...],
        operands: tuple[OperandClass, ...],
        path: Path,
        at: int,
        groups: dict[int, bool],
    ) -> Iterator[_Bound]:
        if not templates:
            if at == len(operands):
                yield {}, ()
            return
        template, rest = templates[0], templates[1:]
        if at < len(operands) and groups.get(template.group, True):
            taken = {**groups, template.group: True} if template.group else groups
            for names, limits in self.place(template, operands[at], (*path, at)):
                for more, further in self.places(rest, operands, path, at + 1, taken):
                    yield {**names, **more}, limits + further
        if template.group and not groups.get(template.group):
            yield from self.places(rest, operands, path, at, {**groups, template.group: False})

    def place(self, template: Template, operand: OperandClass, path: Path) -> Iterator[_Bound]:
        """Bind one operand; nothing when it does not fit."""
        if operand.prefix and operand.prefix != template.prefix:
            return
        if operand.selector and operand.selector not in template.selectors:
            return
        if template.selectors and not template.selector_optional and not operand.selector:
            return
        match template.shape:
            case "sink":
                if operand.what == SINK:
                    yield {"_": operand}, ()
            case "number":
                if operand.what == INTEGER:
                    number = int(template.name)
                    yield {}, ((path, ["imm", "range", number, number, 1]),)
            case "list":
                if operand.what == LIST:
                    yield {template.name: operand}, ()
            case "vector":
                if operand.what == VECTOR:
                    yield from self.places(template.inner, operand.elements, path, 0, {})
            case "address" if template.inner:
                if operand.what == ADDRESS and not any(element.offset for element in operand.elements):
                    for names, notes in self.places(template.inner, operand.elements, path, 0, {}):
                        if all(self.beside_others(name, part) for name, part in names.items()):
                            yield names, notes
            case "address":
                if operand.what == ADDRESS and len(operand.elements) == 1:
                    limits = self.address(template.name, operand.elements[0], path)
                    if limits is not None:
                        yield {template.name: operand}, limits
                elif self.without_brackets(template.name, operand):
                    yield {template.name: operand}, _BARE
            case _:
                yield from self.value(template, operand, path)

    def beside_others(self, name: str, operand: OperandClass) -> bool:
        """Whether ptxas reads an operand within brackets that is no address: not a constant alone."""
        kind = kind_of(self.reading, name)
        address = kind is not None and kind["bases"][0][0] == "addr"
        return address or operand.what not in (INTEGER, FLOAT)

    def value(self, template: Template, operand: OperandClass, path: Path) -> Iterator[_Bound]:
        limits = self.fits(template.name, operand, path)
        if limits is None:
            return
        names = {template.name: operand}
        if operand.second is not None:
            if not template.second or self.fits(template.second, operand.second, path) is None:
                return
            names[template.second] = operand.second
        elif template.second and not template.second_optional:
            return
        yield names, limits

    def address(self, name: str, operand: OperandClass, path: Path) -> Notes | None:
        kind = kind_of(self.reading, name)
        if kind is None:
            return None
        if kind["bases"][0][0] != "addr":  # a texture, sampler or surface handle
            return None if operand.offset else self.fits(name, operand, (*path, 0))
        return _address_fits(self.reading, kind, operand)

    def without_brackets(self, name: str, operand: OperandClass) -> bool:
        """Whether ptxas takes an address without brackets of its own: any register, or a variable of the space."""
        kind = kind_of(self.reading, name)
        if kind is None or "bare" not in kind.get("flags", ()) or operand.second is not None:
            return False
        if operand.what == REGISTER:
            return _wide_enough(kind, operand.type)
        space = address_space(self.reading, kind["bases"][0])
        return operand.what == VARIABLE and types.address_variable(space, operand.space, operand.type)

    def fits(self, name: str, operand: OperandClass, path: Path) -> Notes | None:
        """The limits on values under which the operand fits its kind; None when it cannot."""
        kind = kind_of(self.reading, name)
        if kind is None:
            return None
        if kind["bases"][0][0] == "addr":  # beside others in brackets: [tensorMap, {x, y}]
            if operand.second is not None:
                return None
            notes = _address_fits(self.reading, kind, operand)
            return _BARE if notes is None and self.without_brackets(name, operand) else notes
        limited = [base for base in kind["bases"] if base[0] in ("imm", "flt")]
        special = [base for base in kind["bases"] if base[0] == "sreg"]
        if operand.what in (INTEGER, FLOAT) and limited:
            wanted = "imm" if operand.what == INTEGER else "flt"
            for base in limited:
                if base[0] == wanted:
                    cut = ["cut"] if "cut" in kind.get("flags", ()) else []
                    return ((path, [*base, *cut]),) if len(base) > 1 else ()
            return None
        for base in kind["bases"]:
            if _base_fits(self.reading, base, kind, operand):
                if operand.what == VECTOR and limited:
                    return tuple(((*path, i), limited[0]) for i, e in enumerate(operand.elements) if e.what == INTEGER)
                if operand.what != REGISTER or not operand.offset:
                    return ()
                return None if kind.get("access") in ("out", "inout") else _SUM
        if "unchecked" in kind.get("flags", ()):
            if {"warp", "warpgroup"} & set(kind["flags"]):
                fragment = operand.what == VECTOR and _fragment_fits(self.reading, kind["bases"][0], kind, operand)
                return _FRAGMENT if fragment else None
            if kind.get("access") and operand.what != REGISTER:
                return None
            return _UNCHECKED if _size_fits(self.reading, kind["bases"][0], operand) else None
        typed = [base for base in kind["bases"] if base[0] == "type"]
        # Where vectors of the same type have lengths of their own, one element is one too few.
        vectors = [base for base in typed if len(base) > 2]
        lengths = [base for base in vectors if ["type", base[1]] not in typed]
        lengths = lengths if vectors else _slot_lengths(self.reading, name)
        tuples = [base for base in kind["bases"] if base[0] == "tuple"]
        alone = len(typed) == len(kind["bases"]) - len(limited) - len(special) - len(tuples)
        if alone and _is_symbol(operand) and any(_symbol_fits(self.reading, base, kind, operand) for base in typed):
            return _SYMBOL
        if operand.what == VECTOR and len(operand.elements) == 1 and lengths:
            return _VECTOR_OF_ONE if self.fits(name, operand.elements[0], path) == () else None
        return None


def _wide_enough(kind: Kind, register: str) -> bool:
    low, high = kind.get("widths") or (0, types.size(register))
    return bool(low <= types.size(register) <= high)


def _address_fits(reading: Reading, kind: Kind, operand: OperandClass) -> Notes | None:
    space = address_space(reading, kind["bases"][0])
    if operand.what == REGISTER:
        return {"yes": (), "beyond": _NARROW, "no": None}[address_register(kind, space, operand.type)]
    if operand.what == VARIABLE:
        return () if types.address_variable(space, operand.space, operand.type) else None
    return () if operand.what == INTEGER and types.address_constant(space) else None


def address_register(kind: Kind, space: str, register: str) -> str:
    """ "yes", "beyond" (ptxas takes it, the manual does not) or "no": a register as an address of a kind."""
    if not _wide_enough(kind, register) or ("exact" in kind.get("flags", ()) and types.letter(register) != "b"):
        return "no"
    return types.address_register(register, space)


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
            return operand.space.split("::")[0] in ("", _space_of(reading, base[1]))
        case "sreg":
            return (
                what == SPECIAL
                and not operand.space
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


def _space_of(reading: Reading, tree: Tree) -> str:
    space = value(tree, _Prefix(reading, NO_OPTIONS))
    return space.split("::")[0] if isinstance(space, str) else ""


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
