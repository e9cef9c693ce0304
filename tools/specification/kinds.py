"""Operand kinds: what may stand in an operand's place; text in, a tree of JSON values out.

    kind   = { access | flag } base { " | " base }
    access = "out" | "inout"                        (default: read)
    flag   = "reg" (no constant) | "exact" (.b registers only) | "signed" (.s only) | "wider" | "wider64" (to 64 bits)
           | "sink" | "cut" (of a constant the low 32 bits count) | "warp" | "warpgroup"
           | "unchecked" (ptxas looks at little but the size)
           | "bare" (an address, for which ptxas takes any register, without brackets of its own)
    base   = type [ "[" length "]" ] | "imm" [ limit ] | "flt" [ interval ]
           | "addr" [ widths ] [ space | "generic" | "tmem" | "multimem" | "mbarrier" | "any" ]
           | "var" [ space ] | "sreg" type [ "[" length "]" ] | "{" type, ... "}" | a name of `NAMED`
    type   = ".b32" | slot | ".typeN" | ".{b32, u32}" | ".double(t)" | ".half(t)" | ".quarter(t)"
    limit  = lo ".." hi [ "step" n ] | "pow2" lo ".." hi | "{" n, ... "}"
    widths = n | lo ".." hi                         (bits of the register)
    length = arithmetic over integers, M N K, and .slot (the number in its token)
"""

from __future__ import annotations

import re

from attrs import define

from tools.specification.conditions import ConditionError, Names, Tree

FLAGS = ("reg", "exact", "signed", "wider", "wider64", "sink", "cut", "warp", "warpgroup", "unchecked", "bare")
NAMED = (
    "label", "func", "branchtargets", "calltargets", "callprototype", "params", "texref", "samplerref", "surfref",
)  # fmt: skip

_LEXEME = re.compile(
    r"\s*(?:(?P<interval>[(\[]\s*[-\d.]+\s*\.\.\s*[-\d.]+\s*[)\]])"
    r"|(?P<range>-?\d+(?:\^\d+)?\.\.-?\d+(?:\^\d+)?)"
    r"|(?P<length>\[[^\]]*\])"
    r"|(?P<scaled>\.(?:double|half|quarter)\([^()]*\))"
    r"|(?P<types>\.\{[^{}]*\})|(?P<set>\{[^{}]*\})|(?P<bar>\|)"
    r"|(?P<name>\.[\w:]+)|(?P<number>\d+)|(?P<word>[a-z][\w-]*))"
)


class KindError(ValueError):
    """An operand kind that is not in the language."""


def compile_kind(text: str, names: Names) -> dict[str, object]:
    """The JSON form: {"access": ..., "flags": [...], "bases": [[what, ...], ...]}."""
    parser = _Parser(_lex(text), names, text)
    return parser.kind()


