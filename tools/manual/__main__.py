"""`python -m tools.manual PATH`: what a local copy of the manual has otherwise than the record of it.

PATH holds the PTX ISA manual as Markdown files. New, changed and gone sections are listed, those with syntax with a
star; `--record EDITION` writes the new and changed ones down as those of that edition, all of them where there is no
record yet. Single pages will do: then everything else seems to be gone.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tools.manual import record
from tools.manual.sections import read_manual


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when nothing differs or it was recorded, 1 when something differs, 2 when there is no section."""
    parser = argparse.ArgumentParser(prog="python -m tools.manual", description=__doc__)
    parser.add_argument("manual", type=Path, help="directory with a local copy of the manual, or with pages of it")
    parser.add_argument("--record", metavar="EDITION", type=_edition, help="write down what differs, as of 9.4")
    parser.add_argument("--syntax", action="store_true", help="PATH has no more of the sections than their syntax")
    parser.add_argument("--file", type=Path, default=record.PATH, help="the record")
    options = parser.parse_args(arguments)
    sections = read_manual(options.manual)
    if not sections:
        print(f"{options.manual} has no section of the manual", file=sys.stderr)
        return 2
    known = record.load(options.file)
    found = record.difference(known, sections, options.record or "", not options.syntax)
    for word, listed in (("new", found.new), ("changed", found.changed), ("gone", found.gone)):
        for section in listed:
            print(f"{word:8}{'*' if section.syntax else ' '} {section.number:14} {section.title}")
    counts = f"{len(found.new)} new, {len(found.changed)} changed, {len(found.gone)} gone"
    print(f"{len(sections)} sections: {counts}; * with syntax")
    if options.record:
        again = {(section.number, section.title) for section in (*found.new, *found.changed)}
        kept = [s for s in known if s.edition != options.record or (s.number, s.title) not in again]
        options.file.write_text(record.text([*kept, *found.new, *found.changed]), encoding="utf-8")
        return 0
    return 1 if found.new or found.changed or found.gone else 0


def _edition(text: str) -> str:
    if not re.fullmatch(r"\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text} is not the number of an edition")
    return text


if __name__ == "__main__":
    sys.exit(main())
