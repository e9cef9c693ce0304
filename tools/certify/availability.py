"""Certify availability: every row of `since`, `ungated` and `removed`, at its version and one below, on every target.

Two releases judge each probe: the one that is asked about, and the oldest that knows the version and the target. A row
is checked when some probe hangs on it alone: with this row away, the specification would say the opposite.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen

from ptxgen.isa import targets, versions
from ptxgen.isa.family import Family
from ptxgen.isa.versions import Version
from tools.certify.boundaries import Gate, Gates, Probe, Sample, below, probes, sample
from tools.certify.families import Disagreement
from tools.certify.ptxas import Verdict, verdicts
from tools.certify.releases import Release, oldest


@define
class Effort:
    """How many statements are made, and where they are tried."""

    tried: int = 1000  # opcodes of a line, of which those that matter are chosen
    each: int = 4  # statements for each combination of rows
    targets: tuple[str, ...] = targets.names()
    origins: bool = True  # the oldest release that can is asked too
    seed: int = 1


@frozen
class Unchecked:
    """A part of a row that no probe decides, and why."""

    kind: str
    place: str  # the section of the manual, or the special register
    row: str
    entry: str  # "sm_90: 7.8"
    part: str  # "version" or "target"
    why: str


@define
class Outcome:
    """What came of certifying the availability of a family."""

    family: str
    statements: int = 0
    probes: int = 0
    verdicts: int = 0  # probes times the releases that judged them
    crashed: int = 0
    rows: int = 0
    checked: int = 0  # parts of rows, the version and the target of each entry, that some probe decides
    unchecked: list[Unchecked] = field(factory=list)
    disagreements: list[Disagreement] = field(factory=list)


def certify(families: Sequence[Family], release: Release, effort: Effort) -> Iterator[Outcome]:
    """Compare the availability of families with what ptxas admits; the probes of all share the runs of ptxas."""
    outcomes: dict[str, Outcome] = {}
    asked: dict[tuple[str, Version], list[tuple[str, Sample]]] = {}
    for family in families:
        outcome, found = _prepare(family, release, effort)
        outcomes[family.name] = outcome
        for probe, given in found:
            asked.setdefault((probe.target, probe.version), []).append((family.name, given))
    for (target, version), given in sorted(asked.items()):
        judge = [release]
        if effort.origins and (first := oldest(versions.text(version), target)) is not release:
            judge.append(first)
        for name in judge:
            said = verdicts([s.text for _, s in given], versions.text(version), target, name)
            for (family_name, s), verdict in zip(given, said, strict=True):
                _compare(outcomes[family_name], s, target, version, name, verdict)
    yield from outcomes.values()


def _prepare(family: Family, release: Release, effort: Effort) -> tuple[Outcome, list[tuple[Probe, Sample]]]:
    chance = random.Random(f"{effort.seed} {family.name}")
    gates = Gates.of(family)
    chosen = sample(family, gates, effort.tried, effort.each, chance)
    found = [
        (probe, s)
        for s in chosen
        for probe in probes(s, effort.targets)
        if release.judges(versions.text(probe.version), probe.target)
    ]
    outcome = Outcome(family.name, statements=len(chosen), probes=len(found))
    _cover(outcome, gates, chosen, found)
    return outcome, found


def _compare(outcome: Outcome, s: Sample, target: str, version: Version, release: Release, said: Verdict) -> None:
    expected = s.legal(target, version)
    outcome.verdicts += 1
    outcome.crashed += said is Verdict.CRASHED
    if said is not Verdict.CRASHED and expected != (said is Verdict.ACCEPTED):
        text = versions.text(version)
        outcome.disagreements.append(Disagreement(s.text, target, text, release.name, expected, said))


# ---- which rows the probes decide


def _cover(outcome: Outcome, gates: Gates, chosen: Sequence[Sample], found: Iterable[tuple[Probe, Sample]]) -> None:
    """Count the parts of rows that some probe decides, and list the others."""
    decided: set[tuple[Gate, str, str]] = set()
    for probe, given in found:
        for gate in _deciding(given, probe.target, probe.version):
            first = gate.first(probe.target)
            met = [p for p, v in gate.needs.items() if targets.meets(probe.target, p) and versions.parse(v) == first]
            decided |= {(gate, predicate, "version") for predicate in met}
            decided |= {(gate, predicate, "target") for predicate in gate.needs if not met}
    satisfied = {gate for s in chosen for listed in s.gates.values() for gate in listed}
    for gate in gates.found.values():
        outcome.rows += 1
        for predicate, version in gate.needs.items():
            for part in ("version", "target") if predicate else ("version",):
                if (gate, predicate, part) in decided:
                    outcome.checked += 1
                elif why := _reason(gate, predicate, version, part, gate in satisfied):
                    entry = f"{predicate or 'any'}: {version}"
                    outcome.unchecked.append(Unchecked(gate.kind, gate.place, gate.text, entry, part, why))


def _deciding(given: Sample, target: str, version: Version) -> set[Gate]:
    """The gates of which each alone makes the difference to a statement on a target in a version."""
    gates = given.gates.values()
    if given.legal(target, version):
        # Legal though the manual says otherwise; or for want of a removal only.
        return {g for listed in gates for g in listed if g.kind == "ungated" and not g.admits(target, version)}
    closed = given.closed(target, version)
    alone = {listed[0] for listed in closed if len(listed) == 1}
    return alone if all(closed) else set()


def _reason(gate: Gate, predicate: str, version: str, part: str, satisfied: bool) -> str:
    """Why no probe decides a part of a row; empty when there is nothing to decide."""
    if not satisfied:
        return "no statement satisfies it"
    if part == "target":
        if any(gate.first(name) == (1 << 30, 0) for name in targets.names()):
            return "where it refuses, another row does so too"
        return ""
    stated = versions.parse(version)
    if below(stated) == stated:
        return ""  # the first version: nothing is older
    having = [name for name in targets.names() if targets.meets(name, predicate)]
    if gate.kind == "removed":
        tried = any(targets.target(name).since <= versions.newest() for name in having)
    else:
        tried = any(targets.target(name).since < stated and gate.first(name) == stated for name in having)
    if not tried:
        return "every target that it names is newer, or first has it by another entry"
    return "where it refuses, another row does so too"
