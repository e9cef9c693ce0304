"""The codes of diagnostics: stable names, each with what it means and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from attrs import frozen

_FOLDER = os.path.join(os.path.dirname(__file__), "codes")
_WIDTH = 100
LANGUAGES = ("ptx", "python", "sh")


@frozen
class Code:
    """One code. `example` gives it: `language` says whether it is PTX, Python, or a command.

    PTX that is no whole module stands in a kernel for `target`.
    """

    code: str
    title: str
    explanation: str
    example: str
    language: str
    do: str
    section: str  # of the manual, "" where each instruction has its own
    subject: str  # the file that has the code
    target: str

    def __str__(self) -> str:
        import textwrap

        parts = [
            f"{self.code}: {self.title}", textwrap.fill(self.explanation, _WIDTH),
            textwrap.indent(self.example, "    "), textwrap.fill(self.do, _WIDTH),
        ]  # fmt: skip
        return "\n\n".join([*parts, f"PTX ISA {self.section}"] if self.section else parts)


@lru_cache(maxsize=1)
def codes() -> dict[str, Code]:
    """Every code, by name, subject by subject."""
    return {code.code: code for name in SUBJECTS for code in _read(name)}


# Files of the folder, with what they are about, in the order of the page.
SUBJECTS = {
    "text": "The text and its header",
    "instructions": "Instructions",
    "declarations": "Declarations",
    "hazards": "Hazards of the flow of control and data",
    "builder": "The builder",
    "devices": "Assembling and launching",
}


def _read(subject: str) -> Iterator[Code]:
    import tomllib

    with open(os.path.join(_FOLDER, f"{subject}.toml"), "rb") as file:
        for code, row in tomllib.load(file).items():
            yield _code(code, row, subject)


def _code(code: str, row: dict[str, Any], subject: str) -> Code:
    language = next(name for name in LANGUAGES if name in row)
    return Code(
        code, row["title"], _flowing(row["explanation"]), row[language].strip(), language, _flowing(row["do"]),
        row.get("section", ""), subject, row.get("target", "sm_80"),
    )  # fmt: skip


def _flowing(text: str) -> str:
    """A text without the line breaks of its file."""
    return " ".join(text.split())
