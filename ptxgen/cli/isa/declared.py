"""A special register, directive or pragma as `ptxgen isa show` has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptxgen.cli.isa.answer import Answer, needs_text
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.directives import Directive
from ptxgen.isa.registers import FIELDS, SpecialRegister


def register(found: SpecialRegister, field: str, target: str | None, version: str | None) -> Answer:
    """A special register, or one field of it."""
    name = f"%{found.name}" + (f".{field}" if field else "")
    fields = [f".{part}" for part in FIELDS] if found.vector and not field else []
    data: dict[str, Any] = {
        "sort": "special register", "name": name, "summary": found.summary, "section": found.section,
        "type": f".{found.type}", "fields": fields, "legacy": [f".{type_}" for type_ in found.legacy],
        "requires": found.requires, "since": found.since, "ungated": found.ungated,
    }  # fmt: skip
    lines = [f"{name}: {found.summary}", *_section(found.section)]
    lines.append(f"  type .{found.type}" + (f", with the fields {' '.join(fields)}" if fields else ""))
    if found.legacy:
        lines.append(f"  also read as {' '.join(data['legacy'])}")
    if found.requires:
        lines.append(f"  only in an entry with .{found.requires}")
    return _answer(name, lines, data, found.since, {}, found.ungated, target, version)


def directive(found: Directive, target: str | None, version: str | None) -> Answer:
    """A directive or a pragma."""
    data: dict[str, Any] = {
        "sort": found.sort, "name": found.name, "summary": found.summary, "section": found.section,
        "syntax": found.syntax, "arguments": found.arguments, "places": list(found.places), "since": found.since,
        "ungated": found.ungated, "removed": found.removed, "deprecated": found.deprecated,
        "conflicts": list(found.conflicts), "requires": list(found.requires), "needed": list(found.needed),
    }  # fmt: skip
    lines = [f"{found.name}: {found.summary}", *_section(found.section), f"  {found.syntax}"]
    lines += [f"    {names}: {kind.removeprefix('imm ')}" for names, kind in found.arguments.items()]
    for title, names in (
        ("on", found.places), ("not with", found.conflicts), ("only with", found.requires),
        ("ignored without", found.needed),
    ):  # fmt: skip
        if names:
            lines.append(f"  {title} {', '.join(names)}")
    if found.deprecated:
        lines.append(f"  deprecated from {needs_text(found.deprecated)} on")
    return _answer(found.name, lines, data, found.since, found.removed, found.ungated, target, version)


def _section(number: str) -> Iterator[str]:
    if number:
        yield f"  PTX ISA {number}"


def _answer(
    name: str,
    lines: list[str],
    data: dict[str, Any],
    since: dict[str, str],
    removed: dict[str, str],
    ungated: dict[str, str],
    target: str | None,
    version: str | None,
) -> Answer:
    """The lines with the availability; with status 1 only that, where the target or version does not have it."""
    data |= {"target": target, "isa": version}
    at = versions.parse(version) if version else versions.newest()
    gone = f"removed from {needs_text(removed)} on"
    names = targets.names() if target is None else (target,)
    if (target is not None or version is not None) and not any(_has(who, since, removed, at) for who in names):
        have = " ".join((f"on {target or 'any target'}", f"in PTX {versions.text(at)}"))
        said = f"{name} needs {needs_text(since)}; it is not there {have}"
        return Answer([said + (f": {gone}" if removed else "")], data, 1)
    lines.append(f"  needs {needs_text(since)}")
    if ungated:
        lines.append(f"  the manual, not ptxas, asks for {needs_text(ungated)}")
    if removed:
        lines.append(f"  {gone}")
    return Answer(lines, data)


def _has(target: str, since: dict[str, str], removed: dict[str, str], at: versions.Version) -> bool:
    first = max(availability.first_version(since, target), targets.target(target).since)
    return first <= at < availability.first_version(removed, target)
