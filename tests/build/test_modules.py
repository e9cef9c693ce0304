"""Modules: their headers, and what is asked of them that they do not have."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen import Builder, Module, OperandError, Unavailable
from tests.build.kernels import builder, refused


def text(module: Module) -> str:
    """A module without its header."""
    return module.ptx().split(".address_size 64\n\n")[1]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("sm_91",), {}, OperandError, "no target is called 'sm_91'"),
        (("sm_90b",), {}, OperandError, "no target is called"),
        (("compute_90",), {}, OperandError, "no target is called"),
        ((90,), {}, OperandError, "target=90 is no string"),
        (("sm_90", "8"), {}, OperandError, "'8' is no PTX ISA version; one looks like 8.3"),
        (("sm_90", "8.9"), {}, OperandError, "there is no PTX ISA version 8.9"),
        (("sm_90", "99.0"), {}, OperandError, "there is no PTX ISA version 99.0"),
        (("sm_90", 8.3), {}, OperandError, "version=8.3 is no string"),
        (("sm_90", "7.7"), {}, Unavailable, "sm_90 needs PTX 7.8; the module has PTX 7.7; set .version 7.8"),
        (("sm_90a", "7.8"), {}, Unavailable, "sm_90a needs PTX 8.0"),
        (("sm_90",), {"options": ("debugging",)}, OperandError, "no .target option is called 'debugging'"),
        (("sm_90",), {"options": "debug"}, OperandError, "is no tuple of strings"),
        (("sm_90",), {"options": ("texmode_unified", "texmode_independent")}, OperandError, "exclude each other"),
        (("sm_90",), {"options": ("map_f64_to_f32",)}, OperandError, "map_f64_to_f32 is for sm_10, sm_11, sm_12 only"),
        (("sm_20", "2.0"), {}, Unavailable, ".address_size needs PTX 2.3; the module has sm_20 and PTX 2.0"),
        (("sm_90",), {"address_size": 16}, OperandError, "an address has 32 or 64 bits"),
        (("sm_90",), {"address_size": None}, OperandError, "an address has 32 or 64 bits"),
    ],
)  # fmt: skip
def test_modules_refused(arguments: Any, options: dict[str, Any], error: Any, message: str) -> None:
    with refused(error, message):
        Module(*arguments, **options)


def test_unknown_attributes_of_a_module() -> None:
    module = Module("sm_90")
    with refused(OperandError, "a module has no kernel; it has", "entry", module=module) as caught:
        module.kernel  # noqa: B018  # pyright: ignore
    assert isinstance(caught.value, AttributeError)
    assert not hasattr(module, "local")


def test_a_finished_function_takes_no_more() -> None:
    module = Module("sm_90")
    kept: list[Builder] = []
    module.entry(lambda k: kept.append(k) or k.ret(), name="f")
    before = module.ptx()
    k = kept[0]
    for late in (
        lambda: k.bar.sync(0),
        lambda: k.reg.u32(name="late"),
        lambda: k.shared.u32("late"),
        lambda: k.label("late"),
    ):
        with refused(OperandError, "f is complete; nothing can be added to it", module=module):
            late()
    assert module.ptx() == before


def test_a_kept_instruction_takes_no_more() -> None:
    """Although it has seen the same classes before, and would append without asking."""
    module = Module("sm_90")
    kept: list[Any] = []

    @module.entry
    def f(k: Builder) -> None:
        add, mul, neg, fma = k.add.f32, k.mul.f32, k.neg.f32, k.fma.rn.f32
        x, address = k.reg.f32(), k.reg.u64()
        load, store = k.ld.global_.f32, k.st.global_.f32
        kept.extend((
            lambda: add(x, x), lambda: mul(x, 1.0), lambda: neg(x), lambda: fma(x, x, x),
            lambda: load([address]), lambda: store([address], x),
            lambda: k.raw("\tret;"), lambda: k.comment("late"), lambda: k.pragma("nounroll"),
        ))  # fmt: skip
        for call in kept:
            call()
            call()

    before = module.ptx()
    for late in kept:
        with refused(OperandError, "f is complete; nothing can be added to it", module=module):
            late()
    assert module.ptx() == before


def test_raw_text_shows() -> None:
    module = Module("sm_90")
    module.entry(lambda k: k.ret(), name="f")
    assert not module.raw
    module.entry(lambda k: k.raw("\tadd.u32 x;"), name="g")
    assert module.raw
    with refused(OperandError, "a string is needed, got"):
        builder().raw(5)  # pyright: ignore
