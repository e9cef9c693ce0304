"""The same work on several files, in processes side by side where that pays, with results in the order given."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from ptxgen.cli.inputs import STDIN, size
from ptxgen.cli.usage import WrongUsage
from ptxgen.collection import no_collection

T = TypeVar("T")

_PAYING = 1_000_000  # bytes of PTX that are worth starting processes for: some 0.15 s of work


def each(work: Callable[[str], T], paths: Sequence[str]) -> Iterator[T]:
    """`work(path)` for every path; both have to survive pickling."""
    processes = min(len(paths), _processors())
    if processes > 1 and STDIN not in paths and sum(map(size, paths)) >= _PAYING:
        yield from _side_by_side(work, paths, processes)
        return
    if len(paths) > 1:
        gc.enable()  # between files; the program begins without it
    for path in paths:
        yield _uncollected(work, path)


def _side_by_side(work: Callable[[str], T], paths: Sequence[str], processes: int) -> Iterator[T]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(processes, initializer=_begin)
    try:
        yield from pool.map(partial(_uncollected, work), paths)
    except BrokenProcessPool:
        raise WrongUsage("a process that read files was ended, most likely for want of memory; name fewer") from None
    except BaseException:  # Ctrl-C, or nobody listens any more: those that still work are of no use
        import multiprocessing

        for child in multiprocessing.active_children():
            child.terminate()
        raise
    pool.shutdown()


def _begin() -> None:
    """In a worker, Ctrl-C ends it without a word."""
    import signal

    gc.enable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _uncollected(work: Callable[[str], T], path: str) -> T:
    with no_collection():
        return work(path)


def _processors() -> int:
    """Those that this process may use, where the system tells."""
    ask = getattr(os, "sched_getaffinity", None)
    return len(ask(0)) if ask is not None else os.cpu_count() or 1
