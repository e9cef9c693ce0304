"""What a module needs: the lowest PTX ISA version for its target, and the targets and versions that can run it."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.check.instruction import verdict
from ptxgen.ir.module import Instruction, Module, Variant
from ptxgen.isa import targets, types, versions
from ptxgen.isa.availability import NEVER, Span, first_version
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version


def variants(module: Module) -> dict[Variant, Instruction]:
    """Every variant that the module uses, with its first instruction."""
    found: dict[Variant, Instruction] = {}
    for function in module.functions:
        for statement in function.body:
            if statement.__class__ is Instruction:
                found.setdefault(statement.variant, statement)  # type: ignore[union-attr]
    return found


def spans(module: Module, target: str) -> Iterator[tuple[tuple[Span, ...], str]]:
    """For everything that the module uses, where it is available on a target, and what it is."""
    options = frozenset(module.options)
    for variant in variants(module):
        found = verdict(variant.opcode, variant.shape, options)
        yield tuple(span for _, span in found.spans(target)), variant.opcode
    for needs, what in declarations(module):
        yield (Span(first_version(needs, target)),), what


def declarations(module: Module) -> Iterator[tuple[dict[str, str], str]]:
    """What the declarations of a module need: types of registers and variables, directives, options."""
    rows = load("types")["types"]
    used = {kind for function in module.functions for kind, _, _ in function.registers}
    used |= {variable.type for variable in module.variables}
    for kind in sorted(used):
        since = rows[f".{kind}"].get("register", "1.0")
        yield (since if isinstance(since, dict) else {"": since}), f".{kind}"
    for option in module.options:
        yield {"": targets.options()[option]["since"]}, option
    if module.address_size:
        yield {"": "2.3"}, ".address_size"


def lowest_version(module: Module) -> Version:
    """The lowest PTX ISA version in which the module's target has everything that it uses.

    The builder has checked every instruction against the newest version, so there is one, unless something was
    removed before something else appeared: then the newest version is the answer.
    """
    found = list(spans(module, module.target))
    for version in versions.known():
        if version >= targets.target(module.target).since and all(any(version in s for s in alt) for alt, _ in found):
            return version
    return versions.newest()


def reasons(module: Module, target: str) -> list[tuple[Version, str]]:
    """What asks for which version on a target, the most demanding first; NEVER for what the target lacks."""
    found = {(min((s.first for s in alt if s), default=NEVER), what) for alt, what in spans(module, target)}
    return sorted(found, key=lambda pair: (-pair[0][0], -pair[0][1], pair[1]))


__all__ = ["declarations", "lowest_version", "reasons", "spans", "types", "variants"]
