"""A Pygments lexer for PTX, made from the tables of the specification: `pygmentize -l ptx kernel.ptx`.

Pygments is optional (`pip install ptxgen[color]`); nothing else in ptxgen needs this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, default, include, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from ptxgen.isa import directives, registers, types
from ptxgen.isa.data import load
from ptxgen.isa.family import table

_IDENTIFIER = r"(?:[a-zA-Z][\w$]*|[_$%][\w$]+)"
_END = r"(?![\w$])"
_OPCODE = rf"{_END}(?!\s*[=\[,\])}}])"  # what follows a variable in a declaration or list follows no mnemonic


class PtxLexer(RegexLexer):
    """PTX: mnemonics, modifiers, types, directives, special registers as the specification has them.

    A word with a dot that it does not have is still told by its place: after a mnemonic it is a modifier, else a
    directive, so that text of a later PTX ISA version has colours, too.
    """

    name = "PTX"
    url = "https://docs.nvidia.com/cuda/parallel-thread-execution/"
    aliases: ClassVar[Sequence[str]] = ["ptxgen"]  # Pygments has a lexer of its own called ptx
    filenames: ClassVar[Sequence[str]] = ["*.ptx"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-ptx"]

    @classmethod
    def get_tokendefs(cls) -> dict[str, list[Any]]:
        """The rules; Pygments asks once, when the first lexer is made."""
        return {
            "root": [
                include("blank"),
                (r"@(?!@)\s*!?", Operator),
                (rf"{_IDENTIFIER}(?=\s*:(?!:))", Name.Label),
                (words(table().mnemonics(), prefix=r"(?<![\w$%.])", suffix=_OPCODE), Keyword, "opcode"),
                include("operand"),
                (r"[;{}]", Punctuation),
            ],
            "opcode": [
                (words(_types(), prefix=r"\.", suffix=_END), Keyword.Type),
                (r"(?:\.|::)[\w]+", Name.Decorator),
                default(("#pop", "operands")),
            ],
            # Up to the semicolon: a name in here is none of an instruction, whatever it is called.
            "operands": [
                include("blank"),
                (r";", Punctuation, "#pop"),
                include("operand"),
                (r"[{}]", Punctuation),
            ],
            "blank": [
                (r"(?:\s|\\\n)+", Whitespace),
                (r"//[^\n]*", Comment.Single),
                (r"/\*(?:[^*]|\*(?!/))*\*/", Comment.Multiline),
                (r"^#[^\n]*", Comment.Preproc),
            ],
            "operand": [
                (words(_special_registers(), prefix="%", suffix=r"(?:\.[xyzw])?" + _END), Name.Builtin),
                (r"%[\w$]+", Name.Variable),
                (words(_types(), prefix=r"\.", suffix=_END), Keyword.Type),
                (words(_directives(), prefix=r"\.", suffix=_END), Keyword.Declaration),
                (r"@@\w+", Keyword.Declaration),
                (r"(?:\.|::)\w+", Name.Attribute),
                (_IDENTIFIER, Name),
                (r"_", Name),
                (r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", Number.Float),
                (r"(?:\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))(?:[eE][+-]?\d+)?", Number.Float),
                (r"0[xX][0-9a-fA-F]+[uU]?", Number.Hex),
                (r"0[bB][01]+[uU]?", Number.Bin),
                (r"0[0-7]+[uU]?", Number.Oct),
                (r"\d+[uU]?", Number.Integer),
                (r'"(?:[^"\\\n]|\\.)*"', String),
                (r"[-+*/%<>=!~&|^?:]+", Operator),
                (r"[][(),@]", Punctuation),
            ],
        }  # fmt: skip


def _types() -> list[str]:
    return list(types.names())


def _directives() -> list[str]:
    names = (*directives.table(), *load("directives")["spaces"])
    return [name[1:] for name in names if name.startswith(".")]


def _special_registers() -> list[str]:
    return list(registers.table())
