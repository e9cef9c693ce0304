"""`ptxgen isa diff OLD NEW`: what versions added, removed, renamed, and advise against."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from itertools import groupby

from ptxgen.cli.isa.answer import Answer, columns, where
from ptxgen.cli.usage import WrongUsage
from ptxgen.isa import history, versions
from ptxgen.isa.history import Change


def answer(options: Namespace) -> Answer:
    """Changes by version, and within a version by what became of a thing."""
    old, new = versions.parse(options.old), versions.parse(options.new)
    if new <= old:
        raise WrongUsage(f"PTX {options.new} is not later than {options.old}")
    found = history.changes(history.Period(old, new, options.target or ""))
    data = [
        {"version": one.version, "what": one.what, "sort": one.sort, "name": one.name, "text": one.text,
         "needs": one.needs}
        for one in found
    ]  # fmt: skip
    return Answer(list(_lines(found)), data)


def _lines(found: list[Change]) -> Iterator[str]:
    for version, changes in groupby(found, key=lambda change: change.version):
        yield f"PTX {version}"
        order = [history.ADDED, history.REMOVED, history.DEPRECATED, history.RENAMED]
        ordered = sorted(changes, key=lambda change: order.index(change.what))
        for what, ones in groupby(ordered, key=lambda change: change.what):
            yield f"  {what}"
            rows = [(one.sort, one.name, where(one.needs, one.version), one.text) for one in ones]
            yield from (f"    {line}" for line in columns(rows))
