"""`ptxgen fmt FILE...`: rewrite PTX files in canonical form; comments are kept."""

from __future__ import annotations

import argparse
from functools import partial

from ptxgen.cli import options as option
from ptxgen.cli.inputs import STDIN, read, written
from ptxgen.cli.output import replace, write_data
from ptxgen.cli.reading import NoModule, refused
from ptxgen.cli.usage import WrongUsage, reported


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("fmt", __doc__)
    made.add_argument("files", nargs="+", metavar=option.FILE, help="PTX files; - is standard input to standard output")
    made.add_argument("--check", action="store_true", help="only list the files that would change; exit 1 if any would")
    return made


def main(arguments: list[str]) -> int:
    """Exit status 1 when a file is no PTX, or would change with `--check`; 2 when one cannot be read or written."""
    given = parser().parse_args(arguments)
    return reported(lambda: _format(given.files, given.check))


def format_file(path: str, only_check: bool) -> bool | bytes | NoModule | WrongUsage:
    """Rewrite a file; whether it changed, or would. Standard input is not rewritten: its new text is the answer."""
    try:
        text = read(path)
        new = canonical(path, text)
        if path == STDIN and not only_check:
            return written(new)
        if new != text and not only_check:
            replace(path, written(new))
    except (NoModule, WrongUsage) as problem:
        return problem
    return new != text


def canonical(path: str, text: str) -> str:
    """A text in canonical form, which is read again to see that nothing was lost."""
    from ptxgen.errors import ParseError
    from ptxgen.parse.module import parse

    try:
        new = parse(text, path).ptx()
    except ParseError as error:
        raise refused(path, text, error) from None
    try:
        again = parse(new, path).ptx()
    except ParseError:
        again = ""
    if again != new:
        message = f"{path}: its canonical form does not read as it was written, so it is left as it is; please report"
        raise WrongUsage(message)
    return new


def _format(paths: list[str], only_check: bool) -> int:
    from ptxgen.cli.answers import Answers

    answers = Answers()
    for path, changed in answers.good(partial(format_file, only_check=only_check), paths):
        if isinstance(changed, bytes):
            write_data(changed)
        elif changed and only_check:
            print(path)
            answers.fail()
    return answers.status
