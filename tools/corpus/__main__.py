"""Read, print and assemble every file of a folder that ptxas accepts, and say what is not as it was."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from ptxgen.cli.inputs import read
from ptxgen.errors import ParseError
from ptxgen.parse.module import parse
from tools.certify.releases import RELEASES, ReleaseUnavailable, release
from tools.corpus import code, needs, rewriting
from tools.corpus.files import File, accepted
from tools.corpus.outcome import Outcome, lines

WORKERS = 2
TIMEOUT = 120.0


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when there was something to check and no fault, 2 when it cannot be checked."""
    parser = argparse.ArgumentParser(prog="python -m tools.corpus", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder with verdicts.csv")
    parser.add_argument("--ptxas", metavar="REL", default=RELEASES[-1].name, help="the release to ask, as 13.5")
    parser.add_argument("--limit", type=int, metavar="N", help="the N smallest files of each producer")
    parser.add_argument("--requires", action="store_true", help="check what `requires` says, and no code")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="S", help="seconds for a run of ptxas")
    options = parser.parse_args(arguments)
    try:
        judge = release(options.ptxas)
        for used in (judge, RELEASES[0]):
            used.path()  # fetched here once, not by every process
        files = accepted(options.folder, options.limit)
    except (ReleaseUnavailable, OSError, KeyError) as why:
        print(f"{type(why).__name__}: {why}", file=sys.stderr)
        return 2
    work = partial(_needed if options.requires else _rewritten, judge=judge.name, timeout=options.timeout)
    with ProcessPoolExecutor(WORKERS) as pool:
        outcomes = list(pool.map(work, files))
    for line in lines(outcomes, needs.HEADINGS if options.requires else (*rewriting.HEADINGS, code.SAME)):
        print(line)
    return 0 if outcomes and not any(outcome.faults for outcome in outcomes) else 1


def _rewritten(file: File, judge: str, timeout: float) -> Outcome:
    text = read(str(file.path))
    faults = list(rewriting.faults(text))
    remarks: list[tuple[str, str]] = []
    missing = {what for what, _ in faults}
    holds = [heading for heading in rewriting.HEADINGS if heading not in missing]
    if rewriting.PARSED in holds:
        module = parse(text)
        found, detail = code.compare(text, module.ptx(), code.assemblies(module.target, release(judge)), timeout)
        if found == code.SAME:
            holds.append(found)
        else:
            (faults if found else remarks).append((f"code {found}".strip(), detail))
    return Outcome(file, tuple(holds), tuple(faults), tuple(remarks))


def _needed(file: File, judge: str, timeout: float) -> Outcome:
    try:
        module = parse(read(str(file.path)))
    except ParseError as error:
        return Outcome(file, (), ((rewriting.PARSED, str(error)),))
    faults = tuple(needs.faults(module, release(judge), timeout))
    holds = (() if faults else (needs.NEEDED,)) + ((needs.MANUAL,) if needs.by_the_manual(module) else ())
    return Outcome(file, holds, faults)


if __name__ == "__main__":
    sys.exit(main())
