"""`ptxgen.check`: a module against its target and version, or against others that are named."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check import explain
from ptxgen.check.directives import check_directives
from ptxgen.check.instruction import Verdict, verdict
from ptxgen.check.report import Report, report
from ptxgen.check.requirements import declarations, lowest_version, variants
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Module
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.versions import Version


def check(
    module: Module,
    *,
    target: str | None = None,
    version: str | None = None,
    arch: str | None = None,
    toolkit: str | None = None,
    driver: str | None = None,
    strict: bool = False,
) -> Report:
    """What is wrong with a module.

    target, version   as if the header said so
    arch              will it assemble for this GPU, such as "sm_120"?
    toolkit, driver   is this PTX ISA within what that ptxas ("12.4") or Linux driver ("570.86") accepts?
    strict            what ptxas accepts although the manual does not have it is an error
    """
    return report(_findings(module, target or module.target, version or module.version, arch, toolkit, driver, strict))


def _findings(
    module: Module,
    target: str,
    version: str | None,
    arch: str | None,
    toolkit: str | None,
    driver: str | None,
    strict: bool,
) -> Iterator[Diagnostic]:
    try:
        known = targets.target(target)
        number = versions.parse(version) if version else lowest_version(module, target)
    except ValueError as error:
        yield Diagnostic("header", "error", str(error))
        return
    if number not in versions.known():
        yield Diagnostic("version", "error", f"there is no PTX ISA version {versions.text(number)}")
        return
    if number < known.since:
        need, have = f"PTX {versions.text(known.since)}", f"PTX {versions.text(number)}"
        yield Diagnostic(
            "unavailable", "error", f"{target} needs {need}; the module has {have}", need=need, have=have,
            hint=f"set .version {versions.text(known.since)}",
        )  # fmt: skip
    options = frozenset(module.options)
    for variant in variants(module):
        yield from _instruction(verdict(variant.opcode, variant.shape, options), target, number, strict)
    for needs, what in declarations(module):
        if availability.first_version(needs, target) > number:
            wanted = " or ".join(f"{who} with PTX {v}" if who else f"PTX {v}" for who, v in needs.items())
            have = f"{target} and PTX {versions.text(number)}"
            yield Diagnostic("unavailable", "error", f"{what} needs {wanted}; the module has {have}", what, wanted, have)
    for function in module.functions:
        yield from check_directives(function)
    yield from _accepted_by(number, toolkit, driver)
    if arch is not None and not assembles(target, arch):
        yield Diagnostic(
            "arch", "error", f"code for {target} does not assemble for {arch}", need=f"an architecture that runs {target}",
            have=arch, hint=f"{arch} assembles {targets.portable(arch)} and older plain targets",
        )  # fmt: skip


def _instruction(found: Verdict, target: str, version: Version, strict: bool) -> Iterator[Diagnostic]:
    if not found.legal:
        yield explain.illegal(found)
        return
    available = found.available(target, version)
    if not available:
        yield explain.unavailable(found, target, version)
        return
    if available[0].broken:
        yield explain.beyond_manual(found, "error" if strict else "warning")
    best = available[0]
    if availability.span(best, target, "ungated").first > version:
        rows = availability.rows(best, "ungated")
        yield explain.ungated(found, rows, target, version, "error" if strict else "warning")
    for row in availability.rows(best, "deprecated"):
        first = availability.first_version(row.needs, target)
        if first <= version:
            yield Diagnostic(
                "deprecated", "advice", f"{found.opcode} is deprecated from PTX {versions.text(first)} on", found.opcode
            )


def _accepted_by(version: Version, toolkit: str | None, driver: str | None) -> Iterator[Diagnostic]:
    for what, name, newest in (
        ("CUDA toolkit", toolkit, versions.of_toolkit(toolkit) if toolkit else None),
        ("driver", driver, versions.of_driver(driver) if driver else None),
    ):
        if name is None:
            continue
        if newest is None:
            yield Diagnostic("toolkit", "error", f"no {what} {name} is known", have=name)
        elif version > newest:
            driver_needed = versions.oldest_driver(version)
            toolkits = versions.toolkits(version)
            hint = f"PTX {versions.text(version)} needs CUDA {toolkits[0]} or driver {driver_needed or 'newer'}"
            yield Diagnostic(
                "too-new", "error", f"{what} {name} accepts PTX up to {versions.text(newest)}; the module has PTX "
                f"{versions.text(version)}", need=f"PTX {versions.text(newest)} or older", have=versions.text(version),
                hint=hint,
            )  # fmt: skip


def assembles(target: str, arch: str) -> bool:
    """Whether ptxas assembles `.target target` for an architecture."""
    want, have = targets.target(target), targets.target(arch)
    if want.suffix == "a":
        return targets.meets(arch, target)
    if want.suffix == "f":
        return have.family == want.family and have.number >= want.number
    return have.number >= want.number


__all__ = ["NEVER", "assembles", "check"]
