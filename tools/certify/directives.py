"""Certify the availability of what is no instruction: directives, special registers, types of registers, targets.

Each row of availability in the global files is tried with one module, as those of instructions are with statements: on
every target, at its version and the one below, by the release that is asked and the oldest that can. The modules of
directives.yaml are its `examples`; those of the other files follow from the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import yaml
from attrs import evolve, frozen

from ptxgen.isa import registers, targets, versions
from ptxgen.isa.availability import NEVER, first_version
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version
from tools.certify.availability import Effort, Outcome, Unchecked
from tools.certify.boundaries import below
from tools.certify.environment import OPTIONS, Header
from tools.certify.families import Disagreement
from tools.certify.ptxas import Verdict, module_verdicts
from tools.certify.releases import RELEASES, Release, oldest
from tools.specification.specification import ROOT

Needs = dict[str, str]

_AGES = frozenset({"since", "ungated", "removed", "deprecated"})
_VERSION = re.compile(r"\d+\.\d+")
_NOTHING = ".entry e () { ret; }"
# What the other modules of a run would see; where a header is refused, they suffer from it too.
_ALONE = re.compile(rf"\.(extern|weak|common|alias|section|file)\b|@@|{re.escape(_NOTHING)}")


@frozen
class Row:
    """A row of availability, and the module that needs it and nothing else."""

    name: str  # its place: "performance .maxnreg"
    since: Needs
    removed: Needs
    text: str = ""  # the module, less its header; "" when there is none
    options: tuple[str, ...] = ()
    only: tuple[str, ...] = ()  # the targets that have it; () for all

    @property
    def trivial(self) -> bool:
        """Whether there is nothing to try: it was always there."""
        return self.since == {"": "1.0"} and not self.removed

    def legal(self, target: str, version: Version) -> bool:
        """Whether ptxas should accept the module."""
        first, end = self._bounds(target)
        return first <= version < end and (not self.only or target in self.only)

    def edges(self, target: str) -> set[Version]:
        """The versions in which something changes on a target, the ones just below, and the newest."""
        changes = {version for version in self._bounds(target) if version != NEVER} | {targets.target(target).since}
        return changes | {below(version) for version in changes} | {versions.newest()}

    def _bounds(self, target: str) -> tuple[Version, Version]:
        return first_version(self.since, target), first_version(self.removed, target)


def rows(examples: Mapping[str, Any] | None = None) -> list[Row]:
    """Every row of the global files; `examples` are those of directives.yaml."""
    given = yaml.safe_load((ROOT / "directives.yaml").read_text("utf-8"))["examples"] if examples is None else examples
    found = [*_in_table(load("directives")), *_registers(), *_types(), *_targets()]
    modules = {name: {"ptx": row} if isinstance(row, str) else row for name, row in given.items()}
    if unknown := modules.keys() - {row.name for row in found}:
        raise ValueError(f"directives.yaml: examples: no row is called {', '.join(sorted(unknown))}")
    return [
        evolve(row, text=module["ptx"], options=(*row.options, *module.get("options", ())))
        if (module := modules.get(row.name))
        else row
        for row in found
    ]


def _in_table(node: Any, place: tuple[str, ...] = (), outer: Needs | None = None) -> Iterator[Row]:
    """The rows in a part of directives.yaml: what has an age, or is a version or versions itself. What does not say
    since when is as old as what it is part of."""
    name = " ".join(place)
    if isinstance(node, str):
        if _VERSION.fullmatch(node):
            yield Row(name, targets.needs(node), {})
        return
    table: dict[str, Any] = cast("dict[str, Any]", node)
    if isinstance(node, list):
        items = [cast("dict[str, Any]", item) for item in cast("list[Any]", node) if isinstance(item, dict)]
        table = {str(next(iter(item.values()))): item for item in items}
    if any(key.startswith("sm_") for key in table):
        yield Row(name, dict(table), {})
        return
    since = targets.needs(table["since"]) if "since" in table else outer or {"": "1.0"}
    if _AGES & table.keys():
        yield Row(name, since, targets.needs(table.get("removed", {})))
    for key, inner in table.items():
        if key not in _AGES and key not in ("section", "assembled"):
            yield from _in_table(inner, (*place, key), since)


def _registers() -> Iterator[Row]:
    for register in registers.table().values():
        directive = OPTIONS[register.requires].text if register.requires else ""
        source = f"%{register.name}.x" if register.vector else f"%{register.name}"
        reads = f".reg .{register.type} r; mov.{register.type} r, {source};"
        body = f"@{source} ret;" if register.type == "pred" else reads
        yield Row(f"registers {source}", register.since, {}, f".entry e () {directive} {{ {body} }}")


def _types() -> Iterator[Row]:
    for name, row in load("types")["types"].items():
        if "register" in row:
            yield Row(f"types {name}", targets.needs(row["register"]), {}, f".entry e () {{ .reg {name} r; }}")


def _targets() -> Iterator[Row]:
    for name, row in load("targets")["targets"].items():
        yield Row(f"targets {name}", targets.needs(row["since"]), {}, _NOTHING, only=(name,))
    for name, row in targets.options().items():
        yield Row(f"options {name}", targets.needs(row["since"]), {}, _NOTHING, (name,), tuple(row.get("only", ())))


# ---- the verdicts of ptxas


def certify(release: Release, effort: Effort) -> Outcome:
    """Compare the rows of the global files with what ptxas admits."""
    found = rows()
    tried = [row for row in found if row.text]
    outcome = Outcome("directives", statements=len(tried), rows=len(found))
    outcome.unchecked = [
        Unchecked(row.name, "", "version", "example") for row in found if not row.text and not row.trivial
    ]
    asked: dict[tuple[Release, str], list[tuple[Row, Header]]] = {}
    for row in tried:
        for header in _headers(row, effort):
            version, target = header.version, header.target
            outcome.probes += 1
            for judge in {release, oldest(version, target)} if effort.origins else {release}:
                if (arch := judge.architecture(target)) and judge.judges(version, target):
                    asked.setdefault((judge, arch), []).append((row, header))
    decided: dict[str, set[bool]] = {}
    for judge, arch in sorted(asked, key=lambda key: (-RELEASES.index(key[0]), key[1])):
        given = asked[judge, arch]
        texts = [_module(row, header) for row, header in given]
        alone = {text for text, (row, _) in zip(texts, given, strict=True) if row.options or _ALONE.search(text)}
        said = module_verdicts(texts, judge, arch, alone=alone)
        for (row, header), verdict in zip(given, said, strict=True):
            _compare(outcome, row, header, judge, verdict)
            decided.setdefault(row.name, set()).add(verdict is Verdict.ACCEPTED)
    outcome.checked = sum(row.trivial or len(decided.get(row.name, ())) == 2 for row in tried)
    return outcome


def _module(row: Row, header: Header) -> str:
    return f".version {header.version} .target {', '.join((header.target, *header.options))}\n{row.text}\n"


def _headers(row: Row, effort: Effort) -> Iterator[Header]:
    for target in row.only if row.name.startswith("targets") else effort.targets:
        for version in sorted(row.edges(target)):
            if row.name.startswith("targets") or version >= targets.target(target).since:
                yield Header(versions.text(version), target, row.options)


def _compare(outcome: Outcome, row: Row, header: Header, release: Release, said: Verdict) -> None:
    expected = row.legal(header.target, versions.parse(header.version))
    text = f"{row.name}: {row.text}"
    judged = Disagreement(text, header.target, header.version, release.name, expected, said)
    outcome.count(judged, _module(row, header), release)
