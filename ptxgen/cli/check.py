"""`ptxgen check FILE...`: what is wrong with PTX files."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ptxgen.cli import options as option
from ptxgen.cli.inputs import named, read
from ptxgen.cli.usage import WrongUsage, reported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptxgen.diagnostics import Checked

FORMATS = ("text", "json", "sarif", "github")


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("check", __doc__)
    option.add_files(made)
    option.add_target(made, "as if the header named this .target")
    option.add_isa(made, "as if the header named this .version")
    option.add_arch(made, "will it assemble for this GPU, such as sm_120?", virtual=True)
    made.add_argument("--toolkit", metavar=option.TOOLKIT, type=option.toolkit, help="does its ptxas take it? 12.4")
    made.add_argument("--driver", metavar=option.DRIVER, type=option.driver, help="does it take it? 570.86")
    option.add_format(made, *FORMATS)
    made.add_argument("--strict", action="store_true", help="what only ptxas accepts, and not the manual, is an error")
    return made


def main(arguments: list[str]) -> int:
    """Findings on standard output; exit status 1 when there is an error, 2 when a file cannot be read."""
    given = parser().parse_args(arguments)
    question = {
        "target": given.target, "version": given.isa, "arch": given.arch, "toolkit": given.toolkit,
        "driver": given.driver, "strict": given.strict,
    }  # fmt: skip
    return reported(lambda: _check(given.files, question, given.format))


def check_file(path: str, question: dict[str, Any]) -> Checked | WrongUsage:
    """What is found in one file, or why it cannot be read; `question` holds the arguments of `ptxgen.check`."""
    try:
        text = read(path)
    except WrongUsage as problem:
        return problem
    from ptxgen.check.module import Question, check_read
    from ptxgen.diagnostics.checked import Checked
    from ptxgen.ir.source import Source
    from ptxgen.parse.module import read as read_module

    name = named(path)
    module, unreadable = read_module(text, name)
    found = check_read(module, unreadable, Question(**question))
    source = module.source or Source(text, name)
    return Checked.of(name, found.diagnostics, source.line, module.version, module.target or None)


def _check(paths: list[str], question: dict[str, Any], format: str) -> int:
    from ptxgen.cli.answers import Answers

    answers = Answers()
    kept: list[Checked] = []
    for _, result in answers.good(partial(check_file, question=question), paths):
        if not result.ok:
            answers.fail()
        if format == "text":
            _show(result)
        kept.append(result)
    _finish(kept, format)
    return answers.status


def _show(checked: Checked) -> None:
    """Findings as they come."""
    from ptxgen.cli.terminal import wants_color

    if checked.diagnostics:
        from ptxgen.diagnostics.text import as_text

        print(as_text(checked, wants_color(sys.stdout)))


def _finish(files: list[Checked], format: str) -> None:
    """The formats that are one document; for a person, how many findings there were."""
    if format == "text":
        from ptxgen.cli.terminal import is_terminal

        if is_terminal(sys.stderr) and files:
            sys.stdout.flush()
            print(_summary(files), file=sys.stderr)
        return
    from ptxgen import diagnostics

    render: dict[str, Any] = {
        "json": diagnostics.as_json, "sarif": diagnostics.as_sarif, "github": diagnostics.as_github,
    }  # fmt: skip
    if text := render[format](files):
        print(text)


def _summary(files: Iterable[Checked]) -> str:
    severities = [found.severity for checked in files for found in checked.diagnostics]
    counts = [
        f"{count} {name if count == 1 else plural}"
        for name, plural in (("error", "errors"), ("warning", "warnings"), ("advice", "pieces of advice"))
        if (count := severities.count(name))
    ]
    return ", ".join(counts) or "no findings"
