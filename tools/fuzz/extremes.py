"""Texts of one extreme kind each, as large as is asked: one thing nested deep, very long, or there very often."""

from __future__ import annotations

from collections.abc import Callable

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"

Extreme = Callable[[int], str]  # the text of so many characters, about


def extremes() -> dict[str, Extreme]:
    """Every kind by its name."""
    made: dict[str, Extreme] = {}
    for name, (opening, inside, closing) in _NESTED.items():
        made[f"nested {name}"] = _nested(opening, inside, closing, True)
        made[f"open {name}"] = _nested(opening, inside, closing, False)
    for name, piece in _IN_BODY.items():
        made[f"in a body: {name}"] = _repeated(_body, piece)
    for name, piece in _IN_MODULE.items():
        made[f"in a module: {name}"] = _repeated(_module, piece)
    for name, (before, piece, after) in _LONG.items():
        made[f"long {name}"] = _long(before, piece, after)
    for name, piece in _BARE.items():
        made[f"nothing but {name}"] = _repeated(lambda text: text, piece)
    return made


def _body(text: str) -> str:
    return f"{HEADER}.visible .entry k(.param .u64 p)\n{{\n{REGISTERS}{text}\nret;\n}}\n"


def _module(text: str) -> str:
    return f"{HEADER}{text}\n"


