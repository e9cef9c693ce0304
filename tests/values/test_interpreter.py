"""How names, types and destinations behave when a text runs."""

from typing import Any

import pytest

from ptxgen.cpu.reference import SemanticsError, WarpContext, compile_semantics


def run(text: str, operands: dict[str, Any] | None = None, destinations: Any = "s32", **more: Any) -> Any:
    """The bits of `d`."""
    names = more.pop("names", ())
    return compile_semantics(text, names).run(operands or {}, {"d": destinations}, **more)["d"]


# Operands


def test_signedness_is_that_of_the_type() -> None:
    for kind, value in (("s32", -1), ("u32", 0xFFFFFFFF), ("b32", 0xFFFFFFFF), ("s64", 0xFFFFFFFF)):
        assert run("d = 1 if a == x else 0", {"a": (kind, 0xFFFFFFFF), "x": ("s64", value)}) == 1


def test_lanes_from_the_least_significant() -> None:
    operands = {"a": ("s8x4", 0x80FF0102)}
    for i, value in enumerate((2, 1, -1, -128)):
        assert run(f"d = 1 if a[{i}] == {value} else 0", operands) == 1


def test_vectors_and_scalars_as_vectors() -> None:
    assert run("d = a[0] + a[1] + len(a) + b[0] + len(b)", {"a": ("u32", [10, 20]), "b": ("u32", 5)}) == 38


def test_predicates_are_truth_values() -> None:
    assert run("d = 5 if p and not q else 6", {"p": ("pred", 1), "q": ("pred", 0)}) == 5


# Destinations


@pytest.mark.parametrize(("value", "bits"), [(-1, 0xFFFF), (0x12345, 0x2345), (0x8000, 0x8000)])
def test_integers_wrap(value: int, bits: int) -> None:
    assert run(f"d = {value}", destinations="u16") == bits
    assert run(f"d = {value}", destinations="s16") == bits


def test_a_destination_is_read_back_as_its_type() -> None:
    assert run("d = 0xffffffff\nd = 7 if d == -1 else 8") == 7
    assert run("d = 1\nd += 2\nd *= 5") == 15
    assert run("d[0] = 1\nd[1] = 2\nd[0] += d[1]", destinations="u16x2") == 0x00020003


def test_packed_and_vector_destinations() -> None:
    assert run("d = (1, 2)", destinations="u16x2") == 0x00020001
    assert run("d = 0x00020001", destinations="u16x2") == 0x00020001
    assert run("for i in range(2):\n    d[i] = i - 1", destinations=("u32", 2)) == [0xFFFFFFFF, 0]
    assert run("d = a", {"a": ("u32", [3, 4])}, ("u32", 2)) == [3, 4]
    assert run("d[0] = (1, 2)\nd[1] = 0x30004", destinations=("u16x2", 2)) == [0x20001, 0x30004]


def test_an_inout_operand_begins_with_its_value() -> None:
    assert run("d = d + 1", {"d": ("s32", 41)}) == 42
    assert run("d[1] = 9", {"d": ("u8x4", 0x01020304)}, "u8x4") == 0x01020904


def test_floating_destinations_take_values_of_the_format_only() -> None:
    operands = {"a": ("f32", 0x3F800001), "h": ("f16", 0x3C00)}
    assert run("d = h", operands, "f32") == 0x3F800000
    assert run("d = 0", {}, "f32") == 0
    assert run("d = -0.0", {}, "f32") == 0x80000000
    with pytest.raises(SemanticsError, match="round it first"):
        run("d = a", operands, "f16")
    with pytest.raises(SemanticsError, match="wants an integer"):
        run("d = a", operands, "u32")


def test_a_nan_that_is_moved_keeps_its_bits_and_a_result_does_not() -> None:
    assert run("d = a", {"a": ("f32", 0xFFA01234)}, "f32") == 0xFFA01234
    assert run("d = round(a + 0, f32, 'rn')", {"a": ("f32", 0xFFA01234)}, "f32") == 0x7FFFFFFF


@pytest.mark.parametrize("text", ["x = 1", "if a:\n    d = 1", "d[1] = 1"])
def test_a_destination_without_a_value_is_an_error(text: str) -> None:
    with pytest.raises(SemanticsError, match="assigned"):
        run(text, {"a": ("u32", 0)}, "u16x2")


def test_predicate_destinations() -> None:
    assert run("d = 3 > 2", destinations="pred") == 1
    with pytest.raises(SemanticsError, match="0 or 1"):
        run("d = 2", destinations="pred")


# Slots, flags, types, the carry flag


def test_slots_are_tokens_or_types_or_none() -> None:
    text = "d = 1 if op == 'add' else 2 if T == f16 else 3 if op is None else 4"
    for slots, result in (
        ({"op": ".add", "T": "f32"}, 1),
        ({"op": "min", "T": ".f16"}, 2),
        ({"op": None, "T": "f32"}, 3),
        ({"op": "min", "T": "f32"}, 4),
    ):
        assert run(text, slots=slots) == result


