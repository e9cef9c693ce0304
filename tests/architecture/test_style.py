"""What holds for every file: no condition on an instruction's name, short files, docstrings, nothing left to do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ptxgen.isa.query import isa
from tests.architecture.source import ROOT, files, module, place, tree

MOST_LINES = 450  # about four hundred: one sitting
# Longer than that, for a reason. Nothing else may be.
LONG: set[str] = set()

OPCODES = {"mnemonic", "opcode", "instruction", "alias", "root", "canonical"}
NAMES = OPCODES | {"name"}
# A comparison of a `name` with a word that happens to be a mnemonic, too: file:line -> what it is.
NO_MNEMONICS: dict[str, str] = {}


def constants(node: ast.expr) -> list[str]:
    """The strings that a comparison names."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [text for element in node.elts for text in constants(element)]
    return []


def compared(node: ast.expr) -> str:
    """The variable or attribute that is compared, "" when it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript | ast.Call):
        inner = node.value if isinstance(node, ast.Subscript) else node.func
        return (
            compared(inner.value)
            if isinstance(inner, ast.Attribute) and isinstance(node, ast.Call)
            else compared(inner)
        )
    return ""


def conditions(path: Path) -> list[str]:
    """Where a file compares a variable that holds an opcode with the name of an instruction."""
    words = set(isa) | {mnemonic.split(".")[0] for mnemonic in isa}
    found: list[str] = []
    for node in ast.walk(tree(path)):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("startswith", "endswith")
        ):
            sides = [node.func.value, *node.args]
        elif isinstance(node, ast.Match):
            patterns = [p.value for case in node.cases for p in ast.walk(case.pattern) if isinstance(p, ast.MatchValue)]
            sides = [node.subject, *patterns]
        texts = {text.strip(".") for side in sides for text in constants(side)}
        names = {compared(side) for side in sides}
        if names & NAMES and any(text.split(".")[0] in words for text in texts if text):
            found.append(place(path, node))
    return found


def test_no_instruction_is_treated_by_name() -> None:
    found = [where for path in files("ptxgen", "tools") for where in conditions(path)]
    assert [where for where in found if where not in NO_MNEMONICS] == []


def test_the_search_finds_such_conditions(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    source.write_text(
        'if mnemonic == "ld": pass\nif x.opcode in ("add", "sub"): pass\nif opcode.startswith("cvt."): pass\n'
        'match mnemonic:\n    case "mma" | "bfi": pass\nif "shfl" == reading.mnemonic: pass\n'
        'if opcode.split(".")[0] == "atom": pass\nif kind == "add": pass\nif mnemonic == "": pass\n',
        encoding="utf-8",
    )
    words = set(isa)
    expected = [n for n, w in enumerate(["ld", "add", "cvt", "bfi", "shfl", "atom"]) if w in words]
    assert len(expected) == 6
    lines = [node.lineno for node in ast.walk(tree(source)) if isinstance(node, ast.If | ast.Match)]
    assert lines == [1, 2, 3, 4, 6, 7, 8, 9]
    assert sorted(int(where.rpartition(":")[2]) for where in _conditions_of(source)) == [1, 2, 3, 4, 6, 7]


def _conditions_of(path: Path) -> list[str]:
    """`conditions` for a file outside the project."""
    import tests.architecture.source as source

    root = source.ROOT
    source.ROOT = path.parent
    try:
        return conditions(path)
    finally:
        source.ROOT = root


@pytest.mark.parametrize("path", files("ptxgen", "tools"), ids=module)
def test_files_are_short(path: Path) -> None:
    count = len(path.read_text(encoding="utf-8").splitlines())
    assert count <= MOST_LINES or path.relative_to(ROOT).as_posix() in LONG, f"{count} lines"


def test_the_list_of_long_files_is_current() -> None:
    for name in LONG:
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) > MOST_LINES


def undocumented(path: Path) -> list[str]:
    """Public functions, methods and classes without a docstring. Overloads, stubs of a protocol and tests are none."""
    found: list[str] = []

    def visit(node: ast.Module | ast.ClassDef) -> None:
        for item in node.body:
            if isinstance(item, ast.If):  # `if not TYPE_CHECKING:`
                continue
            if not isinstance(item, ast.FunctionDef | ast.ClassDef) or item.name.startswith("_"):
                continue
            decorators = {ast.unparse(d).rpartition(".")[2] for d in item.decorator_list}
            if isinstance(item, ast.FunctionDef) and ("overload" in decorators or _is_stub(item)):
                continue
            if ast.get_docstring(item) is None:
                found.append(f"{place(path, item)} {item.name}")
            if isinstance(item, ast.ClassDef):
                visit(item)

    visit(tree(path))
    return found


def _is_stub(item: ast.FunctionDef) -> bool:
    """A property of one obvious expression, or the `...` of a protocol."""
    body = item.body
    if len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[0].value.value is ...
    return (
        len(body) == 1
        and isinstance(body[0], ast.Return)
        and any(ast.unparse(d) == "property" for d in item.decorator_list)
    )


def test_everything_public_is_documented() -> None:
    """The words of the semantics language are described in specs/semantics.md, not where they are defined."""
    words = ROOT / "ptxgen" / "cpu" / "reference"
    paths = [path for path in files("ptxgen", "tools") if words not in path.parents]
    assert [where for path in paths for where in undocumented(path)] == []


def test_every_module_says_what_it_is() -> None:
    assert [str(path) for path in files("ptxgen", "tools", "tests") if ast.get_docstring(tree(path)) is None] == []


WORDS = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]))


def test_nothing_is_left_to_do() -> None:
    found: list[str] = []
    for path in (*files("ptxgen", "tools", "tests"), *sorted((ROOT / "specs").rglob("*.yaml"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if WORDS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert found == []


def test_no_exception_is_swallowed() -> None:
    """`except ...: pass`, and a bare `except:`."""
    found: list[str] = []
    for path in files("ptxgen", "tools"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler) and (
                node.type is None or all(isinstance(s, ast.Pass) for s in node.body)
            ):
                found.append(place(path, node))
    assert found == []