def _repeated(around: Callable[[str], str], piece: str) -> Extreme:
    """A piece again and again; `#` in it is the number of the repetition, `^` that of the one before."""

    def make(size: int) -> str:
        count = max(size // len(piece), 1)
        if piece == "#" or ("#" not in piece and "^" not in piece):
            return around(piece * count)
        return around("".join(piece.replace("#", str(n)).replace("^", str(n - 1)) for n in range(1, count + 1)))

    return make


def _nested(opening: str, inside: str, closing: str, closed: bool) -> Extreme:
    def make(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        before, _, after = inside.partition("*")
        core, _, behind = after.partition("*")
        return _body(before + opening * depth + core + (closing * depth if closed else "") + behind)

    return make


def _long(before: str, piece: str, after: str) -> Extreme:
    def make(size: int) -> str:
        text = before + piece * (size // len(piece)) + after
        return text if text.startswith(".version") else _body(text)

    return make


# Opening, what stands around and inside (the nest goes between the stars), closing.
_NESTED = {
    "blocks": ("{", "**", "}"),
    "blocks with lines": ("{\n", "*ret;*", "}\n"),
    "blocks with labels": ("{ a: ", "*ret;*", "}"),
    "blocks with registers": ("{ .reg .b32 x; ", "*mov.b32 x, 1;*", "}"),
    "blocks with uses": ("{ .reg .b32 x; mov.b32 %r1, %r2; ", "**", "}"),
    "blocks with branches": ("{ a: bra b; ", "**", "}"),
    "parentheses": ("(", "mov.b32 %r1, *1*;", ")"),
    "parentheses in sums": ("1+(", "mov.b32 %r1, *1*;", ")"),
    "products in sums": ("1*(2+", "mov.b32 %r1, *1*;", ")"),
    "braces": ("{", "mov.b64 %rd1, *%r1*;", "}"),
    "braces with more": ("{%r1, ", "mov.b64 %rd1, *%r1*;", "}"),
    "brackets": ("[", "ld.global.b32 %r1, *%rd1*;", "]"),
    "lists": ("(", "call f, *%r1*;", ")"),
    "minuses": ("-", "mov.b32 %r1, *1*;", ""),
    "minuses of a register": ("-", "mov.b32 %r1, *%r2*;", ""),
    "minuses with blanks": ("- ", "mov.b32 %r1, *1*;", ""),
    "tildes": ("~", "mov.b32 %r1, *1*;", ""),
    "negations": ("!", "@*%p1* ret;", ""),
    "guards": ("@%p1 ", "*ret;*", ""),
    "casts": ("(.s64)", "mov.b64 %rd1, *1*;", ""),
    "conditions": ("1 ? ", "mov.b32 %r1, *1*;", " : 1"),
    "other conditions": ("1 ? 1 : ", "mov.b32 %r1, *1*;", ""),
    "masks": ("0xff(", ".global .u8 x[4] = {*1*};", ")"),
    "addresses": ("generic(", ".global .u64 x = *y*;", ")"),
    "initialisers": ("{", ".global .u8 x[4] = *1*;", "}"),
    "initialisers with more": ("{1, ", ".global .u8 x[4] = *1*;", "}"),
    "attributes": (".attribute(", "*.managed*", ")"),
    "parameters": ("(", "P: .callprototype *.param .b32 x* _;", ")"),
    "remarks": ("/*", "**", "*/"),
    "strings": ('"', ".pragma *a*;", '"'),
    "ranges": ("<", ".reg .b32 a*4*;", ">"),
    "dimensions": ("[", ".global .b8 a*4*;", "]"),
    "pairs": ("%p1|", "setp.eq.u32 *%p1*, %r1, %r2;", ""),
    "sums": ("1+", "mov.b32 %r1, *1*;", ""),
    "shifts": ("1<<", "mov.b32 %r1, *1*;", ""),
    "ors": ("1||", "mov.b32 %r1, *1*;", ""),
    "levels": ("1||1&&1|1^1&1==1<1<<1+1*", "mov.b32 %r1, *1*;", ""),
    "sums in addresses": ("+1", "ld.global.b32 %r1, [%rd1**];", ""),
    "functions": (".func f() {", "**", "}"),
    "kernels": (".entry k() {", "**", "}"),
    "sections": (".section .debug_info {", "**", "}"),
}  # fmt: skip

_IN_BODY = {
    "labels": "a#:\n",
    "the same label": "a:\n",
    "uses before declarations again": "mov.b32 %r1, x#; .reg .b32 x#; add.u32 %r2, %r3, 5;\n",
    "ranges and names": ".reg .b32 x#; .reg .b32 y#a<4294967295>;\n",
    "ranges of half the text": ".reg .b32 y#a<5000>;\n",
    "labels in blocks": "{ a: bra a; }\n",
    "labels of blocks": "{ a#: bra a#; }\n",
    "branches": "a#: @%p1 bra a^;\n",
    "branches to one label": "@%p1 bra a1;\na#:\n",
    "branches forward": "@%p1 bra b#;\nbra b#; b^:\n",
    "unknown names": "mov.b32 %r1, x#;\n",
    "the same unknown name": "mov.b32 %r1, x;\n",
    "unknown names in blocks": "{ a: mov.b32 %r1, x#; }\n",
    "unknown labels": "bra x#;\n",
    "undeclared registers": "add.u32 %q#, %q^, 1;\n",
    "registers": ".reg .b32 x#; mov.b32 x#, 1;\n",
    "registers that are used at the end": ".reg .b32 x#; @%p1 bra a#; mov.b32 x#, 1; a#: add.u32 %r1, %r1, x#;\n",
    "the same register": ".reg .b32 x;\n",
    "ranges": ".reg .b32 x#a<9>; mov.b32 x#a1, 1;\n",
    "huge ranges": ".reg .b32 x#a<4294967295>; mov.b32 x#a4294967, 1;\n",
    "registers hidden in blocks": "{ .reg .b32 %r<9>; mov.b32 %r1, 1; }\n",
    "uses before declarations": "mov.b32 %r1, x#; .reg .b32 x#;\n",
    "variables": ".shared .b32 s#; st.shared.b32 [s#], 1;\n",
    "constants": "mov.b32 %r1, #;\n",
    "offsets": "ld.global.b32 %r1, [%rd1+#];\n",
    "vectors": "mov.b64 %rd1, {%r1, #};\n",
    "opcodes": "foo#.bar %r1;\n",
    "modifiers": "add.u32.x# %r1, %r1, 1;\n",
    "wrong types": "add.f32 %r1, %r1, %r#;\n",
    "errors of syntax": "? ? ?\n",
    "errors in one line": "? ; ",
    "unclosed brackets": "[ (\n",
    "unclosed quotes": "\"\n",
    "quotes in one line": "\" ; ",
    "stray braces": "}\n",
    "remarks": "// a\n",
    "remarks behind": "add.u32 %r1, %r1, 1; // a\n",
    "remarks in one line": "/* a */ ",
    "remarks between tokens": "add.u32 /* a */ %r1, %r1 /* b */, 1;\n",
    "lines of the preprocessor": "# 1 \"x\"\n",
    "wrong lines of the preprocessor": "#define\n",
    "places": ".loc 1 # 1\n",
    "places with remarks": ".loc 1 # 1 /* a */ ; \n",
    "pragmas": ".pragma \"a\";\n",
    "prototypes": "P#: .callprototype _ (.param .b32 x);\n",
    "lists of targets": "a#: L#: .branchtargets a1, a#;\n",
    "lists of ranges": "L#: .branchtargets a<4294967295>;\n",
    "uses of a list": "brx.idx %r1, L; L: .branchtargets a; a:\n",
    "uses of targets": "a#: brx.idx %r1, L;\n",
    "calls": "{ .param .b32 x#; st.param.b32 [x#], 1; call f, (x#); }\n",
    "barriers": "@%p1 bra a#; bar.sync 0; a#:\n",
    "masks": "vote.sync.ballot.b32 %r#, %p1, %r^;\n",
    "at signs": "@\n",
    "colons": ": ",
    "names and colons": "a : ",
    "double colons": "a::b ",
    "dots": ". ",
    "instructions": "add.u32 %r1, %r2, %r3;\n",
    "instructions in one line": "add.u32 %r1, %r2, %r3; ",
    "instructions with guards": "@!%p1 add.u32 %r1, %r2, 1;\n",
    "loops in loops": "a#: add.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %r1, 0; @%p1 bra a1;\n",
    "asynchronous copies": "cp.async.bulk.commit_group; @%p1 bra a#; cp.async.bulk.wait_group #; a#:\n",
    "fences": "st.shared.b32 [s], %r1; fence.proxy.async; @%p1 bra a^; a#:\n",
    "ends": "ret;\n",
}  # fmt: skip

_IN_MODULE = {
    "functions": ".func f#()\n{\nret;\n}\n",
    "functions with registers": ".func f#()\n{ .reg .b32 %r<999>; mov.b32 %r1, 1;\nret;\n}\n",
    "functions that call the one before": ".func f#() { call f^; ret; }\n",
    "declarations": ".func f();\n",
    "declarations of many": ".extern .func f#();\n",
    "declarations without an end": ".func f()\n",
    "the same function": ".func f() { ret; }\n",
    "kernels": ".entry k#() { ret; }\n",
    "variables": ".global .u32 g#;\n",
    "external variables": ".extern .global .u32 g;\n",
    "addresses": ".global .u64 g# = g^;\n",
    "ranges of variables": ".global .b32 g#a<4294967295>;\n",
    "the same variable": ".global .u32 g;\n",
    "files": ".file # \"x\"\n",
    "the same file": ".file 1 \"x\"\n",
    "sections": ".section .a# { .b8 1 }\n",
    "empty sections": ".section .a {}\n",
    "open sections": ".section .a {\n",
    "lines of dwarf": "@@DWARF .byte 1\n",
    "aliases": ".alias a#, b;\n",
    "versions": ".version 9.0\n",
    "targets": ".target sm_90\n",
    "more targets": ".target sm_90, debug\n",
    "address sizes": ".address_size 64\n",
    "pragmas": ".pragma \"a\";\n",
    "braces": "{}\n",
    "open braces": "{\n",
    "closing braces": "}\n",
    "unclosed quotes": "\"\n",
    "instructions": "add.u32 %r1, %r2, %r3;\n",
    "unknown directives": ".foo#;\n",
    "names": "abc ",
    "remarks": "/**/",
    "remarks in front": "// a\n",
    "colons": "a:",
    "source sections": ".nv_intermediate_source_section {\n}\n",
    "open source sections": ".nv_intermediate_source_section {\n",
    "lists of parameters": ".entry k#(.param .u32 a, .param .u32 b) .maxntid 1, 1, 1 { ret; }\n",
    "noreturn": ".func f# .noreturn;\n",
}  # fmt: skip

_LONG = {
    "names": (".reg .b32 ", "x", ";"),
    "unknown names": ("mov.b32 %r1, ", "x", ";"),
    "names of digits": ("mov.b32 %r1, %r", "1", ";"),
    "names of zeros": ("mov.b32 %r1, %r", "0", "1;"),
    "ranges": (".reg .b32 x<", "9", ">;"),
    "decimal numbers": ("mov.b32 %r1, ", "9", ";"),
    "zeros": ("mov.b32 %r1, ", "0", ";"),
    "hexadecimal numbers": ("mov.b32 %r1, 0x", "f", ";"),
    "binary numbers": ("mov.b32 %r1, 0b", "1", ";"),
    "fractions": ("mov.f32 %f1, 0.", "1", ";"),
    "exponents": ("mov.f32 %f1, 1e", "9", ";"),
    "bits of floats": ("mov.f32 %f1, 0f", "0", ";"),
    "offsets": ("ld.global.b32 %r1, [%rd1+", "1", "];"),
    "alignments": (".shared .align ", "4", " .b8 x;"),
    "sizes": (".shared .b8 x[", "4", "];"),
    "parameters": (".param .b8 x[", "4", "];"),
    "alignments of parameters": (".param .align ", "4", " .b8 x[4];"),
    "places": (".loc 1 ", "1", " 1"),
    "versions": (".version 9.", "0", "\n.target sm_90\n"),
    "major versions": (".version ", "9", ".0\n.target sm_90\n"),
    "targets": (".version 9.0\n.target sm_", "9", "\n"),
    "target lists": (".version 9.0\n.target sm_90", ", debug", "\n"),
    "address sizes": (HEADER[:-3], "4", "\n"),
    "numbers of files": (HEADER + ".file ", "1", ' "x"\n'),
    "names of files": (HEADER + '.file 1 "', "x", '"\n'),
    "data of sections": (HEADER + ".section .a { .b8 1", ",1", " }\n"),
    "lines of sections": (HEADER + ".section .a { ", ".b8 1\n", " }\n"),
    "wrong sections": (HEADER + ".section .a { ", ".b8 1 ", "? }\n"),
    "sums in sections": (HEADER + ".section .a { .b32 a", "+1", " }\n"),
    "names in sections": (HEADER + ".section .a { .b32 ", "a", " }\n"),
    "blanks in sections": (HEADER + ".section .a { .b32 a", " ", "? }\n"),
    "initialisers": (HEADER + ".global .u32 x[] = {1", ", 1", "};\n"),
    "broken initialisers": (HEADER + ".global .u32 x[] = {1", ", 1", ", y};\n"),
    "initialisers of rows": (HEADER + ".global .u32 x[9][2] = {{1}", ", {1}", "};\n"),
    "dimensions": (HEADER + ".global .u32 x", "[1]", ";\n"),
    "fields": (HEADER + ".global .samplerref x = {", "addr_mode_0 = wrap,", "};\n"),
    "parameter lists": (HEADER + ".entry k(.param .u32 a", ", .param .u32 b", ") { ret; }\n"),
    "heads": (HEADER + ".entry k() ", ".maxntid 1 ", " { ret; }\n"),
    "linkages": (HEADER, ".visible ", ".global .u32 x;\n"),
    "lists of names": (".reg .b32 x", ", x", ";"),
    "lists of names apart": (".reg .b32 x0", ",y", ";"),
    "operands": ("mov.b32 %r1", ", %r1", ";"),
    "vectors": ("mov.b64 %rd1, {%r1", ", %r1", "};"),
    "broken vectors": ("mov.b64 %rd1, {%r1", ", %r1", ";"),
    "arguments": ("call f, (%r1", ", %r1", ");"),
    "lists of targets": ("a: L: .branchtargets a", ", a", ";"),
    "opcodes": ("add", ".u32", " %r1, %r1, 1;"),
    "opcodes with blanks": ("add", " .u32", " %r1, %r1, 1;"),
    "opcodes with colons": ("add.a", "::b", " %r1, %r1, 1;"),
    "opcodes of names": ("a", "a", " %r1;"),
    "modifiers": ("add.", "u", " %r1, %r1, 1;"),
    "selectors": ("mov.b32 %r1, %r1", ".x", ";"),
    "remarks": ("//", "x", "\n"),
    "remarks of stars": ("/*", "*", "/"),
    "open remarks": ("/*", "x", ""),
    "open remarks of stars": ("/*", "* ", ""),
    "open strings": ('.pragma "', "x", ""),
    "strings": ('.pragma "', "x", '";'),
    "lists of strings": ('.pragma "x"', ',"x"', ";"),
    "blanks": ("add.u32", " ", "%r1, %r1, 1;"),
    "blanks in operands": ("add.u32 %r1", " ", ", %r1, 1;"),
    "blanks in addresses": ("ld.global.b32 %r1, [%rd1", " ", "];"),
    "blanks in broken addresses": ("ld.global.b32 %r1, [%rd1", " ", ";"),
    "blanks in vectors": ("mov.b64 %rd1, {%r1", " ", ", %r1};"),
    "blanks in broken vectors": ("mov.b64 %rd1, {%r1", " ", ";"),
    "blanks behind a guard": ("@%p1", " ", "ret;"),
    "blanks behind a label": ("a", " ", ":"),
    "blanks behind a name": ("a", " ", "?"),
    "blanks in front": ("", " ", "?"),
    "blanks in a module": (HEADER, " ", "?"),
    "blanks behind a version": (".version", " ", "9.0\n.target sm_90\n"),
    "lines": ("", "\n", "?"),
    "carriage returns": ("", "\r", ""),
    "tabs": ("", "\t", "ret;"),
    "guards": ("", "@", " ret;"),
    "words": ("", ".a", ";"),
    "spaces": ("", ".global ", ";"),
    "alignments in a row": (".shared ", ".align 4 ", ".b32 x;"),
    "attributes in a row": (HEADER + ".global ", ".attribute(.managed) ", ".b32 x;\n"),
    "lists of attributes": (HEADER + ".global .attribute(.managed", ", .managed", ") .b32 x;\n"),
    "brackets": ("ld.global.b32 %r1, ", "[]", ";"),
    "braces": ("mov.b64 %rd1, ", "{}", ";"),
    "parentheses": ("mov.b32 %r1, ", "()", ";"),
    "brackets in one": ("ld.global.b32 %r1, [", "{}", ";"),
    "lines of dwarf": (HEADER + "@@DWARF ", "x", "\n"),
    "lines of the preprocessor": ("# 1 \"x\"", " 1", "?\n"),
    "names of lines": ("# 1 \"", "x", "\n"),
    "numbers of lines": ("# ", "1", "\n"),
    "selectors of nothing": ("mov.b32 %r1, ", "%tid.x", ";"),
    "wide modifiers": ("wgmma.mma_async.sync.aligned", ".m64n8k16", " %r1;"),
    "register lists of an instruction": (
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1", ",%f1", "}, %rd1, %rd1, 1, 1, 1, 0, 0;",
    ),
}  # fmt: skip

_BARE = {
    "NUL": "\0",
    "blanks": " ",
    "lines": "\n",
    "letters": "a",
    "digits": "1",
    "colons": ":",
    "quotes": '"',
    "slashes": "/",
    "stars": "/*",
    "braces": "{",
    "pairs of braces": "{}",
    "points": ".",
    "hashes": "#",
    "at signs": "@@DWARF\n",
    "versions": ".version 9.0\n",
    "surrogates": "\udc80",
    "letters with accents": "\u00e9",
    "control": "\x1a",
    "backslashes": "\\\n",
    "blanks and colons": "   :",
    "semicolons": ";",
    "remarks": "// a\n",
    "remarks in one line": "/**/",
    "text": "The quick brown fox.\n",
}  # fmt: skip
