"""Names that a program may declare (PTX ISA 4.5), and those that are taken already."""

from __future__ import annotations

from typing import Any

from ptxgen.isa import registers

_SYMBOLS = ("WARP_SZ",)


def wrong_identifier(name: Any) -> str:
    """What is wrong with a name; "" when nothing is."""
    if not isinstance(name, str):
        return f"{name!r} is no name; a name is a string"
    if not _is_identifier(name):
        rule = "letters, digits, _ and $, beginning with a letter, or with one of _ $ % and another character"
        return f"{name!r} is no PTX identifier: {rule}"
    if is_predefined(name):
        return f"{name} is predefined in PTX"
    return ""


def _is_identifier(name: str) -> bool:
    rest = name[1:] if name[:1] in ("_", "$", "%") else name
    inner = rest.replace("$", "_")
    return name.isascii() and (inner.isidentifier() if rest is name else bool(inner) and f"_{inner}".isidentifier())


def is_predefined(name: str) -> bool:
    """Whether a name is that of a special register or of a constant of PTX."""
    return name in _SYMBOLS or (name.startswith("%") and name[1:] in registers.table())