def test_selectors_are_not_types() -> None:
    assert run("d = select(a, sel, s32)[0] if sel else 0", {"a": ("u32", 0x80)}, slots={"sel": "b0"}) == 0xFFFFFF80


def test_absent_names_are_none_only_when_they_are_known() -> None:
    assert run("d = 1 if c is None and not sat else 2", names=["c", "sat"]) == 1
    with pytest.raises(SemanticsError, match="c has no value"):
        run("d = 1 if c is None else 2")


def test_the_name_of_a_type_is_a_flag_in_conditions_and_a_type_elsewhere() -> None:
    text = "x = u8 or s8\nd = width(u8) if not u8 else 1 if x else 2"
    assert run(text, flags={"u8": False, "s8": True}) == 8
    assert run(text, flags={"u8": True, "s8": False}) == 1


def test_tokens_are_not_compared_with_flags() -> None:
    with pytest.raises(SemanticsError, match="a token with a flag"):
        run("d = 1 if op == add else 0", slots={"op": "add"}, flags={"add": True})


def test_carry() -> None:
    program = compile_semantics("CC = bit(a + CC, 32)\nd = a + CC")
    assert program.run({"a": ("u32", 0xFFFFFFFF), "CC": ("pred", 1)}, {"d": "u32"}) == {"d": 0, "CC": 1}
    assert program.run({"a": ("u32", 5)}, {"d": "u32"}) == {"d": 5, "CC": 0}
    assert compile_semantics("d = CC").run({}, {"d": "u32"}) == {"d": 0}


def test_negated_operands() -> None:
    assert run("d = -a if negated(a) else a", {"a": ("s32", 5)}, negated={"a"}) == 0xFFFFFFFB


# Mistakes


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x = 1\nd = a / b", 2, "quotient"),
        ("d = quotient(a, 0)", 1, "quotient: division by zero"),
        ("d = a << 99999", 1, "limit the amount"),
        ("d = 2 ** (0 - 1)", 1, "limit the amount"),
        ("for i in range(1000000):\n    d = i", 1, "a loop of 1000000"),
        ("d = ~p", 1, "Invert"),
        ("d = f & 1", 1, "BitAnd of floating"),
        ("d = 1 if f else 2", 1, "truth value"),
        ("d = flush(f + f)", 1, "round it first"),
        ("d = round(f, u32, 'rn')", 1, "not a floating-point type"),
        ("d = round(f, f32, rn)", 1, "rounding mode"),
        ("d = round(f, f32, 'up')", 1, "no rounding mode"),
        ("d = compare('ltu', a, b)", 1, "does not compare"),
        ("d = compare('lo', f, f)", 1, "does not compare"),
        ("d = min(f, 1)", 1, "not an integer"),
        ("d = popcount(0 - 1)", 1, "unsigned"),
        ("d = a[1]", 1, "sequence"),
        ("e[0] = 1", 1, "no destination"),
        ("d[1] = 1", 1, "no element 1"),
        ("CC = 2", 1, "carry flag"),
        ("d = laneid", 1, "no value"),
        ("d = 1 if active(0) else 2", 1, "no warp"),
        ("d = cluster_address(a, 1)", 1, "no cluster"),
        ("d = approximate('exp', f32, f)", 1, "no function"),
        ("d = 'x'", 1, "cannot be assigned"),
        ("x, y = (1, 2, 3)\nd = x", 1, "3 values for 2 names"),
    ],
)
def test_mistakes_are_reported_with_their_line(text: str, line: int, message: str) -> None:
    operands = {"a": ("s32", 6), "b": ("s32", 2), "f": ("f32", 0x3F800000), "p": ("pred", 1)}
    with pytest.raises(SemanticsError, match=message) as caught:
        run(text, operands, flags={"rn": True})
    assert caught.value.line == line


