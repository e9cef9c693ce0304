"""Directives that stand alone, in text: what they need, aliases, pragmas, targets in bodies, positions."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen import Diagnostic

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"


def errors(text: str, **question: str) -> list[Diagnostic]:
    return [found for found in ptxgen.check(text, **question).diagnostics if found.severity == "error"]


def module(version: str, target: str, text: str) -> str:
    return f".version {version}\n.target {target}\n{text}\n.entry k() {{ exit; }}"


# ---- what debugging needs


@pytest.mark.parametrize(
    ("text", "target", "first", "before", "what"),
    [
        (".section .x { }", "sm_13", "2.0", "1.4", ".section"),
        (".section .x { .b32 y+4 }", "sm_30", "3.2", "3.1", "an offset from a name in a .section"),
        (".section .x { .b32 y-z }", "sm_80", "7.5", "7.4", "a difference of names in a .section"),
        (".section .x { .b8 -1 }", "sm_80", "7.5", "7.4", "a negative number in a .section"),
        (".section .x { y: }", "sm_75", "7.0", "6.5", "a label in a .section"),
        ('.file 1 "f", 1, 2', "sm_30", "3.2", "3.1", "the time stamp of a .file"),
        (".func b() { ret; } .func a(); .alias a, b;", "sm_60", "6.3", "6.2", ".alias"),
    ],
)
def test_gates(text: str, target: str, first: str, before: str, what: str) -> None:
    assert errors(module(first, target, text)) == []
    found = errors(module(before, target, text))
    assert [(one.code, one.instruction) for one in found] == [("unavailable", what)]
    assert ptxgen.requires(module("9.0", target, text)).reasons[0][1] == what


def test_what_the_manual_alone_asks_for() -> None:
    text = module("7.0", "sm_80", ".section .x { y: }")
    assert [(one.code, one.severity) for one in ptxgen.check(text).diagnostics] == [("beyond-manual", "warning")]
    assert ptxgen.check(module("7.2", "sm_80", ".section .x { y: }")).diagnostics == ()
    assert ptxgen.requires(text).version == "7.2"


def test_lines_of_dwarf_were_removed() -> None:
    line = '@@DWARF .section .debug_info, "", @progbits'
    assert errors(module("1.4", "sm_13", line)) == []
    (found,) = errors(module("2.0", "sm_13", line))
    assert (found.code, found.line, found.hint) == ("removed", 3, "write a .section")
    assert ptxgen.requires(module("2.0", "sm_13", line)).version == "1.2"


@pytest.mark.parametrize(
    ("body", "legal"),
    [
        (".loc 1 1 1 .loc 1 2 1, function_name s, inlined_at 1 1 1", True),
        (".loc 01 1 1 .loc 1 2 1, function_name s, inlined_at 1 1 0x1", True),
        (".loc 1 2 1, function_name s, inlined_at 1 1 1 .loc 1 1 1", False),
        (".loc 1 2 1, function_name s, inlined_at 1 2 1", False),
        (".loc 1 1 1 .loc 1 2 1, function_name s, inlined_at 2 1 1", False),
        (".loc 1 2 1, function_name s, inlined_at 7 7 7", True),
    ],
)
def test_positions_of_inlined_code(body: str, legal: bool) -> None:
    text = f"{HEADER}.entry j() {{ .loc 7 7 7 ret; }}\n.entry k() {{ {body} ret; }}\n.section .debug_str {{ s: .b8 0 }}"
    assert [found.code for found in errors(text)] == ([] if legal else ["position"])


def test_the_option_debug_wants_a_section() -> None:
    text = ".version 9.0\n.target sm_90, debug\n.entry k() { ret; }\n"
    (found,) = errors(text)
    assert (found.code, found.need) == ("target-option", ".section")
    assert errors(text + ".section .debug_info { }") == []


# ---- aliases


@pytest.mark.parametrize(
    "text",
    [
        ".func b() { ret; } .func a(); .alias a, b;",
        ".func a(); .func b(); .alias a, b; .func b() { ret; }",
        ".func b() { ret; } .extern .func a(); .alias a, b;",
        ".func b() { ret; } .func a(); .func c(); .alias a, b; .alias c, a;",
        ".func b() { ret; } .func a(); .entry k() { .alias a, b; call a; ret; }",
        ".func b(.param .u32 p) { ret; } .func a(.param .align 4 .u32 q); .alias a, b;",
    ],
)
def test_aliases(text: str) -> None:
    assert errors(HEADER + text) == []


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        (".func a(); .alias a, b; .func b() { ret; }", "unknown-name", ".alias a: b is not declared"),
        (".func b() { ret; } .alias a, b;", "unknown-name", ".alias a: a is not declared"),
        (".func b() { ret; } .func a(.param .u32 p); .alias a, b;", "alias", "what it takes or returns differs"),
        (".func b() .noreturn { exit; } .func a(); .alias a, b;", "alias", "what it takes or returns differs"),
        (".entry b() { ret; } .func a(); .alias a, b;", "alias", "b is a kernel"),
        (".weak .func b() { ret; } .func a(); .alias a, b;", "alias", "b is .weak"),
        (".extern .func b(); .func a(); .alias a, b;", "alias", "b is .extern"),
        (".func a(); .alias a, a;", "alias", "no alias of itself"),
        (".func b() { ret; } .func a() { ret; } .alias a, b;", "alias", "a body of its own"),
        (".func b(); .func a(); .entry k() { .alias a, b; ret; } .alias a, b;", "alias", "stands for b already"),
        (".global .u32 b; .func a(); .alias a, b;", "alias", "b is a variable"),
    ],
)
def test_no_aliases(text: str, code: str, says: str) -> None:
    (found,) = errors(HEADER + text)
    assert found.code == code
    assert says in found.message


# ---- pragmas


PRAGMA = '.version 7.8\n.target sm_80\n.entry k() { .pragma "used_bytes_mask 0xff"; ret; }'


def test_a_pragma_counts_where_the_assembler_knows_it() -> None:
    assert [found.code for found in errors(PRAGMA)] == ["unavailable"]
    assert [found.code for found in errors(PRAGMA, toolkit="12.3")] == ["unavailable"]
    for question in ({"toolkit": "11.8"}, {"driver": "520.61.05"}):
        (found,) = ptxgen.check(PRAGMA, **question).diagnostics
        assert (found.code, found.severity) == ("directive", "warning")
        assert "has no effect: the assembler ends at PTX 7.8" in found.message
    assert errors(PRAGMA.replace("7.8", "8.3")) == []


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ('.pragma "nounroll"; .entry k() .pragma "nounroll"; { .pragma "nounroll"; ret; }', True),
        ('.entry k() { .pragma "frequency 8"; ret; }', True),
        ('.pragma "frequency 8"; .entry k() { ret; }', False),
        ('.entry k() .pragma "enable_smem_spilling"; { ret; }', False),
    ],
)
def test_places_of_pragmas(text: str, legal: bool) -> None:
    assert [found.code for found in errors(HEADER + text)] == ([] if legal else ["directive"])


def test_an_unknown_pragma_has_no_effect() -> None:
    (found,) = ptxgen.check(HEADER + '.entry k() { .pragma "nounrol"; ret; }').diagnostics
    assert (found.severity, found.hint) == ("warning", "did you mean nounroll?")


# ---- targets in bodies


@pytest.mark.parametrize(
    ("first", "text", "legal"),
    [
        ("sm_80", ".entry k() { .target sm_90 barrier.cluster.arrive; ret; }", True),
        ("sm_80", ".entry k() { barrier.cluster.arrive; .target sm_90 ret; }", False),
        ("sm_90", ".entry k() { .target sm_80 barrier.cluster.arrive; ret; }", False),
        ("sm_90", ".entry k() { barrier.cluster.arrive; .target sm_80 ret; }", True),
        ("sm_90", ".entry j() { { L: .target sm_80 } ret; } .entry k() { barrier.cluster.arrive; ret; }", False),
        ("sm_80", ".func j() { .target sm_90 ret; } .entry k() { barrier.cluster.arrive; ret; }", True),
    ],
)
def test_a_target_in_a_body(first: str, text: str, legal: bool) -> None:
    found = ptxgen.check(f".version 9.0\n.target {first}\n{text}").diagnostics
    assert [one.code for one in found if one.severity == "error"] == ([] if legal else ["unavailable"])
    assert "beyond-manual" in [one.code for one in found]


@pytest.mark.parametrize("line", [".target sm_777", ".target debug", ".target sm_90, debug", ".target sm_90;"])
def test_no_target_in_a_body(line: str) -> None:
    assert errors(f"{HEADER}.entry k() {{ {line} ret; }}")


# ---- heads, names, architectures


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".entry k() .maxntid 32;", "stands where the function is defined"),
        (".func f() .abi_preserve 8 .noreturn { exit; }", "the order is .noreturn .abi_preserve"),
        (".func .attribute(.managed) f() { ret; }", ".func has no attribute .managed; it has .unified"),
        (".entry .attribute(.unified(1, 2)) k() { ret; }", ".entry has no attribute .unified(1, 2); it has none"),
        (".global .u32 %tid;", "%tid is a special register"),
        (".entry %clusterid() { ret; }", "%clusterid is a special register"),
    ],
)
def test_no_heads(text: str, says: str) -> None:
    (found,) = errors(HEADER + text)
    assert says in found.message


def test_a_special_register_may_be_hidden_within_a_function() -> None:
    assert errors(HEADER + ".entry k() { .reg .u32 %laneid; %tid: bra %tid; }") == []


def test_an_architecture_that_only_reads() -> None:
    text = HEADER + ".entry k() { ret; }"
    assert errors(text, arch="compute_90") == errors(text, arch="compute_120") == []
    assert [found.code for found in errors(text, arch="compute_80")] == ["arch"]
    assert [found.code for found in errors(text, arch="compute_777")] == ["arch"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (".global .samplerref s[2] = {{filter_mode = nearest}, {}};", ["beyond-manual"]),
        (".global .texref t[1] = {{width = 1}, {width = 2}};", ["variable"]),
        (".global .texref t = {{width = 1}};", ["variable"]),
        (".global .texref t = {filter_mode = 1};", ["beyond-manual"]),
        (".global .texref t = {filter_mode = nearest, width = 4};", []),
    ],
)
def test_textures(text: str, codes: list[str]) -> None:
    assert [found.code for found in ptxgen.check(HEADER + text).diagnostics] == codes
    if "variable" not in codes:
        printed = str(ptxgen.parse(HEADER + text))
        assert str(ptxgen.parse(printed)) == printed
