"""Integer instructions of every type on random operands, against unbounded integers and strings of digits.

`FORMULAS` gives the result for operands that are numbers of the type; only its low bits count. What a family does for
one type only, or in several steps, has a test of its own below.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random

import pytest
from attrs import frozen

from tests.values.statements import result, statement

PER_FORM = 24


@frozen
class Integer:
    """An integer type: how many bits, and whether the topmost one is a sign."""

    name: str

    @property
    def bits(self) -> int:
        return int(self.name[1:])

    @property
    def range(self) -> tuple[int, int]:
        half = 1 << self.bits - 1
        return (-half, half - 1) if self.name[0] == "s" else (0, 2 * half - 1)

    def of(self, x: int) -> int:
        """The low bits of `x` as a number of the type."""
        low, _ = self.range
        return (x - low) % (1 << self.bits) + low

    def limit(self, x: int) -> int:
        low, high = self.range
        return max(low, min(high, x))

    def sample(self, random: Random) -> int:
        """A number of the type: at the ends of the range, small, or any."""
        low, high = self.range
        ends = [low, high, low + 1, high - 1, 0, 1, -1, 2, self.bits - 1, self.bits, self.bits + 1]
        return self.of(random.choice([random.choice(ends), random.randrange(-40, 40), random.getrandbits(64)]))


WORDS = tuple(map(Integer, ("u16", "u32", "u64", "s16", "s32", "s64")))
SHORT = WORDS[:2] + WORDS[3:5]
LONG = WORDS[1:3] + WORDS[4:]
SIGNED = WORDS[3:]
BITS = tuple(map(Integer, ("b16", "b32", "b64")))


def truncated(a: int, b: int) -> int:
    """The quotient towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def digits(x: int, n: int) -> str:
    """Binary digits, the most significant first."""
    return f"{x % (1 << n):0{n}b}"


def highest(a: int, t: Integer) -> int:
    """Position of the topmost digit that differs from the sign."""
    return digits(a, t.bits)[::-1].rfind("0" if a < 0 else "1")


def extracted(a: int, position: int, length: int, t: Integer) -> int:
    """Bits of the field, as far as there are any, then its sign."""
    if not length:
        return 0
    below = digits(a, t.bits)[::-1]
    sign = below[min(position + length, t.bits) - 1] if t.name[0] == "s" else "0"
    field = below[position : position + length]
    return int((field + sign * t.bits)[t.bits - 1 :: -1], 2)


def inserted(a: int, b: int, position: int, length: int, n: int) -> int:
    mask = sum(1 << i for i in range(n) if position <= i < position + length)
    return b & ~mask | a << position & mask


