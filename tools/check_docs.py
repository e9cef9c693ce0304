"""`python -m tools.check_docs PATH`: compare `syntax` with a local copy of the manual.

PATH holds the PTX ISA manual as Markdown files, their sections headed `9.7.1.1. Integer Arithmetic Instructions: add`.
Each syntax line and set of a section about a specified mnemonic stands in its file, white space aside, or `errata` says
why not. Sections are found by the mnemonic in their title, as their numbers change from one edition to the next, and by
number only where the title names none. Errata may be about an older or newer edition: those that correct nothing are
listed, no more.

The manual itself is no part of this repository.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from ptxgen.errors import SpecError
from tools.specification.family import Family
from tools.specification.notation import squeeze
from tools.specification.specification import ROOT, load_specification

_TITLE = re.compile(r"^#+ +(\d+(?:\.\d+)+)\.? (.*)$", re.M)
_SYNTAX = re.compile(r"^Syntax$\n(.*?)(?=^[A-Z]\w+(?: \w+)*$|\Z)", re.M | re.S)  # until the next heading
_HEADING = re.compile(r"^\s*[A-Z][\w ]+:\s*$", re.M)
_SET = re.compile(r"((?:[.:][\w:]+\s*=\s*)+)(\{(?:[^{}]|\{[^{}]*\})*\}|\.\w+,where[^;{]*\{[^}]*\});?")  # squeezed


@frozen
class Report:
    """What was compared, and what differs; `idle` are errata that find nothing in this edition."""

    sections: int
    statements: int
    findings: list[str]
    idle: list[str]


@frozen
class Section:
    """A section of the manual."""

    number: str
    mnemonics: tuple[str, ...]  # in its title
    text: str


def read_manual(root: Path) -> list[Section]:
    """The sections in the files below a directory, in the order of their names."""
    found: list[Section] = []
    for path in sorted(root.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        titles = list(_TITLE.finditer(text))
        ends = [title.start() for title in titles[1:]] + [len(text)]
        for title, end in zip(titles, ends, strict=False):
            words = re.split(r"[,/]", re.sub(r"\(.*?\)|[\[\]`]", "", title[2]).rpartition(":")[2])
            found.append(Section(title[1], tuple(word.strip() for word in words), text[title.end() : end]))
    return found


def compare(families: list[Family], manual: list[Section]) -> Report:
    """Every section about a specified mnemonic."""
    sections, statements = 0, 0
    findings: list[str] = []
    errata = {(family.path, e): False for family in families for block in family.blocks for e in block.errata}
    for found in manual:
        syntax = syntax_of(found.text)
        concerned = [family for family in families if syntax and _concerns(found, syntax, family)]
        if not concerned:
            continue
        sections += 1
        section = squeeze(found.text)
        for family in concerned:
            numbered = [block for block in family.blocks if block.section.split()[0] == found.number]
            for erratum in dict.fromkeys(e for block in numbered or family.blocks for e in block.errata):
                if erratum.word in ("replace", "drop") and squeeze(erratum.theirs) in section:
                    errata[family.path, erratum] = True
                    syntax = squeeze(syntax).replace(squeeze(erratum.theirs), squeeze(erratum.ours))
        theirs = list(pieces(syntax))
        statements += len(theirs)
        blocks = [(family, block) for family in concerned for block in family.blocks]
        related = [(f, b) for f, b in blocks if not {p for p in pieces(b.syntax) if "=" not in p}.isdisjoint(theirs)]
        ours = {piece for _, block in related or blocks for piece in pieces(block.syntax)}
        ours |= {f"{family.alias}={{{','.join(family.mnemonics)}}}" for family in concerned if family.alias}
        family, block = (related or blocks)[0]
        place = f"{family.path}:{block.syntax_line}: syntax"
        findings += [f"{place}: section {found.number} has {piece!r}" for piece in theirs if piece not in ours]
    idle = [
        f"{path}:{erratum.line}: errata: {erratum.word}: {erratum.theirs!r} is not in this edition"
        for (path, erratum), used in errata.items()
        if not used and erratum.word in ("replace", "drop")
    ]
    return Report(sections, statements, findings, idle)


def _concerns(section: Section, syntax: str, family: Family) -> bool:
    """Whether a section is about a family: by its title, or by its number and the beginnings of its lines."""
    stems = {mnemonic.partition("::")[0] for mnemonic in family.mnemonics}  # tcgen05.wait::ld is in tcgen05.wait
    if not {family.alias, *family.mnemonics, *stems}.isdisjoint(section.mnemonics):
        return True
    begins = (word for word in (family.alias, *family.mnemonics) if word)
    return any(block.section.split()[0] == section.number for block in family.blocks) and any(
        re.search(rf"(?:^|;)\s*{re.escape(word)}(?!\w)", syntax) for word in begins
    )


def syntax_of(text: str) -> str:
    """The syntax of a section, without comments and headings."""
    text = "\n".join(match[1] for match in _SYNTAX.finditer(text))
    return _HEADING.sub("", re.sub(r"//[^\n]*", "", text))


def pieces(text: str) -> Iterator[str]:
    """The syntax lines and sets of a text, without white space."""
    sets: list[str] = []

    def take(match: re.Match[str]) -> str:
        sets.append(match[0].rstrip(";"))
        return ""

    text = _SET.sub(take, squeeze(re.sub(r"//[^\n]*", "", text)))
    yield from (piece for piece in text.split(";") if piece)
    yield from sets


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
