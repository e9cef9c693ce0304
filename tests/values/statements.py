"""Value examples of the specification files, bound to what the interpreter asks for.

This reads just enough of `specs/instructions/*.yaml` to run an example: it takes every example for legal, and chooses
among the syntax lines by modifiers, number and shape of the operands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from ptxgen.cpu.reference import Program, WarpContext, compile_semantics, name_of, type_named
from ptxgen.cpu.reference.formats import FORMATS, Type, is_type
from ptxgen.cpu.reference.rounding import rounded
from ptxgen.cpu.reference.values import INFINITY, Real, real
from tools.specification.conditions import Names, Tree, compile_condition
from tools.specification.kinds import compile_kind
from tools.specification.notation import Line, Modifier, Operand, read_block
from tools.specification.reader import Problems, Text, read

SPECIFICATIONS = Path(__file__).parents[2] / "specs" / "instructions"
TYPES = frozenset(
    f".{name}{lanes}"
    for name in (*FORMATS, "e2m1p4", "pred", *(f"{k}{n}" for k in "usb" for n in (1, 2, 4, 8, 16, 32, 64, 128)))
    for lanes in ("", "x2", "x4")
)
OPTIONS = frozenset(["texmode_independent", "debug", "map_f64_to_f32", "maxnreg", "minperctamemory"])


# ---- specifications


@define
class Block:
    """One block of a file, with what the file says for all of them."""

    path: Path
    line: int  # of the semantics text
    semantics: str
    lines: list[Line]
    kinds: dict[str, Any]
    defaults: dict[str, str]
    examples: list[tuple[int, str]]
    names: Names
    alias: str

    @cached_property
    def language_names(self) -> frozenset[str]:
        """Every name that the semantics text may use."""
        operands = self.names.operands
        words = {*operands, *self.names.slots, *self.names.selectors, *self.names.tokens}
        words.update(self.defaults)
        types = {"type", *(f"type{n}" for n in range(1, 5))}
        return frozenset(map(name_of, words)) | types | ({self.alias} if self.alias else set())


def blocks(path: Path) -> Iterator[Block]:
    """The blocks of a file that have a semantics text."""
    root: Any = read(path, Problems())
    if root is None:
        return
    alias, mnemonics = _mnemonics(root["instruction"])
    starts = (alias, *mnemonics) if alias else mnemonics
    everywhere: list[Line] = []
    found: list[Block] = []
    for body in root["forms"]:
        errata = [*root.get("errata", []), *body.get("errata", [])]
        inline = {e["name"][0]: e["name"][1] for e in errata if "name" in e}
        notation = read_block(_our_syntax(str(body["syntax"]), errata), starts, inline)
        for e in errata:
            if "optional" in e:
                notation.make_optional(str(e["optional"]))
        everywhere += notation.lines
        semantics = body.get("semantics", root.get("semantics"))
        if semantics is None or semantics == "unmodelled":
            continue
        block = Block(
            path,
            semantics.line,
            str(semantics),
            notation.lines,
            _operand_kinds(root) | _operand_kinds(body),
            {str(k): str(v) for d in (root, body) for k, v in d.get("defaults", {}).items()},
            [_example(e) for e in body.get("examples", [])],
            _names(notation.lines, starts),
            alias,
        )
        found.append(block)
    for block in found:  # conditions may name every token of the file
        block.names = evolve(block.names, tokens=_names(everywhere, starts).tokens)
        yield block


def _mnemonics(text: str) -> tuple[str, tuple[str, ...]]:
    alias, equals, body = text.partition("=")
    words = tuple(word.strip() for word in (body if equals else text).strip().strip("{}").split(","))
    return (alias.strip() if equals else ""), words


def _our_syntax(text: str, errata: list[Any]) -> str:
    lines = text.split("\n")
    for e in errata:
        if "drop" in e:
            lines = [line for line in lines if "".join(line.split()) != "".join(e["drop"].split())]
    text = "\n".join(lines)
    for e in errata:
        if "replace" in e and e["replace"][1] not in text:
            text = text.replace(str(e["replace"][0]), str(e["replace"][1]))
    return text


def _operand_kinds(body: Any) -> dict[str, Any]:
    return {n.strip(): kind for names, kind in body.get("operands", {}).items() for n in names.split(",")}


def _example(entry: Any) -> tuple[int, str]:
    text: Text = entry["ptx"] if isinstance(entry, dict) else entry
    return text.line, str(text)


def _names(lines: list[Line], mnemonics: tuple[str, ...]) -> Names:
    operands = [o for line in lines for o in line.operands]
    return Names(
        mnemonics,
        frozenset(t for line in lines for m in line.modifiers for t in m.tokens)
        | frozenset(s for o in operands for s in o.all_selectors()),
        frozenset(m.name for line in lines for m in line.modifiers if m.slot),
        frozenset(o.selector_slot for o in operands if o.selector_slot),
        frozenset(n for o in operands for n in o.names()),
        OPTIONS,
        TYPES,
    )


# ---- statements


@frozen
class Written:
    """An operand as an example has it."""

    text: str
    parts: tuple[Written, ...] = ()  # of {a, b}
    second: str = ""  # p of d|p
    selector: str = ""
    prefix: str = ""


def _written(text: str) -> Written:
    text, _, second = (part.strip() for part in text.partition("|"))
    prefix = text[0] if re.match(r"!|-[A-Za-z%]", text) else ""
    text = text.removeprefix(prefix).strip()
    if text[0] == "{":
        return Written(text, tuple(_written(t) for t in _split(text[1:-1])), second)
    selector = re.fullmatch(r"([\w%]+)(\.[bh]\d+)", text)
    return Written(selector[1], (), second, selector[2], prefix) if selector else Written(text, (), second, "", prefix)


def _split(text: str) -> list[str]:
    return [t.strip() for t in re.findall(r"(?:[^,{}\[\]]|\{[^}]*\}|\[[^\]]*\])+", text) if t.strip()]


@define
class Run:
    """An example bound to a syntax line, and the arguments of `Program.run`."""

    block: Block
    line: Line
    mnemonic: str
    tokens: list[str]
    slots: dict[str, str]
    written: dict[str, Written]
    values: dict[str, str]  # of the registers before
    operands: dict[str, tuple[str, Any]] = field(factory=dict)
    destinations: dict[str, Any] = field(factory=dict)
    negated: set[str] = field(factory=set)

    def arguments(self) -> dict[str, Any]:
        for name, written in self.written.items():
            self.bind(name, written)
        if "CC" in self.values:
            self.operands["CC"] = ("pred", int(self.values["CC"], 0))
        slots = {**self.block.defaults, **self.slots}
        types = [t[1:] for t in self.tokens if is_type(t[1:])]
        named = {f"type{n}": t for n, t in enumerate(types, 1)}
        if types:
            named["type"] = slots.get(".type", types[0]).lstrip(".")
        if self.block.alias:
            slots[self.block.alias] = self.mnemonic
        lanes = {name: [raw] * 32 for name, (_, raw) in self.operands.items()}
        return {
            "operands": self.operands,
            "destinations": self.destinations,
            "slots": {name_of(slot): token for slot, token in slots.items()},
            "flags": {name_of(t): t in self.tokens for t in self.block.names.tokens},
            "types": named,
            "warp": WarpContext(int(self.values.get("laneid", "0"), 0), 0xFFFFFFFF, lanes),
            "negated": self.negated,
        }

    def bind(self, name: str, written: Written) -> None:
        kind, type_ = self.kind(name, written)
        access = kind.get("access", "in")
        parts = written.parts or (written,)
        if access != "in" and written.text != "_":
            self.destinations[name_of(name)] = (type_.name, len(parts)) if written.parts else type_.name
        if access != "out":
            raw = [self.raw(part, type_) for part in parts]
            self.operands[name_of(name)] = (type_.name, raw if written.parts else raw[0])
        if written.prefix == "-":
            self.negated.add(name_of(name))

    def raw(self, written: Written, type_: Type) -> int:
        if re.match(r"[-+]?\d", written.text):
            return bits(written.text, type_)
        value = self.values.get(written.text)
        if value is None:
            raise ValueError(f"the example gives no value for {written.text}")
        raw = bits(value, register_type(written.text) or type_)
        return 1 - raw if written.prefix == "!" else raw

    def kind(self, name: str, written: Written) -> tuple[dict[str, Any], Type]:
        """The kind of an operand in this statement, and the type of the value or of each element."""
        choices = self.block.kinds[name]
        if not isinstance(choices, dict):
            choices = {"else": choices}
        for condition, text in choices.items():
            if condition == "else" or self.holds(compile_condition(condition, self.block.names)):
                kind = compile_kind(text, self.block.names)
                return kind, self.type_of(kind, written)
        raise ValueError(f"no kind of {name} applies")

    def type_of(self, kind: dict[str, Any], written: Written) -> Type:
        for base in kind["bases"]:
            if base[0] == "type" and (len(base) > 2) == bool(written.parts):
                if written.parts and (self.length(base[2]) or 1) != len(written.parts):
                    continue
                if base[1][0] == "any":
                    forced = register_type(written.text)
                    return forced or type_named(base[1][1][1:])
                return self.type_named(base[1])
            if base[0] == "tuple" and len(base) - 1 == len(written.parts):
                return self.type_named(base[1])
        if kind["bases"][0][0] in ("imm", "addr"):
            return type_named("s64")
        raise ValueError(f"{written.text} does not fit {kind['bases']}")

    def type_named(self, tree: Tree) -> Type:
        if tree[0] == "scaled":
            whole = self.type_named(tree[3])
            width = whole.bits * int(str(tree[1])) // int(str(tree[2]))
            return type_named(f"{whole.name[0]}{width}")
        return type_named(str(self.value(tree))[1:])

    def length(self, tree: Any) -> int:
        match tree[0]:
            case "int":
                return tree[1]
            case "num":
                return int(re.sub(r"\D", "", self.slots.get(tree[1], "")) or 1)
            case "*":
                return self.length(tree[1]) * self.length(tree[2])
            case _:
                raise ValueError(f"no value examples of lengths such as {tree}")

    def holds(self, tree: Any) -> bool:
        match tree[0]:
            case "and":
                return all(map(self.holds, tree[1:]))
            case "or":
                return any(map(self.holds, tree[1:]))
            case "not":
                return not self.holds(tree[1])
            case "has":
                at = 0
                for step in tree[1:]:
                    wanted = {self.slots.get(name, name) for name in step}
                    found = next((i for i in range(at, len(self.tokens)) if self.tokens[i] in wanted), None)
                    if found is None:
                        return False
                    at = found + 1
                return True
            case "==":
                return self.value(tree[1]) == self.value(tree[2])
            case "in":
                return self.value(tree[1]) in tree[2]
            case "on":
                return tree[1] in self.written
            case "mnemonic":
                return tree[1] in (self.mnemonic, self.block.alias)
            case "call":
                t = type_named(str(self.value(tree[2]))[1:])
                known = {"float": t.format is not None, "signed": t.kind == "s", "unsigned": t.kind == "u"}
                return (known | {"int": t.kind in "su"})[tree[1]]
            case _:
                raise ValueError(f"no value examples of conditions such as {tree}")

    def value(self, tree: Any) -> str | int | None:
        match tree[0]:
            case "slot":
                found = self.slots.get(tree[1])
                return self.value(["nth", 1]) if found is None and tree[1] == ".type" else found
            case "nth":
                types = [t for t in self.tokens if is_type(t[1:])]
                return types[tree[1] - 1] if len(types) >= tree[1] else None
            case "bits":
                return type_named(str(self.value(tree[1]))[1:]).bits
            case _:
                return tree[1]

    def program(self) -> Program:
        return compile_semantics(self.block.semantics, self.block.language_names)

    def fits(self) -> bool:
        try:
            for name, written in self.written.items():
                self.kind(name, written)
        except (ValueError, KeyError):
            return False
        return True


def runs(block: Block, statement: str, values: dict[str, str]) -> Iterator[Run]:
    """Every way to read a statement as a line of the block, in the order of the lines."""
    found = re.match(r"(?:@!?\S+\s+)?([\w.:]+)\s*(.*?)\s*;", statement)
    if found is None:
        raise ValueError(f"cannot read {statement!r}")
    opcode, operands = found[1], [_written(t) for t in _split(found[2])]
    for line in block.lines:
        starts = block.names.mnemonics[1:] if line.mnemonic == block.alias else (line.mnemonic,)
        for start in sorted(starts, key=len, reverse=True):
            if opcode != start and not opcode.startswith(start + "."):
                continue
            tokens = [f".{t}" for t in re.findall(r"(?:[^.:]|::)+", opcode[len(start) :])]
            for filled in _fill(line.modifiers, tokens):
                for bound in _bind(line.operands, operands):
                    slots = {m.name: t for m, t in filled if m.slot} | _selected(line.operands, bound)
                    selectors = [w.selector for w in bound.values() if w.selector]
                    run = Run(block, line, start, [t for _, t in filled] + selectors, slots, bound, values)
                    if run.fits():
                        yield run


def _fill(modifiers: tuple[Modifier, ...], tokens: list[str]) -> Iterator[list[tuple[Modifier, str]]]:
    """Assign the tokens, in any order but that of the types among themselves."""
    if not modifiers:
        if not tokens:
            yield []
        return
    first, rest = modifiers[0], modifiers[1:]
    for i, token in enumerate(tokens):
        if token in first.tokens and not (is_type(token[1:]) and any(is_type(t[1:]) for t in tokens[:i])):
            for more in _fill(rest, tokens[:i] + tokens[i + 1 :]):
                yield [(first, token), *more]
            break
    if first.group:
        yield from _fill(rest, tokens)


def _bind(templates: tuple[Operand, ...], operands: list[Written]) -> Iterator[dict[str, Written]]:
    if not templates:
        if not operands:
            yield {}
        return
    first, rest = templates[0], templates[1:]
    if operands and _selectable(first, operands[0]):
        for more in _bind(rest, operands[1:]):
            yield _bound(first, operands[0]) | more
    if first.group:
        yield from _bind(rest, operands)


def _selectable(template: Operand, written: Written) -> bool:
    if written.selector:
        return written.selector in template.selectors
    return template.selector_optional or not template.selectors


def _bound(template: Operand, written: Written) -> dict[str, Written]:
    if template.inner:
        pairs = zip(template.inner, written.parts, strict=False)
        return {o.name: w for o, w in pairs} if len(template.inner) == len(written.parts) else {}
    bound = {template.name: written}
    if template.second and written.second:
        bound[template.second] = Written(written.second)
    return bound


def _selected(templates: tuple[Operand, ...], bound: dict[str, Written]) -> dict[str, str]:
    return {
        o.selector_slot: bound[o.name].selector
        for o in templates
        if o.selector_slot and o.name in bound and bound[o.name].selector
    }


@cache
def _all_blocks() -> list[Block]:
    return [block for path in sorted(SPECIFICATIONS.glob("*.yaml")) for block in blocks(path)]


def bind(statement: str, values: dict[str, int]) -> Run:
    """The first reading of a statement in any file."""
    opcode = statement.split()[0] + "."
    texts = {name: str(value) for name, value in values.items()}
    candidates = [b for b in _all_blocks() if any(opcode.startswith(f"{m}.") for m in b.names.mnemonics)]
    found = next((run for block in candidates for run in runs(block, statement, texts)), None)
    if found is None:
        raise ValueError(f"no syntax line fits {statement!r}")
    return found


# ---- values


def register_type(name: str) -> Type | None:
    """The type that a name such as %u32_1 forces."""
    found = re.fullmatch(r"%([a-z]+\d*(?:x\d)?)_\d+", name)
    return type_named(found[1]) if found else None


def bits(text: str, type_: Type) -> int:
    """The bits of a value as examples write it."""
    text = text.strip()
    if found := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})", text):
        if type_.format is None or type_.width == (32 if found[1] else 64):
            return int(found[1] or found[2], 16)
        return _encoded(FORMATS["f32" if found[1] else "f64"].decode(int(found[1] or found[2], 16)), type_)
    hexadecimal = re.match(r"[-+]?0[xXbBoO]", text)
    if type_.format is None or type_.lanes > 1 or hexadecimal:
        if type_.format is None and re.search(r"[.]|inf|nan", text):
            return _encoded(_number(text), type_named(f"f{type_.width}"))
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
    return text.strip().lower().lstrip("+-") == "nan"


def describe(raw: int, type_: Type) -> str:
    """Bits for a message."""
    value = type_.decode(raw) if type_.lanes == 1 else ""
    if isinstance(value, Real) and value.is_finite and not math.isinf(float(value.magnitude)):
        return f"{raw:#x} ({'-' if value.negative else ''}{float(value.magnitude)!r})"
    return f"{raw:#x} ({value})"
