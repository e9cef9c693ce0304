"""The options that several verbs have; a wrong value is wrong usage, with what would be right."""

from __future__ import annotations

import argparse

# What an option or argument takes, by its metavar; ptxgen.cli.completion completes by them, too.
TARGET, VERSION, ARCH, TOOLKIT, DRIVER, FILE = "T", "V", "A", "C", "D", "FILE"


def verb_parser(verb: str, description: str | None) -> argparse.ArgumentParser:
    """A parser for a verb, described by its module's docstring."""
    return argparse.ArgumentParser(prog=f"ptxgen {verb}", description=description)


def add_files(parser: argparse.ArgumentParser) -> None:
    """`FILE...`."""
    parser.add_argument("files", nargs="+", metavar=FILE, help="PTX files; - is standard input")


def add_target(parser: argparse.ArgumentParser, help: str) -> None:
    """`--target T`."""
    parser.add_argument("--target", metavar=TARGET, type=target, help=help)


def add_isa(parser: argparse.ArgumentParser, help: str) -> None:
    """`--isa V`."""
    parser.add_argument("--isa", metavar=VERSION, type=version, help=help)


def add_arch(parser: argparse.ArgumentParser, help: str, virtual: bool = False) -> None:
    """`--arch A`, an architecture, or a `virtual` one such as compute_90."""
    parser.add_argument("--arch", metavar=ARCH, type=_virtual if virtual else target, help=help)


def add_format(parser: argparse.ArgumentParser, *formats: str) -> None:
    """`--format text|json`, the first of the formats unless one is named."""
    parser.add_argument("--format", choices=formats, default=formats[0])


def target(name: str) -> str:
    """The name of a target or architecture."""
    from ptxgen.isa import targets

    try:
        return targets.target(name).name
    except targets.UnknownTarget as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _virtual(name: str) -> str:
    """The name of an architecture, also as compute_90."""
    from ptxgen.isa import targets

    target(targets.plain(name))
    return name


def version(text: str) -> str:
    """A PTX ISA version."""
    from ptxgen.isa import versions

    try:
        found = versions.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if found not in versions.known():
        newest = versions.text(versions.newest())
        message = f"there is no PTX ISA version {text}; the newest that is known is {newest}"
        raise argparse.ArgumentTypeError(message)
    return text


def version_or_auto(text: str) -> str:
    """A PTX ISA version, or `auto` for the lowest sufficient one."""
    return text if text == "auto" else version(text)


def toolkit(release: str) -> str:
    """A release of the CUDA toolkit: "12.4", "12.4.131"."""
    from ptxgen.isa import versions

    if versions.of_toolkit(release) is None:
        known = versions.toolkits((1, 0))
        message = f"no CUDA toolkit {release} is known; there are {known[0]} to {known[-1]}, such as 12.4"
        raise argparse.ArgumentTypeError(message)
    return release


def driver(release: str) -> str:
    """A release of the Linux driver: "570.86", "570.86.15"."""
    from ptxgen.isa import versions

    try:
        found = versions.of_driver(release)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if found is None:
        raise argparse.ArgumentTypeError(f"the driver {release} is older than any that is known")
    return release
