"""Instructions that are refused: what the error is, what it says, and that nothing is left behind."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ptxgen import IllegalInstruction, Module, OperandError, Reg, Unavailable, sink, sreg, u32, unified
from ptxgen.check.instruction import verdict
from tests.build.kernels import builder, building, refused


def prepared(target: str = "sm_90", version: str | None = "8.0", **options: Any) -> tuple[Any, dict[str, Any]]:
    """A builder and operands of every kind."""
    k = builder(target, version, **options)
    names = {type: getattr(k.reg, type)() for type in ("f32", "u32", "s32", "b16", "b32", "b64", "u64", "f64", "pred")}
    return k, names | {"tile": k.shared.f32("tile", 4), "label": k.label("here")}


MODIFIERS: list[tuple[str, Any, str]] = [
    (
        "no such instruction",
        lambda k, x: k.addd.f32(x["f32"]),
        "the specification has no instruction called 'addd'; did you mean add or",
    ),
    ("nothing like it", lambda k, x: k.qqqqqq, "the specification has no instruction called 'qqqqqq'"),
    ("wrong modifier", lambda k, x: k.add.f33, "add.f33: add has no modifier .f33; after add PTX allows"),
    (
        "wrong combination",
        lambda k, x: k.add.rn.u32,
        "add.rn cannot be followed by .u32; after add.rn PTX allows .ftz .sat",
    ),
    ("incomplete", lambda k, x: k.add(x["u32"], 1), "add is not complete; after add PTX wants one of"),
    (
        "incomplete, deeper",
        lambda k, x: k.ld.global_.v4([x["u64"]]),
        "ld.global.v4 is not complete; after ld.global.v4",
    ),
    ("incomplete mnemonic", lambda k, x: k.elect(1), "elect is not complete"),
    ("wrong order", lambda k, x: k.add.ftz.rn.f32, "add.ftz cannot be followed by .rn"),
    ("wrong order, whole opcode", lambda k, x: k.cvt.f64.f32.rn, "in the order of the manual it is cvt.rn.f64.f32"),
    ("a modifier twice", lambda k, x: k.add.sat.sat, "add.sat cannot be followed by .sat"),
    ("after the end", lambda k, x: k.mul.lo.u32.sat, "mul.lo.u32 cannot be followed by .sat"),
    ("exact text", lambda k, x: k["add.rn.u32"], "add.rn cannot be followed by .u32"),
    ("exact text, no such instruction", lambda k, x: k["foo.f32"], "the specification has no instruction called 'foo'"),
    ("exact text, empty", lambda k, x: k[""], "the specification has no instruction called ''"),
    ("exact text, only a dot", lambda k, x: k["."], "the specification has no instruction called ''"),
    ("exact text, two dots", lambda k, x: k["add..f32"], "add has no modifier ."),
    ("exact text with operands", lambda k, x: k["add.f32 %f0, %f1, %f2;"], "add"),
    ("exact text, not a string", lambda k, x: k[5], "the specification has no instruction called '5'"),
    ("a token, not a string", lambda k, x: k.add[5], "add[...] takes a modifier as a string or a type, got 5"),
    ("a token, nothing", lambda k, x: k.add[None], "takes a modifier as a string or a type, got None"),
    ("a number, too large", lambda k, x: k.ld.const[11], "ld.const[11]: ld has no modifier .const[11]; after ld PTX"),
    ("a number below 0", lambda k, x: k.ld.const[-1], "ld.const[-1]: ld has no modifier .const[-1]; after ld PTX"),
    ("a number where none is", lambda k, x: k.ld.global_[2], "takes a modifier as a string or a type, got 2"),
    ("a truth value", lambda k, x: k.ld.const[True], "takes a modifier as a string or a type, got True"),
    ("a token, empty", lambda k, x: k.add[""], "add has no modifier ."),
    ("a token that does not follow", lambda k, x: k.add.rn[u32], "add.rn cannot be followed by .u32"),
    ("a rule of the manual", lambda k, x: k.setp.lo.s32(x["s32"], 0), "legal would be setp.eq.s32"),
    ("a rule about types", lambda k, x: k.cvt.rn.f64.f32(x["f32"]), "legal would be cvt.f64.f32"),
]


@pytest.mark.parametrize(("call", "message"), [case[1:] for case in MODIFIERS], ids=[case[0] for case in MODIFIERS])
def test_modifiers(call: Any, message: str) -> None:
    k, x = prepared()
    with refused(IllegalInstruction, message, k=k):
        call(k, x)


def test_what_a_modifier_could_have_been() -> None:
    """need, have and choices are for tools (the lists by PTX ISA 9.7.1 and 9.7.3)."""
    k = builder("sm_90", "8.0")
    with refused(IllegalInstruction, k=k) as caught:
        k.mul.rn.u32  # noqa: B018  # pyright: ignore
    (found,) = caught.value.diagnostics
    assert (found.code, found.severity, found.instruction) == ("illegal-modifier", "error", "mul.rn.u32")
    assert (found.need, found.have) == ("a modifier that may follow mul.rn", ".u32")
    assert {".ftz", ".sat", ".f32", ".f64", ".f16", ".bf16x2"} <= set(found.choices)
    assert ".u32" not in found.choices
    with refused(IllegalInstruction, k=k) as caught:
        k.shf.l(k.reg.b32(), k.reg.b32(), 1)
    (found,) = caught.value.diagnostics
    assert (found.code, found.have, found.choices) == ("missing-modifier", "the end of the opcode", (".clamp", ".wrap"))
    with refused(IllegalInstruction, k=k) as caught:
        k.ad.f32  # noqa: B018  # pyright: ignore
    (found,) = caught.value.diagnostics
    assert (found.code, found.have) == ("unknown-instruction", "ad")
    assert "add" in found.choices


OPERANDS: list[tuple[str, Any, str]] = [
    ("type", lambda k, x: k.add.f32(x["u32"], 1.0), "add.f32 operand 2 (a) takes a .f32 value, got a .u32 register"),
    ("size", lambda k, x: k.add.u32(x["u64"], 1), "add.u32 operand 2 (a) takes a .u32 value, got a .u64 register"),
    ("destination's type", lambda k, x: k.add.f32(1.0, x["f32"], out=x["u64"]), "add.f32 operand 1 (d) takes a .f32"),
    ("predicate", lambda k, x: k.add.u32(x["pred"], 1), "got a .pred register"),
    ("double for single", lambda k, x: k.add.f32(x["f64"], 1.0), "got a .f64 register"),
    ("float for an integer", lambda k, x: k.add.u32(x["u32"], 1.5), "got a floating-point constant"),
    ("integral float for an integer", lambda k, x: k.add.u32(x["u32"], 1.0), "got a floating-point constant"),
    ("none", lambda k, x: k.add.f32(), "add.f32 takes 2 source operands, got 0: add{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    ("too few", lambda k, x: k.add.f32(x["f32"]), "add.f32 takes 2 source operands, got 1"),
    ("too many", lambda k, x: k.add.f32(x["f32"], 1.0, 2.0), "add.f32 takes 2 source operands, got 3"),
    ("five of three", lambda k, x: k.fma.rn.f32(1.0, 1.0, 1.0, 1.0, 1.0), "takes 3 source operands, got"),
    (
        "destination as operand",
        lambda k, x: k.st.global_.f32([x["u64"]]),
        "st.global.f32 takes 2 to 3 source operands, got 1",
    ),
    ("operands of none", lambda k, x: k.membar.gl(1), "membar.gl takes 0 source operands, got 1"),
    ("optional ones", lambda k, x: k.bar.sync(), "bar.sync takes 1 to 2 source operands, got 0"),
    (
        "not in brackets",
        lambda k, x: k.st.global_.f32(x["u64"], x["f32"]),
        "operand 1 (a) is an address: write [p], not p",
    ),
    ("a load not in brackets", lambda k, x: k.ld.global_.f32(x["u64"]), "is an address: write [p], not p"),
    ("in brackets", lambda k, x: k.add.u32([x["u32"]], 1), "got an address (a .u32 register)"),
    ("address of a wrong type", lambda k, x: k.ld.global_.f32([x["f32"]]), "got an address (a .f32 register)"),
    ("an empty address", lambda k, x: k.ld.global_.f32([]), "ld.global.f32 operand 2"),
    ("an address of two", lambda k, x: k.ld.global_.f32([x["u64"], x["u64"]]), "ld.global.f32 operand 2"),
    ("an address in an address", lambda k, x: k.ld.global_.f32([[x["u64"]]]), "ld.global.f32 operand 2"),
    ("nothing in an address", lambda k, x: k.ld.global_.f32([None]), "None is no operand"),
    ("a variable of another space", lambda k, x: k.ld.global_.f32([x["tile"]]), "got an address (a .shared variable)"),
    (
        "a vector too short",
        lambda k, x: k.st.global_.v4.f32([x["u64"]], (x["f32"],) * 3),
        "a vector of 4 .f32 registers",
    ),
    (
        "a vector too long",
        lambda k, x: k.st.global_.v2.f32([x["u64"]], (x["f32"],) * 3),
        "a vector of 2 .f32 registers",
    ),
    ("no vector", lambda k, x: k.st.global_.v2.f32([x["u64"]], x["f32"]), "a vector of 2 .f32 registers"),
    ("a vector for a scalar", lambda k, x: k.add.f32((x["f32"],), 1.0), "got a vector of 1"),
    ("an empty vector", lambda k, x: k.add.f32((), 1.0), "got an empty vector"),
    (
        "a vector of a wrong type",
        lambda k, x: k.st.global_.v2.f32([x["u64"]], (x["u64"],) * 2),
        "got a vector of 2 (a .u64",
    ),
    ("a list of results", lambda k, x: k.ld.global_.v2.f32([x["u64"]], out=[x["f32"]] * 2), "got an address"),
    ("too many results", lambda k, x: k.ld.global_.v2.f32([x["u64"]], out=(x["f32"],) * 3), "operand 1 (d)"),
    ("results of none", lambda k, x: k.bar.sync(0, out=x["u32"]), "bar.sync has no result, so it takes no out="),
    ("a constant as result", lambda k, x: k.add.u32(1, 2, out=5), "add.u32 operand 1 (d)"),
    ("a text as result", lambda k, x: k.add.u32(1, 2, out="x"), "str 'x' is no operand"),
    ("a sink as result", lambda k, x: k.add.u32(1, 2, out=sink), "got the sink _"),
    ("a special register as result", lambda k, x: k.mov.u32(1, out=sreg.tid.x), "got the special register %tid"),
    (
        "a pair of one",
        lambda k, x: k.elect.sync(-1, out=x["u32"]),
        "elect.sync has two results: out= takes a tuple of two",
    ),
    ("a pair of three", lambda k, x: k.elect.sync(-1, out=(None,) * 3), "out= takes a tuple of two"),
    ("text", lambda k, x: k.add.f32(x["f32"], "1.0"), "str '1.0' is no operand; an operand is a register, a constant"),
    ("bytes", lambda k, x: k.add.f32(x["f32"], b"1"), "bytes b'1' is no operand"),
    ("a type", lambda k, x: k.add.f32(x["f32"], float), "the class float is no operand"),
    ("nothing", lambda k, x: k.add.f32(x["f32"], None), "None is no operand"),
    ("a dictionary", lambda k, x: k.add.f32(x["f32"], {}), "dict {} is no operand"),
    ("a set", lambda k, x: k.add.f32(x["f32"], {1}), "set {1} is no operand"),
    ("a complex number", lambda k, x: k.add.f32(x["f32"], 1j), "complex 1j is no operand"),
    ("an array", lambda k, x: k.add.f32(x["f32"], np.zeros(4)), "is no operand"),
    ("an instruction that is not called", lambda k, x: k.add.f32(x["f32"], k.mul.f32), "is no operand"),
    ("an object", lambda k, x: k.add.f32(x["f32"], object()), "is no operand"),
    ("a label", lambda k, x: k.add.u32(x["u32"], x["label"]), "got a name"),
    (
        "a selector where none is",
        lambda k, x: k.add.u32(x["u32"]["b0"], 1),
        "got a .u32 register with the selector .b0",
    ),
    (
        "an unknown selector",
        lambda k, x: k.vadd.u32.u32.u32(x["u32"]["b9"], 1),
        "selectors are .b0 .b1 .b2 .b3 .h0 .h1",
    ),
    (
        "a complement where none is",
        lambda k, x: k.setp.lt.f32(x["f32"], 1.0, out=~x["pred"]),
        "got a .pred register with !",
    ),
    ("a negation where none is", lambda k, x: k.add.s32(-x["s32"], 1), "got a .s32 register with -"),
    ("a branch to a name", lambda k, x: k.bra("here"), "str 'here' is no operand"),
    ("a branch to a register", lambda k, x: k.bra(x["u64"]), "got a .u64 register"),
    ("a special register in arithmetic", lambda k, x: k.add.u32(sreg.tid.x, 1), "got the special register %tid"),
    ("a whole special register", lambda k, x: k.mov.u32(sreg.tid), "got the special register %tid"),
    ("two of its four fields", lambda k, x: k.mov.v2.u32(sreg.tid), "takes a vector of 2 .u32 registers or a special"),
    ("its fields as floats", lambda k, x: k.mov.v4.f32(sreg.tid), "got the special register %tid"),
    ("special registers of two sizes", lambda k, x: k.mov.b64((sreg.tid.x, sreg.clock64)), "got a vector of 2"),
    ("one in a vector that is stored", lambda k, x: k.st.global_.v2.u32([x["u64"]], (sreg.tid.x, 1)), "got a vector"),
    ("one in a vector of results", lambda k, x: k.mov.b64(x["u64"], out=(sreg.tid.x, None)), "got a vector of 2"),
    ("an address plus too much", lambda k, x: k.ld.global_.f32([x["u64"] + 2**31]), "has 32 bits with its sign"),
    ("an address minus too much", lambda k, x: k.ld.global_.f32([x["u64"] - 2**31 - 1]), "has 32 bits with its sign"),
    # values
    (
        "constant above its range",
        lambda k, x: k.bar.sync(16),
        "bar.sync operand 1 (a) takes an integer constant from 0 to 15, got 16",
    ),
    ("constant below its range", lambda k, x: k.bar.sync(-1), "from 0 to 15, got -1"),
    ("a second constant", lambda k, x: k.bar.sync(0, 33), "got 33"),  # a multiple of the warp size
    (
        "an integer of 33 bits",
        lambda k, x: k.add.u32(x["u32"], 2**32),
        "add.u32 operand b takes -2147483648 to 4294967295, got 0x1",
    ),
    ("a negative one of 33 bits", lambda k, x: k.add.s32(x["s32"], -(2**31) - 1), "takes -2147483648 to 4294967295"),
    (
        "an integer of 65 bits",
        lambda k, x: k.add.u64(x["u64"], 2**64),
        "takes -9223372036854775808 to 18446744073709551615",
    ),
    ("an integer of 17 bits", lambda k, x: k.add.u16(k.reg.u16(), 65536), "takes -32768 to 65535, got 0x10000"),
    ("a large single", lambda k, x: k.add.f32(x["f32"], 1e39), "1e+39 is beyond the largest .f32"),
    ("a large decimal", lambda k, x: k.add.f32(x["f32"], Decimal("1e39")), "is beyond the largest .f32"),
    ("a string as unified address", lambda k, x: k.ld.f32(unified(["x"])), "str 'x' is no operand"),
    ("an integer beyond floats", lambda k, x: k.add.f32(x["f32"], 10**400), "is no operand"),
]


@pytest.mark.parametrize(("call", "message"), [case[1:] for case in OPERANDS], ids=[case[0] for case in OPERANDS])
def test_operands(call: Any, message: str) -> None:
    k, x = prepared()
    with refused(OperandError, message, k=k):
        call(k, x)
    assert k.add.f32(x["f32"], 1.0).text == "%f1"  # no register was used up


def test_the_ends_of_a_range() -> None:
    k, x = prepared()
    for call in (
        lambda: k.bar.sync(15),
        lambda: k.bar.sync(0, 1024),
        lambda: k.add.u32(x["u32"], 2**32 - 1),
        lambda: k.add.u32(x["u32"], -(2**31)),
        lambda: k.add.u64(x["u64"], 2**64 - 1),
        lambda: k.ld.global_.f32([x["u64"] + (2**31 - 1)]),
        lambda: k.ld.global_.f32([x["u64"] - 2**31]),
        lambda: k.add.f32(x["f32"], 3.4028234663852886e38),
        lambda: k.add.f32(x["f32"], Decimal("0.5")),
    ):
        call()
    assert len(list(k.function.instructions())) == 9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda k: k.add.f32(1.0, 2.0, foo=1), "add.f32 got an unexpected keyword argument 'foo'"),
        (lambda k: k.add.f32(a=1.0, b=2.0), "add.f32 got"),
        (lambda k: k.bar.sync(0, guard=1), "bar.sync got an unexpected keyword argument 'guard'"),
        (lambda k: k.ld.global_.v2.f32([k.reg.u64()], output=1), "ld.global.v2.f32 got an unexpected keyword"),
        (lambda k: k.ret(1, 2, 3, x=5), "ret got an unexpected keyword"),
    ],
)
def test_keywords(call: Any, message: str) -> None:
    """Python's own TypeError about an opcode becomes an OperandError at its line, when it leaves the kernel."""
    module = Module("sm_90")

    def kernel(k: Any) -> None:
        call(k)

    with pytest.raises(OperandError) as caught:
        module.entry(kernel)
    assert message in str(caught.value)
    assert "operands are positional, then come out= and pred=" in str(caught.value)
    (found,) = caught.value.diagnostics
    assert (found.file, found.line) == (__file__, call.__code__.co_firstlineno)
    assert module.functions == []


