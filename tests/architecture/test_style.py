"""What holds for every file: it is short, has docstrings, and nothing is left to do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, files, module, place, tree

MOST_LINES = 450  # about four hundred: one sitting
# Longer than that, for a reason. Nothing else may be.
LONG: set[str] = set()


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
