"""The lowest PTX ISA version in which a target has everything that a module uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define

from ptxgen.check import declarations
from ptxgen.check.instruction import verdict
from ptxgen.check.stated import REMOVED, SINCE, UNGATED, Need
from ptxgen.ir.module import Module
from ptxgen.ir.statements import Variant
from ptxgen.isa import targets, versions
from ptxgen.isa.availability import NEVER, Span, first_version
from ptxgen.isa.versions import Version


def variants(module: Module) -> list[Variant]:
    """Every variant that the module uses, in the order of first use."""
    return list(dict.fromkeys(variant for function in module.functions for variant in function.variants))


@define(eq=False, weakref_slot=False, repr=False)
class Uses:
    """What a module uses, gathered once, as one asks of every target and version whether it has it.

    variants   of its instructions
    options    of its `.target`
    needs      of its declarations and directives, by ptxas
    stated     what the manual alone asks for
    removed    what ends: which targets and versions have no longer what is used
    """

    variants: list[Variant]
    options: frozenset[str]
    needs: tuple[Need, ...]
    stated: tuple[Need, ...]
    removed: tuple[Need, ...]

    @classmethod
    def of(cls, module: Module) -> Uses:
        """What a module uses."""
        others = declarations.others(module)
        needs = (_unique(declarations.of_module(module, others, kind)) for kind in (SINCE, UNGATED, REMOVED))
        return cls(variants(module), frozenset(module.options), *needs)


def _unique(needs: Iterable[Need]) -> tuple[Need, ...]:
    return tuple({(what, tuple(need.items())): (need, what) for need, what in needs}.values())


def spans(uses: Uses, target: str, manual: bool) -> Iterator[tuple[tuple[Span, ...], str]]:
    """For everything that a module uses, where it is available on a target, and what it is.

    With `manual`, also by what the manual states and ptxas does not ask for.
    """
    for variant in uses.variants:
        found = verdict(variant.opcode, variant.shape, uses.options)
        stated = [span.first if manual else (1, 0) for _, span in found.spans(target, "ungated")]
        pairs = zip(found.spans(target), stated, strict=True)
        yield tuple(Span(max(span.first, first), span.end) for (_, span), first in pairs), variant.opcode
    for needs, what in (*uses.needs, *uses.stated) if manual else uses.needs:
        yield (Span(first_version(needs, target)),), what
    for option in uses.options:
        if target not in targets.options().get(option, {}).get("only", (target,)):
            yield (Span(NEVER),), option
    for ends, what in uses.removed:
        yield (Span((1, 0), first_version(ends, target)),), what


def least(module: Module, target: str, uses: Uses | None = None) -> Version | None:
    """The lowest PTX ISA version in which a target has everything that a module uses; None when there is none.

    It is the manual's where ptxas would do with a lower one. `uses` saves looking for what the module uses.
    """
    uses = uses or Uses.of(module)
    return _least(uses, target, True) or _least(uses, target, False)


def least_for_ptxas(module: Module, target: str) -> Version | None:
    """The same by what ptxas asks for, which may be less than the manual states."""
    return _least(Uses.of(module), target, False)


def _least(uses: Uses, target: str, manual: bool) -> Version | None:
    found = list(spans(uses, target, manual))
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
