"""The record of certification: what was asked of which ptxas about each family, and that nothing was judged otherwise.

It stands beside the tables that it is about. Each family's part names the line of the table that was certified by a
hash, so that a part that is older than its specification shows. There are no dates and no times in it: the same
specification, releases, effort and seed give the same record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from ptxgen.isa.data import read
from ptxgen.isa.family import Family, table
from tools.certify import availability, families
from tools.certify.families import Disagreement
from tools.certify.releases import RELEASES, Release
from tools.specification.specification import GLOBALS, ROOT

PATH = ROOT.parent / "generated" / "ptxgen_isa" / "certification.json"
ORIGIN = "Written by `python -m tools.certify --record`; do not edit."

# Tables that decide about legality and availability, and so about every family.
_SHARED = tuple(name for name in GLOBALS if name != "directives")

Data: TypeAlias = dict[str, Any]


class RecordMismatch(Exception):
    """Some families cannot be recorded beside others that were asked otherwise."""


@frozen
class Run:
    """One run: what was asked, and what came of it, family by family."""

    release: Release
    effort: str
    seed: int
    statements: tuple[families.Outcome, ...]
    availability: tuple[availability.Outcome, ...]  # empty when it was not asked for
    directives: availability.Outcome | None = None  # and of all that is no instruction

    @property
    def available(self) -> tuple[availability.Outcome, ...]:
        """All that was asked about availability."""
        return (*self.availability, self.directives) if self.directives else self.availability

    @property
    def disagreements(self) -> list[Disagreement]:
        """All of them."""
        return [d for outcome in (*self.statements, *self.available) for d in outcome.disagreements]

    @property
    def checked(self) -> bool:
        """Whether anything was compared in each part that was asked for."""
        parts = [sum(o.statements - o.crashed for o in self.statements)] if self.statements else []
        if self.availability:
            parts.append(sum(o.verdicts - o.crashed for o in self.availability))
        if self.directives is not None:
            parts.append(self.directives.verdicts - self.directives.crashed)
        return bool(parts) and all(parts)


def fingerprint(family: str) -> str:
    """A hash of what the tables say of a family alone."""
    (found,) = families.families([family])
    return _hash([table().text(found.mnemonics[0])])


def shared_fingerprint() -> str:
    """A hash of what the tables say of all families."""
    return _hash(read(f"{name}.json") for name in _SHARED)


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def load(path: Path | None = PATH) -> Data | None:
    """The record in a file; None when there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path is not None and path.exists() else None


def _asked(release: Release, effort: str, seed: int) -> Data:
    return {"ptxas": release.name, "effort": effort, "seed": seed, "shared": shared_fingerprint()}


def kept(old: Data | None, chosen: Sequence[Family], release: Release, effort: str, seed: int) -> Data:
    """The record without what goes when these families are certified anew.

    `RecordMismatch` when others would stay that were asked another release, or otherwise.
    """
    names = {family.name for family in families.families([])}
    if old is not None and all(old[key] == value for key, value in _asked(release, effort, seed).items()):
        return old | {"families": {name: entry for name, entry in old["families"].items() if name in names}}
    if old is not None and len(chosen) < len(names):
        raise RecordMismatch("the record is of another ptxas, effort or seed, or of other types: certify all families")
    return {"releases": [], "families": {}}


def merged(kept: Data, run: Run) -> Data:
    """A record with the families of a run in it."""
    fresh = {outcome.family: _statements(outcome) for outcome in run.statements}
    for outcome in run.availability:
        fresh[outcome.family] |= _availability(outcome)
    for name, entry in fresh.items():
        before = kept["families"].get(name, {})
        if not run.availability and before.get("table") == entry["table"] and "availability" in before:
            entry |= {key: before[key] for key in ("availability", "unjudged") if key in before}
    names = [family.name for family in families.families([])]
    entries = {name: entry for name in names if (entry := fresh.get(name) or kept["families"].get(name))}
    asked = {run.release.name, *kept["releases"]}.union(*(outcome.releases for outcome in run.available))
    others = kept.get("directives")
    if run.directives is not None:
        others = {"tables": _hash(read(f"{name}.json") for name in GLOBALS), **_availability(run.directives)}
    return {
        "origin": ORIGIN,
        **_asked(run.release, run.effort, run.seed),
        "releases": [release.name for release in RELEASES if release.name in asked],
        "totals": totals(entries),
        "reasons": availability.REASONS,
        **({"directives": others} if others else {}),
        "families": entries,
    }


def text(data: Data) -> str:
    """The record as it is written: a family a line, so that changes show in a comparison."""
    parts = {key: json.dumps(value, ensure_ascii=False) for key, value in data.items() if key != "families"}
    rows = ",\n".join(
        f" {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False, separators=(',', ':'))}"
        for name, entry in data["families"].items()
    )
    return "{" + "".join(f'"{key}": {value},\n' for key, value in parts.items()) + f'"families": {{\n{rows}\n}}}}\n'


def totals(entries: Data) -> dict[str, int]:
    """The sums over the families of a record."""
    available = [entry["availability"] for entry in entries.values() if "availability" in entry]
    found = {"families": len(entries)}
    found |= {key: sum(entry[key] for entry in entries.values()) for key in ("lines", "statements", "legal", "illegal")}
    found["with modifiers that ptxas reads over"] = sum(entry.get("overlooked", 0) for entry in entries.values())
    found["lines of which not every legal opcode was tried"] = sum(len(e.get("drawn", ())) for e in entries.values())
    found["lines of which no statement was made"] = sum(len(e.get("unmade", ())) for e in entries.values())
    found["rows of availability"] = sum(part["rows"] for part in available)
    found["verdicts on availability"] = sum(part["verdicts"] for part in available)
    found["known of older releases"] = sum(sum(part["known"].values()) for part in available)
    for key in ("crashes", "disagreements"):
        found[key] = sum(part[key] for part in (*entries.values(), *available))
    return found


def _statements(outcome: families.Outcome) -> Data:
    entry: Data = {
        "table": fingerprint(outcome.family),
        "lines": len(outcome.coverage),
        "statements": outcome.statements,
        "legal": outcome.legal,
        "illegal": outcome.illegal,
        "crashes": outcome.crashed,
        "disagreements": len(outcome.disagreements),
    }
    for key in ("again", "overlooked"):
        if count := getattr(outcome, key):
            entry[key] = count
    if drawn := [[c.line, c.tried, c.legal] for c in outcome.coverage if c.tried < c.legal]:
        entry["drawn"] = drawn
    if outcome.unmade:
        entry["unmade"] = outcome.unmade
    return entry


def _availability(outcome: availability.Outcome) -> Data:
    found: Data = {
        "availability": {
            "rows": outcome.rows,
            "verdicts": outcome.verdicts,
            "crashes": outcome.crashed,
            "disagreements": len(outcome.disagreements),
            "known": dict(sorted(outcome.explained.items())),
        }
    }
    for part in outcome.unchecked:
        by_reason = found.setdefault("unjudged", {}).setdefault(part.why, [])
        by_reason.append(f"{part.row}: {part.part} of {part.entry}")
    return found
