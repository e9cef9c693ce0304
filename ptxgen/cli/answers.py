"""What came of each file, with the sentences about those that gave nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from attrs import define

from ptxgen.cli.parallel import each
from ptxgen.cli.progress import progress
from ptxgen.cli.reading import NoModule
from ptxgen.cli.usage import WrongUsage

T = TypeVar("T")


@define(eq=False, weakref_slot=False, repr=False)
class Answers:
    """The results of several files; `status` is the exit status that they come to."""

    status: int = 0

    def good(self, work: Callable[[str], T | NoModule | WrongUsage], paths: Sequence[str]) -> Iterator[tuple[str, T]]:
        """Each path with what `work` gives for it; a file that cannot be read, or is no PTX, is told of at once."""
        for path, found in zip(paths, progress(each(work, paths), len(paths)), strict=True):
            if isinstance(found, WrongUsage):
                print(f"ptxgen: {found}", file=sys.stderr)
                self.status = 2
            elif isinstance(found, NoModule):
                print(found, file=sys.stderr)
                self.fail()
            else:
                yield path, found

    def fail(self) -> None:
        """Something is wrong with a file that could be read."""
        self.status = max(self.status, 1)
