"""What a module needs: the lowest PTX ISA version for its target, and the targets and versions that can run it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ptxgen.check import declarations, directives
from ptxgen.check.instruction import verdict
from ptxgen.ir.module import Module, Variant
from ptxgen.isa import targets, versions
from ptxgen.isa.availability import NEVER, Span, first_version
from ptxgen.isa.versions import Version


@frozen
class Requirements:
    """What a module needs to run.

    version   the lowest PTX ISA version for the module's target
    targets   every target that has all the module uses, with the lowest version there
    reasons   what asks for which version on the module's target, the most demanding first
    toolkit   the oldest CUDA toolkit whose ptxas takes the version
    driver    the oldest Linux driver that takes it, "" when none is known
    """

    target: str
    version: str
    targets: dict[str, str]
    reasons: tuple[tuple[str, str], ...]
    toolkit: str
    driver: str

    def __str__(self) -> str:
        first = "; ".join(f"{what} (PTX {version})" for version, what in self.reasons[:3])
        lines = [
            f"lowest .version for {self.target}: {self.version}, because of {first}",
            f"CUDA toolkit {self.toolkit} or newer, driver {self.driver or 'not known'} or newer",
            "targets: " + ", ".join(self.targets),
        ]
        return "\n".join(lines)


def requires(module: Module) -> Requirements:
    """What a module needs to run, and why."""
    lowest = lowest_version(module)
    found = {name: version for name in targets.names() if (version := least(module, name)) is not None}
    kits = versions.toolkits(lowest)
    return Requirements(
        module.target,
        versions.text(lowest),
        {name: versions.text(version) for name, version in found.items()},
        tuple((versions.text(version), what) for version, what in reasons(module, module.target) if version != NEVER),
        kits[0] if kits else "",
        versions.oldest_driver(lowest),
    )


def variants(module: Module) -> list[Variant]:
    """Every variant that the module uses, in the order of first use."""
    return list(dict.fromkeys(variant for function in module.functions for variant in function.variants))


def spans(module: Module, target: str, manual: bool) -> Iterator[tuple[tuple[Span, ...], str]]:
    """For everything that the module uses, where it is available on a target, and what it is.

    With `manual`, also by what the manual states and ptxas does not ask for.
    """
    options = frozenset(module.options)
    for variant in variants(module):
        found = verdict(variant.opcode, variant.shape, options)
        stated = [span.first if manual else (1, 0) for _, span in found.spans(target, "ungated")]
        pairs = zip(found.spans(target), stated, strict=True)
        yield tuple(Span(max(span.first, first), span.end) for (_, span), first in pairs), variant.opcode
    for needs, what in declarations.of_module(module):
        yield (Span(first_version(needs, target)),), what
    for function in module.functions if manual else ():
        for needs, what in directives.needs(function, "ungated"):
            yield (Span(first_version(needs, target)),), what


def least(module: Module, target: str) -> Version | None:
    """The lowest PTX ISA version in which a target has everything that a module uses; None when there is none.

    It is the manual's where ptxas would do with a lower one.
    """
    for manual in (True, False):
        found = list(spans(module, target, manual))
        for version in versions.known():
            if version >= targets.target(target).since and all(any(version in s for s in alt) for alt, _ in found):
                return version
    return None


def lowest_version(module: Module, target: str = "") -> Version:
    """The lowest PTX ISA version in which the module's target, or another, has everything that it uses.

    Where there is none, because the target lacks something or something was removed before something else appeared,
    the newest version is the answer: `ptxgen.check` says what is wrong with it.
    """
    return least(module, target or module.target) or versions.newest()


def reasons(module: Module, target: str) -> list[tuple[Version, str]]:
    """What asks for which version on a target, the most demanding first; NEVER for what the target lacks.

    What asks for no more than the target itself is left out.
    """
    since = targets.target(target).since
    found = {(min((s.first for s in alt if s), default=NEVER), what) for alt, what in spans(module, target, True)}
    kept = {pair for pair in found if pair[0] > since} | {(since, target)}
    return sorted(kept, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1]))
