"""Names that a module declares more than once: what has to agree, and what may follow what (PTX ISA 11.6)."""

from __future__ import annotations

import pytest

from tests.parse.texts import errors

DEFINED = ".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }"


@pytest.mark.parametrize(
    "text",
    [
        f".func (.reg .u32 r) f(.reg .u32 a);\n{DEFINED}",
        f".func (.reg .u32 x) f(.reg .u32 y);\n{DEFINED}",
        f".func (.reg .u32 r) f(.reg .u32 a);\n.func (.reg .u32 r) f(.reg .u32 a);\n{DEFINED}",
        f".visible .func (.reg .u32 r) f(.reg .u32 a);\n.visible {DEFINED}",
        f".visible .func (.reg .u32 r) f(.reg .u32 a);\n{DEFINED}",
        ".extern .func f;\n.extern .func f;",
        ".entry k(.param .u32 a);\n.entry k(.param .u32 b) { ret; }",
        ".func f(.param .align 8 .b8 a[16]);\n.func f(.param .align 8 .b8 b[16]) { ret; }",
        ".func f(.param .u64 a);\n.func f(.param .align 8 .u64 a) { ret; }",
        ".func f .noreturn;\n.func f .noreturn { exit; }",
        ".extern .global .u32 x;\n.visible .global .u32 x;",
        ".extern .global .u32 x;\n.weak .global .u32 x = 5;",
        ".extern .global .u32 x;\n.extern .global .u32 x;\n.common .global .u32 x;",
        ".global .u32 x;\n.extern .global .u32 x;",
        ".extern .global .u32 x[];\n.visible .global .u32 x[4];",
    ],
)
def test_agreeing(text: str) -> None:
    assert errors(text) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{DEFINED}\n{DEFINED}", "f: it is defined above"),
        (f"{DEFINED}\n.func (.reg .u32 r) f(.reg .u32 a);", "f: it is defined above; declarations come before"),
        (f".func (.reg .s32 r) f(.reg .u32 a);\n{DEFINED}", "f: what it takes or returns differs"),
        (f".func (.reg .u32 r) f;\n{DEFINED}", "f: what it takes or returns differs"),
        (f".func f(.reg .u32 a);\n{DEFINED}", "f: what it takes or returns differs"),
        (".func f(.param .u32 a);\n.func f(.reg .u32 a) { ret; }", "f: what it takes or returns differs"),
        (".func f(.param .b8 a[16]);\n.func f(.param .align 8 .b8 a[16]) { ret; }",
         "f: what it takes or returns differs"),
        (".func f .noreturn;\n.func f { ret; }", "f: what it takes or returns differs"),
        (f".weak .func (.reg .u32 r) f(.reg .u32 a);\n.visible {DEFINED}", "f: it is declared .weak above"),
        (f".func (.reg .u32 r) f(.reg .u32 a);\n.visible {DEFINED}", "f: it is declared without a linkage above"),
        (".extern .func f { ret; }", "f: it is .extern, so its body is elsewhere"),
        (".func f;\n.entry f { ret; }", "f: a kernel and a device function cannot have one name"),
        (".extern .global .u32 x;\n.global .u32 x;", "x: it is declared .extern above, so its definition is .visible"),
        (".extern .global .u32 x;\n.visible .global .s32 x;", "x: its type differs"),
        (".extern .global .u32 x;\n.visible .global .v2 .u32 x;", "x: its type differs"),
        (".extern .global .u32 x[4];\n.visible .global .u32 x[5];", "x: its size differs"),
        (".extern .global .u32 x[];\n.visible .global .u32 x;", "x: its type differs"),
    ],
)  # fmt: skip
def test_disagreeing(text: str, says: str) -> None:
    (found,) = errors(text)
    assert found.startswith(says)


def test_two_definitions_of_a_variable_are_what_the_reader_finds() -> None:
    assert errors(".global .u32 x;\n.global .u32 x;") == ["x is declared twice"]
    assert errors(".common .global .u32 x;\n.common .global .u32 x;") == ["x is declared twice"]
