"""Strings of `.pragma`: known, in their place, and known to the ptxas that judges (PTX ISA 11.4.7, 12)."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ptxgen.errors import Diagnostic
from ptxgen.ir.statements import Directive
from ptxgen.isa import targets, versions
from ptxgen.isa.data import load
from ptxgen.isa.directives import PRAGMA
from ptxgen.isa.versions import Version

_WHERE = {"module": "in a module", "entry": "in the head of a kernel", "body": "in the body of a function"}


def pragma(text: str) -> str:
    """The pragma of a string with or without quotation marks: its first word."""
    return text.strip('";').partition(" ")[0]


def is_ignored(text: str, newest: Version) -> bool:
    """Whether a ptxas that ends at a version passes over a string, whatever it needs: it has never heard of it."""
    row = load("directives")["pragmas"].get(pragma(text))
    return row is None or min(map(versions.parse, targets.needs(row["since"]).values())) > newest


def check_pragma(directive: Directive, where: str, newest: Version) -> Iterator[Diagnostic]:
    """What is wrong with the strings of a `.pragma` in a "module", in the head of an "entry", or in a "body"."""
    rows: dict[str, dict[str, Any]] = load("directives")["pragmas"]
    for text in directive.arguments:
        name = pragma(text)
        if name not in rows:
            close = get_close_matches(name, rows, 3)
            hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(rows)}"
            message = f"{PRAGMA} {text} has no effect: there is no pragma of this name"
            yield Diagnostic("directive", "warning", message, have=text, choices=tuple(rows), hint=hint)
        elif is_ignored(text, newest):
            message = f"{PRAGMA} {text} has no effect: the assembler ends at PTX {versions.text(newest)}, before it"
            yield Diagnostic("directive", "warning", message, have=text)
        elif where not in rows[name]["on"]:
            places = " or ".join(_WHERE[place] for place in rows[name]["on"])
            yield Diagnostic("directive", "error", f"{PRAGMA} {text} stands {places}, not {_WHERE[where]}", have=text)