def test_other_type_errors_stay() -> None:
    module = Module("sm_90")

    def kernel(k: Any) -> None:
        len(5)  # pyright: ignore

    with pytest.raises(TypeError, match="has no len"):
        module.entry(kernel)


def test_the_cause_of_another_type_error_stays() -> None:
    module = Module("sm_90")
    cause = ValueError("why")

    def kernel(k: Any) -> None:
        raise TypeError("mine") from cause

    with pytest.raises(TypeError, match="mine") as caught:
        module.entry(kernel)
    assert caught.value.__cause__ is cause


def test_refused_operands_give_their_registers_back() -> None:
    k = builder("sm_90", "8.0")
    with refused(OperandError, "'x' is no operand", k=k):
        k.elect.sync("x")  # pyright: ignore
    assert [item.text for item in k.elect.sync(-1)] == ["%r0", "%p0"]


def test_what_would_be_legal_is_not_kept() -> None:
    """The candidates for a hint are many, and looked at once."""
    k, x = prepared()
    before = verdict.cache_info().currsize
    with refused(IllegalInstruction, "legal would be setp.eq.s32", k=k):
        k.setp.lo.s32(x["s32"], 0)
    assert verdict.cache_info().currsize <= before + 1


def test_guards() -> None:
    k, x = prepared()
    for call in (
        lambda: k.ld.global_.f32([x["u64"]], pred=x["pred"]),
        lambda: k.add.f32(x["f32"], 1.0, pred=~x["pred"]),
        lambda: k.elect.sync(-1, pred=x["pred"]),
    ):
        with refused(OperandError, "is guarded, so it must name out=; under a false guard a fresh register stays", k=k):
            call()
    for guard, have in (
        (x["u32"], "a .u32 register"),
        (1, "an integer constant"),
        (True, "an integer constant"),
        ("p", "str 'p'"),
        ([x["pred"]], "an address (a .pred register)"),
        ((x["pred"],), "a vector of 1"),
        (object, "the class object"),
        (-x["s32"], "a .s32 register with -"),
    ):
        message = f"takes a predicate register or its complement ~p, got {have}"
        with refused(OperandError, message, k=k) as caught:
            k.bar.sync(0, pred=guard)
        assert caught.value.diagnostics[0].need == "a predicate"
        with refused(OperandError, message, k=k):
            k.add.f32(x["f32"], 1.0, out=x["f32"], pred=guard)


