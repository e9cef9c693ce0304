"""Hold the specification against ptxas: statements made from it, and the rows of availability."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.certify import availability, families, report
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable, release

EFFORTS: dict[str, tuple[families.Effort, availability.Effort]] = {
    "full": (families.Effort(), availability.Effort()),
    "small": (
        families.Effort(opcodes=300, stepped=30, steps=12, mutated=10),
        availability.Effort(tried=150, each=1, targets=availability.EDGES, origins=False),
    ),
}


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when something was checked and nothing disagrees, 2 when a release cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m tools.certify", description=__doc__)
    parser.add_argument("family", nargs="*", help="a mnemonic or specification file's name; all when none is given")
    parser.add_argument("--availability", action="store_true", help="also probe since, ungated and removed")
    parser.add_argument("--effort", choices=EFFORTS, default="full", help="how many statements are made")
    parser.add_argument("--seed", type=int, default=1, help="chooses among statements where there are too many")
    parser.add_argument("--release", default=RELEASES[-1].name, help="the ptxas to ask, as 13.5")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a record: JSON, or Markdown for FILE.md")
    options = parser.parse_args(arguments)
    chosen = families.families(options.family)
    try:
        run = certify(chosen, release(options.release), options.effort, options.seed, options.availability)
    except ReleaseUnavailable as why:
        print(why, file=sys.stderr)
        return 2
    for line in report.lines(run):
        print(line)
    if options.report:
        report.write(run, options.report)
    return 0 if run.checked and not run.disagreements else 1


def certify(
    chosen: Sequence[families.Family], judge: Release, effort: str, seed: int, with_availability: bool
) -> report.Run:
    """Certify families one by one, then their availability together; says on stderr how far it is."""
    statements, probes = EFFORTS[effort]
    statements.seed = probes.seed = seed
    judge.path()
    began = time.monotonic()
    outcomes: list[families.Outcome] = []
    for at, family in enumerate(chosen, 1):
        _progress(f"{at}/{len(chosen)} {family.name}", began)
        outcomes.append(families.certify(family, judge, statements))
    available: list[availability.Outcome] = []
    if with_availability:
        available = availability.certify(chosen, judge, probes, lambda text: _progress(text, began))
    _progress("done", began)
    return report.Run(judge, effort, seed, tuple(outcomes), tuple(available))


def _progress(text: str, began: float) -> None:
    print(f"{time.monotonic() - began:6.1f} s  {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
