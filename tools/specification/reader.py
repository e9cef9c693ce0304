"""YAML with strings only, where every scalar knows its line.

PTX tokens such as `.nan` and `.NaN`, versions such as `8.10`, and words such as `on` must stay what they are, so no
YAML type but the string is ever resolved.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import yaml
from attrs import define, field, frozen

_compose: Any = yaml.compose  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
_parse: Any = yaml.parse  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

Node: TypeAlias = "Text | list[Node] | dict[Text, Node]"


class Text(str):
    """A scalar and the line of the file that it stands on (of a block scalar, the line before its first)."""

    __slots__ = ("line",)
    line: int

    def __new__(cls, value: str, line: int = 0) -> Text:
        text = super().__new__(cls, value)
        text.line = line
        return text


@frozen(order=True)
class Fault:
    """One fault of one file."""

    path: Path
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.key}: {self.message}"


@define
class Problems:
    """The faults found so far; what blocks share is checked for each, and its faults count once."""

    found: set[Fault] = field(factory=set[Fault])

    def add(self, path: Path, line: int, key: str, message: str) -> None:
        """Note a fault."""
        self.found.add(Fault(path, line, key, message))

    def __str__(self) -> str:
        return "\n".join(map(str, sorted(self.found)))


def read(path: Path, problems: Problems) -> Node | None:
    """The document in `path`, or None when it is not YAML at all."""
    data = b""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
        if alias := _nested_alias(text):
            problems.add(path, alias.line, "yaml", f"*{alias} stands in a value with an anchor; write it out")
            return None
        root: Any = _compose(text, Loader=_LOADER)
        if root is None:
            problems.add(path, 1, "yaml", "the file is empty")
            return None
        return _convert(root, path, problems)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        line, what = _explain(error, data)
        problems.add(path, line, "yaml", f"not readable: {what}")
        return None


def _nested_alias(text: str) -> Text | None:
    """The first alias in an anchored value: such values may be endless, or grow with a power of the file's size."""
    anchors: list[str | None] = []  # of the values that are open
    for event in _parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            anchors.append(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchors.pop()
        elif isinstance(event, yaml.AliasEvent) and any(anchors):
            return Text(str(event.anchor), event.start_mark.line + 1)
    return None


def _explain(error: Any, data: bytes) -> tuple[int, str]:
    """The line and the cause of an error of the file, its encoding or its YAML."""
    if isinstance(error, OSError):
        return 1, error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return data[: error.start].count(b"\n") + 1, str(error)
    if isinstance(error, yaml.reader.ReaderError):  # its text has two lines
        line = data[: error.position].count(b"\n") + 1
        return line, f"the character U+{int(error.character):04X}: {error.reason}"
    mark = getattr(error, "problem_mark", None)
    return mark.line + 1 if mark else 1, getattr(error, "problem", None) or str(error)


def _convert(node: Any, path: Path, problems: Problems) -> Node:
    line: int = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return Text(node.value, line)
    if isinstance(node, yaml.SequenceNode):
        return [_convert(item, path, problems) for item in node.value]
    mapping: dict[Text, Node] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            problems.add(path, key_node.start_mark.line + 1, "yaml", "a key of a mapping is a text")
            continue
        key = Text(str(key_node.value), key_node.start_mark.line + 1)
        if key in mapping:
            problems.add(path, key.line, key, "stands twice in this mapping; keep one")
        mapping[key] = _convert(value_node, path, problems)
    return mapping


def line_of(node: Node | None, default: int = 1) -> int:
    """The first line of a node."""
    if isinstance(node, Text):
        return node.line
    if isinstance(node, list):
        return line_of(node[0], default) if node else default
    if isinstance(node, dict):
        return next(iter(node)).line if node else default
    return default
