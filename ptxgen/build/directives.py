"""Keywords as directives: `maxntid=(16, 16)` is `.maxntid 16, 16`."""

from __future__ import annotations

from typing import Any

from ptxgen.build.values import is_list, is_tuple
from ptxgen.check.directives import ordered, takes_text
from ptxgen.ir.statements import Directive


def written(keywords: dict[str, Any]) -> tuple[Directive, ...]:
    """The directives of a function; None and False leave one out, True is one without arguments."""
    return ordered([_directive(f".{k}", v) for k, v in keywords.items() if v is not None and v is not False])


def _directive(name: str, value: Any) -> Directive:
    if value is True:
        return Directive(name)
    values = value if is_tuple(value) or is_list(value) else (value,)
    quoted = takes_text(name)
    return Directive(name, tuple(f'"{v}"' if quoted and isinstance(v, str) else str(v) for v in values))
