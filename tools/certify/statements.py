"""Statements to put to ptxas, made from the syntax lines: legal ones, and ones that differ from them by one step.

Nothing here knows whether a statement is legal: `tools.certify.expectation` and ptxas say that, each for itself.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from attrs import define, evolve

from ptxgen.isa import types
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Family, Line, Modifier, Template
from ptxgen.isa.kinds import address_space, kind_of, length_of, types_of
from ptxgen.isa.opcodes import Reading, readings
from tools.specification.notation import split

REGISTER_TYPES = (
    "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32", "f16x2", "b64", "u64", "s64",
    "f64", "b128",
)  # fmt: skip
CONSTANTS = (
    "1", "-1", "0x7fffffff", "1.5", "-1.5", "0f3F800000", "-0f3F800000", "0fBF800000", "0d3FF0000000000000",
    "-0d3FF0000000000000", "1e400", "_", "WARP_SZ", "gv+4",
)  # fmt: skip
_VARIABLES = {
    ".global": "gv", ".shared": "sv", ".const": "cv", ".local": "lv", ".param": "P", ".param::func": "LP",
    ".tex": "tv",
}  # fmt: skip
_NAMES = {
    "label": "$L0", "func": "devf", "branchtargets": "$targets", "calltargets": "$calls", "callprototype": "$proto",
    "params": "(%b32_1)", "texref": "texv", "samplerref": "smpv", "surfref": "srfv",
}  # fmt: skip
_SPECIAL = ("%tid", "%tid.x", "%laneid", "%clock64")
_SUFFIXED = 0.25  # of the addresses that may have a suffix
_PAIRED = 0.25  # of the operands that may have a second one
# What is called, and what is passed to it: each with each.
_CALLED = ("devf", "extf", "blockf", "floatf", "longf", "noargs", "kern")
_PASSED = (
    "%b32_1", "%u32_1", "%f32_1", "%u64_1", "%f16x2_1", "%pred_1", "LP", "LB", "LU", "P", "gv", "1", "1.5",
    "0f3F800000", "0d3FF0000000000000", "_",
)  # fmt: skip


@define
class Statement:
    """An instruction in pieces, so that single pieces can be changed."""

    mnemonic: str
    tokens: tuple[str, ...]
    operands: tuple[str, ...]
    line: Line

    @property
    def text(self) -> str:
        """The statement as PTX."""
        opcode = self.mnemonic + "".join(self.tokens)
        return f"{opcode} {', '.join(self.operands)};" if self.operands else f"{opcode};"


def opcodes(line: Line, limit: int, chance: random.Random) -> Iterator[tuple[str, ...]]:
    """The token sequences of a line: all of them, or `limit` drawn at random when there are more."""
    selections = [
        [m for m in line.modifiers if not m.group or m.group in taken] for taken in _subsets(_groups(line.modifiers))
    ]
    sizes = [_product(len(m.tokens) for m in selection) for selection in selections]
    if sum(sizes) <= limit:
        for selection in selections:
            yield from itertools.product(*(m.tokens for m in selection))
        return
    seen: set[tuple[str, ...]] = set()
    for _ in range(limit):
        selection = chance.choice(selections) if chance.random() < 0.5 else chance.choices(selections, sizes)[0]
        tokens = tuple(chance.choice(m.tokens) for m in selection)
        if tokens not in seen:
            seen.add(tokens)
            yield tokens


def of_line(family: Family, line: Line, limit: int, chance: random.Random) -> Iterator[Statement]:
    """Statements of a line, in each optional operand present and absent."""
    mnemonics = [m for m in family.mnemonics if line.mnemonic in (m, family.alias)]
    found = list(opcodes(line, limit, chance))
    every = len(found) * len(mnemonics) <= limit
    for tokens in found:
        for mnemonic in mnemonics if every else (chance.choice(mnemonics),):
            reading = next((r for r in readings(family, mnemonic, tokens) if r.line is line), None)
            if reading is not None:
                yield from of_reading(reading, chance)


def of_reading(reading: Reading, chance: random.Random) -> Iterator[Statement]:
    """Statements of an opcode, read in one way, in each optional operand present and absent."""
    line = reading.line
    for taken in _subsets(sorted(set(_operand_groups(line.operands))))[:16]:
        kept = _kept(line.operands, taken)
        texts = [operand(reading, template, at, chance) for at, template in enumerate(kept)]
        if all(texts):
            yield Statement(reading.mnemonic, reading.tokens, tuple(t for t in texts if t), line)


def _groups(modifiers: tuple[Modifier, ...]) -> list[int]:
    return sorted({m.group for m in modifiers if m.group})


def _operand_groups(templates: tuple[Template, ...]) -> Iterator[int]:
    for template in templates:
        yield from (template.group,) if template.group else ()
        yield from _operand_groups(template.inner)


def _kept(templates: tuple[Template, ...], taken: frozenset[int]) -> tuple[Template, ...]:
    """The operands of these optional groups and those that are always there, within brackets too."""
    return tuple(
        Template(
            t.name, t.shape, 0, _kept(t.inner, taken), t.second, t.second_optional, t.selectors, t.selector_slot,
            t.selector_optional, t.prefix,
        )
        for t in templates
        if not t.group or t.group in taken
    )  # fmt: skip


def _subsets(groups: list[int]) -> list[frozenset[int]]:
    return [frozenset(c) for size in range(len(groups) + 1) for c in itertools.combinations(groups, size)]


def _product(numbers: Iterator[int]) -> int:
    total = 1
    for number in numbers:
        total *= number
    return total


# ---- operands


def operand(reading: Reading, template: Template, at: int, chance: random.Random) -> str | None:
    """The plainest text for an operand; None when its kind has none here."""
    match template.shape:
        case "sink":
            return "_"
        case "number":
            return template.name
        case "list":
            return "(%b32_1)"
        case "vector":
            inner = [operand(reading, t, at + i, chance) for i, t in enumerate(template.inner)]
            return "{" + ", ".join(t for t in inner if t) + "}" if all(inner) else None
        case "address" if template.inner:
            inner = [operand(reading, t, at + 5 * i, chance) for i, t in enumerate(template.inner)]
            return "[" + ", ".join(t for t in inner if t) + "]" if all(inner) else None
        case "address":
            kind = kind_of(reading, template.name)
            base = _base(reading, kind["bases"][0], [], at) if kind else None
            if template.selectors and chance.random() < _SUFFIXED:
                return f"[{register('u64', at)}]{chance.choice(template.selectors)}"
            return f"[{base}]" if base else None
        case _:
            return _value(reading, template, at, chance)


def _value(reading: Reading, template: Template, at: int, chance: random.Random) -> str | None:
    kind = kind_of(reading, template.name)
    text = _base(reading, kind["bases"][0], kind.get("flags", []), at) if kind else None
    if text is None:
        return None
    if template.selectors and not template.selector_optional:
        text += template.selectors[0]
    if template.second and (not template.second_optional or chance.random() < _PAIRED):
        second = kind_of(reading, template.second)
        text += "|" + (_base(reading, second["bases"][0], [], at + 20) or "") if second else ""
    return text


def _base(reading: Reading, base: Tree, flags: list[str], at: int) -> str | None:
    match base[0]:
        case "type":
            names = types_of(reading, base[1])
            if not names:
                return None
            length = length_of(reading, base, flags)
            if length is None:
                return register(names[0], at)
            name = names[0]
            if "warp" in flags or "warpgroup" in flags:
                name = name if name in ("f32", "f64", "s32") else "b32"
            return "{" + ", ".join(register(name, at * 16 + i) for i in range(length)) + "}"
        case "tuple":
            parts = [types_of(reading, tree) for tree in base[1:]]
            return "{" + ", ".join(register(p[0], at * 16 + i) for i, p in enumerate(parts)) + "}"
        case "imm":
            return str(base[2][0] if base[1] == "values" else base[2]) if len(base) > 1 else "1"
        case "flt":
            return "0f3F000000"
        case "addr":
            return _address(reading, base, at)
        case "var":
            return _variable(_space(reading, base[1])) if len(base) > 1 else "gv"
        case "sreg":
            return "%tid.x" if len(base) == 2 else "%tid"
        case other:
            return _NAMES.get(other)


def register(type: str, number: int) -> str:
    """A register of the environment that holds a type."""
    return f"%{types.known(types.known(type).container).name}_{number}"


def _address(reading: Reading, base: Tree, at: int) -> str:
    if len(base) > 2:
        return f"%b32_{at}" if base[2] == "tmem" else f"%u64_{at}"
    space = _space(reading, base[1]) if base[1] else ""
    return _variable(space, f"%u64_{at}")


def _variable(space: str, otherwise: str = "gv") -> str:
    """A variable of a state space, or else of the one that it is part of."""
    return _VARIABLES.get(space) or _VARIABLES.get(space.split("::")[0], otherwise)


def _space(reading: Reading, tree: Tree) -> str:
    return address_space(reading, ["addr", tree])


# ---- one step away


def modifier_steps(statement: Statement, foreign: list[str], chance: random.Random, limit: int) -> Iterator[Statement]:
    """One modifier dropped, doubled, exchanged, or a foreign one put in."""
    tokens = statement.tokens
    changed: list[tuple[str, ...]] = []
    for at in range(len(tokens)):
        changed.append(tokens[:at] + tokens[at + 1 :])
        changed.append(tokens[: at + 1] + tokens[at:])
        changed += [(*tokens[:at], token, *tokens[at + 1 :]) for token in chance.sample(foreign, min(4, len(foreign)))]
    for token in chance.sample(foreign, min(6, len(foreign))):
        at = chance.randint(0, len(tokens))
        changed.append((*tokens[:at], token, *tokens[at:]))
    for sequence in chance.sample(changed, min(limit, len(changed))):
        yield evolve(statement, tokens=sequence)


def orders(statement: Statement, chance: random.Random, limit: int) -> Iterator[Statement]:
    """The same modifiers in other orders."""
    for _ in range(limit):
        shuffled = list(statement.tokens)
        chance.shuffle(shuffled)
        if tuple(shuffled) != statement.tokens:
            yield evolve(statement, tokens=tuple(shuffled))


def operand_steps(statement: Statement) -> Iterator[Statement]:
    """One operand of each other kind, one too few, one too many."""
    given = statement.operands
    for at, text in enumerate(given):
        for other in _alternatives(text):
            yield evolve(statement, operands=(*given[:at], other, *given[at + 1 :]))
        yield evolve(statement, operands=given[:at] + given[at + 1 :])
    yield from _calls(statement)
    yield from _special_elements(statement)
    yield evolve(statement, operands=(*given, "%b32_3"))
    yield evolve(statement, operands=(*given, "%b64_3"))


def _calls(statement: Statement) -> Iterator[Statement]:
    """Other functions with other arguments, the same for results."""
    given = statement.operands
    if not any(text.startswith("(") for text in given):
        return
    callees = _CALLED if any(text in _CALLED for text in given) else ("",)
    for called, passed in itertools.product(callees, _PASSED):
        yield evolve(
            statement,
            operands=tuple(
                f"({passed})" if text.startswith("(") else called if text in _CALLED else text for text in given
            ),
        )


def _special_elements(statement: Statement) -> Iterator[Statement]:
    """Special registers in a vector for the last operand, of an instruction that reads some. Of others, and in
    destinations, ptxas takes them too, unless it makes other instructions of it: it does not look there."""
    choices = itertools.chain.from_iterable(statement.line.block.kinds.values())
    if statement.operands and any(base[0] == "sreg" for _, kind in choices for base in kind["bases"]):
        *before, last = statement.operands
        middle = last[1:-1].split(", ")[1:-1] if last.startswith("{") else []
        for first in _SPECIAL:
            for other in (first, "%b16_5", "%u32_5", "%f32_5", "%b64_5", "1"):
                yield evolve(statement, operands=(*before, "{" + ", ".join((first, *middle, other)) + "}"))


def _alternatives(text: str) -> Iterator[str]:
    if text.startswith("{"):
        elements = text[1:-1].split(", ")
        yield "{" + ", ".join([*elements, elements[-1]]) + "}"
        if len(elements) > 1:
            yield "{" + ", ".join(elements[:-1]) + "}"
        for other in ("_", "1", "0f3F800000", *(f"%{t}_5" for t in REGISTER_TYPES if t != "pred")):
            yield "{" + ", ".join([other, *elements[1:]]) + "}"
            if len(elements) == 1:
                continue
        for type in ("b32", "f32", "f16x2", "u64", "b16"):
            yield "{" + ", ".join(f"%{type}_{n}" for n in range(len(elements))) + "}"
        yield from (elements[0], *_SPECIAL, "1", "gv", "gv+4", "devf")
    elif text.startswith("[") and len(parts := split(text[1:-1])) > 1:
        for at, part in enumerate(parts):
            for other in _alternatives(part):
                yield "[" + ", ".join([*parts[:at], other, *parts[at + 1 :]]) + "]"
            yield "[" + ", ".join([*parts[:at], *parts[at + 1 :]]) + "]"
        yield from ("[" + ", ".join([*parts, other]) + "]" for other in ("%b32_3", "%u64_3", "{%b32_3}", "{%b16_3}"))
        yield f"{text}.unified"
    elif text.startswith("["):
        yield from (
            "[%u64_3]",
            "[%b64_3+8]",
            "[%s64_3+-8]",
            "[%f32_3]",
            "[%f64_3]",
            "[%pred_3]",
            "[%u32_3]",
            "[%b16_3]",
        )
        yield from ("[gv]", "[sv]", "[cv]", "[lv]", "[gv+16]", "[sv+16]", "[gv+-16]", "[gv-16]", "[16]")
        yield from ("%u64_3", "gv", "[%b128_3]", "[gv].unified", "[%u64_3].unified", "[LP]", "[LP+8]", "[P]")
    elif "|" in text:
        first, second = text.split("|")
        yield from (first, second, f"_|{second}", f"{first}|_", f"{first}|%b32_3", f"%f32_3|{second}", f"{text[::-1]}")
    elif text.startswith("("):
        yield from ("%b32_1", "(%b32_1, %b32_2)", "()")
    elif text.startswith(("%", "$")) or text.lstrip("-").isdigit():
        stem = text.split(".")[0]
        yield from (f"%{type}_5" for type in REGISTER_TYPES)
        yield from CONSTANTS
        if text.lstrip("-").isdigit():
            yield from map(str, (0, 2, 3, 15, 16, 31, 32, 33, 63, 255, 256, 1023, 1024, 1 << 20, -2, 1 << 32))
        if text.startswith("%"):
            yield from (
                f"!{stem}",
                f"-{stem}",
                f"{stem}.b0",
                f"{stem}.h1",
                f"{stem}.b3210",
                f"{stem}|%pred_7",
                f"[{stem}]",
            )
            yield from (f"{{{stem}}}", f"{{{stem}, {stem}}}", *_SPECIAL, "sv", "kern", "devf", "$L0")
    else:
        yield from ("%b32_3", "%b64_3", "gv", "sv", "$L0", "devf", "1")
