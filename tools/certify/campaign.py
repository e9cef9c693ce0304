"""Certify many families, on all processors: making statements takes longer than having them judged.

What comes of a family depends on nothing but the family, so that the processes change nothing.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from ptxgen.isa.family import Family
from tools.certify import availability, families
from tools.certify.releases import Release
from tools.certify.selection import Effort

Say = Callable[[str], None]

# Verdicts are large and live for some seconds: looking for cycles among them takes a sixth of the time.
_COLLECTED_EVERY = 200_000


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def statements(chosen: Sequence[Family], judge: Release, effort: Effort, say: Say) -> list[families.Outcome]:
    """What came of each family's statements, in the order of the families."""
    if len(chosen) == 1:
        return [families.certify(chosen[0], judge, effort)]
    found: dict[str, families.Outcome] = {}
    with _pool() as pool:
        # Those with many lines take long, and first: the others fill the time that is left.
        order = sorted(chosen, key=lambda family: -len(family.lines))
        for done in as_completed([pool.submit(_statements, family.name, judge, effort) for family in order]):
            outcome = done.result()
            found[outcome.family] = outcome
            say(f"{len(found)}/{len(chosen)} {outcome.family}: {outcome.statements:,}")
    return [found[family.name] for family in chosen]


def available(
    chosen: Sequence[Family], judge: Release, effort: availability.Effort, say: Say
) -> list[availability.Outcome]:
    """What came of each family's availability, in the order of the families."""
    if len(chosen) == 1:
        return availability.certify(chosen, judge, effort, say)
    found: dict[str, availability.Outcome] = {}
    with _pool() as pool:
        # Families share the runs of ptxas, of which there are thousands: as few groups as keep all processors busy.
        order = sorted(chosen, key=lambda family: -len(family.lines))
        groups = [order[at :: 2 * processors()] for at in range(2 * processors())]
        tasks = [pool.submit(_available, [f.name for f in group], judge, effort) for group in groups if group]
        for done in as_completed(tasks):
            found |= {outcome.family: outcome for outcome in done.result()}
            say(f"availability of {len(found)}/{len(chosen)}")
    return [found[family.name] for family in chosen]


def _pool() -> ProcessPoolExecutor:
    # Not forked: the tests' process has threads, and a fork would copy what they hold.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processors(), context, initializer=gc.set_threshold, initargs=(_COLLECTED_EVERY,))


def _statements(name: str, judge: Release, effort: Effort) -> families.Outcome:
    (family,) = families.families([name])
    return families.certify(family, judge, effort, workers=1)


def _available(names: list[str], judge: Release, effort: availability.Effort) -> list[availability.Outcome]:
    return availability.certify(families.families(names), judge, effort, workers=1)
