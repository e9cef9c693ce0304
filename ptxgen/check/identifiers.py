"""Names that a program may declare (PTX ISA 4.5), and those that are taken already."""

from __future__ import annotations

import re
from typing import Any

from ptxgen.isa import registers

_IDENTIFIER = re.compile(r"[A-Za-z][\w$]*|[_$%][\w$]+", re.ASCII)
_SYMBOLS = ("WARP_SZ",)


def wrong_identifier(name: Any) -> str:
    """What is wrong with a name; "" when nothing is."""
    if not isinstance(name, str):
        return f"{name!r} is no name; a name is a string"
    if not _IDENTIFIER.fullmatch(name):
        return f"{name!r} is no PTX identifier: letters, digits, _ and $, beginning with a letter, or with _, $ or % and one more"
    if is_predefined(name):
        return f"{name} is predefined in PTX"
    return ""


def is_predefined(name: str) -> bool:
    """Whether a name is that of a special register or of a constant of PTX."""
    return name in _SYMBOLS or (name.startswith("%") and name[1:] in registers.table())
