"""Put mutated PTX to everything that reads it: no traceback, no hang, memory bounded."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from multiprocessing.pool import ThreadPool
from pathlib import Path
from queue import Queue

from tools.fuzz import seeds, worker
from tools.fuzz.extremes import extremes
from tools.fuzz.worker import Make, Outcome


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when nothing was found, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="chooses the mutations")
    parser.add_argument("--count", type=int, default=10_000, help="mutated files")
    parser.add_argument("--first", type=int, default=0, help="the number of the first, to see one again")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="mutate the files of a folder, too")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the shortest text of each finding there")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--thorough", type=int, default=8, metavar="N", help="every Nth goes through all there is")
    parser.add_argument("--extremes", type=int, metavar="SIZE", help="instead: extreme texts of so many characters")
    options = parser.parse_args(arguments)
    if options.extremes:
        return extreme(options.extremes, options.processes)
    make = worker.mutated(seeds.seeds(options.corpus), options.seed)
    began = time.monotonic()
    tally = Tally(make)
    for number, outcome in enumerate(run(make, options.first, options.count, options.processes, options.thorough), 1):
        tally.add(outcome)
        if number % 1000 == 0:
            print(f"{time.monotonic() - began:7.0f} s  {tally.line()}", file=sys.stderr, flush=True)
    tally.show()
    if options.keep is not None:
        tally.keep(options.keep)
    return 1 if tally.found else 0


def extreme(size: int, processes: int) -> int:
    """Each kind of extreme, of a size and of a quarter of it: the time for both, where it is more than linear."""
    known = extremes()
    names = list(known)
    make: Make = lambda number: known[names[number // 2]](size if number % 2 else size // 4)  # noqa: E731
    tally = Tally(make)
    seconds: dict[int, tuple[int, float]] = {}
    for outcome in run(make, 0, 2 * len(names), processes, 0):
        tally.add(outcome)
        seconds[outcome.number] = outcome.size, outcome.seconds
    slow = 0
    for number, name in enumerate(names):
        (_, less), (most, more) = seconds[2 * number], seconds[2 * number + 1]
        if more > GROWTH * less and more > LEAST * size / worker.SECOND_PER:
            print(f"{name}: {less:.3f} s, and {more:.3f} s for {most} characters")
            slow += 1
    tally.show()
    for outcomes in tally.found.values():
        print(*(f"{names[outcome.number // 2]} of {outcome.size}" for outcome in outcomes), sep=", ")
    return 1 if slow or tally.found else 0


GROWTH = 7  # times the time for four times the text, which is more than noise
LEAST = 0.05  # seconds for 100,000 characters that are worth a word


def run(make: Make, first: int, count: int, processes: int, thorough: int) -> Iterator[Outcome]:
    """The outcomes of all numbers, by several processes side by side."""
    queue: Queue[Outcome | None] = Queue()

    def follow(start: int) -> None:
        for outcome in worker.outcomes(make, first + start, first + count, processes, thorough):
            queue.put(outcome)
        queue.put(None)

    with ThreadPool(processes) as pool:
        done = pool.map_async(follow, range(processes))
        for _ in range(processes):
            while (outcome := queue.get()) is not None:
                yield outcome
        done.get()


class Tally:
    """What was seen so far."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.texts = self.parsed = self.characters = 0
        self.seconds = 0.0
        self.slowest = (0.0, 0)  # seconds for 100,000 characters of a text that is long enough to tell, and its number
        self.found: dict[str, list[Outcome]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count an outcome; say when it is the first of its kind."""
        self.texts += 1
        self.parsed += outcome.parsed
        self.characters += outcome.size
        self.seconds += outcome.seconds
        if outcome.size > 20_000:
            self.slowest = max(self.slowest, (outcome.seconds / outcome.size * worker.SECOND_PER, outcome.number))
        if outcome.kind:
            if outcome.kind not in self.found:
                print(f"number {outcome.number}, {outcome.size} characters: {outcome.kind}", outcome.report, sep="\n")
            self.found.setdefault(outcome.kind, []).append(outcome)

    def line(self) -> str:
        """How far it is."""
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        rate = self.seconds / max(self.characters, 1) * worker.SECOND_PER
        slowest, number = self.slowest
        return (
            f"{self.texts} texts, {self.characters / 1e6:.0f} million characters, {self.parsed} of them read "
            f"without an error; {len(self.found)} kinds of findings; {rate:.3f} s for 100,000 characters, at most "
            f"{slowest:.2f} (number {number}); {memory} MB"
        )

    def show(self) -> None:
        """The findings by kind."""
        print(self.line())
        for kind, outcomes in sorted(self.found.items(), key=lambda item: -len(item[1])):
            shortest = min(outcomes, key=lambda outcome: outcome.size)
            print(f"{len(outcomes):6} {kind} (number {shortest.number}, {shortest.size} characters)")

    def keep(self, folder: Path) -> None:
        """Write the shortest text of each kind."""
        folder.mkdir(parents=True, exist_ok=True)
        for outcomes in self.found.values():
            shortest = min(outcomes, key=lambda outcome: outcome.size)
            data = self.make(shortest.number).encode("utf-8", "surrogatepass")
            (folder / f"{shortest.number}.ptx").write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
