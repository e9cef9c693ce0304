"""`ptxgen requires FILE...`: the lowest .version, where a file can run, and what asks for it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ptxgen.cli import options as option
from ptxgen.cli.inputs import named
from ptxgen.cli.reading import NoModule, read_module, refused
from ptxgen.cli.usage import WrongUsage, reported

if TYPE_CHECKING:
    from ptxgen.check.requirements import Requirements


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("requires", __doc__)
    option.add_files(made)
    option.add_format(made, "text", "json")
    return made


def main(arguments: list[str]) -> int:
    """Requirements on standard output; exit status 1 when a file is no PTX, 2 when one cannot be read."""
    given = parser().parse_args(arguments)
    return reported(lambda: _requires(given.files, given.format))


def requirements(path: str) -> Requirements | NoModule | WrongUsage:
    """What one file needs, or why nobody can say."""
    from ptxgen.check.requirements import requires
    from ptxgen.errors import Unavailable

    try:
        module = read_module(path)
        return requires(module)
    except (NoModule, WrongUsage) as problem:
        return problem
    except Unavailable as error:
        return refused(path, "", error)


def _requires(paths: list[str], format: str) -> int:
    from ptxgen.cli.answers import Answers

    answers = Answers()
    documents: list[dict[str, Any]] = []
    for path, found in answers.good(requirements, paths):
        if format == "json":
            documents.append({"path": named(path)} | found.as_dict())
        else:
            _show(path, found, len(paths) > 1)
    if format == "json":
        import json

        print(json.dumps({"files": documents}, indent=1))
    return answers.status


def _show(path: str, found: Requirements, several: bool) -> None:
    if several:
        print(f"{named(path)}:")
    print(found)
