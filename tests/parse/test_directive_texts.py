"""Headers, directives and sections (PTX ISA 11.1, 11.5, 11.7), read and printed."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen.ir.statements import Directive, Section
from ptxgen.parse.module import parse, read
from tests.parse.texts import HEADER, module, printed, wrong, wrong_statements

# ---- the header


@pytest.mark.parametrize(
    ("header", "version", "target", "options", "size"),
    [
        (".version 9.0\n.target sm_90", "9.0", "sm_90", (), 0),
        (".version 9.0 .target sm_90 .address_size 64", "9.0", "sm_90", (), 64),
        (".version 1.0 .target sm_10, map_f64_to_f32", "1.0", "sm_10", ("map_f64_to_f32",), 0),
        (".version 9.0 .target sm_90a,texmode_independent , debug", "9.0", "sm_90a",
         ("texmode_independent", "debug"), 0),
        ('# 1 "x"\n/* x */ .version 9.0 // y\n.target sm_90 .address_size 0x20', "9.0", "sm_90", (), 32),
    ],
)  # fmt: skip
def test_headers(header: str, version: str, target: str, options: tuple[str, ...], size: int) -> None:
    found = parse(header)
    assert (found.version, found.target, found.options, found.address_size) == (version, target, options, size)
    assert parse(found.ptx()).ptx() == found.ptx()


@pytest.mark.parametrize(
    "header",
    [
        ".target sm_90\n.version 9.0",
        ".version 9.0",
        ".version 9\n.target sm_90",
        ".version 9.\n.target sm_90",
        ".version x\n.target sm_90",
        ".version 9.0.1\n.target sm_90",
        ".version 9.0\n.version 9.0\n.target sm_90",
        ".version 9.0\n.target",
        ".version 9.0\n.target 90",
        ".version 9.0\n.target sm_90,",
        ".version 9.0\n.target sm_90\n.address_size",
        ".version 9.0\n.target sm_90\n.address_size 64\n.address_size 64",
        ".version 9.0\n.target sm_90\n.global .u32 x;\n.address_size 64",
        ".global .u32 x;\n.version 9.0\n.target sm_90",
    ],
)
def test_headers_refused(header: str) -> None:
    _, found = read(header)
    assert found
    assert {each.severity for each in found} == {"error"}
    assert all(each.line for each in found)
    assert not ptxgen.check(header).ok


# ---- directives of a module and of a body


@pytest.mark.parametrize(
    "text",
    ['.file 1 "a b.cu"', '.file 1 "a", 123, 45', '.pragma "one", "two";', '.pragma "";'],
)
def test_of_a_module(text: str) -> None:
    (found,) = module(text).items
    assert isinstance(found, Directive)
    assert text in module(text).ptx()


def test_aliases() -> None:
    text = ".func f\n{\n\tret;\n}\n\n.func g;\n\n.alias g, f;\n"
    assert module(text).ptx() == f"{HEADER}\n{text}"


@pytest.mark.parametrize("text", [".loc 1 2 3", '.pragma "nounroll";', '.pragma "a", "b";'])
def test_of_a_body(text: str) -> None:
    assert printed(text) == [text]


def test_places_of_inlined_code() -> None:
    text = ".loc 1 2 3, function_name f, inlined_at 1 2 3"
    assert printed(f".loc 1 2 3\n{text}")[-1] == text
    assert printed(".loc 1 2 3\n.loc 1 2 3,function_name f+4,inlined_at 1 2 3")[-1] == text.replace(" f,", " f+4,")


@pytest.mark.parametrize("text", [".loc 1 2", ".loc a 2 3", ".loc 1 2 3, x", ".pragma;", ".pragma x;", ".maxntid 5;"])
def test_of_a_body_refused(text: str) -> None:
    assert len(wrong_statements(f"{text}\nret;")) == 1


@pytest.mark.parametrize("text", [".loc 1 2 3", ".maxntid 5", ".param .u32 x;", "L:", "ret;", ";", "{ }", "@%p ret;"])
def test_what_stands_in_bodies_only(text: str) -> None:
    assert wrong(text) or ptxgen.check(HEADER + text).diagnostics


# ---- sections


def test_sections() -> None:
    text = (
        ".section .debug_abbrev\n{\nstart:\n.b8 1, 2, -3\n.b16 0x10\n.b32 start\n.b32 .debug_abbrev+4\n"
        ".b64 end-start\nend:\n}\n"
    )
    (found,) = module(text).items
    assert isinstance(found, Section)
    assert found.name == ".section .debug_abbrev"
    again = parse(module(text).ptx())
    assert again.ptx() == module(text).ptx()
    (section,) = again.items
    assert isinstance(section, Section)
    assert section.lines == found.lines


def test_sections_in_any_layout() -> None:
    plain = module(".section .debug_x\n{\na:\n.b8 1, 2\n.b8 3\n}\n").ptx()
    assert module(".section .debug_x { a : .b8 1 ,2\n\n  .b8\n3 }").ptx() == plain
    assert module(".section .debug_x { }").ptx().endswith(".section .debug_x\n{\n}\n")


def test_source_in_another_language_is_kept_line_by_line() -> None:
    text = (
        ".nv_intermediate_source_section\n{\n.code_block\n{\n.ir_name: \"x\"\n.sourceFileName: 1\n.source_begin\n"
        "int x = { /* # ; };\n  }\n.source_end\n}\n}\n"
    )
    whole = HEADER.replace("9.0", "9.4") + '.file 1 "f"\n' + text
    found = parse(whole)
    assert "int x = { /* # ; };\n  }\n.source_end" in found.ptx()
    assert parse(found.ptx()).ptx() == found.ptx()


def test_dwarf_of_the_first_versions() -> None:
    text = (
        '.version 1.4\n.target sm_13\n@@DWARF .section .debug_x, "", @progbits\n@@DWARF .byte 1, 2\n@@DWARF .4byte x\n'
    )
    found = parse(text)
    assert [line for line in found.ptx().split("\n") if line.startswith("@@")] == text.split("\n")[2:5]
