"""Where `ptxgen.check` and ptxas differ on tests/data/modules.jsonl, by reason: tests/data/differences.toml.

    python -m tests.conformance.differences

writes that file anew: modules that agree by now leave it, new ones stand under UNEXPLAINED until somebody moves them
to their reason, which the test asks for.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ptxgen

DATA = Path(__file__).parents[1] / "data"
MODULES, DIFFERENCES = DATA / "modules.jsonl", DATA / "differences.toml"
UNEXPLAINED = "not looked into yet"
HEAD = """\
# Modules of modules.jsonl on which ptxgen.check and ptxas differ, by reason. Checked in both directions: who makes one
# of them agree takes it out. `python -m tests.conformance.differences` writes the file.
"""


def rows() -> list[dict[str, Any]]:
    """The modules with their verdicts."""
    return [json.loads(line) for line in MODULES.read_text(encoding="ascii").splitlines()]


def recorded() -> dict[str, str]:
    """Identifier -> reason, of the modules that are known to differ."""
    table = tomllib.loads(DIFFERENCES.read_text(encoding="utf-8"))
    return {identifier: reason for reason, listed in table.items() for identifier in listed}


def found() -> Iterator[str]:
    """The identifiers of the modules that differ. ptxas dies of some: they have no verdict."""
    for row in rows():
        if row["accept"] is not None and ptxgen.check(row["ptx"]).ok is not row["accept"]:
            yield row["id"]


def write(reasons: dict[str, str]) -> None:
    """Write identifiers by reason, in order."""
    grouped: dict[str, list[str]] = {}
    for identifier in sorted(reasons):
        grouped.setdefault(reasons[identifier], []).append(identifier)
    parts = [HEAD]
    for reason in sorted(grouped, key=lambda reason: (reason == UNEXPLAINED, reason)):
        listed = "".join(f'  "{identifier}",\n' for identifier in grouped[reason])
        parts.append(f"\n{json.dumps(reason)} = [\n{listed}]\n")
    DIFFERENCES.write_text("".join(parts), encoding="utf-8")


def main() -> None:
    """Bring the file up to date."""
    known = recorded() if DIFFERENCES.exists() else {}
    now = {identifier: known.get(identifier, UNEXPLAINED) for identifier in found()}
    write(now)
    gone, new = sorted(known.keys() - now.keys()), sorted(now.keys() - known.keys())
    print(f"{len(now)} modules differ; {len(gone)} agree by now: {' '.join(gone)}; {len(new)} are new: {' '.join(new)}")


if __name__ == "__main__":
    main()
