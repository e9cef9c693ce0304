"""What certification found, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tools.certify import availability, differences, families
from tools.certify.families import Disagreement
from tools.certify.record import Run

SHOWN = 8
"""Disagreements and crashes of a family that are printed."""


def lines(run: Run) -> Iterator[str]:
    """The text of a run: a paragraph for each instruction, then the totals."""
    available = {outcome.family: outcome for outcome in run.availability}
    for outcome in run.statements:
        yield from _instruction(outcome, available.get(outcome.family))
    if run.directives is not None:
        yield from _instruction(families.Outcome(run.directives.family), run.directives)
    yield ""
    yield from (f"{name:28} {count:>9,}" for name, count in totals(run).items())
    for why, count in _explained(run).items():
        yield f"known of older releases: {count:,} verdicts: {why}"
    if not run.checked:
        yield "nothing was checked"


def _instruction(stated: families.Outcome, available: availability.Outcome | None) -> Iterator[str]:
    text = f"{stated.family:20} {stated.statements - stated.crashed:>7} statements certified"
    if stated.overlooked:
        text += f", {stated.overlooked} with modifiers that ptxas reads over"
    if available is not None:
        text += f", {available.probes:>6} probes of availability, {available.checked:>3} parts of rows"
    wrong = [*stated.disagreements, *(available.disagreements if available else ())]
    crashed = stated.crashed + (available.crashed if available else 0)
    yield text + f": {len(wrong)} disagreements" + (f", {crashed} crashes" if crashed else "")
    for why, parts in _unchecked(stated, available).items():
        yield f"    not checked, {why}: {'; '.join(parts)}"
    for covered in stated.coverage:
        if covered.tried < covered.legal:
            yield f"    {covered.tried:,} of {covered.legal:,} legal opcodes were tried of {covered.line}"
    yield from (f"    {statement}  ptxas crashed" for statement in stated.crashing[:SHOWN])
    yield from map("    {}".format, _folded(wrong))


def _unchecked(stated: families.Outcome, available: availability.Outcome | None) -> dict[str, list[str]]:
    """What could not be checked, by reason."""
    found: dict[str, list[str]] = {"no statement could be made": list(stated.unmade)} if stated.unmade else {}
    for part in available.unchecked if available else ():
        found.setdefault(part.reason, []).append(f"{part.row} ({part.part} of {part.entry})")
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
                "syntax lines": len(outcome.coverage),
                "all legal opcodes tried": sum(covered.tried == covered.legal for covered in outcome.coverage),
                "statements": outcome.statements,
                "accepted": outcome.legal,
                "disagreements": len(outcome.disagreements),
                "crashes": outcome.crashed,
                "syntax lines not checked": len(outcome.unmade),
            }
        )
    for outcome in run.available:
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
    for outcome in run.available:
        found.update(outcome.explained)
    return {row.why: found[row.why] for row in differences.known() if row.why in found}
