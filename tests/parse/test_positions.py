"""Places of statements and operands in the text."""

from __future__ import annotations

import ptxgen
from ptxgen.parse.positions import operands, position

TEXT = """.version 8.3
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %q;
	@%q add.u32 %r1, /* here */ %r2,
		1 + 2;
	st.global.v2.u32 [%rd1+8], {%r1, %r2};
	ret;
}
"""


def test_operands_are_found_in_their_statement() -> None:
    offset = TEXT.index("add.u32")
    assert [TEXT[a:b] for a, b in operands(TEXT, offset)] == ["%r1", "%r2", "1 + 2"]
    offset = TEXT.index("st.global")
    assert [TEXT[a:b] for a, b in operands(TEXT, offset)] == ["[%rd1+8]", "{%r1, %r2}"]
    assert operands(TEXT, TEXT.index("ret;")) == []


def test_positions_of_statements_and_operands() -> None:
    module = ptxgen.parse(TEXT)
    (function,) = module.functions
    add = next(at for at, statement in enumerate(function.body) if isinstance(statement, tuple))
    assert position(module, function, add) == (7, 6)
    assert position(module, function, add, 2) == (8, 3)
    assert position(module, function, add, 3) is None
    assert position(ptxgen.Module("sm_80"), function, add) is None


def test_a_finding_about_an_operand_is_there() -> None:
    (found,) = [d for d in ptxgen.check(TEXT.replace("1 + 2", "%rd1")).diagnostics if d.severity == "error"]
    assert (found.code, found.operand, found.line, found.column, found.end_column) == ("operand", 3, 8, 3, 7)