# Intrinsics that no example of an instruction pins down


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("wrap(0x1ff, s8)", -1), ("wrap(0x1ff, u8x4)", 255), ("clamp(300, s8)", 127), ("clamp(-300, s8)", -128),
        ("clamp(-1, u16)", 0), ("clamp(99999, u16x2)", 65535), ("signed(0x80, 8)", -128), ("signed(0xff, u8)", -1),
        ("unsigned(-1, 16)", 65535), ("bit(4, 2)", 1), ("bits(0xabcd, 4, 8)", 0xBC), ("with_bit(0, 3, 1)", 8),
        ("with_bit(15, 0, 0)", 14), ("byte(0x123456, 1)", 0x34), ("popcount(255)", 8), ("abs(-5)", 5),
        ("min(3, 1, 2)", 1), ("max(3, 1, 2)", 3), ("quotient(-7, 2)", -3), ("quotient(7, -2)", -3),
        ("quotient(-7, -2)", 3), ("remainder(-7, 2)", -1), ("remainder(7, -2)", 1), ("-7 // 2", -4), ("-7 % 2", 1),
        ("width(f16x2)", 16), ("size(f16x2)", 4), ("size(b128)", 16), ("width(e2m1x2)", 4), ("width(pred)", 1),
        ("insert(0x11223344, 'h1', 0xabcdef)", 0xCDEF3344), ("insert(0, 'b31', 0xaabb)", 0xAA00BB00),
        ("select(0x807f, 'b10', s32)[1]", -128), ("select(0x807f, 'b10', u32)[1]", 128),
        ("bit('h10', 1)", 1), ("bit('b2', 0)", 0),
        ("bits_of(round(1, f16, 'rn'))", 0x3C00), ("bits_of(-1, s16)", 0xFFFF),
        ("bits_of((1, 2, 3, 4), u8x4)", 0x4030201),
        ("clamp(integral(from_bits(0x40200000, f32), 'rni'), s32)", 2), ("clamp(infinity(f32), s32)", 0x7FFFFFFF),
        ("clamp(negate(infinity(f32)), u32)", 0),
        ("bits_of(saturate(from_bits(0x7fffffff, f32)))", 0), ("bits_of(saturate(round(-0.0, f32, 'rn')))", 0),
        ("bits_of(saturate(round(1.5, f32, 'rz')))", 0x3F800000),
        ("bits_of(relu(from_bits(0xbc00, f16)))", 0), ("bits_of(relu(from_bits(0xfe01, f16)))", 0x7FFF),
        ("bits_of(flush(from_bits(0x8001, f16)))", 0x8000), ("bits_of(flush(from_bits(0x0400, f16)))", 0x0400),
        ("bits_of(copysign(from_bits(0x3c00, f16), -1))", 0xBC00),
        ("bits_of(minimum(from_bits(0x8000, f16), from_bits(0, f16)))", 0x8000),
        ("bits_of(maximum(from_bits(0x8000, f16), from_bits(0, f16)))", 0),
        ("bits_of(maximum(nan(f16), from_bits(0xbc00, f16)))", 0xBC00),
        ("bits_of(minimum(nan(f16), nan(f16)))", 0x7FFF),
        ("bits_of(divide(1, 3, f16, 'rp'))", 0x3556), ("bits_of(divide(1, 3, f16, 'rm'))", 0x3555),
        ("bits_of(sqrt(2, f16, 'rn'))", 0x3DA8), ("bits_of(clamp(1e9, f16))", 0x7BFF), ("bits_of(nan(bf16))", 0x7FFF),
    ],
)  # fmt: skip
def test_intrinsics(expression: str, value: int) -> None:
    assert run(f"d = {expression}", destinations="s64") == value & 0xFFFF_FFFF_FFFF_FFFF


def test_float_predicates() -> None:
    for bits, truths in (
        (0x0001, "sf"), (0x0400, "nf"), (0x8000, "zf"), (0x7C00, "i"), (0x7C01, "a"), (0xFBFF, "nf"),
    ):  # fmt: skip
        for predicate, letter in (
            ("is_subnormal", "s"), ("is_normal", "n"), ("is_zero", "z"), ("is_finite", "f"), ("is_infinite", "i"),
            ("is_nan", "a"),
        ):  # fmt: skip
            assert run(f"d = {predicate}(a)", {"a": ("f16", bits)}, "pred") == (letter in truths), (bits, predicate)


@pytest.mark.parametrize(("x", "y"), [(1, 2), (2, 1), (1, 1)])
def test_comparisons(x: int, y: int) -> None:
    f32 = {1: 0x3F800000, 2: 0x40000000}
    floats = {"a": ("f32", f32[x]), "b": ("f32", f32[y])}
    truth = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
    for name, want in truth.items():
        assert run(f"d = compare('{name}', {x}, {y})", destinations="pred") == want
        assert run(f"d = compare('{name}', a, b)", floats, "pred") == want
        assert run(f"d = compare('{name}u', a, b)", floats, "pred") == want
    for name, signed in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
        assert run(f"d = compare('{name}', {x}, {y})", destinations="pred") == truth[signed]


def test_comparisons_with_a_nan() -> None:
    operands = {"a": ("f32", 0x7FC00000), "b": ("f32", 0)}
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        assert run(f"d = compare('{name}', a, b)", operands, "pred") == 0
        assert run(f"d = compare('{name}u', a, b)", operands, "pred") == 1
    assert run("d = compare('nan', a, b)", operands, "pred") == 1
    assert run("d = compare('num', a, b)", operands, "pred") == 0


# Other threads


def test_warp() -> None:
    warp = WarpContext(laneid=3, active=0b1011, peers={"a": [100 + i for i in range(32)]})
    text = "d = 0\nfor i in range(32):\n    if active(i):\n        d += peer(a, i)\nd = d + 1000 * laneid"
    assert run(text, {"a": ("u32", 103)}, warp=warp) == 100 + 101 + 103 + 3000


def test_cluster() -> None:
    def window(address: int, rank: int) -> int:
        return rank << 24 | address

    assert run("d = cluster_address(a, 2)", {"a": ("u32", 16)}, cluster=window) == 0x2000010
