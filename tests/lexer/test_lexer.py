"""The Pygments lexer: nothing of a PTX file is an error, and words are what the tables say."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Whitespace, _TokenType

from ptxgen.isa import directives, registers
from ptxgen.isa.query import isa
from ptxgen.lexer import PtxLexer
from tests.architecture.source import ROOT

GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.ptx"))


def tokens(text: str) -> list[tuple[_TokenType, str]]:
    return [(kind, word) for kind, word in PtxLexer().get_tokens(text) if kind is not Whitespace]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_printed_ptx_has_no_errors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(PtxLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(word for _, word in found) == text
    assert [word for kind, word in found if kind is Error] == []
    opcodes = [word for kind, word in found if kind is Keyword]
    assert opcodes
    assert set(opcodes) <= set(isa)


def test_an_instruction() -> None:
    assert tokens("@!%p1 ld.global.v4.f32 {%f1, _}, [x+16]; // four\n") == [
        (Operator, "@!"), (Name.Variable, "%p1"),
        (Keyword, "ld"), (Name.Decorator, ".global"), (Name.Decorator, ".v4"), (Keyword.Type, ".f32"),
        *tokens("{"), (Name.Variable, "%f1"), *tokens(","), (Name, "_"), *tokens("}"), *tokens(","),
        *tokens("["), (Name, "x"), *tokens("+"), (Number.Integer, "16"), *tokens("]"), *tokens(";"),
        (Comment.Single, "// four"),
    ]  # fmt: skip


@pytest.mark.parametrize("mnemonic", list(isa))
def test_every_mnemonic_is_one_word(mnemonic: str) -> None:
    assert tokens(f"{mnemonic}.later %r1;")[:2] == [(Keyword, mnemonic), (Name.Decorator, ".later")]


def test_special_registers_are_not_registers() -> None:
    assert {kind for name in registers.table() for kind, _ in tokens(f"%{name}")} == {Name.Builtin}
    assert tokens("%tid.x %tidy") == [(Name.Builtin, "%tid.x"), (Name.Variable, "%tidy")]


def test_directives() -> None:
    names = [name for name in directives.table() if name.startswith((".", "@@")) and " " not in name]
    assert {kind for name in names for kind, _ in tokens(name)} == {Keyword.Declaration}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0f3F800000", Number.Float), ("0d3FF0000000000000", Number.Float), ("1.5", Number.Float),
        ("1e9", Number.Float), ("0x1fU", Number.Hex), ("0b101", Number.Bin), ("017", Number.Oct),
        ("42U", Number.Integer), ('"a \\"quoted\\" word"', String), ("$top", Name),
        ("/* a\n * b */", Comment.Multiline), ("#define x", Comment.Preproc), (".unknown", Name.Attribute),
    ],
)  # fmt: skip
def test_words(text: str, kind: _TokenType) -> None:
    assert tokens(text) == [(kind, text)]


def test_a_label_and_a_name_like_an_instruction() -> None:
    assert tokens("add: ret;")[0] == (Name.Label, "add")
    assert tokens(".global .u32 add[4];")[2] == (Name, "add")
    assert (Keyword, "min") not in tokens("call min, (max);")[1:]


def test_what_is_no_ptx_is_an_error() -> None:
    assert (Error, "\0") in tokens("add\0;")


def test_pygments_finds_it() -> None:
    declared = {point.name: point.value for point in entry_points(group="pygments.lexers")}
    if "ptxgen" not in declared:
        pytest.skip("ptxgen is not installed here, or by an older version of itself")
    assert isinstance(get_lexer_by_name("ptxgen"), PtxLexer)
