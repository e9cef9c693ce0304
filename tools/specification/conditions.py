"""The condition language of `rules`, `since` and operand kinds: text in, a tree of JSON lists out.

    rule      = cond [ ("=>" | "<=>") cond ]
    cond      = conj { "or" conj }      conj = term { "and" term }      term = "not" term | "(" cond ")" | atom
    atom      = pattern | value ("==" | "<" | ">") value | value "in" "{" token, ... "}"
              | operand | operand "is" kind { "|" kind } | "_" [ "in" operand ] | predicate "(" value, ... ")"
              | mnemonic | option
    pattern   = [mnemonic] { "." ( token | slot | "{" token | slot, ... "}" ) }
    value     = factor { "*" factor }   factor = slot | .typeN | token | ("bits" | "count") "(" value ")" | integer

The tree is what `ptxgen.isa.conditions` evaluates:

    ["or", c...] ["and", c...] ["not", c] ["=>", a, b] ["<=>", a, b]
    ["has", [name, ...], ...]       the tokens or slots occur in this order; each step lists its alternatives
    ["==", v, w] ["<", v, w] [">", v, w] ["in", v, [token, ...]]
    ["on", operand] ["is", operand, kind, ...] ["sink", operand or ""] ["call", predicate, v, ...]
    ["mnemonic", name] ["option", name]
    values: ["slot", name] ["nth", k] ["token", text] ["int", n] ["bits", v] ["count", v] ["*", v, w]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import define, frozen

Tree = list[Any]

PREDICATES = {"float": 1, "int": 1, "signed": 1, "unsigned": 1, "contains": 2}  # number of values
FUNCTIONS = ("bits", "count")
OPERAND_KINDS = (
    "reg", "imm", "flt", "double", "var", "offset", "vec", "neg", "sink", "sreg", "label", "func", "kernel",
    "selected", "pair",
    "bits", "int", "vec1", "vec2", "vec4", "texref", "samplerref", "surfref",
)  # fmt: skip

_LEXEME = re.compile(
    r"\s*(?:(?P<op><=>|=>|==|[<>*()|])"
    r"|(?P<set>\{[^{}]*\})"
    r"|(?P<pattern>(?:[A-Za-z][\w.:-]*)?(?:\.(?:[\w:]+(?:\[\d+\])?|\{[^{}]*\}))+)"
    r"|(?P<number>\d+)|(?P<word>[A-Za-z_][\w-]*(?:\.[A-Za-z][\w.:]*)?))"
)


class ConditionError(ValueError):
    """A condition that is not in the language, or that names what its file does not have."""


@frozen
class Names:
    """What a condition of one block may name."""

    mnemonics: tuple[str, ...]  # of the file; an alias such as vop included
    tokens: frozenset[str]  # every token of the block's lines
    slots: frozenset[str]
    selectors: frozenset[str]  # slots of operand selectors: .mask, .asel
    operands: frozenset[str]
    options: frozenset[str]
    types: frozenset[str]  # all type tokens, for comparisons


def compile_condition(text: str, names: Names) -> Tree:
    """The tree of a condition; `ConditionError` says what is wrong with it."""
    if text in names.mnemonics:  # also `and`, `or` and `not`
        return ["mnemonic", text]
    return _Parser(_lex(text), names, text).rule()


@define
class _Parser:
    lexemes: list[tuple[str, str]]
    names: Names
    text: str
    at: int = 0

    def rule(self) -> Tree:
        left = self.disjunction()
        if self.peek() in ("=>", "<=>"):
            operator = self.take()
            left = [operator, left, self.disjunction()]
        if self.at < len(self.lexemes):
            raise ConditionError(f"{self.text!r}: cannot read from {self.peek()!r} on")
        return left

    def disjunction(self) -> Tree:
        return self.series("or", self.conjunction)

    def conjunction(self) -> Tree:
        return self.series("and", self.term)

    def series(self, word: str, part: Callable[[], Tree]) -> Tree:
        parts = [part()]
        while self.peek() == word:
            self.take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else [word, *parts]

    def term(self) -> Tree:
        if self.peek() == "not":
            self.take()
            return ["not", self.term()]
        if self.peek() == "(":
            self.take()
            inner = self.disjunction()
            self.expect(")")
            return inner
        return self.atom()

    def atom(self) -> Tree:
        kind, text = self.lexeme()
        if kind == "word":
            if text in PREDICATES and self.peek(1) == "(":
                self.take()
                return ["call", text, *self.arguments(text, PREDICATES[text])]
            if text in FUNCTIONS and self.peek(1) == "(":
                return self.comparison()
            return self.word()
        if kind == "number":
            return self.comparison()
        if kind != "pattern":
            raise ConditionError(f"{self.text!r}: {text!r} begins no condition")
        if self.peek(1) in ("==", "<", ">", "in", "*"):
            return self.comparison()
        self.take()
        return self.pattern(text)

    def word(self) -> Tree:
        text = self.take()
        if text == "_":
            if self.peek() == "in":
                self.take()
                return ["sink", self.operand(self.take())]
            return ["sink", ""]
        if self.peek() == "is":
            self.take()
            kinds = [self.kind()]
            while self.peek() == "|":
                self.take()
                kinds.append(self.kind())
            return ["is", self.operand(text), *kinds]
        if text in self.names.operands:
            return ["on", text]
        if text in self.names.mnemonics:
            return ["mnemonic", text]
        if text in self.names.options:
            return ["option", text]
        raise ConditionError(f"{self.text!r} names {text}, which is no operand, mnemonic or option here")

    def kind(self) -> str:
        text = self.take()
        if text not in OPERAND_KINDS:
            raise ConditionError(f"{self.text!r}: an operand is {', '.join(OPERAND_KINDS)}; not {text!r}")
        return text

    def operand(self, name: str) -> str:
        if name not in self.names.operands:
            raise ConditionError(f"{self.text!r} names operand {name}, which no syntax line has")
        return name

    def comparison(self) -> Tree:
        left = self.value()
        operator = self.take()
        if operator == "in":
            kind, text = self.lexeme()
            if kind != "set":
                raise ConditionError(f"{self.text!r}: 'in' wants a set {{a, b}}, not {text!r}")
            self.take()
            words = [word.strip().lstrip(".") for word in text[1:-1].split(",")]
            items: Tree = [int(w) if w.isdigit() else self.token_or_type(f".{w}") for w in words]
            return ["in", left, items]
        if operator not in ("==", "<", ">"):
            raise ConditionError(f"{self.text!r}: a comparison wants ==, <, > or in, not {operator!r}")
        return [operator, left, self.value()]

    def value(self) -> Tree:
        left = self.factor()
        while self.peek() == "*":
            self.take()
            left = ["*", left, self.factor()]
        return left

    def factor(self) -> Tree:
        kind, text = self.lexeme()
        self.take()
        if kind == "number":
            return ["int", int(text)]
        if kind == "word" and text in FUNCTIONS:
            return [text, *self.arguments(text, 1)]
        if kind == "pattern":
            return self.reference(text)
        raise ConditionError(f"{self.text!r}: {text!r} is no value")

    def reference(self, text: str) -> Tree:
        if text in self.names.slots | self.names.selectors:
            return ["slot", text]
        if match := re.fullmatch(r"\.type(\d?)", text):
            return ["nth", int(match[1] or 1)]
        return ["token", self.token_or_type(text)]

    def token_or_type(self, text: str) -> str:
        if text in self.names.tokens or text in self.names.types:
            return text
        raise ConditionError(f"{self.text!r} names {text}, which no syntax line has{_near(text, self.names)}")

    def arguments(self, name: str, count: int) -> list[Tree]:
        self.expect("(")
        values = [self.value()]
        while self.lexeme()[1] == ",":
            self.take()
            values.append(self.value())
        self.expect(")")
        if len(values) != count:
            raise ConditionError(f"{self.text!r}: {name} takes {count} value{'s' * (count > 1)}, not {len(values)}")
        return values

    def pattern(self, text: str) -> Tree:
        head = "" if text.startswith(".") else text.partition(".")[0]
        parts: Tree = []
        mnemonic = max((m for m in self.names.mnemonics if text == m or text.startswith(m + ".")), key=len, default="")
        if head and not mnemonic:
            raise ConditionError(f"{self.text!r} names {head}, which is no mnemonic of this file")
        rest = text[len(mnemonic) :]
        steps: Tree = ["has"]
        for step in re.findall(r"\.(\{[^{}]*\}|[\w:]+(?:\[\d+\])?)", rest):
            words = step[1:-1].split(",") if step.startswith("{") else [step]
            alternatives: Tree = []
            for word in words:
                name = f".{word.strip().lstrip('.')}"
                if name not in self.names.tokens | self.names.slots | self.names.selectors:
                    raise ConditionError(
                        f"{self.text!r} names {name}, which no syntax line has{_near(name, self.names)}"
                    )
                alternatives.append(name)
            steps.append(alternatives)
        if mnemonic and len(set(self.names.mnemonics)) > 1:
            parts.append(["mnemonic", mnemonic])
        if len(steps) > 1 or not parts:
            parts.append(steps)
        return parts[0] if len(parts) == 1 else ["and", *parts]

    def lexeme(self) -> tuple[str, str]:
        if self.at >= len(self.lexemes):
            raise ConditionError(f"{self.text!r} ends too early")
        return self.lexemes[self.at]

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.lexemes[at][1] if at < len(self.lexemes) else ""

    def take(self) -> str:
        text = self.lexeme()[1]
        self.at += 1
        return text

    def expect(self, text: str) -> None:
        if self.peek() != text:
            raise ConditionError(f"{self.text!r}: expected {text!r} before {self.peek() or 'the end'!r}")
        self.take()


def _lex(text: str) -> list[tuple[str, str]]:
    lexemes: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        if text[at] == ",":
            lexemes.append(("op", ","))
            at += 1
            continue
        match = _LEXEME.match(text, at)
        if match is None or match.lastgroup is None:
            if not text[at:].strip():
                break
            raise ConditionError(f"{text!r}: cannot read {text[at:].strip()!r}")
        lexemes.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    if not lexemes:
        raise ConditionError("an empty condition")
    return lexemes


def _near(name: str, names: Names) -> str:
    stem = name.split("::")[-1].lstrip(".")
    near = sorted(token for token in names.tokens | names.slots if stem and stem in token)
    return f"; near: {', '.join(near[:6])}" if near else ""
