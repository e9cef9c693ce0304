"""`ptxgen explain CODE`: what the code of a diagnostic means, and what to do; without a code, the list of them."""

from __future__ import annotations

import argparse

from ptxgen.cli import options as option
from ptxgen.cli.usage import WrongUsage, reported


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("explain", __doc__)
    made.add_argument(
        "code", nargs="?", metavar="CODE", help="such as unavailable, or a number of the assembler such as C7508"
    )
    return made


def main(arguments: list[str]) -> int:
    """Print an explanation, or the list."""
    given = parser().parse_args(arguments)

    def action() -> int:
        print(_explained(given.code) if given.code else _list())
        return 0

    return reported(action)


def _explained(name: str) -> str:
    from ptxgen.assemble.advice import known
    from ptxgen.diagnostics.catalogue import codes

    if found := codes().get(name):
        return str(found)
    if found := known().get(name):
        return str(found)
    import difflib

    near = difflib.get_close_matches(name, [*codes(), *known()], n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`ptxgen explain` lists them"
    raise WrongUsage(f"there is no code {name!r}; {hint}")


def _list() -> str:
    from ptxgen.assemble.advice import known
    from ptxgen.diagnostics.catalogue import SUBJECTS, codes

    width = max(map(len, codes()))
    lines: list[str] = []
    for subject, about in SUBJECTS.items():
        rows = [f"  {code.code:{width}}  {code.title}" for code in codes().values() if code.subject == subject]
        lines += [f"{about}:", *rows, ""]
    rows = [f"  {found.about:{width}}  {found.title}" for found in known().values()]
    return "\n".join([*lines, "Lines of the assembler:", *rows])
