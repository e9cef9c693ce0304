"""No code knows an instruction by name: what an instruction is stands in its specification, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptxgen.isa.query import isa
from tests.architecture.source import ROOT, files, module, tree

# Words that are mnemonics, too: file -> the words, and what they are there. Nothing else may be listed.
LANGUAGE = {
    # The words of conditions and kinds in specs/README.md.
    "ptxgen/isa/conditions.py": {"and", "or", "not", "call", "neg"},
    "ptxgen/check/describe.py": {"neg", "not"},
    "ptxgen/isa/partial.py": {"call"},
    "ptxgen/isa/wording.py": {"and", "or", "not", "call"},
    "ptxgen/isa/logic.py": {"and", "or", "not"},
    # Pieces of texts that are no PTX.
    "tools/fuzz/extremes.py": {"wgmma.mma_async.sync.aligned", "add", "add.u32", "add.a"},
    "tools/fuzz/mutation.py": {"tex"},
    # A key of specs/directives.yaml.
    "ptxgen/parse/declarations.py": {"not"},
    "tools/specification/conditions.py": {"and", "or", "not", "call", "neg", "set"},
    "tools/specification/audit/conditions.py": {"and", "or", "not"},
    "tools/specification/kinds.py": {"bar", "set", "multimem", "mbarrier", "tex"},
    # A state space of old.
    "tools/specification/names.py": {"tex"},
    "tools/certify/statements.py": {"tex"},
    # A key of directives.yaml.
    "tools/specification/global_files.py": {"not"},
    "ptxgen/check/variables.py": {"not"},
    # The functions of the language of semantics.
    "ptxgen/cpu/reference/intrinsics.py": {"abs", "min", "max", "sqrt", "copysign"},
    "ptxgen/cpu/reference/approximation.py": {"sin", "cos", "lg2", "ex2", "tanh", "rcp", "sqrt", "rsqrt", "div"},
}
MNEMONICS = frozenset(isa) | {mnemonic.split(".")[0] for mnemonic in isa}
MOST_EXCEPTIONS = 10


def named(source: ast.Module) -> Iterator[tuple[int, str]]:
    """The mnemonics that are a string of their own, with what follows or without, and their lines."""
    said = {id(node.value) for node in ast.walk(source) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            word = node.value.strip(".")
            if word in MNEMONICS or (re.fullmatch(r"[\w.:]+", word) and isa_opcode(word)):
                yield node.lineno, word


def isa_opcode(text: str) -> bool:
    """Whether a text is a mnemonic with modifiers: `ld.global`."""
    first, dot, _ = text.partition(".")
    return bool(dot) and first in MNEMONICS


@pytest.mark.parametrize("path", files("ptxgen", "tools"), ids=module)
def test_no_instruction_is_known_by_name(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    if name.startswith("tools/bench/"):
        return  # measures kernels, which have instructions
    assert [f"{name}:{line}: {word}" for line, word in named(tree(path)) if word not in LANGUAGE.get(name, ())] == []


def test_the_list_of_words_is_current() -> None:
    for name, words in LANGUAGE.items():
        assert {word for _, word in named(tree(ROOT / name))} == words, name


def test_the_search_finds_names() -> None:
    source = '''
"""add"""
if mnemonic == "ld": pass
if x.opcode in ("add", "sub"): pass
if text.startswith("cvt."): pass
match word:
    case "prmt" | "bfi": pass
table = {"shfl": 1, "other": 2}
if opcode == f"{first}.atom": pass
if opcode == "ld.global": pass
'''
    found = [word for _, word in named(ast.parse(source))]
    assert sorted(found) == sorted(["ld", "add", "sub", "cvt", "prmt", "bfi", "shfl", "atom", "ld.global"])


def exceptions() -> list[str]:
    """The named exceptions of the format."""
    text = (ROOT / "specs" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\* (.+)$", text.partition("\n## Named exceptions\n")[2].partition("\n## ")[0], re.M)


def test_named_exceptions_are_few() -> None:
    listed = exceptions()
    assert 0 < len(listed) < MOST_EXCEPTIONS
    for exception in listed:
        found = re.match(r"`([\w-]+)` \(`([\w/.]+)`\): \S", exception)
        assert found, exception
        assert f"`{found[1]}`" in (ROOT / found[2]).read_text(encoding="utf-8"), exception
