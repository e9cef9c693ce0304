"""What may be wrong with a command, and how it is reported."""

from __future__ import annotations

import sys
from collections.abc import Callable


class WrongUsage(Exception):
    """The command line names something that cannot serve."""


class BrokenKernelFile(Exception):
    """Python cannot execute the kernel file; the text is what it says, from the file on."""


def reported(action: Callable[[], int]) -> int:
    """Run an action; wrong usage is a sentence and exit status 2, a broken kernel file what Python says and 1."""
    try:
        return action()
    except WrongUsage as error:
        print(f"ptxgen: {error}", file=sys.stderr)
        return 2
    except BrokenKernelFile as error:
        print(error, file=sys.stderr)
        return 1
