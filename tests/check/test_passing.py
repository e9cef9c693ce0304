"""What may be passed for which parameter: the table of ptxgen/check/calls.py, each pair put to ptxas as well."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from ptxgen.check import calls
from ptxgen.check.instruction import verdict
from ptxgen.ir import operands as ir
from ptxgen.isa import types
from tools.certify.ptxas import Verdict, module_verdicts
from tools.certify.releases import RELEASES, ReleaseUnavailable

REGISTERS = (
    "pred", "b8", "u8", "b16", "u16", "f16", "b32", "u32", "s32", "f32", "f16x2", "b64", "u64", "f64", "b128",
)  # fmt: skip
MEMORY = (
    ".b8", ".s16", ".f16", ".b32", ".u32", ".f32", ".b64", ".s64", ".f64", ".b128",
    ".align 2 .u8", ".align 4 .f32", ".align 8 .f32", ".align 16 .b64",
    ".b8[4]", ".b8[8]", ".u8[8]", ".align 2 .b8[8]", ".align 4 .b8[8]", ".align 8 .b8[8]", ".align 8 .u8[8]",
    ".align 16 .b8[8]", ".b16[4]", ".b32[2]", ".align 8 .b32[2]", ".f32[2]", ".align 8 .f32[2]", ".b64[1]", ".f64[1]",
    ".b32[1]", ".align 16 .b8[16]", ".b128[1]",
)  # fmt: skip
UNSIZED = [".b8[]", ".align 8 .b8[]", ".f32[]"]
PASSED = [*(f".reg .{type}" for type in REGISTERS), *(f".param {text}" for text in MEMORY)]
CONSTANTS: dict[str, ir.Operand] = {
    "1": ir.Integer("1", 1), "-1": ir.Integer("-1", -1), "0f3F800000": ir.float32(1.0),
    "0d3FF0000000000000": ir.float64(1.0), "1.5": ir.Float("1.5", 0x3FF8000000000000, 64, ir.float64(1.5).cls),
    "_": ir.sink,
}  # fmt: skip
_DECLARATION = re.compile(r"\.(reg|param)(?: \.align (\d+))? \.(\w+)(?:\[(\d*)\])?")


def item(text: str, name: str) -> ir.Reg[Any] | ir.Variable[Any]:
    """A register or parameter as declared."""
    found = _DECLARATION.fullmatch(text)
    assert found
    where, align, type, count = found.groups()
    if where == "reg":
        return ir.register(name, type)
    shape = () if count is None else (int(count) if count else None,)
    cls = ir.variable_class(type, ".param::func")
    return ir.Variable(name, cls, type, ".param", shape, int(align) if align else None)


def declared(text: str, name: str) -> str:
    """The declaration of a name."""
    head, bracket, rest = text.partition("[")
    return f"{head} {name}{bracket}{rest}"


def fits(what: str, given: tuple[ir.Operand, ...], wanted: str) -> bool:
    """Whether the tables admit a call."""
    function = ir.name("f", "func")
    operands = (function, ir.arguments(given)) if what == "argument" else (ir.arguments(given), function)
    said = verdict("call", tuple(operand.cls for operand in operands), frozenset())
    parameters = (item(wanted, "q"),)
    signature = ((), parameters) if what == "argument" else (parameters, ())
    return any(not calls.mismatch(match, operands, signature) for match in said.legal)


def module(what: str, declaration: str, given: str, wanted: str, number: int) -> str:
    """The same call, for ptxas; functions of modules in one run are linked, so each has another name."""
    f = f"f{number}"
    parameter = declared(wanted, "q")
    if what == "argument":
        head, call = f"{f} ({parameter})", f"{f}, ({given})"
    else:
        head, call = f"({parameter}) {f}", f"({given}), {f}"
    function = f".func {head} {{ ret; }}" if wanted.startswith(".reg") else f".extern .func {head};"
    entry = f".entry k () {{ {declaration} call {call}; ret; }}"
    return f".version 9.0 .target sm_90a .address_size 64\n{function}\n{entry}\n"


def cases() -> list[tuple[str, str, bool]]:
    """A description of every call, its module, and whether it is legal."""
    found: list[tuple[str, str, bool]] = []
    for what, wanted in itertools.product(("argument", "result"), [*PASSED, *(f".param {t}" for t in UNSIZED)]):
        if what == "result" and wanted.endswith("[]"):
            continue
        given: list[tuple[str, str, tuple[ir.Operand, ...]]] = [
            (f"{declared(text, 'a')};", "a", (item(text, "a"),)) for text in PASSED
        ]
        # Constants stand for results in ptxas, where they mean nothing; the specification of `call` refuses them.
        given += [("", text, (value,)) for text, value in CONSTANTS.items() if what == "argument" or text == "_"]
        given.append(("", "", ()))
        found += [
            (f"{what} {wanted}: {d or text}", module(what, d, text, wanted, len(found) + n), fits(what, values, wanted))
            for n, (d, text, values) in enumerate(given)
        ]
    return found


@pytest.mark.ptxas
def test_as_ptxas_has_it() -> None:
    newest = RELEASES[-1]
    try:
        newest.path()
    except ReleaseUnavailable as why:
        pytest.skip(f"ptxas {newest.name} cannot be fetched: {why}")
    tried = cases()
    said = module_verdicts([text for _, text, _ in tried], newest, "compute_90a")
    wrong = [name for (name, _, legal), v in zip(tried, said, strict=True) if legal != (v is Verdict.ACCEPTED)]
    assert not wrong, "\n".join(wrong)
    assert sum(legal for _, _, legal in tried) > 100


@pytest.mark.parametrize(
    ("wanted", "given", "legal"),
    [
        (".param .align 8 .b8[8]", ".param .align 1 .b8[8]", False),
        (".param .align 8 .b8[8]", ".param .b64", False),
        (".param .align 8 .b8[8]", ".param .f64[1]", True),
        (".param .b8[8]", ".param .align 1 .s8[8]", True),
        (".param .u32", ".reg .f32", False),
        (".reg .f32", ".param .b32", True),
        (".param .align 8 .f32", ".reg .f32", False),
        (".reg .pred", ".reg .f16x2", True),
        (".reg .pred", ".reg .b32", False),
        (".param .align 8 .b8[]", ".param .b64[4]", True),
    ],
)
def test_what_fits(wanted: str, given: str, legal: bool) -> None:
    assert fits("argument", (item(given, "a"),), wanted) is legal


def test_an_array_of_unknown_size_may_be_left_out() -> None:
    assert fits("argument", (), ".param .b8[]")
    assert not fits("argument", (), ".param .b8[8]")


def test_the_sizes_of_types_are_whole_bytes() -> None:
    assert all(types.known(type).bits % 8 == 0 for type in REGISTERS if type != "pred")
