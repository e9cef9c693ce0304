"""`ptxgen.check`: a module against its target and version, or against others that are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from attrs import evolve, frozen

from ptxgen.check.assembler import Assembler
from ptxgen.check.budgets import Budgets
from ptxgen.check.declared import Declarations
from ptxgen.check.header import (
    check_address_size,
    check_options,
    check_sections,
    check_version,
    expect_module,
    expect_texts,
)  # fmt: skip
from ptxgen.check.lowest import lowest_version
from ptxgen.check.places import Places, place
from ptxgen.check.report import Report, report
from ptxgen.check.statements import Statements
from ptxgen.collection import no_collection
from ptxgen.errors import Diagnostic
from ptxgen.ir.module import Module
from ptxgen.isa import targets, versions
from ptxgen.isa.versions import Version

_Find = Callable[[str], "Version | None"]
_EXAMPLES = {"target": "sm_90", "version": "8.3", "arch": "sm_120", "toolkit": "12.4", "driver": "570.86"}


def check(
    module: Module | str,
    *,
    target: str | None = None,
    version: str | None = None,
    arch: str | None = None,
    toolkit: str | None = None,
    driver: str | None = None,
    strict: bool = False,
) -> Report:
    """What is wrong with a module, or with PTX text.

    target, version   as if the header said so
    arch              will it assemble for this GPU, such as "sm_120"? "compute_120": is it right PTX for that one?
    toolkit, driver   is this PTX ISA within what that ptxas ("12.4") or Linux driver ("570.86") accepts?
    strict            what ptxas accepts although the manual does not have it is an error
    """
    unreadable: list[Diagnostic] = []
    if isinstance(module, str):
        from ptxgen.parse.module import read

        module, unreadable = read(module)
    expect_module(module, "check")
    expect_texts("check", _EXAMPLES, target=target, version=version, arch=arch, toolkit=toolkit, driver=driver)
    return check_read(module, unreadable, Question(target, version, arch, toolkit, driver, strict))


@frozen
class Question:
    """What a module is checked against, as the arguments of `check` say."""

    target: str | None = None
    version: str | None = None
    arch: str | None = None
    toolkit: str | None = None
    driver: str | None = None
    strict: bool = False


def check_read(module: Module, unreadable: Iterable[Diagnostic], question: Question) -> Report:
    """`check` of what could be read of a text, with what is wrong with the rest of it."""
    found: Iterable[Diagnostic] = list(unreadable)
    with no_collection():
        if module.target and not (module.version is None and any(one.severity == "error" for one in found)):
            found = chain(found, _findings(module, question, not found))
        return report(_strictly(found) if question.strict else found)


def _strictly(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    for diagnostic in found:
        yield evolve(diagnostic, severity="error") if diagnostic.code == "beyond-manual" else diagnostic


def _findings(module: Module, question: Question, whole: bool) -> Iterator[Diagnostic]:
    """The findings; `whole` when all of the text was read, so that what flows through it is known."""
    target, version = question.target or module.target, question.version or module.version
    arch, toolkit, driver = question.arch, question.toolkit, question.driver
    try:
        known = targets.target(target)
        number = versions.parse(version) if version else lowest_version(module, target)
    except ValueError as error:
        yield Diagnostic("header", "error", str(error))
        return
    header = tuple(check_version(number, known))
    yield from header
    yield from check_options(target, module.options)
    yield from check_sections(module)
    yield from check_address_size(module.address_size)
    if any(diagnostic.severity == "error" for diagnostic in header):
        return
    places = Places(module.source)
    options = frozenset(module.options)
    assembler = Assembler("" if arch is None or arch != targets.plain(arch) else arch, toolkit or "")
    yield from Statements(module, target, number, options, places, assembler).findings()
    declared = Declarations(module, target, number, options, places, _newest(toolkit, driver))
    yield from declared.findings()
    for diagnostic, function in Budgets(module, declared.variables, assembler).findings():
        at = module.items.index(function) if function is not None else -1
        yield places.at(diagnostic, place(module.places, at) if at >= 0 else -1)
    if whole:
        yield from _advice(module, places)
    yield from _accepted_by(number, toolkit, driver)
    yield from _assembled_for(target, targets.plain(arch or target), number, toolkit)


def _newest(toolkit: str | None, driver: str | None) -> Version:
    """The newest PTX ISA version that the named toolkit and driver know; the newest of all where none is named."""
    found = [_end(what, name, find) for what, name, find in _judges(toolkit, driver) if name is not None]
    return min((version for version in found if isinstance(version, tuple)), default=versions.newest())


def _judges(toolkit: str | None, driver: str | None) -> tuple[tuple[str, str | None, _Find], ...]:
    return ("CUDA toolkit", toolkit, versions.of_toolkit), ("driver", driver, versions.of_driver)


def _end(what: str, name: str, find: _Find) -> Version | str:
    """The newest PTX ISA version that a toolkit or driver knows, or what is wrong with its name."""
    try:
        return find(name) or f"no {what} {name} is known"
    except ValueError as error:
        return str(error)


def _advice(module: Module, places: Places) -> Iterator[Diagnostic]:
    """What is legal, and may be wrong all the same."""
    from ptxgen.check.flow import findings

    for finding in findings(module):
        offset = place(finding.function.places, finding.index)
        yield places.at(finding.diagnostic, offset, len(finding.diagnostic.instruction))


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


def _accepted_by(version: Version, toolkit: str | None, driver: str | None) -> Iterator[Diagnostic]:
    for what, name, find in _judges(toolkit, driver):
        newest = _end(what, name, find) if name is not None else version
        if isinstance(newest, str):
            yield Diagnostic("toolkit", "error", newest, have=name or "")
        elif version > newest:
            driver_needed = versions.oldest_driver(version)
            toolkits = versions.toolkits(version)
            hint = f"PTX {versions.text(version)} needs CUDA {toolkits[0]} or driver {driver_needed or 'newer'}"
            yield Diagnostic(
                "too-new", "error", f"{what} {name} accepts PTX up to {versions.text(newest)}; the module has PTX "
                f"{versions.text(version)}", need=f"PTX {versions.text(newest)} or older", have=versions.text(version),
                hint=hint,
            )  # fmt: skip
