"""The record of certification: how many statements of each specification file were put to which ptxas.

`certification.json` stands beside the tables, or does not. A family's entry has a hash of its line in the table, so
that a specification that changed since is told from one that was certified.
"""

from __future__ import annotations

import hashlib
from typing import Any

from attrs import frozen

from ptxgen.isa import data
from ptxgen.isa.family import table


@frozen
class Certificate:
    """What came of holding one specification file against ptxas."""

    ptxas: str  # its release; "" without a record
    statements: int
    legal: int
    illegal: int
    current: bool  # of the specification as it stands

    def __str__(self) -> str:
        if not self.ptxas:
            return "not certified: there is no record of this specification"
        if not self.current:
            return f"not certified: the specification has changed since ptxas {self.ptxas} judged it"
        numbers = f"{self.statements:,} statements judged as by ptxas {self.ptxas}"
        return f"certified: {numbers}, {self.legal:,} legal and {self.illegal:,} illegal"


def certificate(mnemonic: str) -> Certificate:
    """The certificate of the specification that has a mnemonic."""
    record = data.optional("certification")
    family = table().family(mnemonic)
    assert family is not None, mnemonic
    row: dict[str, Any] = record.get("families", {}).get(family.name, {})
    if not row:
        return Certificate("", 0, 0, 0, False)
    current = row.get("hash") == fingerprint(table().text(mnemonic))
    return Certificate(str(record.get("ptxas", "")), row["statements"], row["legal"], row["illegal"], current)


def fingerprint(line: str) -> str:
    """The hash of a family's line in the table, as the record has it: SHA-256, hexadecimal."""
    return hashlib.sha256(line.encode()).hexdigest()
