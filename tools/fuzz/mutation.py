"""Mutations of PTX text: by bytes, tokens, lines, splices, truncations, nesting, numbers, names and encodings.

A mutation takes a source of chance, a text and another text. Texts may hold any bytes, those that are no UTF-8 as
surrogates, as the command line reads files.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Mutation = Callable[[random.Random, str, str], str]

_TOKEN = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/|\.?[\w$%]+(?:::\w+)*|\s+|.', re.DOTALL)
_NUMBER = re.compile(r"(?<![\w$%.])-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE]-?\d+)?)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_$%][\w$]*", re.ASCII)

# What is put where it does not belong.
_STRAY = (
    ";", ",", ":", "::", ".", "..", "{", "}", "(", ")", "[", "]", "<", ">", "@", "@!", "!", "-", "+", "~", "|", "?",
    "=", "#", "# 1 \"x\"\n", '"', "/*", "*/", "//", "/", "\\", "\\\n", "'", "_", "%", "$", "WARP_SZ", "%tid.x", "%tid",
    ".u32", ".f32", ".pred", ".b128", ".v4", ".v8", ".align", ".reg", ".param", ".global", ".shared", ".local", ".tex",
    ".const[3]", ".entry", ".func", ".visible", ".extern", ".weak", ".version 9.0", ".target sm_90", ".file 1 \"x\"",
    ".loc 1 2 3", ".section", ".pragma", ".alias", ".attribute(.managed)", ".callprototype", ".branchtargets", ".ptr",
    "@@DWARF", "<4294967295>", "<0>", "[0]", "[]", "{}", "()", "{_}", "[_]", "= {}", "0", "1", "-1", "0x", "0f", "1.5",
    "0f3F800000", "0d3FF0000000000000", "4294967296", "18446744073709551616", "1e400", "1e-400", "09", "1U", ".x",
    ".h0", ".b0", ".sat", ".sync", ".aligned", "%r<5>", "function_name", "inlined_at", ".maxntid 1, 1, 1", ".noreturn",
)  # fmt: skip
_HUGE = (
    "9" * 10_000, "0x" + "f" * 10_000, "0b" + "1" * 10_000, "0" * 10_000, "-" + "9" * 5_000, "1e" + "9" * 5_000,
    "0." + "1" * 10_000, "4294967295", "4294967296", "18446744073709551615", "9223372036854775808",
    "0f" + "0" * 10_000,
)  # fmt: skip
_ODD = (
    "\0", "\x1a", "\r", "\r\n", "\v", "\f", "\x7f", "\x85", "\u2028", "\u0660", "\u00e9", "\u00b2", "\ufeff",
    "\udc80", "\udcff\udcfe", "\ud800", "\U0001f600", "\b", "\x1b[31m",
)  # fmt: skip
_PAIRS = (
    ("(", ")"), ("{", "}"), ("[", "]"), ("/*", "*/"), ("1 ? ", " : 1"), ("-", ""), ("~", ""), ("!", ""), ("- ", ""),
    ("1 + (", ")"), ("{1, ", "}"), ("(.s64)", ""), ("0xff(", ")"), ("generic(", ")"), ("@%p1 ", ""), ("1 || ", ""),
    (".attribute(", ")"), ("a: ", ""), ("{ a: ", " }"), ('"', '"'), ("<", ">"),
)  # fmt: skip


def mutate(chance: random.Random, text: str, other: str) -> str:
    """A text after one mutation or several."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 4))):
        text = chance.choice(MUTATIONS)(chance, text, other)
    return text


