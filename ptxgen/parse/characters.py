"""Characters that PTX does not have: beyond ASCII everywhere but in remarks, and NUL even there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptxgen.parse.cursor import Unreadable

# A remark as a whole, or a character that is none of PTX.
_PIECES = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|(\"[^\"]*\")|([\0\x7f-\U0010ffff])", re.DOTALL)


def foreign(text: str, known: set[int]) -> Iterator[Unreadable]:
    """Each such character where it stands first, unless an error stands there already."""
    if "\0" in text:
        at = text.index("\0")
        yield Unreadable("a NUL stands here, which PTX has nowhere, not even in remarks", at)
    if text.isascii() and "\x7f" not in text:
        return
    seen: set[str] = set()
    for match in _PIECES.finditer(text):
        at = match.start()
        if match[1] and not (match[1].isascii() and "\x7f" not in match[1]):
            at += next(n for n, char in enumerate(match[1]) if char >= "\x7f")
        elif not match[2] or at in known or match[2] == "\0":
            continue
        if text[at] in seen:
            continue
        seen.add(text[at])
        yield Unreadable(f"{text[at]!r} stands here; outside remarks PTX has ASCII only, in strings, too", at)
