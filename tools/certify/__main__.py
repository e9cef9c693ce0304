"""Hold the specification against ptxas: statements made from it, the rows of availability, and directives."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.certify import availability, campaign, directives, families, page, record, report, selection
from tools.certify.record import Run
from tools.certify.releases import RELEASES, Release, ReleaseUnavailable, release

EFFORTS: dict[str, tuple[selection.Effort, availability.Effort]] = {
    "large": (
        selection.Effort(legal=50_000, opcodes=4_000, stepped=600, steps=60, mutated=300),
        availability.Effort(),
    ),
    "full": (selection.Effort(), availability.Effort()),
    "small": (
        selection.Effort(legal=200, opcodes=100, stepped=30, steps=12, mutated=10),
        availability.Effort(tried=150, each=1, targets=availability.EDGES, origins=False),
    ),
}


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when something was checked and nothing disagrees, 2 when it cannot be asked or recorded."""
    parser = argparse.ArgumentParser(prog="python -m tools.certify", description=__doc__)
    parser.add_argument("family", nargs="*", help="a mnemonic or specification file's name; all when none is given")
    parser.add_argument("--availability", action="store_true", help="also probe since, ungated and removed")
    parser.add_argument(
        "--directives", action="store_true", help="probe what is no instruction; done too when all instructions are"
    )
    parser.add_argument("--effort", choices=EFFORTS, default="full", help="how many statements are made")
    parser.add_argument("--seed", type=int, default=1, help="chooses among statements where there are too many")
    parser.add_argument("--release", default=RELEASES[-1].name, help="the ptxas to ask, as 13.5")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", nargs="?", const=record.PATH,
        help="write down what was certified, into the repository or FILE and FILE's page",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    chosen = [] if options.directives and not options.family else families.families(options.family)
    others = options.directives or (options.availability and not options.family)
    try:
        judge = release(options.release)
        kept = record.kept(record.load(options.record), chosen, judge, options.effort, options.seed)
        run = certify(chosen, judge, options.effort, options.seed, options.availability, others)
    except (ReleaseUnavailable, record.RecordMismatch) as why:
        print(why, file=sys.stderr)
        return 2
    for line in report.lines(run):
        print(line)
    if options.record:
        write(record.merged(kept, run), options.record)
    return 0 if run.checked and not run.disagreements else 1


def write(data: record.Data, path: Path) -> None:
    """Write a record and its page."""
    path.write_text(record.text(data), encoding="utf-8")
    shown = page.PATH if path == record.PATH else path.with_suffix(".md")
    shown.write_text(page.text(data), encoding="utf-8")


def certify(
    chosen: Sequence[families.Family],
    judge: Release,
    effort: str,
    seed: int,
    with_availability: bool,
    with_directives: bool = False,
) -> Run:
    """Certify families, then their availability, then what is no instruction; says on stderr how far it is."""
    statements, probes = EFFORTS[effort]
    statements.seed = probes.seed = seed
    judge.path()
    began = time.monotonic()

    def say(text: str) -> None:
        _progress(text, began)

    outcomes = campaign.statements(chosen, judge, statements, say) if chosen else []
    available = campaign.available(chosen, judge, probes, say) if with_availability and chosen else []
    others = directives.certify(judge, probes) if with_directives else None
    _progress("done", began)
    return Run(judge, effort, seed, tuple(outcomes), tuple(available), others)


def _progress(text: str, began: float) -> None:
    print(f"{time.monotonic() - began:6.1f} s  {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
