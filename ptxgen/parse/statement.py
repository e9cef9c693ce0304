"""Read one instruction: guard, opcode and operands, with positions in its errors."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from attrs import define, frozen

from ptxgen.errors import Diagnostic, ParseError
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Prefixed, Reg, Selected
from ptxgen.isa import registers
from ptxgen.isa.classes import operand_class

Resolve = Callable[[str], "Operand | None"]

_TOKEN = re.compile(
    r"\s*(?:(?P<float>0[fF][0-9a-fA-F]{8}\b|0[dD][0-9a-fA-F]{16}\b|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
    r"|(?P<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)"
    r"|(?P<opcode>[A-Za-z][\w]*(?:(?:\.|::)\w+(?::\d+|\[\d+\](?=\.|\s+[^\s,;]))?)*)(?=\s|;|$|\{|\[|\()"
    r"|(?P<name>[%$_A-Za-z][\w$]*)(?P<selector>(?:\.\w+)*)"
    r"|(?P<suffix>\.\w+)"
    r"|(?P<mark>[][{}()|,;@!+-]))",
    re.ASCII,
)


@frozen
class Parsed:
    """An instruction as written."""

    guard: Reg[Any] | Prefixed[Any] | None
    opcode: str
    operands: tuple[Operand, ...]


def parse_statement(text: str, resolve: Resolve) -> Parsed:
    """Read `@p add.u32 d, a, 1;`.

    `resolve` gives the operand that an identifier stands for, None when it knows none. `ParseError` says where the
    text cannot be read.
    """
    return _Reader(text, resolve).statement()


@define
class _Reader:
    text: str
    resolve: Resolve
    at: int = 0

    def statement(self) -> Parsed:
        guard: Reg[Any] | Prefixed[Any] | None = None
        if self.accept("@"):
            complement = self.accept("!")
            found = self.operand()
            if not isinstance(found, Reg) or found.type != "pred":
                raise self.error("a guard is a predicate register")
            guard = ~found if complement else found
        match = self.next()
        # `ret;` and `add.u32 d` begin with an opcode; a plain word is one too
        opcode = match["opcode"] or (match["name"] or "") + (match["selector"] or "")
        if not re.match(r"[A-Za-z]", opcode):
            raise self.error("an instruction begins with its opcode")
        self.at = match.end()
        found_operands: list[Operand] = []
        if not self.accept(";"):
            found_operands.append(self.operand())
            while self.accept(","):
                found_operands.append(self.operand())
            if not self.accept(";"):
                raise self.error("expected ',' or ';'")
        if self.text[self.at :].strip():
            raise self.error("one instruction was expected; more text follows its ';'")
        return Parsed(guard, opcode, tuple(found_operands))

    def operand(self) -> Operand:
        first = self.single()
        if self.accept("|"):
            return ir.pair(first, self.single())
        return first

    def single(self) -> Operand:
        if self.accept("["):
            inside = self.series("]")
            suffix = self.next(required=False)
            if suffix is not None and suffix["suffix"] and self.text[self.at : self.at + 1] == ".":
                self.at = suffix.end()
                return ir.address(*inside, selector=suffix["suffix"])
            return ir.address(*inside)
        if self.accept("{"):
            return ir.vector(self.series("}"))
        if self.accept("("):
            return ir.arguments(self.series(")"))
        if self.accept("!"):
            inner = self.single()
            if not isinstance(inner, Reg):
                raise self.error("! wants a register")
            cls = inner.cls
            return Prefixed(
                f"!{inner.text}",
                operand_class(cls.what, cls.type, cls.space, prefix="!", scope=cls.scope),
                inner,
            )
        if self.accept("-"):
            match = self.next()
            if match["integer"] or match["float"]:
                return self.literal(match, negative=True)
            inner = self.single()
            if not isinstance(inner, Reg | Selected):
                raise self.error("- wants a constant or a register")
            return -inner
        return self.atom()

    def series(self, end: str) -> tuple[Operand, ...]:
        found: list[Operand] = []
        if self.accept(end):
            return ()
        found.append(self.operand())
        while self.accept(","):
            found.append(self.operand())
        if not self.accept(end):
            raise self.error(f"expected ',' or {end!r}")
        return tuple(found)

    def atom(self) -> Operand:
        match = self.next()
        if match["integer"] or match["float"]:
            return self.literal(match)
        written = match["opcode"] or match["name"]
        if not written:
            raise self.error(f"{match[0].strip()!r} begins no operand")
        name, _, rest = written.partition(".")
        selector = f".{rest}" if rest else match["selector"] or ""
        self.at = match.end()
        base = self.named(name, selector)
        if isinstance(base, ir.Sink | ir.Special | ir.Selected | ir.Name | ir.Integer):
            return base
        return self.offset(base)

    def named(self, name: str, selector: str) -> Operand:
        if name == "_":
            return ir.sink
        if name == "WARP_SZ":
            return ir.Integer("WARP_SZ", 32)
        special = registers.find(name + selector)
        if special is not None and name.startswith("%"):
            return ir.special(*special)
        found = self.resolve(name)
        if found is None:
            raise self.error(f"{name!r} is not declared")
        if not selector:
            return found
        if not isinstance(found, Reg):
            raise self.error(f"{name!r} is no register, so it takes no selector {selector}")
        return found[selector[1:]]

    def offset(self, base: Operand) -> Operand:
        if self.peek("-"):
            raise self.error(f"a negative offset is written +{self.text[self.at :].strip().split(']')[0]}")
        total = 0
        seen = False
        while self.accept("+"):
            negative = self.accept("-")
            match = self.next()
            if not match["integer"]:
                raise self.error("only an integer constant can be added to a register or variable")
            self.at = match.end()
            total += -_integer(match["integer"]) if negative else _integer(match["integer"])
            seen = True
        if not seen:
            return base
        if not isinstance(base, Reg | ir.Variable):
            raise self.error("only a register or variable takes an offset")
        return base + total

    def literal(self, match: re.Match[str], negative: bool = False) -> Operand:
        sign = "-" if negative else ""
        if match["integer"]:
            self.at = match.end()
            value = _integer(match["integer"])
            return ir.Integer(sign + match["integer"], -value if negative else value)
        text = match["float"]
        if text[:2] in ("0f", "0F"):
            bits = int(text[2:], 16)
            if negative:
                # ptxas reads a sign before 0d... and decimals only
                raise self.error(f"{text} takes no sign; the same bits with the sign are 0f{bits ^ 1 << 31:08X}")
            self.at = match.end()
            return ir.Float(text, bits, 32, ir.float32(0.0).cls)
        if text[:2] in ("0d", "0D"):
            bits = int(text[2:], 16) ^ (negative << 63)
        else:
            value = float(text)
            if math.isinf(value) or (value == 0 and re.search("[1-9]", re.split("[eE]", text)[0])):
                raise self.error(f"{text} is beyond the range of .f64")
            bits = ir.float64(-value if negative else value).bits
        self.at = match.end()
        return ir.Float(sign + text, bits, 64, ir.float64(0.0).cls)

    # ---- tokens

    def next(self, required: bool = True) -> Any:
        match = _TOKEN.match(self.text, self.at)
        if match is None and required:
            raise self.error("cannot read this" if self.text[self.at :].strip() else "the instruction ends too early")
        return match

    def peek(self, mark: str) -> bool:
        match = _TOKEN.match(self.text, self.at)
        return match is not None and match["mark"] == mark

    def accept(self, mark: str) -> bool:
        match = _TOKEN.match(self.text, self.at)
        if match is None or match["mark"] != mark:
            return False
        self.at = match.end()
        return True

    def error(self, message: str) -> ParseError:
        column = self.at + len(self.text[self.at :]) - len(self.text[self.at :].lstrip()) + 1
        near = self.text[self.at :].strip()[:20]
        full = f"{message}, at column {column}" + (f" near {near!r}" if near else "")
        return ParseError(full, (Diagnostic("syntax", "error", message, column=column, line=1),))


def _integer(text: str) -> int:
    digits = text.rstrip("U")
    if len(digits) > 1 and digits[0] == "0" and digits[1] in "01234567":
        return int(digits, 8)
    return int(digits, 0) if digits[:2].lower() in ("0x", "0b") else int(digits)
