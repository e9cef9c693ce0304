"""Every line of syntax of the manual stands in the specification, as far as specs/manual.json knows the manual."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from tools.manual import record
from tools.manual.coverage import covered
from tools.manual.record import Known
from tools.manual.sections import about_instructions, mnemonics
from tools.specification.family import Family
from tools.specification.specification import ROOT, load_specification

KNOWN = record.load()
WITH_SYNTAX = [section for section in KNOWN if section.syntax]
# An attribute of parameters: it is a part of `.entry` in directives.yaml.
PART = {"Kernel Parameter Attribute: .ptr"}


@cache
def families() -> list[Family]:
    return load_specification(audited=False).families


def ours(section: Known) -> set[str]:
    """What stands in the files of the instructions that a title names; in all files where it names none."""
    named = set(mnemonics(section.title))
    return covered([f for f in families() if named & {f.alias, *f.mnemonics}] or families())


def told(section: Known) -> str:
    return f"{section.edition}-{section.number}"


@pytest.mark.parametrize(
    "section", [s for s in WITH_SYNTAX if about_instructions(s.number, s.title)], ids=told
)  # fmt: skip
def test_lines_and_sets_stand_in_a_file(section: Known) -> None:
    missing = set(section.syntax) - ours(section)
    count = f"{len(missing)} of {len(section.syntax)} lines and sets"
    assert not missing, f"{section.title}: {count} stand in no file and no errata; tools.check_docs says which"


def sections(data: Any) -> Iterator[str]:
    """The sections that a global file names."""
    for key, value in data.items() if isinstance(data, dict) else ():
        yield from [value] if key == "section" else sections(value)


def test_directives_are_described() -> None:
    text = (ROOT / "directives.yaml").read_text(encoding="utf-8")
    described = set(sections(yaml.load(text, yaml.BaseLoader)))
    # Numbers change between editions: those of the newest that has the section are the ones in the file.
    newest = [s for s in record.latest(KNOWN).values() if s.syntax and not s.number.startswith("9.")]
    assert [s.number for s in newest if s.number not in described and s.title not in PART] == []


def test_the_whole_manual_is_known() -> None:
    chapters = {section.number.split(".")[0] for section in KNOWN}
    assert chapters == {str(chapter) for chapter in range(1, 15)}
    assert len(WITH_SYNTAX) > 200


def test_written_as_it_would_be() -> None:
    assert record.PATH.read_text(encoding="utf-8") == record.text(KNOWN)
