"""PTX files as modules, for the verbs that work on what is right already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptxgen.cli.inputs import named, read

if TYPE_CHECKING:
    from ptxgen.errors import PtxError
    from ptxgen.ir.module import Module


class NoModule(Exception):
    """A file that is read, but is no PTX; the text is what is wrong with it, for a person."""


def read_module(path: str) -> Module:
    """The module of a file; WrongUsage where it cannot be read, NoModule where it is no PTX."""
    from ptxgen.errors import ParseError
    from ptxgen.parse.module import parse

    text = read(path)
    try:
        return parse(text, named(path))
    except ParseError as error:
        raise refused(path, text, error) from None


def refused(path: str, text: str, error: PtxError) -> NoModule:
    """The diagnostics of an error about the text of a file."""
    from ptxgen.check.report import report
    from ptxgen.diagnostics.checked import Checked
    from ptxgen.diagnostics.text import as_text

    return NoModule(as_text(Checked.of(named(path), report(error.diagnostics).diagnostics, text)))