@define
class _Parser:
    lexemes: list[tuple[str, str]]
    names: Names
    text: str
    at: int = 0
    widths: tuple[int, int] | None = None

    def kind(self) -> dict[str, object]:
        access = "in"
        flags: list[str] = []
        bases: Tree = []
        while self.at < len(self.lexemes):
            kind, word = self.lexemes[self.at]
            if kind == "word" and word in ("out", "inout"):
                access = word
                self.at += 1
            elif kind == "word" and word in FLAGS:
                if word not in flags:
                    flags.append(word)
                self.at += 1
            elif kind == "bar":
                self.at += 1
            else:
                bases.append(self.base())
        if not bases:
            raise KindError(f"{self.text!r} names no type, address, constant or other base")
        result: dict[str, object] = {"bases": bases}
        if access != "in":
            result["access"] = access
        if flags:
            result["flags"] = flags
        if self.widths:
            result["widths"] = list(self.widths)
        return result

    def base(self) -> Tree:
        kind, word = self.take()
        if kind in ("name", "types", "scaled"):
            return self.typed("type", kind, word)
        if kind == "set":
            return ["tuple", *(self.type("name", item.strip()) for item in word[1:-1].split(","))]
        if kind != "word":
            raise KindError(f"{self.text!r}: {word!r} begins no kind")
        if word == "imm":
            return self.integer()
        if word == "flt":
            interval = self.optional("interval")
            if not interval:
                return ["flt"]
            low, high = (part.strip() for part in interval[1:-1].split(".."))
            return ["flt", low, high, interval[0] + interval[-1]]
        if word == "addr":
            return self.address()
        if word == "var":
            space = self.optional("name")
            return ["var", self.reference(space)] if space else ["var"]
        if word == "sreg":
            return self.typed("sreg", *self.take())
        if word in NAMED:
            return [word]
        raise KindError(f"{self.text!r}: no kind is called {word!r}")

    def typed(self, what: str, kind: str, word: str) -> Tree:
        base: Tree = [what, self.type(kind, word)]
        if length := self.optional("length"):
            base.append(_length(length[1:-1], self.names, self.text))
        return base

    def integer(self) -> Tree:
        if values := self.optional("set"):
            return ["imm", "values", [self.number(v.strip()) for v in values[1:-1].split(",")]]
        power = self.at < len(self.lexemes) and self.lexemes[self.at] == ("word", "pow2")
        if power:
            self.at += 1
        limits = self.optional("range")
        if not limits:
            return ["imm"]
        low, high = (_integer(part) for part in limits.split(".."))
        if low > high:
            raise KindError(f"{self.text!r}: the range {limits} is empty")
        if power:
            return ["imm", "values", [1 << n for n in range(64) if low <= 1 << n <= high]]
        step = 1
        if self.at < len(self.lexemes) and self.lexemes[self.at] == ("word", "step"):
            self.at += 1
            step = self.number(self.take()[1])
        return ["imm", "range", low, high, step]

    def number(self, text: str) -> int:
        if not re.fullmatch(r"-?\d+", text):
            raise KindError(f"{self.text!r}: {text!r} is no integer")
        return int(text)

    def address(self) -> Tree:
        if widths := self.optional("range") or self.optional("number"):
            low, _, high = widths.partition("..")
            self.widths = self.number(low), self.number(high or low)
        space = self.optional("name")
        result: Tree = ["addr", self.reference(space) if space else []]
        if self.at < len(self.lexemes) and self.lexemes[self.at][1] in ADDRESSES:
            result.append(self.take()[1])
            self.optional("name")  # its width follows from the table of addresses
        return result

    def type(self, kind: str, word: str) -> Tree:
        if kind == "types":
            return ["any", *(f".{item.strip().lstrip('.')}" for item in word[2:-1].split(","))]
        if kind == "scaled":
            name, _, inner = word[1:-1].partition("(")
            factor = {"double": [2, 1], "half": [1, 2], "quarter": [1, 4]}[name]
            return ["scaled", *factor, self.reference(inner)]
        return self.reference(word)

    def reference(self, word: str) -> Tree:
        if word in self.names.slots:
            return ["slot", word]
        if match := re.fullmatch(r"\.type(\d?)", word):
            return ["nth", int(match[1] or 1)]
        if word in self.names.types or word in self.names.tokens or word in STATE_SPACES:
            return ["token", word]
        raise KindError(f"{self.text!r} names {word}, which is no slot, type or state space")

    def optional(self, kind: str) -> str:
        if self.at < len(self.lexemes) and self.lexemes[self.at][0] == kind:
            return self.take()[1]
        return ""

    def take(self) -> tuple[str, str]:
        if self.at >= len(self.lexemes):
            raise KindError(f"{self.text!r} ends too early")
        self.at += 1
        return self.lexemes[self.at - 1]


ADDRESSES = ("generic", "tmem", "multimem", "mbarrier", "any")
STATE_SPACES = (
    ".const", ".global", ".local", ".param", ".param::entry", ".param::func", ".shared", ".shared::cta",
    ".shared::cluster", ".tex",
)  # fmt: skip


def _lex(text: str) -> list[tuple[str, str]]:
    lexemes: list[tuple[str, str]] = []
    at = 0
    while at < len(text.rstrip()):
        match = _LEXEME.match(text, at)
        if match is None or match.lastgroup is None:
            raise KindError(f"{text!r}: cannot read {text[at:].strip()!r}")
        lexemes.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return lexemes


def _integer(text: str) -> int:
    base, caret, exponent = text.partition("^")
    return int(base) ** int(exponent) if caret else int(base)


def _length(text: str, names: Names, whole: str) -> Tree:
    """`M*K/2`, `2*.num` as a tree of ["int", n], ["dim", "M"], ["num", slot] and operators, left to right."""
    parts = re.findall(r"\.[\w:]+|\d+|[MNK]|[*/+-]", text)
    if "".join(parts) != text.replace(" ", "") or len(parts) % 2 == 0:
        raise KindError(f"{whole!r}: cannot read the length [{text}]")

    def leaf(part: str) -> Tree:
        if part.isdigit():
            return ["int", int(part)]
        if part in "MNK":
            return ["dim", part]
        if part not in names.slots:
            raise KindError(f"{whole!r}: the length names {part}, which is no slot")
        return ["num", part]

    try:
        tree = leaf(parts[0])
        for operator, part in zip(parts[1::2], parts[2::2], strict=True):
            tree = [operator, tree, leaf(part)]
    except ConditionError as error:
        raise KindError(str(error)) from error
    return tree
