"""`ptxgen isa targets`: the targets, in the order of the specification."""

from __future__ import annotations

from argparse import Namespace

from ptxgen.cli.isa.answer import Answer, columns
from ptxgen.isa import targets, versions


def answer(_: Namespace) -> Answer:
    """Name, first version, family, the toolkits that assemble for it, and the name that it bears now."""
    data = [_row(name) for name in targets.names()]
    rows = [
        (one["name"], one["since"], one["family"] or "-", _toolkits(one["toolkits"]), f"now {one['renamed']}"
         if one["renamed"] else "")
        for one in data
    ]  # fmt: skip
    return Answer(list(columns([("target", "PTX", "family", "CUDA toolkits", ""), *rows])), data)


def _row(name: str) -> dict[str, str]:
    target, now = targets.target(name), targets.present(name).name
    kits = targets.toolkits(name)
    return {
        "name": name,
        "since": versions.text(target.since),
        "family": target.family,
        "toolkits": f"{kits[0]}..{kits[-1]}" if kits else "",
        "renamed": now if now != name else "",
    }


def _toolkits(text: str) -> str:
    first, _, last = text.partition("..")
    return first if first == last else f"{first} to {last}"
