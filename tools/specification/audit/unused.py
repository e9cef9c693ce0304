"""Nothing in a specification file is without effect: sets, defaults, traits, errata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.specification.family import Block, Erratum, Family
from tools.specification.notation import squeeze
from tools.specification.reader import Problems


def audit(family: Family, problems: Problems) -> None:
    """Add a fault for everything that no line uses."""
    for block in family.blocks:
        for name in _idle_sets(block):
            problems.add(family.path, block.syntax_line, "syntax", f"no line uses the set {name}")
        for slot, token in block.defaults.items():
            if message := _default(family, slot, token):
                problems.add(family.path, block.line, "defaults", message)
    for line, message in dict.fromkeys(_errata(family)):
        problems.add(family.path, line, "errata", message)


def _idle_sets(block: Block) -> list[str]:
    used: set[str] = set()
    for line in block.notation.lines:
        used.update(modifier.name for modifier in line.modifiers)
        used.update(selector for operand in line.operands for selector in operand.selector_slots())
    parts = "".join(token for tokens in block.notation.sets.values() for token in tokens) + "".join(used)
    return [
        name
        for name in block.notation.sets
        if name not in used and not (name.startswith("::") and re.search(re.escape(name) + r"(?![\w])", parts))
    ]


def _default(family: Family, slot: str, token: str) -> str:
    lines = [line for block in family.blocks for line in block.notation.lines]
    places = [m for line in lines for m in line.modifiers if slot in (m.name, *m.tokens)]
    selectors = [o for line in lines for o in line.operands if o.selector_slot == slot]
    tokens = {t for m in places for t in m.tokens} | {t for o in selectors for t in o.selectors}
    if token not in tokens:
        return f"{token} is no token of {slot}"
    if slot in tokens or any(m.group for m in places) or any(o.selector_optional for o in selectors):
        return ""
    return f"{slot} is never left out"


def _errata(family: Family) -> Iterator[tuple[int, str]]:
    """Line and message of each erratum that says nothing about the blocks that have it."""
    having: dict[Erratum, list[Block]] = {}
    for block in family.blocks:
        for erratum in block.errata:
            having.setdefault(erratum, []).append(block)
    for erratum, blocks in having.items():
        if not any(_says_something(erratum, block) for block in blocks):
            yield erratum.line, _MESSAGES[erratum.word].format(erratum.theirs, erratum.ours)


_MESSAGES = {
    "replace": "replace: our {1!r} is in no syntax line or example",
    "name": "name: the set {!r} is in no syntax line",
    "drop": "drop: {!r} still stands in the syntax",
    "optional": "optional: {} is in no syntax line, or optional there",
}


def _says_something(erratum: Erratum, block: Block) -> bool:
    match erratum.word:
        case "replace":
            return squeeze(erratum.ours) in squeeze(block.syntax + "".join(e.text for e in block.examples))
        case "name":
            return squeeze(erratum.theirs) in squeeze(block.syntax)
        case "drop":
            return squeeze(erratum.theirs) not in [squeeze(line) for line in block.syntax.split("\n")]
        case _:
            return erratum.theirs in block.notation.made_optional
