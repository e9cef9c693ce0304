"""A bar on standard error, for runs that take a while and a person who watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from ptxgen.cli.terminal import is_terminal

T = TypeVar("T")

_PATIENCE = 1.0  # seconds without a bar
_WIDTH = 30


def progress(results: Iterable[T], count: int) -> Iterator[T]:
    """The results, with a bar of how many of `count` are there, only on a terminal and after a second.

    The bar is gone whenever a result is handed out, so that what is printed of it stands on lines of its own.
    """
    if count < 2 or not is_terminal(sys.stderr):
        yield from results
        return
    started = time.monotonic()
    drawn = False
    for done, result in enumerate(results, 1):
        if drawn:
            _write("\r\x1b[K")
        yield result
        drawn = done < count and time.monotonic() - started > _PATIENCE
        if drawn:
            filled = _WIDTH * done // count
            sys.stdout.flush()
            _write(f"[{'#' * filled}{' ' * (_WIDTH - filled)}] {done} of {count} files")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