#: Opcode, the types that it has, and the result from the numbers in the operands a, b, c
FORMULAS: list[tuple[str, tuple[Integer, ...], Callable[..., int]]] = [
    ("add", WORDS, lambda t, a, b: a + b),
    ("sub", WORDS, lambda t, a, b: a - b),
    ("mul.lo", WORDS, lambda t, a, b: a * b),
    ("mul.hi", WORDS, lambda t, a, b: a * b // 2**t.bits),
    ("mad.lo", WORDS, lambda t, a, b, c: a * b + c),
    ("mad.hi", WORDS, lambda t, a, b, c: a * b // 2**t.bits + c),
    ("sad", WORDS, lambda t, a, b, c: c + abs(a - b)),
    ("div", WORDS, lambda t, a, b: truncated(a, b)),
    ("rem", WORDS, lambda t, a, b: a - b * truncated(a, b)),
    ("min", WORDS, lambda t, a, b: sorted((a, b))[0]),
    ("max", WORDS, lambda t, a, b: sorted((a, b))[1]),
    ("abs", SIGNED, lambda t, a: a if a > 0 else -a),
    ("neg", SIGNED, lambda t, a: -a),
    ("min.relu", (Integer("s32"),), lambda t, a, b: max(0, min(a, b))),
    ("max.relu", (Integer("s32"),), lambda t, a, b: max(0, a, b)),
    ("add.sat", (Integer("s32"), Integer("u32")), lambda t, a, b: t.limit(a + b)),
    ("sub.sat", (Integer("s32"),), lambda t, a, b: t.limit(a - b)),
    ("mad.hi.sat", (Integer("s32"),), lambda t, a, b, c: t.limit(a * b // 2**32 + c)),
    ("and", BITS, lambda t, a, b: int("".join(map(min, digits(a, t.bits), digits(b, t.bits))), 2)),
    ("or", BITS, lambda t, a, b: int("".join(map(max, digits(a, t.bits), digits(b, t.bits))), 2)),
    ("xor", BITS, lambda t, a, b: a + b - 2 * (a & b)),
    ("not", BITS, lambda t, a: 2**t.bits - 1 - a),
    ("cnot", BITS, lambda t, a: int(a == 0)),
    ("popc", BITS[1:], lambda t, a: digits(a, t.bits).count("1")),
    ("clz", BITS[1:], lambda t, a: (digits(a, t.bits) + "1").index("1")),
    ("brev", BITS[1:], lambda t, a: int(digits(a, t.bits)[::-1], 2)),
    ("bfind", LONG, lambda t, a: highest(a, t)),
    ("bfind.shiftamt", LONG, lambda t, a: -1 if highest(a, t) < 0 else t.bits - 1 - highest(a, t)),
]
CASES = [(opcode, t, formula) for opcode, types, formula in FORMULAS for t in types]


@pytest.mark.parametrize(
    ("opcode", "t", "formula"), CASES, ids=lambda x: x if isinstance(x, str) else getattr(x, "name", "")
)
def test_operands_of_one_type(opcode: str, t: Integer, formula: Callable[..., int]) -> None:
    random = Random(f"{opcode}.{t.name}")
    names = "abc"[: formula.__code__.co_argcount - 1]
    text = f"{opcode}.{t.name} d, {', '.join(names)};"
    width = 32 if opcode.startswith(("popc", "clz", "bfind")) else t.bits
    for _ in range(PER_FORM):
        numbers = [t.sample(random) for _ in names]
        if opcode in ("div", "rem") and not numbers[1]:
            numbers[1] = 1
        registers = {name: x % (1 << t.bits) for name, x in zip(names, numbers, strict=True)}
        assert result(text, registers) == formula(t, *numbers) % (1 << width), numbers


@pytest.mark.parametrize("t", SHORT, ids=lambda t: t.name)
def test_wide_products(t: Integer) -> None:
    random = Random(t.name)
    wide = Integer(f"{t.name[0]}{2 * t.bits}")
    for _ in range(PER_FORM):
        a, b, c = t.sample(random), t.sample(random), wide.sample(random)
        registers = {"a": a % (1 << t.bits), "b": b % (1 << t.bits), "c": c % (1 << wide.bits)}
        assert result(f"mul.wide.{t.name} d, a, b;", registers) == a * b % (1 << wide.bits)
        assert result(f"mad.wide.{t.name} d, a, b, c;", registers) == (a * b + c) % (1 << wide.bits)


@pytest.mark.parametrize("t", [Integer("u32"), Integer("s32")], ids=lambda t: t.name)
@pytest.mark.parametrize("mode", ["lo", "hi", "hi.sat"])
def test_24_bits(t: Integer, mode: str) -> None:
    random, narrow = Random(mode), Integer(f"{t.name[0]}24")
    if mode == "hi.sat" and t.name == "u32":
        return
    for _ in range(2 * PER_FORM):
        a, b, c = (t.sample(random) for _ in range(3))
        product = narrow.of(a) * narrow.of(b)
        part = t.of(product >> 16 if mode.startswith("hi") else product)
        registers = {"a": a % 2**32, "b": b % 2**32, "c": c % 2**32}
        total = t.limit(part + c) if mode == "hi.sat" else part + c
        assert result(f"mad24.{mode}.{t.name} d, a, b, c;", registers) == total % 2**32
        if mode != "hi.sat":
            assert result(f"mul24.{mode}.{t.name} d, a, b;", registers) == part % 2**32


@pytest.mark.parametrize("t", LONG, ids=lambda t: t.name)
def test_bit_fields(t: Integer) -> None:
    random = Random(t.name)
    for _ in range(2 * PER_FORM):
        a, b = t.sample(random), random.getrandbits(t.bits)
        position, length = (random.choice([random.randrange(t.bits + 2), random.randrange(1 << 9)]) for _ in "pl")
        registers = {"a": a % (1 << t.bits), "b": b, "p": position, "l": length}
        want = extracted(a, position & 255, length & 255, t)
        assert result(f"bfe.{t.name} d, a, p, l;", registers) == want, (a, position, length)
        got = result(f"bfi.b{t.bits} d, a, b, p, l;", registers)
        assert got == inserted(registers["a"], b, position & 255, length & 255, t.bits)


@pytest.mark.parametrize("mode", ["clamp", "wrap"])
def test_extension_and_masks(mode: str) -> None:
    random = Random(mode)
    for count in [*range(70), 2**31, 2**32 - 1]:
        a = random.getrandbits(32)
        n = min(count, 32) if mode == "clamp" else count % 32
        registers = {"a": a, "b": count}
        low = a % (1 << n)
        sign = (low >> n - 1) * (2**32 - (1 << n)) if n else 0
        assert result(f"szext.{mode}.u32 d, a, b;", registers) == low
        assert result(f"szext.{mode}.s32 d, a, b;", registers) == low + sign
        start = random.choice([random.randrange(40), 2**32 - 1])
        first = start if mode == "clamp" else start % 32
        want = sum(1 << i for i in range(32) if first <= i < first + n)
        assert result(f"bmsk.{mode}.b32 d, a, b;", {"a": start, "b": count}) == want, (start, count)


@pytest.mark.parametrize(("atype", "btype"), list(itertools.product("us", "us")))
def test_dot_products(atype: str, btype: str) -> None:
    random = Random(atype + btype)
    total = Integer("s32" if "s" in (atype, btype) else "u32")
    bytes_ = {kind: Integer(f"{kind}8").of for kind in "us"}
    for _ in range(2 * PER_FORM):
        a, b, c = random.getrandbits(32), random.getrandbits(32), total.sample(random)
        registers = {"a": a, "b": b, "c": c % 2**32}
        want = c + sum(bytes_[atype](a >> 8 * i) * bytes_[btype](b >> 8 * i) for i in range(4))
        assert result(f"dp4a.{atype}32.{btype}32 d, a, b, c;", registers) == want % 2**32
        for mode, shift in (("lo", 0), ("hi", 16)):
            halves = [Integer(f"{atype}16").of(a >> 16 * i) for i in range(2)]
            want = c + sum(halves[i] * bytes_[btype](b >> shift + 8 * i) for i in range(2))
            assert result(f"dp2a.{mode}.{atype}32.{btype}32 d, a, b, c;", registers) == want % 2**32


# ---- shifts, logic, permutations


@pytest.mark.parametrize("t", [*BITS, *WORDS], ids=lambda t: t.name)
def test_shifts_past_the_width(t: Integer) -> None:
    random = Random(t.name)
    for distance in [*range(t.bits + 3), 255, 256, 2**31, 2**32 - 1]:
        a = Integer(t.name.replace("b", "u")).sample(random)
        registers = {"a": a % (1 << t.bits), "b": distance}
        far = min(distance, t.bits)
        assert result(f"shr.{t.name} d, a, b;", registers) == (a >> far) % (1 << t.bits)
        if t.name[0] == "b":
            assert result(f"shl.{t.name} d, a, b;", registers) == (a << far) % (1 << t.bits)


@pytest.mark.parametrize("mode", ["clamp", "wrap"])
def test_funnel_shifts(mode: str) -> None:
    random = Random(mode)
    for distance in [*range(66), 2**31, 2**32 - 1]:
        a, b = random.getrandbits(32), random.getrandbits(32)
        n = min(distance, 32) if mode == "clamp" else distance % 32
        whole = digits(b, 32) + digits(a, 32)
        registers = {"a": a, "b": b, "c": distance}
        assert result(f"shf.l.{mode}.b32 d, a, b, c;", registers) == int(whole[n : n + 32], 2)
        assert result(f"shf.r.{mode}.b32 d, a, b, c;", registers) == int(whole[32 - n : 64 - n], 2)


def test_every_table_of_lop3() -> None:
    """The operands hold all eight rows of the truth table: 0xf0, 0xcc and 0xaa in each byte."""
    random = Random(1)
    for table in range(256):
        assert result(f"lop3.b32 d, a, b, c, {table};", {"a": 0xF0, "b": 0xCC, "c": 0xAA}) & 0xFF == table
        a, b, c = (random.getrandbits(32) for _ in range(3))
        rows = zip(*(map(int, digits(x, 32)) for x in (a, b, c)), strict=True)
        want = int("".join(str(table >> 4 * x + 2 * y + z & 1) for x, y, z in rows), 2)
        assert result(f"lop3.b32 d, a, b, c, {table};", {"a": a, "b": b, "c": c}) == want


@pytest.mark.parametrize("operation", ["or", "and"])
def test_lop3_with_a_predicate(operation: str) -> None:
    for a, q in itertools.product((0, 5), (0, 1)):
        got = statement(f"lop3.{operation}.b32 d|p, a, b, c, 0xf0, q;").run({"a": a, "b": 1, "c": 2, "q": q})
        assert got == {"d": a, "p": max(a != 0, q) if operation == "or" else min(a != 0, q)}


#: Mode -> for each selector the source bytes of d, the most significant first, after the manual's table
PERMUTATIONS = {
    "f4e": ("3210", "4321", "5432", "6543"),
    "b4e": ("5670", "6701", "7012", "0123"),
    "rc8": ("0000", "1111", "2222", "3333"),
    "ecl": ("3210", "3211", "3222", "3333"),
    "ecr": ("0000", "1110", "2210", "3210"),
    "rc16": ("1010", "3232", "1010", "3232"),
}


@pytest.mark.parametrize("mode", PERMUTATIONS)
def test_modes_of_prmt(mode: str) -> None:
    random = Random(mode)
    for selector in range(16):
        a, b = random.getrandbits(32), random.getrandbits(32)
        pool = a.to_bytes(4, "little") + b.to_bytes(4, "little")
        want = bytes(pool[int(digit)] for digit in PERMUTATIONS[mode][selector % 4])
        got = result(f"prmt.b32.{mode} d, a, b, c;", {"a": a, "b": b, "c": selector | 0xABCD0})
        assert got == int.from_bytes(want, "big")


# ---- several words


def run(text: str, registers: dict[str, int]) -> None:
    """Execute one statement after the other in a register file."""
    for each in text.strip().split("\n"):
        registers.update(statement(each.strip()).run(registers))


CHAIN_OF_ADDITIONS = """
add.cc.u32   d0, a0, b0;
addc.cc.u32  d1, a1, b1;
addc.cc.u32  d2, a2, b2;
addc.u32     d3, a3, b3;
"""
#: after the example of the manual: [r3,r2,r1,r0] = [r5,r4] * [r7,r6]
PRODUCT_OF_TWO_WORDS = """
mul.lo.u32      r0, r4, r6;
mul.hi.u32      r1, r4, r6;
mad.lo.cc.u32   r1, r5, r6, r1;
madc.hi.u32     r2, r5, r6, 0;
mad.lo.cc.u32   r1, r4, r7, r1;
madc.hi.cc.u32  r2, r4, r7, r2;
addc.u32        r3, 0, 0;
mad.lo.cc.u32   r2, r5, r7, r2;
madc.hi.u32     r3, r5, r7, r3;
"""


def big(random: Random, bits: int) -> int:
    return random.choice([random.getrandbits(bits), (1 << bits) - 1, (1 << bits // 2) - 1, 1 << bits - 1, 0, 1])


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
@pytest.mark.parametrize("operation", ["add", "sub"])
def test_sums_of_four_words(operation: str, kind: str) -> None:
    random, n = Random(kind), int(kind[1:])
    text = CHAIN_OF_ADDITIONS.replace("add", operation).replace("u32", kind)
    for _ in range(PER_FORM):
        x, y = big(random, 4 * n), big(random, 4 * n)
        registers = {f"{name}{i}": z >> n * i & (1 << n) - 1 for name, z in (("a", x), ("b", y)) for i in range(4)}
        run(text, registers)
        total = x + y if operation == "add" else x - y
        assert sum(registers[f"d{i}"] << n * i for i in range(4)) == total % (1 << 4 * n)


def test_carry_out_of_the_last_word() -> None:
    for x, y in ((2**32 - 1, 1), (2**32 - 1, 0), (5, 5), (0, 1)):
        for carry in (0, 1):
            registers = {"a": x, "b": y, "CC": carry}
            assert statement("addc.cc.u32 d, a, b;").run(registers)["CC"] == (x + y + carry) >> 32
            assert "CC" not in statement("addc.u32 d, a, b;").run(registers)


@pytest.mark.parametrize("n", [32, 64])
def test_products_of_two_words(n: int) -> None:
    random = Random(n)
    for _ in range(PER_FORM):
        x, y = big(random, 2 * n), big(random, 2 * n)
        registers = {f"r{4 + i}": x >> n * i & (1 << n) - 1 for i in range(2)}
        registers |= {f"r{6 + i}": y >> n * i & (1 << n) - 1 for i in range(2)}
        run(PRODUCT_OF_TWO_WORDS.replace("u32", f"u{n}"), registers)
        assert sum(registers[f"r{i}"] << n * i for i in range(4)) == x * y


# ---- packed integers


@pytest.mark.parametrize("kind", ["u16x2", "s16x2", "u8x4", "s8x4"])
@pytest.mark.parametrize(
    ("opcode", "operation"),
    [
        ("add", lambda t, x, y: x + y),
        ("add.sat", lambda t, x, y: t.limit(x + y)),
        ("sub", lambda t, x, y: x - y),
        ("sub.sat", lambda t, x, y: t.limit(x - y)),
        ("min", lambda t, x, y: min(x, y)),
        ("max", lambda t, x, y: max(x, y)),
        ("min.relu", lambda t, x, y: max(min(x, y), 0)),
        ("max.relu", lambda t, x, y: max(x, y, 0)),
    ],
)
def test_packed(opcode: str, kind: str, operation: Callable[[Integer, int, int], int]) -> None:
    if (opcode.startswith("sub") and "16" in kind) or ("relu" in opcode and kind[0] == "u"):
        return  # not in PTX
    t, random = Integer(kind.partition("x")[0]), Random(kind + opcode)
    for _ in range(PER_FORM):
        a, b = random.getrandbits(32), random.choice([random.getrandbits(32), 0x80808080, 0x7FFF7FFF])
        lanes = range(0, 32, t.bits)
        want = sum(operation(t, t.of(a >> i), t.of(b >> i)) % (1 << t.bits) << i for i in lanes)
        assert result(f"{opcode}.{kind} d, a, b;", {"a": a, "b": b}) == want, (hex(a), hex(b))


# ---- registers wider than the type (9.4.1)


@pytest.mark.parametrize(("target", "source"), list(itertools.product(("u8", "s8", "u16", "s16"), repeat=2)))
def test_wider_registers_are_cut_and_extended(target: str, source: str) -> None:
    random = Random(target + source)
    for _ in range(8):
        raw = random.getrandbits(32)
        want = Integer(target).of(Integer(source).of(raw))
        got = statement(f"cvt.{target}.{source} %s32_1, %b32_1;").run({"%b32_1": raw})
        assert got == {"%s32_1": want % 2**32}
