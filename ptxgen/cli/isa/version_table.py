"""`ptxgen isa versions`: the PTX ISA versions, oldest first."""

from __future__ import annotations

from argparse import Namespace

from ptxgen.cli.isa.answer import Answer, columns
from ptxgen.isa import versions
from ptxgen.isa.data import load


def answer(_: Namespace) -> Answer:
    """Version, the CUDA toolkits that have it as their newest, and the oldest Linux driver that takes it."""
    data = [
        {"version": name, "toolkits": load("versions")["versions"][name],
         "driver": versions.oldest_driver(versions.parse(name))}
        for name in map(versions.text, versions.known())
    ]  # fmt: skip
    rows = [(one["version"], ", ".join(one["toolkits"]), one["driver"] or "-") for one in data]
    return Answer(list(columns([("PTX", "CUDA toolkits", "driver"), *rows])), data)
