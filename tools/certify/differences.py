"""What is known to differ in older releases of ptxas (differences.yaml)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

from tools.certify.releases import RELEASES, Release

_FILE = Path(__file__).with_name("differences.yaml")


@frozen
class Difference:
    """A way in which some older releases differ from the newest."""

    oldest: str
    newest: str
    statement: re.Pattern[str]
    accepts: bool
    why: str

    def explains(self, statement: str, release: Release, accepted: bool) -> bool:
        """Whether a verdict of `release` that contradicts the specification is this difference."""
        order = [known.name for known in RELEASES]
        first = _position(self.oldest) if self.oldest else 0
        last = _position(self.newest)
        return (
            accepted == self.accepts
            and first <= order.index(release.name) <= last
            and self.statement.search(statement) is not None
        )


def _position(name: str) -> int:
    """The place of a release, "12.9" or whole, in the order of RELEASES."""
    return next(at for at, known in enumerate(RELEASES) if name in (known.name, known.name.rpartition(".")[0]))


@lru_cache(maxsize=1)
def known() -> tuple[Difference, ...]:
    """All of differences.yaml."""
    listed: list[dict[str, Any]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    found: list[Difference] = []
    for row in listed:
        oldest, _, newest = str(row["releases"]).partition("..")
        found.append(Difference(oldest, newest, re.compile(row["statement"]), bool(row["accepts"]), str(row["why"])))
    return tuple(found)


def explanation(statement: str, release: Release, accepted: bool) -> Difference | None:
    """The known difference that a verdict shows; None when it is none, as always for the newest release."""
    if release is RELEASES[-1]:
        return None
    return next((row for row in known() if row.explains(statement, release, accepted)), None)
