"""`ptxgen isa list|show|diff|targets|versions`: what the specification says, from its tables."""

from __future__ import annotations

import argparse
import importlib
import json

from ptxgen.cli import options as option
from ptxgen.cli.usage import reported

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
    options = parser().parse_args(arguments)

    def action() -> int:
        answer = importlib.import_module(f"ptxgen.cli.isa.{ACTIONS[options.action][0]}").answer(options)
        text = json.dumps(answer.data, indent=1) if options.format == "json" else "\n".join(answer.lines)
        if text:
            print(text)
        return answer.status

    return reported(action)


def parser() -> argparse.ArgumentParser:
    """The options of the verb and its actions."""
    found = option.verb_parser("isa", __doc__)
    actions = found.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    made = {name: actions.add_parser(name, help=text, description=text) for name, (_, text) in ACTIONS.items()}
    for name in ("list", "show", "diff"):
        option.add_target(made[name], "only what this target has, such as sm_120")
    for name in ("list", "show"):
        option.add_isa(made[name], "only what this PTX ISA version has, such as 8.7")
    for name, which in (("--since", "a later"), ("--until", "an earlier")):
        help = f"forms that this version or {which} one brought"
        made["list"].add_argument(name, metavar=option.VERSION, type=option.version, help=help)
    made["show"].add_argument("name", metavar="NAME", help="such as bfi, cvt.rn.f16x2.f32, %%tid, .maxntid, nounroll")
    made["diff"].add_argument("old", metavar="OLD", type=option.version, help="a version, such as 9.4")
    made["diff"].add_argument("new", metavar="NEW", type=option.version, help="a later one")
    for one in made.values():
        option.add_format(one, "text", "json")
    return found
