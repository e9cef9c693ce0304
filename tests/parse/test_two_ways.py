"""The fast way and the careful way read one thing: each statement in its plain spelling and in odd ones."""

from __future__ import annotations

import re

import pytest

from ptxgen.ir.equal import difference
from ptxgen.parse.body import Body
from tests.parse.texts import HEADER, KERNEL, parse

STATEMENTS = [
    "ret;",
    "@%p1 ret;",
    "@!%p1 bra L;",
    "add.u32 a, b, c;",
    "add.u32 a, b, -5;",
    "add.u32 a, b, 0x1F;",
    "add.u32 a, %tid.x, WARP_SZ;",
    "mov.f32 %f1, 0f3F800000;",
    "mov.f64 %g1, 0d3FF0000000000000;",
    "mov.f64 %g1, 1.5;",
    "ld.global.u32 a, [%d1];",
    "ld.global.u32 a, [%d1+16];",
    "ld.global.u32 a, [%d1+-16];",
    "ld.shared.u32 a, [s+4];",
    "ld.shared.u32 a, [s];",
    "st.global.v2.u32 [%d1], {a, b};",
    "ld.global.v4.f32 {%f1, %f2, _, %f3}, [%d1+64];",
    "mov.b64 %d1, {a, b};",
    "setp.lt.u32 %p1|%p2, a, b;",
    "selp.u32 a, b, c, !%p1;",
    "vadd.u32.u32.u32 a, b.b0, c.h1;",
    "call (a), f, (b);",
    "call f, ();",
    "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
    "{%f1, %f2, %f3, %f4};",
    "mapa.shared::cluster.u32 a, b, c;",
    "bar.sync 0, 32;",
    ".reg .u32 x, y<3>;",
    ".reg .pred q;",
    ".param .align 8 .b8 p[16];",
    ".param .b32 p;",
    ".loc 1 2 3",
    "L2:",
]
BEFORE = ".global .texref t; .func (.reg .u32 r) f(.reg .u32 x) { ret; }\n"
TOKEN = re.compile(r"[\w$%]+|\s+|::|.")


def spellings(statement: str) -> list[str]:
    """The statement with blanks, new lines and remarks where any may stand."""
    tokens = TOKEN.findall(statement)
    glued = "".join(token if not token.isspace() else " " for token in tokens)
    marks = re.compile(r"\s*([,;{}\[\]()|]|(?<=[\w\]])\+(?=\S))\s*")
    wide, broken = marks.sub(r" \1 ", glued), marks.sub("\n\\1\n", glued)
    found = [glued.replace(", ", ","), glued.replace(" ", "\t"), wide, broken, marks.sub(r" \1\t", glued)]
    if not statement.startswith((".loc", "L2")):
        found.append(glued[:-1] + '\n# 1 "f"\n;')
    return found


def function(statements: str) -> str:
    return f"{HEADER}{BEFORE}{KERNEL}.shared .u32 s[4];\nL:\n{statements}\nret;\n}}\n"


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_spelling_is_one_statement(statement: str) -> None:
    plain = parse(function(statement))
    for written in spellings(statement):
        assert difference(plain, parse(function(written))) == "", repr(written)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_careful_way_alone(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a body read token by token, braces apart, which only the fast way reads."""
    text = function(statement)
    fast = parse(text)
    seen: list[int] = []
    careful = Body.careful

    def counted(self: Body, at: int) -> int:
        seen.append(at)
        return careful(self, at)

    monkeypatch.setattr(Body, "careful", counted)
    monkeypatch.setattr("ptxgen.parse.body._STATEMENT", re.compile(r"[ \t\r\n]*(?:(\0){13}|([{}]))"))
    monkeypatch.setattr("ptxgen.parse.body._BRACE", 2)
    assert difference(fast, parse(text)) == ""
    assert len(seen) >= len(fast.functions[-1].body)
