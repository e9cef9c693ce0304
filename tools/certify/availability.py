"""Certify availability: every row of `since`, `ungated` and `removed`, at its version and one below, on every target.

Two releases judge each probe: the one that is asked about, and the oldest that knows the version and the target. A row
is checked when some probe hangs on it alone: with this row away, the specification would say the opposite.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import define, field, frozen

from ptxgen.isa import targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.family import Family
from ptxgen.isa.kinds import NO_OPTIONS
from ptxgen.isa.versions import Version
from tools.certify.boundaries import (
    Gate,
    Gates,
    Probe,
    Sample,
    below,
    environment,
    in_plain_bits,
    probes,
    samples,
    simplified,
)
from tools.certify.differences import explanation
from tools.certify.families import Disagreement, options_of
from tools.certify.ptxas import WORKERS, Verdict, verdicts
from tools.certify.releases import RELEASES, Release, oldest

Part: TypeAlias = Literal["version", "target"]
Tried: TypeAlias = Callable[[str, Version], bool]

EDGES = (
    "sm_10", "sm_13", "sm_20", "sm_30", "sm_50", "sm_53", "sm_60", "sm_70", "sm_75", "sm_80", "sm_89", "sm_90",
    "sm_90a", "sm_100a", "sm_107f", "sm_120",
)  # fmt: skip
"""Targets on which much changes, for a quick look."""


@define
class Effort:
    """How many statements are made, and where they are tried."""

    tried: int = 1500  # opcodes of a line, of which those that matter are chosen
    each: int = 4  # statements for each combination of rows
    targets: tuple[str, ...] = targets.names()
    origins: bool = True  # the oldest release that can is asked too
    seed: int = 1


REASONS = {
    "empty": "no statement satisfies it",
    "targets": "each of its targets is newer than this version, or has it by another entry",
    "untried": "nothing was tried where it shows",
    "names": "what its statements name cannot be declared there",
    "reading": "its statements can be read in another way there",
    "row": "another row refuses there too",
    "example": "directives.yaml has no example",
}
"""Why no ptxas can judge a part of a row."""


@frozen
class Unchecked:
    """A part of a row that no probe decides, and why."""

    row: str
    entry: str  # "sm_90: 7.8"
    part: Part
    why: str  # of REASONS
    other: str = ""  # the row that refuses, too

    @property
    def reason(self) -> str:
        """The reason in words."""
        return f"{REASONS[self.why]}: {self.other}" if self.other else REASONS[self.why]


@define
class Outcome:
    """What came of certifying the availability of a family."""

    family: str
    statements: int = 0
    probes: int = 0
    verdicts: int = 0  # probes times the releases that judged them
    crashed: int = 0
    rows: int = 0
    releases: set[str] = field(factory=set[str])
    checked: int = 0  # parts of rows, the version and the target of each entry, that some probe decides
    unchecked: list[Unchecked] = field(factory=list[Unchecked])
    disagreements: list[Disagreement] = field(factory=list[Disagreement])
    explained: Counter[str] = field(factory=Counter[str])  # known disagreements with older releases, by reason

    def count(self, judged: Disagreement, text: str, release: Release) -> None:
        """Count one verdict, and keep what is a disagreement; `text` is what differences.yaml knows it by."""
        accepted = judged.verdict is Verdict.ACCEPTED
        self.verdicts += 1
        self.releases.add(release.name)
        if judged.verdict is Verdict.CRASHED:
            self.crashed += 1
        elif judged.expected != accepted:
            if known := explanation(text, release, accepted):
                self.explained[known.why] += 1
            else:
                self.disagreements.append(judged)


def certify(
    families: Sequence[Family],
    release: Release,
    effort: Effort,
    progress: Callable[[str], None] = lambda _: None,
    workers: int = WORKERS,
) -> list[Outcome]:
    """Compare the availability of families with what ptxas admits; the probes of all share the runs of ptxas."""
    outcomes: list[Outcome] = []
    asked: dict[tuple[str, Version, frozenset[str], str], list[tuple[Outcome, Probe]]] = {}
    for family in families:
        progress(f"availability of {family.name}")
        outcome, found = _prepare(family, release, effort)
        outcomes.append(outcome)
        for probe in found:
            key = probe.target, probe.version, probe.sample.options, probe.sample.option
            asked.setdefault(key, []).append((outcome, probe))
    total, done = sum(map(len, asked.values())), 0
    for (target, version, options, option), given in asked.items():
        if done // 50_000 != (done := done + len(given)) // 50_000:
            progress(f"{done:,} of {total:,} probes")
        for judge, chosen in _judges(target, version, given, release, effort):
            texts = [probe.sample.text for _, probe in chosen]
            text, around = versions.text(version), environment(option)
            said = verdicts(
                texts, text, target, judge, options=sorted(options), environment=around, workers=workers
            )
            for (outcome, probe), verdict in zip(chosen, said, strict=True):
                _compare(outcome, probe, judge, verdict)
    return outcomes


def _judges(
    target: str, version: Version, given: list[tuple[Outcome, Probe]], release: Release, effort: Effort
) -> Iterator[tuple[Release, list[tuple[Outcome, Probe]]]]:
    """The releases to ask, and about what."""
    judges = {release, oldest(versions.text(version), target)} if effort.origins else {release}
    for judge in sorted(judges, key=RELEASES.index, reverse=True):
        # What only ptxas has is known of the newest release.
        chosen = [g for g in given if judge is RELEASES[-1] or not g[1].sample.beyond_manual]
        if chosen:
            yield judge, chosen


def _prepare(family: Family, release: Release, effort: Effort) -> tuple[Outcome, list[Probe]]:
    """The probes of a family, and what they will decide."""
    chance = random.Random(f"{effort.seed} {family.name}")
    gates = Gates.of(family)
    chosen = {
        sample.key: sample
        for options in (NO_OPTIONS, *(frozenset({name}) for name in options_of(family)))
        for sample in samples(family, gates, effort.tried, effort.each, chance, options)
    }

    def tried(target: str, version: Version) -> bool:
        return target in effort.targets and release.judges(versions.text(version), target)

    def ask(given: Iterable[Sample]) -> list[Probe]:
        found = (probe for sample in given for probe in probes(sample, effort.targets))
        return [probe for probe in found if tried(probe.target, probe.version)]

    asked = ask(chosen.values())
    decided = _decided(asked)
    for gate in gates.all:
        if any((gate, entry, part) not in decided for entry, part in _parts(gate)):
            having = [s for s in chosen.values() if any(gate in listed for listed in s.gates.values())][:4]
            simpler = [simplified(sample, gate, gates) for sample in having]
            simpler += [plain for sample in simpler if (plain := in_plain_bits(sample, gates))]
            fresh = {sample.key: sample for sample in simpler if sample.key not in chosen}
            asked += ask(fresh.values())
            chosen |= fresh
    outcome = Outcome(family.name, statements=len(chosen), probes=len(asked), rows=len(gates.all))
    _cover(outcome, gates, list(chosen.values()), _decided(asked), tried)
    return outcome, asked


def _compare(outcome: Outcome, probe: Probe, release: Release, said: Verdict) -> None:
    text, version = probe.sample.text, versions.text(probe.version)
    expected = probe.sample.legal(probe.target, probe.version)
    target = ", ".join((probe.target, *sorted(probe.sample.options)))
    outcome.count(Disagreement(text, target, version, release.name, expected, said), text, release)


# ---- which rows the probes decide


def _parts(gate: Gate) -> Iterator[tuple[str, Part]]:
    """The target predicates of a row, each with its version and, if it names one, its target."""
    for predicate in gate.needs:
        yield predicate, "version"
        if predicate:
            yield predicate, "target"


def _decided(asked: Iterable[Probe]) -> set[tuple[Gate, str, Part]]:
    """The parts of rows that some probe decides."""
    decided: set[tuple[Gate, str, Part]] = set()
    for probe in asked:
        for gate in _deciding(probe):
            first = gate.first(probe.target)
            for predicate, version in gate.needs.items():
                if first == NEVER:
                    decided.add((gate, predicate, "target"))
                elif targets.meets(probe.target, predicate) and versions.parse(version) == first:
                    decided.add((gate, predicate, "version"))
    return decided


def _deciding(probe: Probe) -> set[Gate]:
    """The gates of which each alone makes the difference to a probe."""
    gates = probe.sample.gates.values()
    if probe.sample.legal(probe.target, probe.version):
        return {gate for listed in gates for gate in listed if _spares(gate, probe.target, probe.version)}
    closed = probe.sample.closed(probe.target, probe.version)
    return {listed[0] for listed in closed if len(listed) == 1} if all(closed) else set()


def _spares(gate: Gate, target: str, version: Version) -> bool:
    """Whether a legal statement shows that ptxas does not enforce a row, or that a removal is not for this target."""
    if gate.kind == "ungated":
        return not gate.admits(target, version)
    return gate.kind == "removed" and gate.first(target) == NEVER


def _cover(
    outcome: Outcome,
    gates: Gates,
    chosen: list[Sample],
    decided: set[tuple[Gate, str, Part]],
    tried: Tried,
) -> None:
    """Count the parts of rows that some probe decides, and list the others."""
    for gate in gates.all:
        under = [s for s in chosen if any(gate in listed for listed in s.gates.values())]
        for predicate, part in _parts(gate):
            if (gate, predicate, part) in decided:
                outcome.checked += 1
            elif why := _reason(gate, predicate, part, under, tried):
                entry = f"{predicate or 'any'}: {gate.needs[predicate]}"
                outcome.unchecked.append(Unchecked(f"{gate.kind} {gate.text}", entry, part, *why))


def _reason(gate: Gate, predicate: str, part: Part, under: list[Sample], tried: Tried) -> tuple[str, ...]:
    """Why no probe decides a part of a row, and the other row if that is why; empty when there is nothing to decide."""
    stated = versions.parse(gate.needs[predicate])
    if not under:
        return ("empty",)
    places = list(_places(gate, predicate, part))
    if not places:
        if part == "target" or below(stated) == stated:
            return ()  # every target has it, or no version is older
        return ("targets",)
    places = [place for place in places if tried(*place)]
    if not places:
        return ("untried",)
    closed = [
        [other for other in listed if other is not gate]
        for sample in under
        for target, version in places
        for listed in sample.closed(target, version)
        if sample.declared(target, version)
    ]
    if not closed:
        return ("names",)
    least = min(closed, key=len)
    if not least:
        return ("reading",)
    return "row", str(least[0])


def _places(gate: Gate, predicate: str, part: Part) -> Iterator[tuple[str, Version]]:
    """Where a part of a row would show."""
    stated = versions.parse(gate.needs[predicate])
    for name in targets.names():
        if part == "target" and gate.first(name) == NEVER:
            yield name, versions.newest()
        elif part == "version" and targets.meets(name, predicate) and gate.first(name) == stated:
            if gate.kind == "removed":
                yield name, stated
            elif targets.target(name).since < stated:
                yield name, below(stated)
