"""`ptxgen isa list|show|diff|targets|versions`: what the specification says, from its tables."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys

from ptxgen.cli.usage import WrongUsage, reported
from ptxgen.isa import targets, versions

ACTIONS = {  # name -> module, what it is for
    "list": ("listing", "the instructions, one a line; with --since or --until, the forms that were new then"),
    "show": ("showing", "an instruction, an opcode, a special register, a directive or a pragma"),
    "diff": ("difference", "what one version has and another has not"),
    "targets": ("target_table", "the targets"),
    "versions": ("version_table", "the versions, with their CUDA toolkits and drivers"),
}


def main(arguments: list[str]) -> int:
    """Print data on standard output; exit status 0, 1 where a target or version lacks what is to be shown, 2 for a
    wrong command or an unknown name."""
    options = _parser().parse_args(arguments)

    def action() -> int:
        _check(options)
        answer = importlib.import_module(f"ptxgen.cli.isa.{ACTIONS[options.action][0]}").answer(options)
        _write(json.dumps(answer.data, indent=1) if options.format == "json" else "\n".join(answer.lines))
        return answer.status

    return reported(action)


def _write(text: str) -> None:
    """Print a text, if it is not empty; a reader that has seen enough, such as `head`, is no error."""
    try:
        if text:
            print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ptxgen isa", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    made = {name: actions.add_parser(name, help=text, description=text) for name, (_, text) in ACTIONS.items()}
    for name in ("list", "show", "diff"):
        made[name].add_argument("--target", metavar="T", help="only what this target has, such as sm_120")
    for name in ("list", "show"):
        made[name].add_argument("--isa", metavar="V", help="only what this PTX ISA version has, such as 8.7")
    made["list"].add_argument("--since", metavar="V", help="forms that this version or a later one brought")
    made["list"].add_argument("--until", metavar="V", help="forms that this version or an earlier one brought")
    made["show"].add_argument("name", metavar="NAME", help="such as bfi, cvt.rn.f16x2.f32, %%tid, .maxntid, nounroll")
    made["diff"].add_argument("old", metavar="OLD", help="a version, such as 9.4")
    made["diff"].add_argument("new", metavar="NEW", help="a later one")
    for one in made.values():
        one.add_argument("--format", choices=("text", "json"), default="text")
    return parser


def _check(options: argparse.Namespace) -> None:
    """Wrong usage when a target or version that is named does not exist."""
    given = vars(options)
    try:
        if given.get("target") is not None:
            targets.target(options.target)
        for name in ("isa", "since", "until", "old", "new"):
            if given.get(name) is not None and versions.parse(given[name]) not in versions.known():
                newest = versions.text(versions.newest())
                raise WrongUsage(f"there is no PTX ISA version {given[name]}; the newest that is known is {newest}")
    except ValueError as error:
        raise WrongUsage(str(error)) from error
