"""`ptxgen isa list`: instructions, or the forms that some versions brought, one a line."""

from __future__ import annotations

from argparse import Namespace

from ptxgen.cli.isa.answer import Answer, columns, where
from ptxgen.cli.usage import WrongUsage
from ptxgen.isa import history, versions
from ptxgen.isa.query import listing
from ptxgen.isa.versions import Version


def answer(options: Namespace) -> Answer:
    """One line for each instruction that is there; with `since` or `until`, for each form that is new."""
    if options.since is None and options.until is None:
        return _instructions(options.target, options.isa)
    return _additions(options)


def _instructions(target: str | None, version: str | None) -> Answer:
    found = listing(target, version)
    rows = [(one.mnemonic, one.version, where(one.needs, min(one.needs.values(), key=versions.parse)), one.summary)
            for one in found]  # fmt: skip
    data = [
        {"mnemonic": one.mnemonic, "version": one.version, "needs": one.needs, "summary": one.summary} for one in found
    ]
    return Answer(list(columns(rows)) if rows else [], data)


def _additions(options: Namespace) -> Answer:
    since = versions.parse(options.since) if options.since else (1, 0)
    ends = [versions.parse(text) for text in (options.until, options.isa) if text] or [versions.newest()]
    if min(ends) < since:
        raise WrongUsage(f"no version is {versions.text(since)} or later and {versions.text(min(ends))} or earlier")
    found = history.additions(history.Period(before(since), min(ends), options.target or ""))
    rows = [(one.name, one.version, where(one.needs, one.version), one.text) for one in found]
    data = [
        {"mnemonic": one.name, "version": one.version, "needs": one.needs, "sort": one.sort, "text": one.text}
        for one in found
    ]
    return Answer(list(columns(rows)) if rows else [], data)


def before(version: Version) -> Version:
    """The version before one; (0, 0) before the first."""
    return max((other for other in versions.known() if other < version), default=(0, 0))