def test_operands_of_other_functions() -> None:
    module = Module("sm_90")
    k, other = building(module, "mine"), building(module, "other")
    f, g, p = k.reg.f32(), other.reg.f32(), other.reg.pred()
    tile = other.shared.f32("tile", 4)
    rd = k.reg.u64()
    for call in (
        lambda: k.add.f32(f, g),
        lambda: k.add.f32(g, 1.0),
        lambda: k.add.f32(f, 1.0, out=g),
        lambda: k.st.shared.f32([tile], f),
        lambda: k.st.shared.f32([tile + 4], f),
        lambda: k.st.global_.v2.f32([rd], (f, g)),
        lambda: k.ld.global_.v2.f32([rd], out=(g, f)),
        lambda: k.setp.lt.f32(f, 1.0, out=(p, None)),
        lambda: k.setp.lt.f32(f, 1.0, out=(p, k.reg.pred())),
        lambda: k.setp.lt.f32(f, 1.0, out=(k.reg.pred(), p)),
        lambda: k.bar.red.popc.u32(0, ~p),
        lambda: k.bar.sync(0, pred=p),
        lambda: k.bar.sync(0, pred=~p),
        lambda: k.vadd.u32.u32.u32(other.reg.u32()["b0"], 1),
    ):
        with refused(OperandError, "belongs to other, not to mine", k=k) as caught:
            call()
        assert caught.value.diagnostics[0].code == "foreign-operand"
    k.add.f32(f, 1.0)
    with refused(OperandError, "belongs to other, not to mine", k=k):  # although one with this class was seen before
        k.add.f32(g, 1.0)


