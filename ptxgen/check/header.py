"""The header of a module: target, options, version, address size."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.errors import Diagnostic, OperandError, located
from ptxgen.ir.module import Module
from ptxgen.ir.statements import Section
from ptxgen.isa import targets, versions
from ptxgen.isa.data import load
from ptxgen.isa.targets import Target
from ptxgen.isa.versions import Version


def check_options(target: str, options: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Options of `.target` that do not exist, exclude each other, or are not for the target (PTX ISA 11.1.2)."""
    known = targets.options()
    for at, option in enumerate(options):
        row = known.get(option)
        if row is None:
            choices = tuple(known)
            message = f"no .target option is called {option!r}; there are {', '.join(choices)}"
            yield Diagnostic("target-option", "error", message, have=str(option), choices=choices)
            continue
        for other in row.get("conflicts", ()):
            if other in options[:at]:
                yield Diagnostic("target-option", "error", f"{other} and {option} exclude each other", have=option)
        if "only" in row and target not in row["only"]:
            need = ", ".join(row["only"])
            message = f"{option} is for {need} only; the module has {target}"
            yield Diagnostic("target-option", "error", message, need=need, have=target)


def check_sections(module: Module) -> Iterator[Diagnostic]:
    """Options that want a section, which the module lacks; an empty one will do."""
    for option in module.options:
        wanted = targets.options().get(option, {}).get("wants")
        sections = [item.name.split()[0] for item in module.items if isinstance(item, Section)]
        if wanted and wanted not in sections:
            yield Diagnostic(
                "target-option", "error", f"the option {option} wants a {wanted} of DWARF data; the module has none",
                need=wanted, have=option, hint=f"leave {option} out, or add a {wanted}",
            )  # fmt: skip


def check_address_size(size: int) -> Iterator[Diagnostic]:
    """An address size that is none, or that newer toolkits do not assemble; 0 leaves `.address_size` out."""
    row = load("directives")["module"][".address_size"]
    kind: str = row["arguments"]["size"]
    choices = kind.removeprefix("imm {").removesuffix("}").split(", ")
    if str(size) not in choices and size != 0:
        message = f"address_size={size!r}; an address has {' or '.join(choices)} bits"
        yield Diagnostic("address-size", "error", message, have=str(size), choices=tuple(choices))
    if newest := row["assembled"].get(str(size)):
        message = f"addresses of {size} bits: CUDA toolkits newer than {newest} do not assemble them"
        yield Diagnostic("address-size", "warning", message, need=f"CUDA {newest} or older")


def check_version(number: Version, target: Target) -> Iterator[Diagnostic]:
    """A version that does not exist, or is older than its target."""
    have = f"PTX {versions.text(number)}"
    if number not in versions.known():
        known = tuple(map(versions.text, versions.known()))
        message = f"there is no PTX ISA version {versions.text(number)}; there are {', '.join(known)}"
        yield Diagnostic("version", "error", message, have=versions.text(number), choices=known)
    elif not versions.describe(number):
        message = f"{have} is not in the manual, though ptxas takes it"
        yield Diagnostic("beyond-manual", "warning", message, have=have)
    elif number < target.since:
        need = f"PTX {versions.text(target.since)}"
        yield Diagnostic(
            "unavailable", "error", f"{target.name} needs {need}; the module has {have}", need=need, have=have,
            hint=f"set .version {versions.text(target.since)}",
        )  # fmt: skip


def expect_module(given: object, by: str) -> None:
    """An error at the caller's line unless this is a module."""
    if not isinstance(given, Module):
        message = f"{by} takes a Module, got {type(given).__name__}"
        raise located(OperandError(message, (Diagnostic("module", "error", message, have=type(given).__name__),)))


def expect_texts(by: str, examples: dict[str, str], **given: object) -> None:
    """An error at the caller's line unless every argument is None or a string."""
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            message = f"{by}: {name}={value!r} is no string such as {examples[name]!r}"
            raise located(OperandError(message, (Diagnostic("argument", "error", message, have=repr(value)),)))
