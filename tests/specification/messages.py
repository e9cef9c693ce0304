"""Every message that the loader and its audit can give, as found in their source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

SOURCES = Path(__file__).parents[2] / "tools" / "specification"


@frozen
class Message:
    """A text in the source; what is filled in stands for anything."""

    place: str
    text: str

    def said_by(self, said: str) -> bool:
        """Whether this text is a part of what was said."""
        return re.search(".+?".join(map(re.escape, self.text.split("\0"))), said, re.DOTALL) is not None


def messages() -> list[Message]:
    """All texts of two words or more, except docstrings and regular expressions."""
    found: list[Message] = []
    for path in sorted({*SOURCES.rglob("*.py")} - {SOURCES / "names.py"}):  # PTX, no messages
        for line, text in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            if re.search(r"[a-z']{2,} [a-z']{2,}", text):
                found.append(Message(f"{path.relative_to(SOURCES.parent)}:{line}", text))
    return found


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, re.sub(r"\{[^{}]*\}", "\0", node.value)  # a template for str.format
        return
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values]
        yield node.lineno, "".join(parts)
    for child in ast.iter_child_nodes(node):
        docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _texts(child)
