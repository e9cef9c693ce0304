"""What may be wrong with a command, and how it is reported."""

from __future__ import annotations

import sys
from collections.abc import Callable


class WrongUsage(Exception):
    """The command line names something that cannot serve."""


class BrokenKernelFile(Exception):
    """Python cannot execute the kernel file; the text is what it says, from the file on."""


def reported(action: Callable[[], int]) -> int:
    """Run an action; its errors are sentences on standard error.

    Wrong usage ends with 2, a broken kernel file, with what Python says of it, and errors of ptxgen with 1.
    """
    from ptxgen.errors import PtxError

    try:
        return action()
    except WrongUsage as error:
        print(f"ptxgen: {error}", file=sys.stderr)
        return 2
    except BrokenKernelFile as error:
        print(error, file=sys.stderr)
        return 1
    except PtxError as error:
        family = next(cls for cls in type(error).__mro__ if cls.__module__ == "ptxgen.errors")
        print(f"ptxgen: {family.__name__}: {error}", *getattr(error, "__notes__", ()), sep="\n   ", file=sys.stderr)
        return 1
