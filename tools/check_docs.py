"""`python -m tools.check_docs PATH`: compare `syntax` with a local copy of the manual.

PATH holds the PTX ISA manual as Markdown files, their sections headed `9.7.1.1. Integer Arithmetic Instructions: add`.
Each syntax line and set of a section about a specified mnemonic stands in its file, white space aside, or `errata` says
why not. Sections are found by the mnemonic in their title, as their numbers change from one edition to the next, and by
number only where the title names none; one about instructions that no file describes is a finding. Errata may be about
an older or newer edition: those that correct nothing are listed, no more.

The manual itself is no part of this repository.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import frozen

from ptxgen.errors import SpecError
from tools.manual.sections import Section, about_instructions, pieces, read_manual
from tools.specification.family import Block, Erratum, Family
from tools.specification.notation import squeeze
from tools.specification.specification import ROOT, load_specification


@frozen
class Report:
    """What was compared, and what differs; `idle` are errata that find nothing in this edition."""

    sections: int
    statements: int
    findings: list[str]
    idle: list[str]


def compare(families: list[Family], manual: list[Section]) -> Report:
    """Every section about a specified mnemonic."""
    sections, statements = 0, 0
    findings: list[str] = []
    errata = {(family.path, e): False for family in families for block in family.blocks for e in block.errata}
    for found in manual:
        syntax = found.syntax
        concerned = [family for family in families if syntax and _concerns(found, syntax, family)]
        if syntax and not concerned:
            concerned = _begun(found, families)
        if not concerned:
            if syntax and about_instructions(found.number, found.title):
                findings.append(f"section {found.number}, {found.title}, has syntax that no file describes")
            continue
        sections += 1
        section, syntax = squeeze(found.text), squeeze(syntax)
        for family in concerned:
            blocks = _blocks(found.number, section, syntax, family)
            for erratum in dict.fromkeys(e for block in blocks for e in block.errata):
                if _applies(erratum, section, syntax):
                    errata[family.path, erratum] = True
                    syntax = _corrected(syntax, section, [erratum])
        lines = list(pieces(syntax))
        statements += len(lines)
        blocks = [(family, block) for family in concerned for block in family.blocks]
        related = [(f, b) for f, b in blocks if not {p for p in pieces(b.syntax) if "=" not in p}.isdisjoint(lines)]
        ours = {piece for _, block in related or blocks for piece in pieces(block.syntax)}
        ours |= {f"{family.alias}={{{','.join(family.mnemonics)}}}" for family in concerned if family.alias}
        family, block = (related or blocks)[0]
        place = f"{family.path}:{block.syntax_line}: syntax"
        findings += [f"{place}: section {found.number} has {piece!r}" for piece in lines if piece not in ours]
    idle = [
        f"{path}:{erratum.line}: errata: {erratum.word}: {erratum.theirs!r} is not in this edition"
        for (path, erratum), used in errata.items()
        if not used and erratum.word in ("replace", "drop")
    ]
    return Report(sections, statements, findings, idle)


def _blocks(number: str, section: str, syntax: str, family: Family) -> Sequence[Block]:
    """The blocks whose errata concern a section: those with its number, or one that has all its lines, or every one."""
    numbered = [block for block in family.blocks if block.section.split()[0] == number]
    for block in family.blocks:
        if not numbered and set(pieces(_corrected(syntax, section, block.errata))) <= set(pieces(block.syntax)):
            return [block]
    return numbered or family.blocks


def _applies(erratum: Erratum, section: str, syntax: str) -> bool:
    theirs = squeeze(erratum.theirs)
    return erratum.word in ("replace", "drop") and (theirs in section or theirs in syntax)


def _corrected(syntax: str, section: str, errata: Iterable[Erratum]) -> str:
    """One after the other: what one makes of a line is there for the next."""
    for erratum in errata:
        if _applies(erratum, section, syntax):
            syntax = syntax.replace(squeeze(erratum.theirs), squeeze(erratum.ours))
    return syntax


def _concerns(section: Section, syntax: str, family: Family) -> bool:
    """Whether a section is about a family: by its title, or by its number and the beginnings of its lines."""
    stems = {mnemonic.partition("::")[0] for mnemonic in family.mnemonics}  # tcgen05.wait::ld is in tcgen05.wait
    if not {family.alias, *family.mnemonics, *stems}.isdisjoint(section.mnemonics):
        return True
    begins = (word for word in (family.alias, *family.mnemonics) if word)
    return any(block.section.split()[0] == section.number for block in family.blocks) and any(
        re.search(rf"(?:^|;)\s*{re.escape(word)}(?!\w)", syntax) for word in begins
    )


def _begun(section: Section, families: list[Family]) -> list[Family]:
    """The families whose mnemonic a longer one in the title begins with: ld.global.nc is in ld."""
    titles = [title.split(".") for title in section.mnemonics]
    words = {".".join(parts[:count]) for parts in titles for count in range(1, len(parts))}
    longest = max((m for family in families for m in family.mnemonics if m in words), key=len, default="")
    return [family for family in families if longest in family.mnemonics]


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when everything agrees, 1 when something differs, 2 when there was nothing to compare."""
    parser = argparse.ArgumentParser(prog="python -m tools.check_docs", description=__doc__)
    parser.add_argument("manual", type=Path, help="directory with a local copy of the manual")
    parser.add_argument("--specs", type=Path, default=ROOT, help="directory with the specification")
    options = parser.parse_args(arguments)
    try:
        families = load_specification(options.specs, audited=False).families
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    report = compare(families, read_manual(options.manual))
    for finding in report.findings:
        print(finding, file=sys.stderr)
    if not report.statements:
        print(f"{options.manual} has no syntax of a section that the specification describes", file=sys.stderr)
        return 2
    for line in report.idle:
        print(line)
    print(f"{report.sections} sections, {report.statements} lines and sets compared, {len(report.findings)} differ")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