def bytes_changed(chance: random.Random, text: str, other: str) -> str:
    """Some bytes flipped, replaced, inserted, deleted or repeated."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.choice((1, 1, 2, 8, 40))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1 if at < len(data):
                data[at] = chance.randrange(256)
            case 2:
                data[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice((1, 1, 4))))
            case _:
                del data[at : at + chance.choice((1, 1, 2, 10, 100))]
    return data.decode("utf-8", "surrogateescape")


def tokens_changed(chance: random.Random, text: str, other: str) -> str:
    """Some tokens deleted, doubled, exchanged, or replaced by others."""
    own, strange = tokens(text), tokens(other)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 30))):
        one_token_changed(chance, own, strange)
    return "".join(own)


def tokens(text: str) -> list[str]:
    """The tokens of a text, blanks and remarks among them; one at least."""
    return _TOKEN.findall(text) or [""]


def one_token_changed(chance: random.Random, tokens: list[str], strange: list[str]) -> None:
    """Delete, double, exchange, replace or insert one token."""
    at = chance.randrange(len(tokens))
    match chance.randrange(6):
        case 0:
            tokens[at] = ""
        case 1:
            tokens[at] *= 2
        case 2:
            second = chance.randrange(len(tokens))
            tokens[at], tokens[second] = tokens[second], tokens[at]
        case 3:
            tokens[at] = chance.choice(tokens)
        case 4:
            tokens[at] = chance.choice(strange)
        case _:
            tokens[at] += chance.choice(_STRAY)


def lines_changed(chance: random.Random, text: str, other: str) -> str:
    """Lines deleted, doubled, moved, shuffled, or repeated many times."""
    lines = text.split("\n")
    start = chance.randrange(len(lines))
    end = min(len(lines), start + chance.choice((1, 1, 2, 5, 50)))
    some = lines[start:end]
    match chance.randrange(5):
        case 0:
            lines[start:end] = []
        case 1:
            lines[start:end] = some * chance.choice((2, 2, 3, 20, 100))
        case 2:
            at = chance.randrange(len(lines))
            lines[at:at] = some
        case 3:
            chance.shuffle(some)
            lines[start:end] = some
        case _:
            lines[start:end] = [chance.choice(other.split("\n"))]
    return "\n".join(lines)


def spliced(chance: random.Random, text: str, other: str) -> str:
    """The head of a text and the tail of another, a piece of one within the other, or both."""
    a, b = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    c, d = sorted((chance.randrange(len(other) + 1), chance.randrange(len(other) + 1)))
    match chance.randrange(4):
        case 0:
            return text[:a] + other[c:]
        case 1:
            return text[:a] + other[c:d] + text[b:]
        case 2:
            return text + other
        case _:
            return text + text


def truncated(chance: random.Random, text: str, other: str) -> str:
    """A text that ends, or begins, anywhere: within a token, a remark or a string, or between tokens."""
    places = [match.end() for match in _TOKEN.finditer(text)] or [0]
    at = chance.choice((chance.randrange(len(text) + 1), chance.choice(places)))
    return text[at:] if chance.random() < 0.2 else text[:at] + chance.choice(("", "", "", "/*", '"', "//", "\\", "#"))


def nested(chance: random.Random, text: str, other: str) -> str:
    """Something nested deep, where it may belong or not."""
    opening, closing = chance.choice(_PAIRS)
    depth = chance.choice((1, 2, 10, 100, 1000, 10_000))
    at = place(chance, text)
    inside = chance.choice(("", "1", "%r1", text[at : at + 20]))
    return text[:at] + opening * depth + inside + closing * chance.choice((depth, depth, depth - 1, 0)) + text[at:]


def numbers_changed(chance: random.Random, text: str, other: str) -> str:
    """A number that is huge, or of another kind, in place of one, or at any place."""
    found = list(_NUMBER.finditer(text))
    number = chance.choice((*_HUGE, "0", "1", "-1", "1.5", "0f7FC00000", "0d7FF0000000000000", "3", "64", "WARP_SZ"))
    if not found or chance.random() < 0.1:
        at = place(chance, text)
        return text[:at] + number + text[at:]
    match = chance.choice(found)
    return text[: match.start()] + number + text[match.end() :]


def names_changed(chance: random.Random, text: str, other: str) -> str:
    """A name that is very long, reserved, taken, or another one, once or wherever it stands."""
    found = _NAME.findall(text) or ["x"]
    old = chance.choice(found)
    new = chance.choice((
        "x" * 70_000, "%r" + "1" * 5_000, "_", "%", "%tid", "%r1", "generic", "WARP_SZ", chance.choice(found), "$L",
        f"{old}<3>", f"{old}1",
    ))  # fmt: skip
    return text.replace(old, new, chance.choice((1, 1, -1)) if len(new) < 100 else 1)


def encoded(chance: random.Random, text: str, other: str) -> str:
    """Characters that PTX has not, other ends of lines, and other encodings."""
    odd = chance.choice(_ODD)
    match chance.randrange(7):
        case 0:
            return text.replace("\n", chance.choice(("\r", "\r\n", "\n\r", " ", "\x1a\n", "\\\n", "\v", "")))
        case 1:
            return odd + text
        case 2:
            data = text.encode(chance.choice(("utf-16", "utf-16-be", "utf-32", "utf-7")), "replace")
            return data.decode("utf-8", "surrogateescape")
        case 3:
            return text + odd
        case _:
            at = chance.choice((place(chance, text), chance.randrange(len(text) + 1)))
            return text[:at] + odd * chance.choice((1, 1, 1, 100)) + text[at:]


def place(chance: random.Random, text: str) -> int:
    """A place between two tokens."""
    return chance.choice([match.end() for match in _TOKEN.finditer(text)] or [0])


MUTATIONS: tuple[Mutation, ...] = (
    bytes_changed, tokens_changed, tokens_changed, tokens_changed, lines_changed, lines_changed, spliced, truncated,
    nested, numbers_changed, names_changed, encoded,
)  # fmt: skip
