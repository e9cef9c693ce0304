"""Texts of the specification on random operands, against formulas that share nothing with them: strings of binary
digits, the struct module, plain loops after the manual's description."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from ptxgen.cpu.reference import type_named
from tests.values.statements import result, statement

M32, M64 = 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF
INTERESTING = (0, 1, 2, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, M32, M64)


def s32(x: int) -> int:
    return (x & M32 ^ 0x80000000) - 0x80000000


def s8(x: int) -> int:
    return (x & 0xFF ^ 0x80) - 0x80


def s16(x: int) -> int:
    return (x & 0xFFFF ^ 0x8000) - 0x8000


def digits(x: int, n: int = 32) -> str:
    """Binary digits, the least significant first."""
    return f"{x & (1 << n) - 1:0{n}b}"[::-1]


def number(text: str) -> int:
    return int(text[::-1], 2) if text else 0


def bfe(a: int, b: int, c: int, signed: bool) -> int:
    position, length = b & 0xFF, c & 0xFF
    if length == 0:
        return 0
    bits = digits(a)
    fill = bits[min(position + length - 1, 31)] if signed else "0"
    return number("".join(bits[position + i] if i < length and position + i < 32 else fill for i in range(32)))


def bfi(a: int, b: int, c: int, d: int) -> int:
    position, length = c & 0xFF, d & 0xFF
    out = list(digits(b))
    for i, bit in zip(range(length), digits(a), strict=False):
        if position + i < 32:
            out[position + i] = bit
    return number("".join(out))


def bfind(a: int, signed: bool) -> int:
    bits = digits(~a if signed and a >> 31 else a)
    return bits.rindex("1") if "1" in bits else M32


def prmt(a: int, b: int, c: int) -> int:
    pool = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    out = []
    for i in range(4):
        selector = c >> 4 * i & 15
        byte = pool[selector & 7]
        out.append((0xFF if byte >> 7 else 0) if selector >> 3 else byte)
    return int.from_bytes(bytes(out), "little")


def lop3(a: int, b: int, c: int, table: int) -> int:
    """The table read as a sum of products of the inputs."""
    out = 0
    for row in range(8):
        if table >> row & 1:
            out |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return out & M32


def dp4a(a: int, b: int, c: int, first: Callable[[int], int], second: Callable[[int], int]) -> int:
    return c + sum(first(a >> 8 * i) * second(b >> 8 * i) for i in range(4))


def shf_left_wrap(a: int, b: int, c: int) -> int:
    n = c & 31
    return b << n | a >> 32 - n


def shf_right_clamp(a: int, b: int, c: int) -> int:
    n = min(c, 32)
    return b << 32 - n | a >> n


def fns(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if mask >> base & 1 else M32
    places = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [p for p in places if mask >> p & 1]
    return found[abs(offset) - 1] if len(found) >= abs(offset) else M32


def byte_wise(operation: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    def whole(a: int, b: int, _c: int) -> int:
        return sum((operation(s8(a >> 8 * i), s8(b >> 8 * i)) & 0xFF) << 8 * i for i in range(4))

    return whole


FORMULAS: dict[str, Callable[..., int]] = {
    "bfe.u32 d, a, b, c;": lambda a, b, c: bfe(a, b, c, False),
    "bfe.s32 d, a, b, c;": lambda a, b, c: bfe(a, b, c, True),
    "bfi.b32 d, a, b, c, e;": bfi,
    "bfind.u32 d, a;": lambda a: bfind(a, False),
    "bfind.s32 d, a;": lambda a: bfind(a, True),
    "bfind.shiftamt.u32 d, a;": lambda a: M32 if not a else 31 - bfind(a, False),
    "brev.b32 d, a;": lambda a: int(digits(a), 2),
    "clz.b32 d, a;": lambda a: 32 - a.bit_length(),
    "popc.b32 d, a;": lambda a: digits(a).count("1"),
    "bmsk.clamp.b32 d, a, b;": lambda a, b: number(("0" * min(a, 32) + "1" * min(b, 32))[:32]),
    "szext.wrap.u32 d, a, b;": lambda a, b: number(digits(a)[: b & 31]),
    "szext.clamp.s32 d, a, b;": lambda a, b: (
        a if b > 31 else 0 if b == 0 else number(digits(a)[:b] + digits(a)[b - 1] * (32 - b))
    ),
    "prmt.b32 d, a, b, c;": prmt,
    "shf.l.wrap.b32 d, a, b, c;": shf_left_wrap,
    "shf.r.clamp.b32 d, a, b, c;": shf_right_clamp,
    "shl.b32 d, a, b;": lambda a, b: a << b if b < 32 else 0,
    "shr.u32 d, a, b;": lambda a, b: a >> b if b < 32 else 0,
    "shr.s32 d, a, b;": lambda a, b: s32(a) >> min(b, 31),
    "cnot.b32 d, a;": lambda a: int(not a),
    "not.b32 d, a;": lambda a: M32 - a,
    "lop3.b32 d, a, b, c, 0x96;": lambda a, b, c: lop3(a, b, c, 0x96),
    "lop3.b32 d, a, b, c, 0x1b;": lambda a, b, c: lop3(a, b, c, 0x1B),
    "sad.u32 d, a, b, c;": lambda a, b, c: c + (a - b if a > b else b - a),
    "sad.s32 d, a, b, c;": lambda a, b, c: c + (s32(a) - s32(b) if s32(a) > s32(b) else s32(b) - s32(a)),
    "mul.hi.u32 d, a, b;": lambda a, b: a * b >> 32,
    "mul.hi.s32 d, a, b;": lambda a, b: s32(a) * s32(b) >> 32,
    "mad.lo.u32 d, a, b, c;": lambda a, b, c: a * b + c,
    "mul24.lo.u32 d, a, b;": lambda a, b: a % 2**24 * (b % 2**24),
    "mul24.hi.u32 d, a, b;": lambda a, b: a % 2**24 * (b % 2**24) >> 16,
    "mad24.lo.s32 d, a, b, c;": lambda a, b, c: (s32(a << 8) // 256) * (s32(b << 8) // 256) + c,
    "dp4a.u32.u32 d, a, b, c;": lambda a, b, c: dp4a(a, b, c, lambda x: x & 0xFF, lambda x: x & 0xFF),
    "dp4a.s32.u32 d, a, b, c;": lambda a, b, c: dp4a(a, b, c, s8, lambda x: x & 0xFF),
    "dp2a.lo.u32.s32 d, a, b, c;": lambda a, b, c: c + (a & 0xFFFF) * s8(b) + (a >> 16) * s8(b >> 8),
    "dp2a.hi.s32.s32 d, a, b, c;": lambda a, b, c: c + s16(a) * s8(b >> 16) + s16(a >> 16) * s8(b >> 24),
    "abs.s32 d, a;": lambda a: -s32(a) if s32(a) < 0 else a,
    "neg.s32 d, a;": lambda a: 2**32 - a,
    "sub.sat.s32 d, a, b;": lambda a, b: sorted((-(2**31), s32(a) - s32(b), 2**31 - 1))[1],
    "add.u8x4 d, a, b;": lambda a, b: sum(((a >> 8 * i) + (b >> 8 * i) & 255) << 8 * i for i in range(4)),
    "vadd4.s32.s32.s32.sat d, a, b, c;": byte_wise(lambda x, y: sorted((-128, x + y, 127))[1]),
    "vabsdiff4.s32.s32.s32 d, a, b, c;": byte_wise(lambda x, y: abs(x - y)),
    "vmin4.s32.s32.s32 d, a, b, c;": byte_wise(min),
    "vset4.s32.s32.lt d, a, b, c;": byte_wise(lambda x, y: int(x < y)),
    "selp.b32 d, a, b, %pred_1;": lambda a, b, p: a if p else b,
    "slct.u32.s32 d, a, b, c;": lambda a, b, c: b if c >> 31 else a,
}


def operands(text: str, random: Random) -> dict[str, int]:
    """Random values of the source registers, many of them at the ends of a range or small."""
    names = re.findall(r"%pred_1|\b[a-ce]\b", text.split(" ", 1)[1].split(",", 1)[1])
    found = {}
    for name in names:
        value = random.choice([random.choice(INTERESTING), random.randrange(64), random.getrandbits(32)])
        found[name] = value & (1 if name == "%pred_1" else M32)
    return found


@pytest.mark.parametrize("text", FORMULAS)
def test_random_operands(text: str) -> None:
    random = Random(text)
    for _ in range(40):
        values = operands(text, random)
        assert result(text, values) == FORMULAS[text](*values.values()) & M32, values


def test_fns() -> None:
    random = Random(17)
    for _ in range(200):
        mask, base, offset = random.getrandbits(32), random.randrange(32), random.randrange(-33, 34)
        got = result(f"fns.b32 d, a, b, {offset};", {"a": mask, "b": base})
        assert got == fns(mask, base, offset), (mask, base, offset)


def test_multi_word_addition() -> None:
    """add.cc, addc.cc and addc add numbers of three words."""
    random = Random(18)

    def step(text: str, a: int, b: int, carry: int) -> tuple[int, int]:
        found = statement(text).run({"a": a, "b": b, "CC": carry})
        return found["d"], found.get("CC", carry)

    for first, middle, last, sign in (("add", "addc", "addc", 1), ("sub", "subc", "subc", -1)):
        for _ in range(50):
            x, y = (random.choice((random.getrandbits(96), 2**96 - 1, 2**64 - 1, 1)) for _ in range(2))
            words, carry = [], 0
            for i, text in enumerate((f"{first}.cc.u32 d, a, b;", f"{middle}.cc.u32 d, a, b;", f"{last}.u32 d, a, b;")):
                word, carry = step(text, x >> 32 * i & M32, y >> 32 * i & M32, carry)
                words.append(word)
            assert sum(w << 32 * i for i, w in enumerate(words)) == (x + sign * y) % 2**96


def test_helpers_of_this_file() -> None:
    assert (s32(M32), s8(0x80), s16(0x7FFF)) == (-1, -128, 0x7FFF)
    assert number(digits(0x12345678)) == 0x12345678
    assert type_named("s32").range == (-(2**31), 2**31 - 1)
