"""The command line, one module a verb."""

from __future__ import annotations

import sys

VERBS = {
    "run": "run a kernel file: its PTX, what it needs, its code, and the launch where there is a GPU",
    "build": "write the PTX of a kernel file",
    "isa": "what the specification says of instructions, registers, directives, targets and versions",
}


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when all is well, 1 when the kernel is wrong, 2 when the command is."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help"):
        print(_usage())
        return 0 if given else 2
    if given[0] == "--version":
        from ptxgen import __version__

        print(f"ptxgen {__version__}")
        return 0
    if given[0] not in VERBS:
        print(f"ptxgen: there is no verb {given[0]!r}\n\n{_usage()}", file=sys.stderr)
        return 2
    import importlib

    from ptxgen.errors import PtxError

    try:
        return importlib.import_module(f"ptxgen.cli.{given[0]}").main(given[1:])
    except PtxError as error:
        family = next(cls for cls in type(error).__mro__ if cls.__module__ == "ptxgen.errors")
        print(f"ptxgen: {family.__name__}: {error}", *getattr(error, "__notes__", ()), sep="\n   ", file=sys.stderr)
        return 1


def _usage() -> str:
    verbs = "\n".join(f"  {name:10}{text}" for name, text in VERBS.items())
    return f"usage: ptxgen VERB ...\n\n{verbs}\n\n`ptxgen VERB --help` says more."
