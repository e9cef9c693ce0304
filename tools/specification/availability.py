"""`since`, `ungated`, `removed` and `deprecated`: a condition, and the targets and versions that hang on it."""

from __future__ import annotations

import re

from tools.specification.reader import Node, Text

_VERSION = re.compile(r"\d+\.\d+")
_TARGET = re.compile(r"sm_\d+[af]?")


class AvailabilityError(ValueError):
    """An availability entry that cannot be read."""


def read_needs(node: Node, targets: frozenset[str], versions: frozenset[str]) -> dict[str, str]:
    """`1.0` or `{ sm_90: 7.8, sm_89: 8.1 }` as target predicate -> version; "" is any target."""
    if isinstance(node, Text):
        return {"": _version(node, versions)}
    if not isinstance(node, dict) or not node:
        raise AvailabilityError("wants a PTX ISA version such as 7.8, or a mapping such as { sm_90: 7.8 }")
    needs: dict[str, str] = {}
    for target, version in node.items():
        if not _TARGET.fullmatch(target) or target not in targets:
            raise AvailabilityError(f"{target} is no target of targets.yaml")
        if not isinstance(version, Text):
            raise AvailabilityError(f"{target} wants one PTX ISA version")
        needs[str(target)] = _version(version, versions)
    return needs


def _version(text: str, known: frozenset[str]) -> str:
    if not _VERSION.fullmatch(text):
        raise AvailabilityError(f"{text!r} is no PTX ISA version; one looks like 7.8")
    if text not in known:
        raise AvailabilityError(f"{text} is no version of versions.yaml")
    return str(text)
