"""What debuggers read, as it is read and printed: positions, files, sections, source text."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen import ParseError
from ptxgen.ir.statements import Directive, Section

HEADER = '.version 9.4\n.target sm_90\n.address_size 64\n.file 1 "a.cu"\n'
OLD = '.version 1.4\n.target sm_13\n@@DWARF .section .debug_info, "", @progbits\n@@DWARF '


def section(lines: str) -> Section:
    """The section that has some lines."""
    module = ptxgen.parse(f"{HEADER}.section .debug_info {{\n{lines}\n}}")
    (found,) = [item for item in module.items if isinstance(item, Section)]
    return found


@pytest.mark.parametrize(
    ("lines", "read", "features"),
    [
        (".b8 1", (".b8 1",), ()),
        (".b8 1,2 , 3\n.b64 0x10 .b32 017U", (".b8 1, 2, 3", ".b64 0x10", ".b32 017U"), ()),
        (".b8 -128, 255 // c", (".b8 -128, 255 // c",), ("section negative",)),
        (".b8 - 1", (".b8 -1",), ("section negative",)),
        (".b32 4294967296", (".b32 4294967296",), ()),
        (".b16 /* c } */ 1", (".b16 1 // c }",), ("section .b16",)),
        (".byte 1", (".byte 1",), ()),
        ("x: y:\n.b8 0", ("x:", "y:", ".b8 0"), ("section label",)),
        (".b32 .debug_abbrev", (".b32 .debug_abbrev",), ()),
        (".b64 k+0x4", (".b64 k+4",), ("section label + offset",)),
        (".b32 a - b", (".b32 a-b",), ("section label - label",)),
        ("", (), ()),
    ],
)
def test_sections(lines: str, read: tuple[str, ...], features: tuple[str, ...]) -> None:
    found = section(lines)
    assert (found.name, found.lines, found.features) == (".section .debug_info", read, features)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (".b8 256", ".b8 takes -128 to 255, got 256"),
        (".b16 -32769", ".b16 takes -32768 to 65535, got -32769"),
        (".b8 1+2", "data stands in .b8"),
        (".b8 x", ".b8 takes numbers; names stand in .b32 and .b64"),
        (".b32 1, x", ".b32 takes numbers, with or without -, not 'x'"),
        (".b32 x-4", "a name to subtract is missing"),
        (".b32 x, x", "data stands in"),
        (".b8 1;", "data stands in"),
        (".u32 1", "data stands in"),
        (".b8 WARP_SZ", ".b8 takes numbers"),
        ("x: .b8 0 x: .b8 0", "x is declared twice"),
        (".b8", "a number is missing|takes numbers"),
    ],
)
def test_no_sections(lines: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        section(lines)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".section .global { }", ".global is a word of PTX, and no name of a section"),
        (".section debug_info { }", "the name of a section, which begins with a dot, is missing"),
        (".section .a.b { }", "'{' after the name of a section is missing"),
        (".section .a { x: .b8 0 } .section .b { x: .b8 0 }", "x is declared twice"),
        (".section .a { .b8 0", "data stands in"),
        ('.file 1 "b.cu"', 'file 1 is "a.cu" already'),
        ('.file 4294967296 "b.cu"', "the number of a file has 32 bits"),
        ('.file 2 "b.cu", 1, 2, 3', "missing before ','"),
        (".file 2 b", "a file has a number and a name"),
        ("@@DWARF .byte 256", ".byte takes 0 to 255, got 256"),
        ("@@DWARF .long 1", "data stands in .byte"),
        ("@@DWARF .quad x+1", "missing before"),
        ("@@DWARF .section .debug_info", "a name, flags and the kind of the section"),
    ],
)
def test_no_items(text: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        ptxgen.parse(HEADER + text)


@pytest.mark.parametrize("line", [".byte 1, 0x2", ".4byte 1", ".quad L", ".b8 7", '.section .x, "", @progbits'])
def test_lines_of_dwarf(line: str) -> None:
    found = ptxgen.parse(OLD + line).directives[-1]
    assert (found.name, found.arguments) == ("@@DWARF", (line,))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (".loc 1 2 3", ("1 2 3",)),
        (".loc 0x1\n2 /* c */ 3", ("1 2 3",)),
        (".loc 1 2 3, function_name x, inlined_at 1 1 1", ("1 2 3", "function_name x", "inlined_at 1 1 1")),
        (".loc 1 2 3, function_name .s+4, inlined_at 1 1 1", ("1 2 3", "function_name .s+4", "inlined_at 1 1 1")),
        (".loc_intermediate 1 2 3", ("1 2 3",)),
    ],
)
def test_positions(written: str, read: tuple[str, ...]) -> None:
    (function,) = ptxgen.parse(f"{HEADER}.entry k() {{ {written} ret; }}").functions
    found = function.body[0]
    assert isinstance(found, Directive)
    assert found.arguments == read


@pytest.mark.parametrize(
    "written",
    [
        ".loc 1 2", ".loc 1 2 -3", ".loc 1 4294967296 3", ".loc 1 2 3, function_name x",
        ".loc 1 2 3, inlined_at 1 1 1", ".loc 1 2 3, inlined_at 1 1 1, function_name x",
        ".loc 1 2 3 function_name x, inlined_at 1 1 1", ".loc_intermediate 1 2 3, function_name x, inlined_at 1 1 1",
    ],
)  # fmt: skip
def test_no_positions(written: str) -> None:
    with pytest.raises(ParseError, match=r"missing|is an integer|has 32 bits|begins no statement"):
        ptxgen.parse(f"{HEADER}.entry k() {{ {written} ret; }}")


SOURCE = """\
.nv_intermediate_source_section { .code_block { .ir_name: "X" .sourceFileName: 1 .source_begin
} " /* not a remark
a .source_end b
# 1 "f"
.source_end
}
.code_block { .ir_name: "Y" .sourceFileName: 1 .source_begin
.source_end
} }
"""


def test_source_text() -> None:
    (found,) = [item for item in ptxgen.parse(HEADER + SOURCE).items if isinstance(item, Section)]
    assert found.lines[1:5] == ('} " /* not a remark', "a .source_end b", '# 1 "f"', ".source_end")
    assert sum(".code_block" in line for line in found.lines) == 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (".sourceFileName: 1", ".sourceFileName: 2", "file 2 is not declared"),
        (".source_end\n", "\n", "has no end"),
        (".ir_name:", ".ir_name :", "begins with .code_block"),
        (".source_begin\n", ".source_begin x\n", "begins with .code_block"),
    ],
)
def test_no_source_text(old: str, new: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        ptxgen.parse(HEADER + SOURCE.replace(old, new))


def test_printed_and_read_again() -> None:
    section = ".section .x { l: .b8 -1, 2 .b32 l+4 .b64 l-l }\n"
    text = f"{HEADER}{SOURCE}{section}.entry k() {{ .loc 1 1 1\n.target sm_80 ret; }}"
    once = str(ptxgen.parse(text))
    assert str(ptxgen.parse(once)) == once
    assert "\t.target sm_80\n" in once
