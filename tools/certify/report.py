"""What certification found, for people and as a record that the same specification and releases give again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from tools.certify import availability, differences, families
from tools.certify.families import Disagreement
from tools.certify.releases import Release
from tools.specification.specification import ROOT

SHOWN = 8
"""Disagreements of a family that are printed; the record has all."""


@frozen
class Run:
    """One run: what was asked, and what came of it, family by family."""

    release: Release
    effort: str
    seed: int
    statements: tuple[families.Outcome, ...]
    availability: tuple[availability.Outcome, ...]  # empty when it was not asked for

    @property
    def disagreements(self) -> list[Disagreement]:
        """All of them."""
        return [d for outcome in (*self.statements, *self.availability) for d in outcome.disagreements]

    @property
    def checked(self) -> bool:
        """Whether anything was compared in each part that was asked for."""
        parts = [sum(o.statements - o.crashed for o in self.statements)]
        if self.availability:
            parts.append(sum(o.verdicts - o.crashed for o in self.availability))
        return all(parts)


def specification_hash() -> str:
    """A hash of all files of the specification."""
    digest = hashlib.sha256()
    for path in sorted(ROOT.rglob("*.yaml")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


# ---- for people


def lines(run: Run) -> Iterator[str]:
    """The text of a run: a paragraph for each instruction, then the totals."""
    available = {outcome.family: outcome for outcome in run.availability}
    for outcome in run.statements:
        yield from _instruction(outcome, available.get(outcome.family))
    yield ""
    yield from (f"{name:28} {count:>9,}" for name, count in totals(run).items())
    for why, count in _explained(run).items():
        yield f"known of older releases: {count:,} verdicts: {why}"
    if not run.checked:
        yield "nothing was checked"


def _instruction(stated: families.Outcome, available: availability.Outcome | None) -> Iterator[str]:
    text = f"{stated.family:20} {stated.statements - stated.crashed:>6} statements certified"
    if available is not None:
        text += f", {available.probes:>6} probes of availability, {available.checked:>3} parts of rows"
    wrong = [*stated.disagreements, *(available.disagreements if available else ())]
    crashed = stated.crashed + (available.crashed if available else 0)
    yield text + f": {len(wrong)} disagreements" + (f", {crashed} crashes" if crashed else "")
    for why, parts in _unchecked(stated, available).items():
        yield f"    not checked, {why}: {'; '.join(parts)}"
    yield from map("    {}".format, _folded(wrong))


def _unchecked(stated: families.Outcome, available: availability.Outcome | None) -> dict[str, list[str]]:
    """What could not be checked, by reason."""
    found: dict[str, list[str]] = {"no statement could be made": list(stated.unmade)} if stated.unmade else {}
    for part in available.unchecked if available else ():
        found.setdefault(part.why, []).append(f"{part.row} ({part.part} of {part.entry})")
    return found


def _folded(wrong: Sequence[Disagreement]) -> Iterator[str]:
    """One line for each statement and release, with some of the places."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for d in wrong:
        said = f"the specification {'accepts' if d.expected else 'rejects'}, ptxas {d.release} {d.verdict.value}"
        places.setdefault((d.statement, said, d.release), []).append(f"{d.target} {d.version}")
    for (statement, said, _), where in list(places.items())[:SHOWN]:
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        yield f"{statement}  {said}: {', '.join(where[:3])}{more}"
    if len(places) > SHOWN:
        yield f"... and {len(places) - SHOWN} more statements"


def totals(run: Run) -> dict[str, int]:
    """Everything counted, over all instructions."""
    found: Counter[str] = Counter()
    for outcome in run.statements:
        found.update(
            {
                "instructions": 1,
                "statements": outcome.statements,
                "accepted": outcome.legal,
                "disagreements": len(outcome.disagreements),
                "crashes": outcome.crashed,
                "syntax lines not checked": len(outcome.unmade),
            }
        )
    for outcome in run.availability:
        found.update(
            {
                "rows of availability": outcome.rows,
                "parts of rows checked": outcome.checked,
                "parts of rows not checked": len(outcome.unchecked),
                "availability probes": outcome.probes,
                "availability verdicts": outcome.verdicts,
                "disagreements": len(outcome.disagreements),
                "crashes": outcome.crashed,
                "known of older releases": sum(outcome.explained.values()),
            }
        )
    return dict(found)


def _explained(run: Run) -> dict[str, int]:
    """The known differences of older releases, in the order of differences.yaml, with the verdicts that show them."""
    found: Counter[str] = Counter()
    for outcome in run.availability:
        found.update(outcome.explained)
    return {row.why: found[row.why] for row in differences.known() if row.why in found}


# ---- as a record


def record(run: Run) -> dict[str, Any]:
    """Plain data; the same for the same specification, releases, effort and seed."""
    releases = sorted({run.release.name, *(name for outcome in run.availability for name in outcome.releases)})
    available = {outcome.family: outcome for outcome in run.availability}
    return {
        "specification": specification_hash(),
        "release": run.release.name,
        "releases": releases,
        "effort": run.effort,
        "seed": run.seed,
        "totals": totals(run),
        "older releases": _explained(run),
        "instructions": {o.family: _entry(o, available.get(o.family)) for o in run.statements},
        "disagreements": [{**asdict(d), "verdict": d.verdict.value} for d in run.disagreements],
    }


def _entry(stated: families.Outcome, available: availability.Outcome | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "statements": stated.statements,
        "accepted": stated.legal,
        "disagreements": len(stated.disagreements),
        "crashes": stated.crashed,
        "not checked": _unchecked(stated, available),
    }
    if available is not None:
        entry["availability"] = {
            "rows": available.rows,
            "checked": available.checked,
            "probes": available.probes,
            "verdicts": available.verdicts,
            "disagreements": len(available.disagreements),
            "crashes": available.crashed,
        }
    return entry


def write(run: Run, path: Path) -> None:
    """Write the record: Markdown for a name that ends in `.md`, else JSON."""
    data = record(run)
    text = _markdown(data) if path.suffix == ".md" else json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def _markdown(data: dict[str, Any]) -> str:
    parts = [
        "# Certification against ptxas",
        "",
        f"Releases: {', '.join(data['releases'])}. Effort: {data['effort']}, seed {data['seed']}. "
        f"Specification: `{data['specification'][:16]}`.",
        "",
        "| | |",
        "|---|---:|",
        *(f"| {name} | {count:,} |" for name, count in data["totals"].items()),
        "",
        "| instruction | statements | accepted | disagreements | crashes | availability probes | disagreements |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, entry in data["instructions"].items():
        available = entry.get("availability", {})
        parts.append(
            f"| {name} | {entry['statements']} | {entry['accepted']} | {entry['disagreements']} | {entry['crashes']} "
            f"| {available.get('probes', '')} | {available.get('disagreements', '')} |"
        )
    if data["older releases"]:
        parts += ["", "## What older releases judge otherwise", ""]
        parts += [f"* {why} ({count:,} verdicts)" for why, count in data["older releases"].items()]
    unchecked = [
        f"* {name}, {why}: {'; '.join(listed)}"
        for name, entry in data["instructions"].items()
        for why, listed in entry["not checked"].items()
    ]
    if unchecked:
        parts += ["", "## Not checked", "", *unchecked]
    if data["disagreements"]:
        parts += ["", "## Disagreements", ""]
        parts += [
            f"* `{d['statement']}` on {d['target']} in {d['version']}, ptxas {d['release']}: {d['verdict']}"
            for d in data["disagreements"]
        ]
    return "\n".join(parts) + "\n"
