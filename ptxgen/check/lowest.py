"""The lowest PTX ISA version in which a target has everything that a module uses."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check import declarations
from ptxgen.check.instruction import verdict
from ptxgen.check.stated import REMOVED, SINCE, UNGATED
from ptxgen.ir.module import Module
from ptxgen.ir.statements import Variant
from ptxgen.isa import targets, versions
from ptxgen.isa.availability import Span, first_version
from ptxgen.isa.versions import Version


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
    for kind in (SINCE, UNGATED) if manual else (SINCE,):
        for needs, what in declarations.of_module(module, kind):
            yield (Span(first_version(needs, target)),), what
    for needs, what in declarations.of_module(module, REMOVED):
        yield (Span((1, 0), first_version(needs, target)),), what


def least(module: Module, target: str) -> Version | None:
    """The lowest PTX ISA version in which a target has everything that a module uses; None when there is none.

    It is the manual's where ptxas would do with a lower one.
    """
    return _least(module, target, True) or least_for_ptxas(module, target)


def least_for_ptxas(module: Module, target: str) -> Version | None:
    """The same by what ptxas asks for, which may be less than the manual states."""
    return _least(module, target, False)


def _least(module: Module, target: str, manual: bool) -> Version | None:
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
