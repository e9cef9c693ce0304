"""What the repository knows of the manual: of each section a hash of its text, and one of each syntax line and set.

So it can be told which sections of a new edition are new or changed, and whether each line of syntax stands in the
specification, where the manual itself is not at hand. A section of a later edition is recorded where it changed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from tools.manual.sections import Section, pieces
from tools.specification.notation import squeeze
from tools.specification.specification import ROOT

PATH = ROOT / "manual.json"
ORIGIN = "Written by `python -m tools.manual`; do not edit."

Key = tuple[str, int]
"""What a section is known by: its title, and which of those with the title it is. Numbers change between editions."""


@frozen
class Known:
    """A section of an edition as it was recorded."""

    edition: str
    number: str
    title: str
    text: str  # hash; "" where only its syntax is known
    syntax: tuple[str, ...]  # hashes

    @classmethod
    def of(cls, section: Section, edition: str, whole: bool = True) -> Known:
        """A section of a copy of the manual, which may have no more than its syntax."""
        syntax = tuple(map(short_hash, dict.fromkeys(pieces(section.syntax))))
        text = short_hash(squeeze(section.text)) if whole else ""
        return cls(edition, section.number, section.title, text, syntax)


@frozen
class Difference:
    """What a copy of the manual has otherwise than the record."""

    new: list[Known]
    changed: list[Known]
    gone: list[Known]


def short_hash(text: str) -> str:
    """A hash of a text without white space."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def load(path: Path = PATH) -> list[Known]:
    """All recorded sections, those of older editions first."""
    if not path.exists():
        return []
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return [
        Known(edition, number, title, text, tuple(syntax))
        for edition, rows in data["editions"].items()
        for number, title, text, *syntax in rows
    ]


def text(known: Iterable[Known]) -> str:
    """The record as it is written: a section a line."""
    editions: dict[str, list[Known]] = {}
    for section in known:
        editions.setdefault(section.edition, []).append(section)
    parts = [
        f"{json.dumps(edition)}: [\n"
        + ",\n".join(
            json.dumps([s.number, s.title, s.text, *s.syntax], ensure_ascii=False)
            for s in sorted(sections, key=lambda s: _order(s.number))
        )
        + "\n]"
        for edition, sections in sorted(editions.items(), key=lambda item: _order(item[0]))
    ]
    return f'{{"origin": {json.dumps(ORIGIN)},\n"editions": {{\n' + ",\n".join(parts) + "\n}}\n"


def latest(known: Iterable[Known]) -> dict[Key, Known]:
    """Each section as the newest edition has it that is recorded."""
    found: dict[Key, Known] = {}
    by_edition: dict[str, list[Known]] = {}
    for section in known:
        by_edition.setdefault(section.edition, []).append(section)
    for sections in by_edition.values():
        found |= keyed(sections)
    return found


def keyed(sections: Iterable[Known]) -> dict[Key, Known]:
    """The sections of one edition by what they are known by."""
    seen: Counter[str] = Counter()
    found: dict[Key, Known] = {}
    for section in sections:
        title = squeeze(section.title).lower()
        found[title, seen[title]] = section
        seen[title] += 1
    return found


def difference(known: Iterable[Known], manual: Iterable[Section], edition: str, whole: bool = True) -> Difference:
    """What a copy of an edition of the manual has that is new, changed or gone since, or since the newest edition."""
    before = latest(s for s in known if not edition or _order(s.edition) <= _order(edition))
    now = keyed(Known.of(section, edition, whole) for section in manual)
    changed = [section for key, section in now.items() if key in before and not _alike(before[key], section)]
    return Difference(
        [section for key, section in now.items() if key not in before],
        changed,
        [section for key, section in before.items() if key not in now],
    )


def _alike(before: Known, now: Known) -> bool:
    return before.syntax == now.syntax and (before.text == now.text or not (before.text and now.text))


def _order(number: str) -> list[int]:
    """The order of editions, and of sections."""
    return [int(part) for part in number.split(".")]
