"""`since`, `ungated`, `removed`, `deprecated` and `instead`: what hangs on a condition, perhaps by target."""

from __future__ import annotations

import re

from tools.specification.reader import Node, Text

_VERSION = re.compile(r"\d+\.\d+")
_TARGET = re.compile(r"sm_\d+[af]?")
_LONGEST = 60  # characters of a phrase


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
        _check_target(target, targets)
        if not isinstance(version, Text):
            raise AvailabilityError(f"{target} wants one PTX ISA version")
        needs[str(target)] = _version(version, versions)
    return needs


def read_phrases(node: Node, targets: frozenset[str]) -> dict[str, str]:
    """`a loop of shfl.sync` or `{ sm_30: a loop of shfl.sync }` as target predicate -> phrase; "" is any target."""
    if isinstance(node, Text):
        return {"": _phrase(node)}
    if not isinstance(node, dict) or not node:
        raise AvailabilityError("wants a short phrase, or a mapping such as { sm_30: a loop of shfl.sync }")
    phrases: dict[str, str] = {}
    for target, phrase in node.items():
        _check_target(target, targets)
        if not isinstance(phrase, Text):
            raise AvailabilityError(f"{target} wants one phrase")
        phrases[str(target)] = _phrase(phrase)
    return phrases


def _check_target(target: str, known: frozenset[str]) -> None:
    if not _TARGET.fullmatch(target) or target not in known:
        raise AvailabilityError(f"{target} is no target of targets.yaml")


def _phrase(text: str) -> str:
    """A message puts it between its own words: `on sm_75` phrase `serves instead`."""
    if not text.strip() or "\n" in text or text != text.strip():
        raise AvailabilityError("the phrase is a part of one line, and not empty")
    if len(text) > _LONGEST or text.endswith((".", ";", ",")):
        raise AvailabilityError(f"the phrase has {_LONGEST} characters at most, and no full stop")
    return str(text)


def _version(text: str, known: frozenset[str]) -> str:
    if not _VERSION.fullmatch(text):
        raise AvailabilityError(f"{text!r} is no PTX ISA version; one looks like 7.8")
    if text not in known:
        raise AvailabilityError(f"{text} is no version of versions.yaml")
    return str(text)