def test_variables_of_other_modules() -> None:
    k = building(Module("sm_90"), "mine")
    stranger = Module("sm_90").global_.f32("table", 4)
    for call in (
        lambda: k.ld.global_.f32([stranger]),
        lambda: k.ld.global_.f32([stranger + 4]),
        lambda: k.mov.u64(stranger),
    ):
        with refused(OperandError, "belongs to another module, not to mine", k=k):
            call()


def test_beyond_the_manual() -> None:
    """The manual has no call with a result and without a list of arguments (9.7.12.5); ptxas takes it."""
    module = Module("sm_90")
    get = module.declare("get", returns=Reg[u32])
    k = building(module)
    with refused(
        IllegalInstruction, "the manual wants", "Module(strict=False) lets it pass", k=k
    ) as caught:
        k.call((k.reg.u32(),), get)
    assert caught.value.diagnostics[0].code == "beyond-manual"
    module = Module("sm_90", strict=False)
    get = module.declare("get", returns=Reg[u32])
    k = building(module)
    k.call((k.reg.u32(),), get)
    assert len(k.function.body) == 1


def test_a_register_plus_a_constant_is_an_address() -> None:
    """ptxas takes it for any source, and leaves the constant out of account; not in a vector, and not as a result."""
    k = builder()
    a, b = k.reg.u32(), k.reg.u32()
    with refused(IllegalInstruction, "a register plus a constant is an address and stands in brackets", k=k):
        k.add.u32(a, b + 4)
    with refused(OperandError, "a .u32 register plus a constant", k=k):
        k.mov.b64((a + 4, b))
    with refused(OperandError, "a .u32 register plus a constant", k=k):
        k.add.u32(a, b, out=a + 4)  # pyright: ignore[reportArgumentType, reportCallIssue]
    loose = builder(strict=False)
    loose.add.u32(loose.reg.u32(), loose.reg.u32() + 4)
    assert len(loose.function.body) == 1


