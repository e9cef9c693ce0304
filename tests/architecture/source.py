"""The Python files of the project, for tests that read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def files(*folders: str) -> list[Path]:
    """Every Python file of some folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """A file, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def module(path: Path) -> str:
    """`ptxgen/isa/types.py` as ptxgen.isa.types."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path, *, typing: bool = False) -> Iterator[str]:
    """The full names that a file imports, those under TYPE_CHECKING only with `typing`."""
    hidden = set() if typing else {id(n) for node in ast.walk(tree(path)) if _typing_only(node) for n in ast.walk(node)}
    for node in ast.walk(tree(path)):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def place(path: Path, node: ast.AST) -> str:
    """`file:line` of a node."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
