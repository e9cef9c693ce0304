"""Equality of modules: what makes a difference is said with its place, and what does not is passed over."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen import Builder, Param, u32, u64
from ptxgen.ir.equal import difference

TEXT = """.version 8.3
.target sm_90
.address_size 64
// a remark
.global .align 4 .u32 table[2] = {1, 0x10};
.entry k (.param .u64 p) .maxntid 32
{
\t.reg .pred %q;
\t.reg .b32 %r<3>;
\t.reg .b64 %rd<2>;
\tld.param.u64 %rd1, [p+0];
\tsetp.eq.u32 %q, %r1, 0; // compared
\t@%q add.u32 %r1, %r2, 1;
$done:
\tret;
}
"""


def test_the_same_text_is_equal() -> None:
    assert difference(ptxgen.parse(TEXT), ptxgen.parse(TEXT)) == ""


def test_layout_and_places_make_no_difference() -> None:
    assert difference(ptxgen.parse(TEXT), ptxgen.parse(TEXT.replace("\t", "\n   "), "other.ptx")) == ""


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("8.3", "8.4", "the header"),
        ("sm_90", "sm_90, debug", "the header"),
        (".address_size 64", "", "the header"),
        ("// a remark", "// another", "declaration 1"),
        (".align 4 ", "", "declaration 2"),
        ("0x10", "17", "declaration 2"),
        ("[2] = {1,", "[2] = {2,", "declaration 2"),
        (".global .align", ".visible .global .align", "declaration 2"),
        (".param .u64 p", ".param .b64 p", "declaration 3"),
        (".maxntid 32", ".maxntid 32, 1", "declaration 3"),
        (".maxntid 32", "", "declaration 3"),
        (".entry", ".visible .entry", "declaration 3"),
        ("%r<3>", "%r<4>", "k, statement 2"),
        ("[p+0]", "[p]", "k, statement 4"),
        ("setp.eq", "setp.ne", "k, statement 5"),
        ("; // compared", ";", "k, statement 6"),
        ("; // compared", ";\n// compared", "k, statement 6"),
        ("@%q add", "@!%q add", "k, statement 7"),
        ("@%q add", "add", "k, statement 7"),
        ("%r2, 1;", "%r2, 0x1;", "k, statement 7"),
        ("$done:", "$end:", "k, statement 8"),
        ("\tret;\n", "", "k, statement 9"),
        ("\tret;\n", "\tret;\n\tret;\n", "k, statement 10"),
        ("}\n", "}\n.global .u32 x;\n", "declaration 4"),
    ],
)
def test_a_difference(old: str, new: str, place: str) -> None:
    one, other = ptxgen.parse(TEXT), ptxgen.parse(TEXT.replace(old, new))
    assert difference(one, other).startswith(f"{place}: ")
    assert difference(other, one).startswith(f"{place}: ")


def test_both_sides_are_shown() -> None:
    found = difference(ptxgen.parse(TEXT), ptxgen.parse(TEXT.replace("add.u32", "sub.u32")))
    assert "add.u32 %r1 a .b32 register" in found
    assert "sub.u32 %r1 a .b32 register" in found


def test_what_is_missing_is_shown_as_nothing() -> None:
    shorter = ptxgen.parse(TEXT.replace("\tret;\n", ""))
    assert difference(ptxgen.parse(TEXT), shorter) == "k, statement 9: ret against nothing"


def test_registers_of_another_type_are_others() -> None:
    found = difference(ptxgen.parse(TEXT), ptxgen.parse(TEXT.replace(".reg .b32", ".reg .u32")))
    assert found.startswith("k, statement 2: ")


def test_a_built_module_equals_its_text() -> None:
    module = ptxgen.Module("sm_90", "8.3")

    @module.entry
    def kernel(k: Builder, n: Param[u32], x: Param[u64]) -> None:
        value = k.ld.param.u32([n])
        k.add.u32(value, 0x10)
        k.comment("done")
        k.ret()

    assert difference(module, ptxgen.parse(module.ptx())) == ""


def test_deep_and_long_initial_values() -> None:
    deep = f".version 8.3\n.target sm_90\n.global .u32 x{'[1]' * 50} = {'{' * 50}1{'}' * 50};\n"
    long = f".version 8.3\n.target sm_90\n.global .u32 x[] = {{{', '.join(map(str, range(20_000)))}}};\n"
    for text in (deep, long):
        module = ptxgen.parse(text)
        assert difference(module, ptxgen.parse(text)) == ""
        assert difference(module, ptxgen.parse(text.replace("1}", "2}").replace("19999}", "0}"))) != ""


def test_a_variable_that_holds_its_own_address() -> None:
    text = ".version 8.3\n.target sm_90\n.global .u64 x[3] = {x, x+8, generic(x)};\n"
    module = ptxgen.parse(text)
    assert difference(module, ptxgen.parse(text)) == ""
    assert difference(module, ptxgen.parse(text.replace("x+8", "x+4"))).startswith("declaration 1: ")
