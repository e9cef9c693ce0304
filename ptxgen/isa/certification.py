"""The record of certification: how many statements of each specification file were put to which ptxas.

`certification.json` stands beside the tables, or does not. A family's entry has a hash of its line in the table, and
the record one of the tables that decide about all families: a specification that changed since is told from one that
was certified.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from ptxgen.isa import data
from ptxgen.isa.family import table

SHARED = ("types", "tokens", "targets", "versions", "registers")
"""The tables that decide about legality and availability, and so about every family."""


@frozen
class Certificate:
    """What came of holding one specification file against ptxas."""

    ptxas: str  # its release; "" without a record
    statements: int
    legal: int
    illegal: int
    disagreements: int
    current: bool  # of the specification as it stands

    def __str__(self) -> str:
        if not self.ptxas:
            return "not certified: there is no record of this specification"
        if not self.current:
            return f"not certified: the specification has changed since ptxas {self.ptxas} judged it"
        numbers = f"{self.statements:,} statements put to ptxas {self.ptxas}, {self.legal:,} legal and {self.illegal:,}"
        return f"certified: {numbers} illegal, {self.disagreements:,} judged otherwise"


def certificate(mnemonic: str) -> Certificate:
    """The certificate of the specification that has a mnemonic."""
    record = data.optional("certification")
    family = table().family(mnemonic)
    assert family is not None, mnemonic
    row: dict[str, Any] = record.get("families", {}).get(family.name, {})
    if not row:
        return Certificate("", 0, 0, 0, 0, False)
    current = row["table"] == fingerprint(mnemonic) and record["shared"] == shared_fingerprint()
    return Certificate(
        record["ptxas"], row["statements"], row["legal"], row["illegal"], row["disagreements"], current
    )  # fmt: skip


def fingerprint(mnemonic: str) -> str:
    """A hash of what the tables say of a mnemonic's family alone."""
    return _hash([table().text(mnemonic)])


def shared_fingerprint() -> str:
    """A hash of what the tables say of all families."""
    return _hash(data.read(f"{name}.json") for name in SHARED)


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]
