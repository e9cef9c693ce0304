"""Blanks, remarks, lines of the C preprocessor, identifiers, strings (PTX ISA 4.1 to 4.4), as ptxas has them."""

from __future__ import annotations

import pytest

from ptxgen.ir.statements import Comment
from tests.parse.texts import HEADER, module, printed, read_statements, wrong, wrong_statements


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\r\n", "\f", "\x1a", " \t\n\r\f ", "/**/", "/* a\nb */", "//x\n"])
def test_blanks_stand_between_any_tokens(blank: str) -> None:
    written = blank.join(["add", ".u32", "a", ",", "b", ",", "c", ";"])
    assert [line.partition(" //")[0] for line in printed(written)][:1] == ["add.u32 a, b, c;"]


@pytest.mark.parametrize("mark", ["\v", "\b", "\x7f", "`", "'", "\\", "é", "\ufeff"])
def test_other_characters_are_no_blanks(mark: str) -> None:
    assert len(wrong_statements(f"add.u32 a, {mark} b, c;")) == 1


def test_no_line_is_continued_by_a_backslash() -> None:
    assert wrong_statements("add.u32 a, b, \\\n1;")
    assert printed("// one \\\nret;") == ["// one \\", "ret;"]


def test_remarks_do_not_nest() -> None:
    assert len(wrong_statements("/* a /* b */ c */ ret;")) == 1
    assert printed("/*/ a */ ret;") == ["// / a", "ret;"]


def test_a_remark_without_an_end() -> None:
    (first,) = wrong(".global .u32 x;\n/* never")
    assert first == (2, 1, "a remark begins here that never ends; */ is missing")


def test_a_remark_may_end_with_the_text() -> None:
    (_, remark) = module(".global .u32 x; // last").items
    assert isinstance(remark, Comment)
    assert (remark.text, remark.trailing) == ("last", True)


@pytest.mark.parametrize(
    "line",
    ['# 1 "a.cu"', '#line 5 "a.cu"', '#1 ""', '#line5 "f"', '# 0001 "f" 1 3', '  #  7   "a b"  2  \r', '# 1 "//"'],
)
def test_lines_of_the_preprocessor_are_passed_anywhere(line: str) -> None:
    assert printed(f"\n{line}\nadd.u32 a,\n{line}\nb, c;\nret; {line}\n") == ["add.u32 a, b, c;", "ret;"]


@pytest.mark.parametrize(
    "line", ["#", "# 1", "# text", '# 1"a"', '# 0x1 "a"', '# 1 "a" x', '# 1 "a" // b', "#define A 1", '# "a" 1']
)
def test_no_other_line_begins_so(line: str) -> None:
    found = wrong_statements(f"{line}\nret;")
    assert found[0] == (1, 1, '# begins a line such as # 1 "kernel.cu", and nothing else')
    assert len(found) == 1


@pytest.mark.parametrize(
    "name", ["x", "X1$_", "_x", "%x", "$x", "__", "_$", "%_", "$$", "add", "u32", "generic", "entry", "x" * 70_000]
)
def test_identifiers(name: str) -> None:
    assert printed(f".reg .u32 {name}; mov.u32 {name}, 1;")[1] == f"mov.u32 {name}, 1;"


@pytest.mark.parametrize(
    "name", ["_", "%", "$", "%%", "_%", "1x", "x-y", "ä", "WARP_SZ", "function_name", "inlined_at"]
)
def test_no_identifiers(name: str) -> None:
    assert len(wrong(f".global .u32 {name};")) == 1


def test_case_matters() -> None:
    assert printed(".reg .u32 A; mov.u32 A, a;")[1] == "mov.u32 A, a;"
    assert wrong_statements("mov.u32 a, B;") == [(1, 12, "B is not declared")]


@pytest.mark.parametrize("text", ['""', '"a b"', '"//"', '"a\nb"', '"\\"', '"' + "x" * 5000 + '"'])
def test_strings_have_no_escapes(text: str) -> None:
    (statement,) = read_statements(f".pragma {text};")
    assert statement.arguments == (text,)


def test_a_word_with_a_dot_is_one_token() -> None:
    assert wrong_statements("add. u32 a, b, c;")
    assert wrong(".global . u32 x;")
    assert printed("ld\n.global /* c */ .u32 a, [%d1];") == ["ld.global.u32 a, [%d1]; // c"]


def test_words_and_names_may_touch() -> None:
    text = ".visible.entry k(){.reg.u32%r<2>;add.u32%r1,%r1,1;ret;}"
    assert module(text).functions[0].name == "k"
    assert str(module(text)).startswith(HEADER)
