"""What each PTX ISA version added, removed and advises against: instructions, forms, registers, directives, targets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from attrs import frozen

from ptxgen.isa import directives, reach, registers, targets, versions
from ptxgen.isa.availability import NEVER, lowest
from ptxgen.isa.data import load
from ptxgen.isa.family import Family, Line, Row, table
from ptxgen.isa.partial import open_line, truth
from ptxgen.isa.versions import Version

ADDED, REMOVED, DEPRECATED, RENAMED = "added", "removed", "deprecated", "renamed"


@frozen
class Change:
    """One thing that a version changed.

    what   added | removed | deprecated | renamed
    sort   instruction | form (a syntax line) | condition (statements of lines that were there) | special register
           | directive | pragma | target
    name   the mnemonic, register, directive or target
    text   the summary of something new, the syntax line, the condition, or the new name of a target
    needs  target predicate ("" for any) -> PTX ISA version; of a target nothing
    """

    version: str
    what: str
    sort: str
    name: str
    text: str
    needs: dict[str, str]


@frozen
class Period:
    """The versions after one and up to another; for one target, or for any."""

    after: Version  # not included
    until: Version
    target: str = ""

    def __contains__(self, version: Version) -> bool:
        return self.after < version <= self.until

    def concerns(self, predicate: str) -> bool:
        """Whether the period is about a target that meets a predicate."""
        return not self.target or targets.meets(self.target, predicate)

    def part(self, needs: dict[str, str]) -> dict[str, dict[str, str]]:
        """The entries of a row that fall into the period, by version; for a target, the first that it meets."""
        if self.target:
            met = [(versions.parse(when), who) for who, when in needs.items() if self.concerns(who)]
            needs = {who: versions.text(when) for when, who in sorted(met)[:1]}
        found: dict[str, dict[str, str]] = {}
        for who, when in needs.items():
            if versions.parse(when) in self:
                found.setdefault(when, {})[who] = when
        return found


def changes(period: Period) -> list[Change]:
    """All that changed in a period, oldest first; for a target, what concerns it."""
    found = [*_instructions(period), *_declared(period), *(() if period.target else _targets(period))]
    return sorted(_once(found), key=lambda change: versions.parse(change.version))


def additions(period: Period) -> list[Change]:
    """The forms and conditions that a period added, of new instructions, too, in the order of the mnemonics."""
    found = [change for mnemonic in table().mnemonics() for change in _of_mnemonic(mnemonic, period)]
    return _once([change for change in found if change.what == ADDED])


def _once(found: list[Change]) -> list[Change]:
    """Each change once: blocks share rows."""
    return list({(c.version, c.what, c.sort, c.name, c.text, *c.needs.items()): c for c in found}.values())


def _instructions(period: Period) -> Iterator[Change]:
    """What happened to instructions; a new one counts as a whole."""
    for mnemonic in table().mnemonics():
        found = list(_of_mnemonic(mnemonic, period))
        new = [change for change in found if change.what == ADDED and change.sort == "form"]
        lines = _family(mnemonic).lines_of(mnemonic)
        if new and all(_first(line, mnemonic, period)[1] > period.after for line in lines):
            first = min(new, key=lambda change: versions.parse(change.version))
            yield Change(first.version, ADDED, "instruction", mnemonic, _family(mnemonic).summary, first.needs)
            found = [change for change in found if change.version != first.version]
        yield from found


def _of_mnemonic(mnemonic: str, period: Period) -> Iterator[Change]:
    family = _family(mnemonic)
    for block in family.blocks:
        lines = [line for line in block.lines if line.mnemonic in (mnemonic, family.alias) and not line.beyond]
        if not lines:
            continue
        if any(period.part(row.needs) for row in block.since + block.ungated):
            for line in lines:
                had, first = _first(line, mnemonic, period)
                if first in period:
                    needs = {who: when for who, when in lowest(had).items() if period.concerns(who)}
                    yield Change(versions.text(first), ADDED, "form", mnemonic, line.text, needs)
            yield from _of_rows(mnemonic, block.since + block.ungated, lines, ADDED, period)
        yield from _of_rows(mnemonic, block.removed, lines, REMOVED, period)
        yield from _of_rows(mnemonic, block.deprecated, lines, DEPRECATED, period)


def _of_rows(
    mnemonic: str, rows: tuple[Row, ...], lines: list[Line], what: str, period: Period
) -> Iterator[Change]:
    """What rows say of lines: of one whose statements are all concerned the line, else the condition."""
    said: set[tuple[str, str]] = set()
    for row in rows:
        for version, needs in period.part(row.needs).items():
            if (row.text, version) in said:
                continue
            said.add((row.text, version))
            for line in lines:
                concerned = truth(row.condition, open_line(line, mnemonic))
                if concerned is False or (what == ADDED and not _had_before(row, line, mnemonic, version, period)):
                    continue
                if what != ADDED and _first(line, mnemonic, period)[1] > versions.parse(version):
                    continue  # the period's target never had it
                sort, text = ("form", line.text) if concerned else ("condition", row.text)
                yield Change(version, what, sort, mnemonic, text, needs)


def _had_before(row: Row, line: Line, mnemonic: str, version: str, period: Period) -> bool:
    """Whether a line is older than what a version added to it; the period's target has what was added."""
    if _first(line, mnemonic, period)[1] >= versions.parse(version):
        return False
    return not period.target or bool(reach.since([line], mnemonic, [period.target], which=row.condition))


def _first(line: Line, mnemonic: str, period: Period) -> tuple[dict[str, Version], Version]:
    """Since when each target has a line, and since when that of the period, or any, has it; NEVER if it has not."""
    had = _had(line, mnemonic)
    first = had.get(targets.present(period.target).name, NEVER) if period.target else min(had.values(), default=NEVER)
    return had, first


@cache
def _had(line: Line, mnemonic: str) -> dict[str, Version]:
    names = [name for name in targets.names() if targets.present(name).name == name]
    return reach.since([line], mnemonic, names)


def _declared(period: Period) -> Iterator[Change]:
    """Special registers, directives and pragmas."""
    for register in registers.table().values():
        for version, needs in period.part(register.since).items():
            yield Change(version, ADDED, "special register", f"%{register.name}", register.summary, needs)
    for directive in directives.table().values():
        rows = ((ADDED, directive.since), (REMOVED, directive.removed), (DEPRECATED, directive.deprecated))
        for what, row in rows:
            for version, needs in period.part(row).items():
                yield Change(version, what, directive.sort, directive.name, directive.summary, needs)


def _targets(period: Period) -> Iterator[Change]:
    for name in targets.names():
        target = targets.target(name)
        if target.since in period:
            version = versions.text(target.since)
            family = f"family {target.family}" if target.family else ""
            yield Change(version, ADDED, "target", name, family, {})
        for new, version in load("targets")["targets"][name].get("renamed", {}).items():
            if versions.parse(version) in period:
                yield Change(version, RENAMED, "target", name, new, {})


def _family(mnemonic: str) -> Family:
    family = table().family(mnemonic)
    assert family is not None, mnemonic
    return family