def test_what_was_removed_names_what_stands_in_its_place() -> None:
    """For the same operands if there is such a thing; a version that the target cannot have is no advice."""
    k = builder()
    with refused(Unavailable, "was removed for sm_90 after PTX 1.3", "use div.approx.f32", k=k) as caught:
        k["div.f32"](k.reg.f32(), k.reg.f32())
    assert "set .version" not in str(caught.value)
    assert "div.rn.f32" in caught.value.diagnostics[0].choices
    with refused(Unavailable, "use shfl.sync.bfly.b32, which takes other operands", k=k):
        k["shfl.bfly.b32"](k.reg.b32(), 1, 31)


def test_opcodes_beyond_the_manual() -> None:
    """rcp.ftz.f64 with a rounding: ptxas takes it, the manual has .ftz for .f32 and .approx only (9.7.3.13)."""
    k = builder()
    with refused(IllegalInstruction, "the manual has no 'rcp.rnd.ftz.f64 d, a'", k=k) as caught:
        k["rcp.rn.ftz.f64"](k.reg.f64())
    assert caught.value.diagnostics[0].code == "beyond-manual"
    assert not hasattr(k.rcp.rn.ftz, "f64")
    k = builder(strict=False)
    assert k["rcp.ftz.rn.f64"](k.reg.f64()).text == "%fd1"
    assert [i.opcode for i in k.function.instructions()] == ["rcp.rn.ftz.f64"]


def test_target_and_version() -> None:
    k = builder("sm_80", "7.0")
    with refused(Unavailable, "elect.sync needs sm_90 with PTX 8.0; the module has sm_80 and PTX 7.0", k=k) as caught:
        k.elect.sync(-1)
    assert caught.value.diagnostics[0].code == "unavailable"
