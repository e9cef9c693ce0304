"""NVIDIA's notation for the syntax of an instruction, read as it stands in the manual.

A syntax block is a list of lines, each ended by `;`, and of sets (`.type = { .u16, .u32 };`). A line is a mnemonic,
modifiers and operand templates:

    text                                   meaning
    .type with a set below                 slot: one token of the set
    .sat without a set                     literal token
    {.rnd}  {.sem.scope}                   optional; a group is all or none
    .shared{::cta, ::cluster}              three tokens
    .const[0..10]  in a set                a token with a number in brackets, eleven of them
    .collector::buffer::op                 product of the parts that have sets
    .b.{1d,2d}                             inline set
    d, a   [a]   {a, b}   (a)              operand, address, vector, parameter list
    {, c}   {c, }                          optional operand (or several, all or none)
    d|p   d[|p]                            pair of destinations; second optional
    a{.asel}   a.asel   [a]{.unified}      selector of an operand
    {!}c   {-}a                            prefix of an operand
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from attrs import define, evolve, field, frozen


class NotationError(ValueError):
    """A syntax block that cannot be read."""


@frozen
class Modifier:
    """One place in the opcode: its tokens in the order of the manual."""

    name: str  # ".type" of a slot, the token itself of a literal
    tokens: tuple[str, ...]
    group: int  # 0: always there; otherwise the optional group that it belongs to
    slot: bool  # a set of this name stands in the block


@frozen
class Operand:
    """One place in the operand list."""

    name: str
    shape: str = "value"  # "value" | "address" | "vector" | "list" | "sink" | "number"
    group: int = 0
    inner: tuple[Operand, ...] = ()
    second: str = ""  # p of d|p
    second_optional: bool = False
    selectors: tuple[str, ...] = ()
    selector_slot: str = ""
    selector_optional: bool = True
    prefix: str = ""  # "!" | "-"

    def names(self) -> Iterator[str]:
        """Every operand name in this template."""
        if self.name and self.shape not in ("sink", "number"):
            yield self.name
        if self.second:
            yield self.second
        for part in self.inner:
            yield from part.names()

    def all_selectors(self) -> Iterator[str]:
        """Every selector that may stand in this template."""
        yield from self.selectors
        for part in self.inner:
            yield from part.all_selectors()

    def selector_slots(self) -> Iterator[str]:
        """The names of the sets that the selectors come from."""
        if self.selector_slot:
            yield self.selector_slot
        for part in self.inner:
            yield from part.selector_slots()


@frozen
class Line:
    """One syntax line."""

    text: str
    mnemonic: str
    modifiers: tuple[Modifier, ...]
    operands: tuple[Operand, ...]
    row: int = 0  # line within the block, from 0
    beyond: bool = False  # ptxas takes it, the manual does not have it


@define
class Block:
    """The sets and lines of one syntax block."""

    sets: dict[str, tuple[str, ...]] = field(factory=dict[str, tuple[str, ...]])
    lines: list[Line] = field(factory=list[Line])
    made_optional: set[str] = field(factory=set[str])  # by errata

    def make_optional(self, name: str) -> None:
        """Errata: the modifier or operand of this name may be left out."""
        before = list(self.lines)
        for at, line in enumerate(before):
            groups = [m.group for m in line.modifiers] + [o.group for o in line.operands]
            group = 1 + max(groups, default=0)
            self.lines[at] = evolve(
                line,
                modifiers=tuple(
                    evolve(m, group=group) if m.name == name and not m.group else m for m in line.modifiers
                ),
                operands=tuple(
                    evolve(o, second_optional=True)
                    if o.second == name
                    else evolve(o, group=group)
                    if o.name == name and not o.group
                    else o
                    for o in line.operands
                ),
            )
        if self.lines != before:
            self.made_optional.add(name)


_RULER = re.compile(r"^\s*-{4,}\s*$", re.M)
_DEFAULTS = re.compile(r"^\s*(?:\.\w+ )?defaults to \.\w+\s*$", re.M)
_SET = re.compile(
    r"((?:[.:][\w:]+\s*=\s*)+)"
    r"(\{\s*\.[a-z]\w*, where[^{]*\{[^}]*\}\s*\}|\{(?:[^{}]|\{[^{}]*\})*\}|\.\w+, where[^;{]*\{[^}]*\});?"
)
_PATTERN = re.compile(r"\.([a-z])(\w+), where [\w,\s]+ (?:is|are) from \{([^}]*)\}")
_SET_TOKEN = re.compile(r"([.:]*\w[\w:]*)\**(\{[^}]*\})?(?:\[(\d+)\.\.(\d+)\])?")
_MODIFIER = re.compile(
    r"\{(?:\.[\w:]+(?:\{[^{}]*\})?)+\}"  # optional group
    r"|\.\{[\w:, ]+\}"  # inline set
    r"|\.[\w:]+(?:\{\s*::[^{}]*\})?"  # slot or literal
)
_PART = re.compile(r"\.[\w:]+(?:\{[^{}]*\})?")


def read_block(text: str, mnemonics: tuple[str, ...], inline_names: dict[str, str], beyond: str = "") -> Block:
    """Read one syntax block.

    `inline_names` gives a slot name to an inline set, by its text; `beyond` has the lines, and
    sets for these, that the manual does not have."""
    block = Block()
    _read_lines(block, text, mnemonics, inline_names)
    count = len(block.lines)
    if beyond:
        _read_lines(block, beyond, mnemonics, inline_names)
    block.lines[count:] = [evolve(line, beyond=True) for line in block.lines[count:]]
    return block


def _read_lines(block: Block, text: str, mnemonics: tuple[str, ...], inline_names: dict[str, str]) -> None:
    text = re.sub(r"//[^\n]*", "", text)
    text = _DEFAULTS.sub("", _RULER.sub("", text))

    def take_set(match: re.Match[str]) -> str:
        names = [name.strip() for name in match[1].split("=") if name.strip()]
        tokens = _set_tokens(match[2])
        for name in names:
            if name in block.sets:
                raise NotationError(f"the set {name} stands twice")
            block.sets[name] = tokens
        return "\n" * match[0].count("\n")

    text = _SET.sub(take_set, text)
    row = 0
    for piece in text.split(";"):
        first = row + piece[: len(piece) - len(piece.lstrip())].count("\n")
        row += piece.count("\n")
        if piece.strip():
            block.lines.append(_read_line(" ".join(piece.split()), mnemonics, block.sets, inline_names, first))
    if not block.lines:
        raise NotationError("no syntax line, each is ended by ';'")


def _set_tokens(body: str) -> tuple[str, ...]:
    if pattern := _PATTERN.search(body):
        letter, places, alphabet = pattern[1], pattern[2], [a.strip() for a in pattern[3].split(",")]
        if "..." in alphabet:
            alphabet = [str(n) for n in range(int(alphabet[0]), int(alphabet[-1]) + 1)]
        return tuple(f".{letter}{''.join(p)}" for p in itertools.product(alphabet, repeat=len(places)))
    tokens: list[str] = []
    for token in _SET_TOKEN.finditer(body.strip()[1:-1]):
        word = token[1]
        text = "" if word == "none" else word if word[0] in ".:" else f".{word}"
        if token[3]:
            tokens += [f"{text}[{number}]" for number in range(int(token[3]), int(token[4]) + 1)]
            continue
        tokens.append(text)
        tokens += [text + suffix for suffix in re.findall(r"::\w+", token[2] or "")]
    return tuple(tokens)


def _read_line(
    text: str, mnemonics: tuple[str, ...], sets: dict[str, tuple[str, ...]], inline_names: dict[str, str], row: int
) -> Line:
    body = re.sub(r"^@p\s+", "", text)
    named = [m for m in mnemonics if re.match(re.escape(m) + r"(?!\w)", body)]
    if not named:
        raise NotationError(f"the line {text!r} does not begin with {' or '.join(mnemonics)}")
    mnemonic = max(named, key=len)
    at = len(mnemonic)
    modifiers: list[Modifier] = []
    group = 0
    while match := _MODIFIER.match(body, at):
        piece = match[0]
        at = match.end()
        if piece.startswith("{"):
            group += 1
            for part in _PART.findall(piece[1:-1]):
                modifiers.append(_modifier(part, sets, group))
        elif piece.startswith(".{"):
            tokens = tuple(f".{word.strip()}" for word in piece[2:-1].split(","))
            name = inline_names.get(piece) or next((n for n, s in sets.items() if set(tokens) <= set(s)), None)
            if name is None:
                raise NotationError(f"the inline set {piece} needs a name: add 'name' under errata")
            modifiers.append(Modifier(name, tokens, 0, True))
        else:
            modifier = _modifier(piece, sets, 0)
            if "" in modifier.tokens:
                group += 1
                modifier = Modifier(modifier.name, tuple(t for t in modifier.tokens if t), group, True)
            modifiers.append(modifier)
    rest = body[at:]
    if rest and not rest.startswith(" "):
        raise NotationError(f"cannot read {rest.split()[0]!r} in the line {text!r}")
    return Line(text, mnemonic, tuple(modifiers), _Operands(sets).read(rest), row)


def _modifier(piece: str, sets: dict[str, tuple[str, ...]], group: int) -> Modifier:
    name = piece.split("{")[0]
    return Modifier(name, tuple(dict.fromkeys(_expand(piece, sets))), group, name in sets)


def _expand(piece: str, sets: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """The tokens that a piece of the opcode stands for."""
    name, _, inner = piece.partition("{")
    if inner:  # .shared{::cta, ::cluster}
        yield name
        for suffix in inner.rstrip("}").split(","):
            yield name + suffix.strip()
        return
    for token in sets.get(name, (name,)):
        if not token:
            yield ""
            continue
        parts = re.findall(r"^\.\w+(?:\[\d+\])?|::\w+(?::\w+)?", token)
        choices = [sets.get(part, (part,)) if part.startswith("::") else (part,) for part in parts]
        yield from ("".join(choice) for choice in itertools.product(*choices))


def split(text: str) -> list[str]:
    """The parts between the commas that stand outside all brackets."""
    pieces: list[str] = []
    depth = 0
    current = ""
    for char in text:
        depth += (char in "[{(") - (char in "]})")
        if char == "," and depth == 0:
            pieces.append(current.strip())
            current = ""
        else:
            current += char
    if current.strip():
        pieces.append(current.strip())
    return pieces


@define
class _Operands:
    """Reads operand templates; counts the optional groups."""

    sets: dict[str, tuple[str, ...]]
    groups: int = 0

    def read(self, text: str) -> tuple[Operand, ...]:
        text = self._mark_optional(text.strip())
        return tuple(self._operand(piece) for piece in split(text.lstrip(", ")))

    def _mark_optional(self, text: str) -> str:
        """`{, a, b}` becomes `, ?1:a, ?1:b`, and `{a, }` becomes `?1:a, `."""
        while match := re.search(r"\{\s*,((?:[^{}]|\{[^{}]*\})*)\}", text):
            self.groups += 1
            inside = ", ".join(f"?{self.groups}:{piece}" for piece in split(match[1]))
            text = f"{text[: match.start()]}, {inside}{text[match.end() :]}"
        while match := re.search(r"\{\s*([\w-]+)\s*,\s*\}", text):
            self.groups += 1
            text = f"{text[: match.start()]}?{self.groups}:{match[1]}, {text[match.end() :]}"
        return text

    def _operand(self, text: str) -> Operand:
        group = 0
        if match := re.match(r"\?(\d+):\s*", text):
            group, text = int(match[1]), text[match.end() :]
        prefix = ""
        if match := re.match(r"\{([!-])\}\s*", text):
            prefix, text = match[1], text[match.end() :]
        selector, selector_optional = "", True
        if match := re.search(r"\{(\.\w+)\}$", text):
            selector, text = match[1], text[: match.start()].strip()
        elif match := re.fullmatch(r"([\w-]+)(\.[a-z]\w*)", text):
            selector, text, selector_optional = match[2], match[1], False
        second, second_optional = "", False
        if match := re.search(r"\[\s*\|\s*([\w-]+)\s*\]$", text):
            second, second_optional, text = match[1], True, text[: match.start()].strip()
        elif match := re.fullmatch(r"([\w-]+)\s*\|\s*([\w-]+)", text):
            text, second = match[1], match[2]
        shape, name, inner = "value", text, ()
        if re.fullmatch(r"\{\s*[\w-]+\s*\}", text):
            name = text[1:-1].strip()
        elif text.startswith(("[", "(", "{")):
            shape = {"[": "address", "(": "list", "{": "vector"}[text[0]]
            if text[-1] != {"[": "]", "(": ")", "{": "}"}[text[0]]:
                raise NotationError(f"cannot read the operand {text!r}")
            name = text[1:-1].strip()
            if shape != "list":
                inner = tuple(self._operand(piece) for piece in split(name))
                if shape == "address" and len(inner) == 1:
                    name, inner = inner[0].name, ()
                else:
                    name = ""
        elif text == "_":
            shape = "sink"
        elif re.fullmatch(r"-?\d+", text):
            shape = "number"
        elif not re.fullmatch(r"[A-Za-z][\w-]*", text):
            raise NotationError(f"cannot read the operand {text!r}")
        return Operand(
            name, shape, group, inner, second, second_optional,
            tuple(self.sets.get(selector, (selector,) if selector else ())), selector, selector_optional, prefix,
        )  # fmt: skip


def squeeze(text: str) -> str:
    """The text without white space, as syntax is compared."""
    return re.sub(r"\s+", "", text)
