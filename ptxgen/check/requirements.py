"""What a module needs: the lowest PTX ISA version for its target, and the targets and versions that can run it."""

from __future__ import annotations

from typing import Any

from attrs import Factory, asdict, frozen

from ptxgen.check.header import expect_module
from ptxgen.check.lowest import Uses, least, lowest_version, spans
from ptxgen.check.mentions import first_lines
from ptxgen.errors import Diagnostic, Unavailable, located
from ptxgen.ir.module import Module
from ptxgen.isa import targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.versions import Version


@frozen
class Requirements:
    """What a module needs to run.

    version   the lowest PTX ISA version for the module's target
    targets   every target that has all the module uses, with the lowest version there
    reasons   what asks for which version on the module's target, the most demanding first
    toolkit   the oldest CUDA toolkit whose ptxas takes the version
    driver    the oldest Linux driver that takes it, "" when none is known
    lines     the first line of the text with each reason that has one; empty for a module that was built
    lacking   every other target, with what it lacks
    """

    target: str
    version: str
    targets: dict[str, str]
    reasons: tuple[tuple[str, str], ...]
    toolkit: str
    driver: str
    lines: dict[str, int] = Factory(dict[str, int])
    lacking: dict[str, str] = Factory(dict[str, str])

    def __str__(self) -> str:
        places = {what: f", line {line}" for what, line in self.lines.items()}
        first = "; ".join(f"{what} (PTX {version}{places.get(what, '')})" for version, what in self.reasons[:3])
        lines = [
            f"lowest .version for {self.target}: {self.version}, because of {first}",
            f"CUDA toolkit {self.toolkit} or newer, driver {self.driver or 'not known'} or newer",
            "targets: " + " or ".join(_folded(self.targets)),
        ]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        reasons = [
            {"version": version, "what": what, "line": self.lines.get(what, 0)} for version, what in self.reasons
        ]
        fields = asdict(self) | {"reasons": reasons}
        del fields["lines"]
        return fields


def _folded(found: dict[str, str]) -> list[str]:
    """Targets as predicates: "sm_70 and later" for all that follow, single ones else."""
    kept: list[str] = []
    for name in found:
        if not any(targets.meets(name, other) for other in kept):
            followers = [other for other in targets.names() if targets.meets(other, name)]
            if all(other in found for other in followers):
                kept.append(name)
    single = [name for name in found if not any(targets.meets(name, other) for other in kept)]
    following = {"f": " and later of its family", "a": ""}
    return [name + following.get(name[-1], " and later") for name in kept] + single


def requires(module: Module | str) -> Requirements:
    """What a module, or PTX text, needs to run, and why.

    ParseError for text that cannot be read, Unavailable for a module whose target nobody knows.
    """
    if isinstance(module, str):
        from ptxgen.parse.module import parse

        module = parse(module)
    expect_module(module, "requires")
    try:
        targets.target(module.target)
    except targets.UnknownTarget as unknown:
        error = Unavailable.of(Diagnostic("header", "error", str(unknown), have=module.target))
        raise (error if module.source is not None else located(error)) from None
    lowest, uses = lowest_version(module), Uses.of(module)
    able = {name: version for name in targets.names() if (version := least(module, name, uses)) is not None}
    kits = versions.toolkits(lowest)
    asked = reasons(module, module.target, uses)
    why = tuple((versions.text(version), what) for version, what in asked if version != NEVER)
    return Requirements(
        module.target,
        versions.text(lowest),
        {name: versions.text(version) for name, version in able.items()},
        why,
        kits[0] if kits else "",
        versions.oldest_driver(lowest),
        first_lines(module, [what for _, what in why]),
        {name: _obstacle(module, name, uses) for name in targets.names() if name not in able},
    )


def _obstacle(module: Module, target: str, uses: Uses) -> str:
    """What keeps a module from a target: what that lacks, or what is gone from the versions that have the rest."""
    version, what = reasons(module, target, uses)[0]
    if version == NEVER:
        return what
    end, gone = min((max(span.end for span in found), what) for found, what in spans(uses, target, True))
    return f"{gone}, which PTX {versions.text(end)} removed"


def reasons(module: Module, target: str, uses: Uses | None = None) -> list[tuple[Version, str]]:
    """What asks for which version on a target, the most demanding first; NEVER for what the target lacks.

    What asks for no more than the target itself is left out.
    """
    since = targets.target(target).since
    every = spans(uses or Uses.of(module), target, True)
    found = {(min((s.first for s in alt if s), default=NEVER), what) for alt, what in every}
    kept = {pair for pair in found if pair[0] > since} | {(since, target)}
    return sorted(kept, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1]))
