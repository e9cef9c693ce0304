"""`ptxgen.check`: a module against its target and version, or against others that are named."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from ptxgen.check import declarations, explain
from ptxgen.check.calls import callee, wrong_target
from ptxgen.check.directives import check_age, check_directives
from ptxgen.check.header import check_address_size, check_options, check_version, expect_module, expect_texts
from ptxgen.check.instruction import Verdict, verdict
from ptxgen.check.lowest import lowest_version, variants
from ptxgen.check.parameters import check_parameters
from ptxgen.check.report import Report, report
from ptxgen.check.variables import check_variable
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Function, Module
from ptxgen.ir.operands import Name, Variable
from ptxgen.ir.statements import Raw, Targets
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.classes import FUNCTIONS
from ptxgen.isa.versions import Version

_EXAMPLES = {"target": "sm_90", "version": "8.3", "arch": "sm_120", "toolkit": "12.4", "driver": "570.86"}


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
    expect_module(module, "check")
    expect_texts("check", _EXAMPLES, target=target, version=version, arch=arch, toolkit=toolkit, driver=driver)
    found = _findings(module, target or module.target, version or module.version, arch, toolkit, driver)
    return report(_strictly(found) if strict else found)


def _strictly(found: Iterator[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in found:
        yield evolve(diagnostic, severity="error") if diagnostic.code == "beyond-manual" else diagnostic


def _findings(
    module: Module,
    target: str,
    version: str | None,
    arch: str | None,
    toolkit: str | None,
    driver: str | None,
) -> Iterator[Diagnostic]:
    try:
        known = targets.target(target)
        number = versions.parse(version) if version else lowest_version(module, target)
    except ValueError as error:
        yield Diagnostic("header", "error", str(error))
        return
    header = tuple(check_version(number, known))
    yield from header
    yield from check_options(target, module.options)
    yield from check_address_size(module.address_size)
    if header:
        return
    options = frozenset(module.options)
    for variant in variants(module):
        yield from _instruction(verdict(variant.opcode, variant.shape, options), target, number)
    for variable in module.variables:
        yield from check_variable(variable, "module", options, number)
    kernels = {function.name: function for function in module.functions if function.entry}
    calling = {
        variant: found.matches[0]
        for variant in variants(module)
        if any(cls.type in FUNCTIONS for cls in variant.shape)
        and (found := verdict(variant.opcode, variant.shape, options)).matches
    }
    for function in module.functions:
        yield from check_parameters(function, options)
        yield from check_directives(function)
        yield from check_age(function, target, number)
        for statement in function.body:
            if isinstance(statement, Variable):
                yield from check_variable(statement, "body", options, number)
            elif isinstance(statement, Targets):
                yield from _targets(function, statement.directive, statement.targets, kernels)
            elif isinstance(statement, tuple) and statement[0].variant in calling:
                operand = callee(calling[statement[0].variant], statement[1:])
                yield from _targets(function, statement[0].variant.opcode, (operand,) if operand else (), kernels)
            elif isinstance(statement, Raw):
                message = f"{function.name} has text that nobody validated: {statement.text.strip()[:60]!r}"
                yield Diagnostic("unvalidated", "warning", message, hint="k[...] validates any instruction")
    for needs, what in declarations.of_module(module):
        if availability.first_version(needs, target) > number:
            yield explain.missing(needs, what, target, number)
    yield from _accepted_by(number, toolkit, driver)
    yield from _assembled_for(target, arch or target, number, toolkit)


def _targets(
    function: Function, what: str, targets: tuple[Name, ...], kernels: dict[str, Function]
) -> Iterator[Diagnostic]:
    """Kernels among the targets of a call; a label may have any name."""
    for called in [kernels[name.text] for name in targets if name.cls.type in FUNCTIONS and name.text in kernels]:
        yield Diagnostic("call-target", "error", f"{function.name}: {what}: {wrong_target(called)}", have=called.name)


def _assembled_for(target: str, arch: str, version: Version, toolkit: str | None) -> Iterator[Diagnostic]:
    try:
        able = targets.assembles(target, arch)
    except targets.UnknownTarget as error:
        yield Diagnostic("arch", "error", f"arch: {error}", have=arch, choices=targets.names())
        return
    if not able:
        yield Diagnostic(
            "arch", "error", f"code for {target} does not assemble for {arch}",
            need=f"an architecture that runs {target}", have=arch,
            hint=f"{arch} assembles {targets.portable(arch)} and older plain targets",
        )  # fmt: skip
    newest = versions.of_toolkit(toolkit) if toolkit is not None else None
    if toolkit is not None and newest is not None and version <= newest and not targets.assembled_by(arch, toolkit):
        able_ones = targets.toolkits(arch)
        dropped = versions.parse(able_ones[-1]) < versions.parse(".".join(toolkit.split(".")[:2]))
        one = f"the newest that does is {able_ones[-1]}" if dropped else f"the oldest that does is {able_ones[0]}"
        yield Diagnostic(
            "arch", "error", f"CUDA toolkit {toolkit} does not assemble for {arch}; {one}",
            need=f"a CUDA toolkit from {able_ones[0]} to {able_ones[-1]}", have=toolkit, choices=able_ones,
            hint="arch=... names a later architecture to assemble for" if dropped else "",
        )  # fmt: skip


def _instruction(found: Verdict, target: str, version: Version) -> Iterator[Diagnostic]:
    if not found.legal:
        yield explain.illegal(found)
        return
    available = found.available(target, version)
    if not available:
        yield explain.unavailable(found, target, version)
        return
    best = available[0]
    if best.broken:
        yield explain.beyond_manual(best, found.opcode, "warning")
    if availability.span(best, target, "ungated").first > version:
        yield explain.ungated(best, found.opcode, target, version, "warning")
    for row in availability.rows(best, "deprecated"):
        first = availability.first_version(row.needs, target)
        if first <= version:
            yield Diagnostic(
                "deprecated", "advice", f"{found.opcode} is deprecated from PTX {versions.text(first)} on", found.opcode
            )


def _accepted_by(version: Version, toolkit: str | None, driver: str | None) -> Iterator[Diagnostic]:
    for what, name, find in (("CUDA toolkit", toolkit, versions.of_toolkit), ("driver", driver, versions.of_driver)):
        if name is None:
            continue
        try:
            newest = find(name)
        except ValueError as error:
            yield Diagnostic("toolkit", "error", str(error), have=name)
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


__all__ = ["NEVER", "check"]
