"""`ptxgen retarget FILE`: the file under another header, where what it uses allows that."""

from __future__ import annotations

import argparse

from ptxgen.cli import options as option
from ptxgen.cli.inputs import read, written
from ptxgen.cli.output import write, write_data
from ptxgen.cli.reading import NoModule, refused
from ptxgen.cli.usage import reported


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("retarget", __doc__)
    made.add_argument("file", metavar=option.FILE, help="a PTX file; - is standard input")
    made.add_argument(
        "--isa", metavar=option.VERSION, type=option.version_or_auto, default="auto",
        help="the .version, or auto, the default, for the lowest sufficient one",
    )  # fmt: skip
    option.add_target(made, "the .target; the file's own if none is given")
    made.add_argument("-o", "--output", metavar="F", help="write there, not to standard output")
    return made


def main(arguments: list[str]) -> int:
    """Exit status 1, with the diagnostics, where the file cannot have that header."""
    given = parser().parse_args(arguments)
    version = None if given.isa == "auto" else given.isa
    return reported(lambda: _retarget(given.file, given.target, version, given.output))


def _retarget(path: str, target: str | None, version: str | None, output: str | None) -> int:
    import sys

    try:
        text = retargeted(path, target, version)
    except NoModule as problem:
        print(problem, file=sys.stderr)
        return 1
    if output:
        write(output, written(text))
    else:
        write_data(written(text))
    return 0


def retargeted(path: str, target: str | None, version: str | None) -> str:
    """The text of a file under another header; NoModule, with the diagnostics, where it cannot be."""
    from ptxgen.check.retarget import retarget
    from ptxgen.errors import PtxError
    from ptxgen.parse.module import parse

    text = read(path)
    try:
        return retarget(parse(text, path), target, version).ptx()
    except PtxError as error:
        raise refused(path, text, error) from None


