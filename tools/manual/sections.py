"""The sections of a local copy of the manual, and the syntax in them.

The copy has Markdown files whose sections are headed `9.7.1.1. Integer Arithmetic Instructions: add`; front matter,
links and the number of files do not matter, nor does white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from tools.specification.notation import squeeze

_TITLE = re.compile(r"^#+ +(\d+(?:\.\d+)*)\.? (.*)$", re.M)
_SYNTAX = re.compile(r"^Syntax$\n(.*?)(?=^[A-Z]\w+(?: \w+)*$|\Z)", re.M | re.S)  # until the next heading
_HEADING = re.compile(r"^\s*[A-Z][\w .`()/-]+:\s*$", re.M)
_SET = re.compile(r"((?:[.:][\w:]+\s*=\s*)+)(\{(?:[^{}]|\{[^{}]*\})*\}|\.\w+,where[^;{]*\{[^}]*\});?")  # squeezed
_LINK = re.compile(r"\[([^\]]*)\]\(<?[^)]*?>?\)")
_ANCHOR = "\uf0c1"  # the sign behind a heading that links to it

# What stands among the instructions and is none: blocks and guards.
_GRAMMAR = ("Control Flow Instructions: {}", "Control Flow Instructions: @")


def about_instructions(number: str, title: str) -> bool:
    """Whether a section with syntax is one that a file of `specs/instructions` describes."""
    return number.startswith("9.7.") and title not in _GRAMMAR


def mnemonics(title: str) -> tuple[str, ...]:
    """The instructions in a title; for other titles some words."""
    words = re.split(r"[,/]", re.sub(r"\(.*?\)", "", title).rpartition(": ")[2])
    return tuple(word.strip() for word in words)


@frozen
class Section:
    """A section of the manual, without those below it."""

    number: str
    title: str
    text: str

    @property
    def mnemonics(self) -> tuple[str, ...]:
        """The instructions in its title."""
        return mnemonics(self.title)

    @property
    def syntax(self) -> str:
        """Its syntax, without comments and headings."""
        text = "\n".join(match[1] for match in _SYNTAX.finditer(self.text))
        return _HEADING.sub("", without_comments(text))


def read_manual(root: Path) -> list[Section]:
    """The sections in the files below a directory, in the order of their numbers."""
    found: list[Section] = []
    for path in sorted(root.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        titles = list(_TITLE.finditer(text))
        ends = [title.start() for title in titles[1:]] + [len(text)]
        for title, end in zip(titles, ends, strict=False):
            found.append(Section(title[1], _plain(title[2]), text[title.end() : end]))
    return sorted(found, key=lambda section: [int(part) for part in section.number.split(".")])


def _plain(title: str) -> str:
    """A title without links, emphasis and anchors."""
    title = re.sub(r"[`\[\]]", "", _LINK.sub(r"\1", title)).replace(_ANCHOR, "")
    return re.sub(r"(?<!:):(?=[^\s:])", ": ", " ".join(title.split()))


def without_comments(text: str) -> str:
    """Syntax without what is said about its lines, and without rules between them."""
    return re.sub(r"//[^\n]*|^ *-{3,} *$", "", text, flags=re.M)


def pieces(text: str) -> Iterator[str]:
    """The syntax lines and sets of a text, without white space."""
    sets: list[str] = []

    def take(match: re.Match[str]) -> str:
        sets.append(match[0].rstrip(";"))
        return ";"  # a set ends the line before it, which may lack its own end

    text = _SET.sub(take, squeeze(without_comments(text)))
    yield from (piece for piece in text.split(";") if piece)
    yield from sets
