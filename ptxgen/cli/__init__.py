"""The command line, one module a verb.

A verb's module has `parser()`, which is cheap and from which the completion of shells is made, and `main(arguments)`,
which imports what it needs. Standard output gets data and nothing else. Exit status 0 when all is well, 1 when what
was looked at is wrong, 2 when the command is, or a file cannot be read.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

VERBS = {
    "check": "what is wrong with PTX files, also for another target, version, GPU, toolkit or driver",
    "requires": "what PTX files need: the lowest .version, and where they can run",
    "fmt": "rewrite PTX files in canonical form",
    "retarget": "rewrite the header of a PTX file, where the rest allows it",
    "build": "write the PTX of a kernel file",
    "assemble": "make a cubin: registers, spills, shared memory, and what the assembler says",
    "run": "run a kernel file: its PTX, what it needs, its code, and the launch where there is a GPU",
    "isa": "what the specification says of instructions, registers, directives, targets and versions",
    "explain": "what the code of a diagnostic means, and what to do",
    "doctor": "what this machine has to assemble and run PTX, and what is missing",
    "completion": "completion for bash, zsh or fish",
}
# These execute a kernel file: code that may count on the garbage collector, and on what Python does at its end.
_EXECUTING = ("build", "assemble", "run")

BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2  # as a shell says that a signal ended a program


def start() -> NoReturn:
    """The program: `main` with a quick end, and a quiet one where nobody listens any more or someone presses Ctrl-C."""
    import gc
    import os

    executing = sys.argv[1:2] and sys.argv[1] in _EXECUTING
    if not executing:
        gc.disable()  # what is imported and read stays to the end, which is near
    for stream in (sys.stdout, sys.stderr):
        # Text of files may have what the encoding of a terminal has not. There is no stream where one was closed.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore
    try:
        status = main()
        _flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = BROKEN_PIPE
    except KeyboardInterrupt:
        status = INTERRUPTED
    except OSError as error:  # the disk is full
        print(f"ptxgen: cannot write the output: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 2
    if executing:
        sys.exit(status)
    # Taking down what was read of a large file takes as long as a tenth of reading it.
    os._exit(status)


def main(arguments: list[str] | None = None) -> int:
    """What a command does; its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help"):
        print(usage())
        return 0 if given else 2
    if given[0] == "--version":
        from ptxgen import __version__

        print(f"ptxgen {__version__}")
        return 0
    if given[0] not in VERBS:
        import difflib

        near = difflib.get_close_matches(given[0], VERBS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        print(f"ptxgen: there is no verb {given[0]!r}{hint}\n\n{usage()}", file=sys.stderr)
        return 2
    import importlib

    try:
        return importlib.import_module(f"ptxgen.cli.{given[0]}").main(given[1:])
    except SystemExit as end:  # argparse: help was asked for, or the options are wrong
        return end.code if isinstance(end.code, int) else 2


def usage() -> str:
    """The verbs."""
    verbs = "\n".join(f"  {name:11}{text}" for name, text in VERBS.items())
    return f"usage: ptxgen VERB ...\n\n{verbs}\n\n`ptxgen VERB --help` says more."


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # pyright: ignore[reportUnnecessaryComparison]
            stream.flush()
