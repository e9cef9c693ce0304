"""Registers: fresh, named, in tuples; and operators that they do not have."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from ptxgen import Module, OperandError, sreg, u32
from ptxgen.build.registers import MOST, PREFIXES
from tests.build.kernels import builder, refused


def registers(body: Any) -> list[str]:
    """The declarations of registers that a body makes."""
    module = Module("sm_90", "8.3")
    module.entry(lambda k: body(k) and None, name="kernel")
    return [line.strip() for line in module.ptx().splitlines() if line.startswith("\t.reg ")]


def test_names_and_numbers() -> None:
    k = builder("sm_90", "8.3")
    assert [k.reg.f32().text, k.reg.f32().text, k.reg.u64().text, k.reg.pred().text] == ["%f0", "%f1", "%rd0", "%p0"]
    assert [r.text for r in k.reg.f32(3)] == ["%f2", "%f3", "%f4"]
    assert k.reg.f32(0) == ()
    named = k.reg.s32(name="%total")
    assert (named.text, named.type) == ("%total", "s32")
    assert repr(named) == "<s32 register %total>"


def test_declarations_are_counted_and_in_one_order() -> None:
    def body(k: Any) -> None:
        k.reg.u32(name="last")
        k.reg.f32(2)
        k.reg.u32(3)
        k.reg.pred()
        k.reg.u32(name="%a")

    assert registers(body) == [
        ".reg .pred %p<1>;",
        ".reg .u32 %r<3>;",
        ".reg .u32 last;",
        ".reg .u32 %a;",
        ".reg .f32 %f<2>;",
    ]


def test_every_type_has_its_prefix() -> None:
    for type, prefix in PREFIXES.items():
        assert registers(lambda k, type=type: getattr(k.reg, type)(2)) == [f".reg .{type} {prefix}<2>;"]
    assert len(set(PREFIXES.values())) == len(PREFIXES)


def test_many_registers() -> None:
    """More than are kept ready."""
    k = builder()
    last = k.reg.u32(70000)[-1]
    assert last.text == "%r69999"
    assert k.add.u32(last, 1).text == "%r70000"


@pytest.mark.parametrize("type", ["u33", "bf16", "texref", "v4", "tf32", "b1024", "U32"])
def test_types_refused(type: str) -> None:
    k = builder()
    with refused(OperandError, f"there are no registers of type .{type}; there are pred", k=k) as caught:
        getattr(k.reg, type)
    assert isinstance(caught.value, AttributeError)
    assert caught.value.diagnostics[0].choices == tuple(PREFIXES)


@pytest.mark.parametrize("type", ["u33", None, u32, ["u32"]])
def test_types_by_name_refused(type: Any) -> None:
    k = builder()
    for make in (lambda: k.register(type), lambda: k.named_register(type, "n")):
        with refused(OperandError, f"there are no registers of type .{type}; there are pred", k=k):
            make()


@pytest.mark.parametrize(
    ("count", "have"),
    [
        (-1, "-1"),
        (2.0, "2.0"),
        ("2", "'2'"),
        ((2,), "(2,)"),
        (True, "True"),
        (MOST + 1, "1048577"),
        (10**400, "a number of 1329 bits"),
        (-(10**5000), "a number of 16610 bits"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,  # Python writes 4300 digits at most
)
def test_counts_refused(count: Any, have: str) -> None:
    k = builder()
    with refused(OperandError, f"k.reg.f32({have}): the count of registers is a number from 0 to 1048576", k=k):
        k.reg.f32(count)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("%r7", "%r7 is a name that fresh registers get"),
        ("%tid", "%tid is predefined"),
        ("a b", "is no PTX identifier"),
        ("%", "is no PTX identifier"),
        (7, "7 is no name"),
        ("WARP_SZ", "WARP_SZ is predefined"),
    ],
)
def test_names_refused(name: Any, message: str) -> None:
    k = builder()
    with refused(OperandError, message, k=k):
        k.reg.u32(name=name)


# ---- operators


@pytest.mark.parametrize(
    "sign",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.floordiv,
        operator.mod,
        operator.and_,
        operator.or_,
        operator.xor,
        operator.lshift,
        operator.rshift,
        operator.lt,
        operator.ge,
        operator.pow,
    ],
)
def test_registers_have_no_operators(sign: Any) -> None:
    k = builder()
    a, b = k.reg.s32(2)
    with refused(OperandError, k=k) as caught:
        sign(a, b)
    assert isinstance(caught.value, TypeError)
    assert "k." in str(caught.value) or "constant" in str(caught.value)


@pytest.mark.parametrize("value", [1.5, "4", None, (4,)])
def test_offsets_are_integers(value: Any) -> None:
    k = builder()
    variable = k.shared.f32("tile", 4)
    for base in (k.reg.u64(), k.reg.u64() + 4, variable, variable + 4):
        for sign in (operator.add, operator.sub):
            with refused(OperandError, "constant", k=k):
                sign(base, value)


def test_a_register_has_no_truth_and_no_elements() -> None:
    k = builder()
    p, a = k.reg.pred(), k.reg.u32()
    with refused(OperandError, "what %p0 holds is known when the kernel runs; use k.if_(%p0) or pred=", k=k):
        if p:
            pass
    with refused(OperandError, "known when the kernel runs", k=k):
        assert not ~p
    for iterate in (tuple, list, lambda r: [*r], lambda r: 1 in r):
        with refused(OperandError, 'is one register; a call with an optional second result', k=k):
            iterate(a)
    with refused(OperandError, "is one register", k=k):
        _, _ = a  # pyright: ignore


def test_complements_are_of_predicates() -> None:
    k = builder()
    p, a = k.reg.pred(), k.reg.u32()
    assert (~p).text == "!%p0"
    assert ~~p is p
    with refused(OperandError, "~ is for predicates; %r0 is a .u32 register", k=k):
        ~a  # noqa: B018
    with refused(OperandError, "~ is for predicates, not for -%r0", k=k):
        ~-a  # noqa: B018


def test_special_registers() -> None:
    assert (sreg.tid.x.text, sreg.laneid.text, sreg.tid.text, sreg.envreg7.text) == (
        "%tid.x",
        "%laneid",
        "%tid",
        "%envreg7",
    )
    assert sreg.clock64 is sreg.clock64
    assert "cluster_ctarank" in dir(sreg)
    with refused(OperandError, "there is no special register %tidd; did you mean %tid or") as caught:
        sreg.tidd  # noqa: B018  # pyright: ignore
    assert isinstance(caught.value, AttributeError)
    for missing, text in ((lambda: sreg.tid.v, "%tid.v"), (lambda: sreg.laneid.x, "%laneid.x")):  # pyright: ignore
        with refused(OperandError, f"there is no special register {text}"):
            missing()
    assert not hasattr(sreg, "nothing")
