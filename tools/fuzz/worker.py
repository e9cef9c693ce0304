"""Texts are examined in a process of its own, which has limits on time and memory, and may die."""

from __future__ import annotations

import multiprocessing
import random
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from attrs import frozen

from tools.fuzz import examination

SECOND_PER = 100_000  # characters
LEAST = 1.0  # seconds of processor time that any text may take
MEMORY = 4 << 30  # bytes of addresses
PATIENCE = 30.0  # seconds that a process may be silent beyond its limit

Make = Callable[[int], str]  # the text of a number


@frozen
class Outcome:
    """What came of one text."""

    number: int
    size: int
    seconds: float  # of processor time, for reading and checking
    parsed: bool
    kind: str = ""  # of what is wrong, "" where nothing is
    report: str = ""


class TooSlow(Exception):
    """A text takes longer than it may."""


def limit(size: int) -> float:
    """Seconds of processor time that one question about a text of some size may take."""
    return max(LEAST, size / SECOND_PER)


def outcomes(make: Make, first: int, last: int, step: int, thorough: int, memory: int = MEMORY) -> Iterator[Outcome]:
    """What comes of the texts of the numbers from first to last; every `thorough`th goes through all there is."""
    context = multiprocessing.get_context("fork")
    while first < last:
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(make, first, last, step, thorough, memory, sending))
        process.start()
        sending.close()
        size = 0
        while True:
            try:
                told = receiving.recv() if receiving.poll(PATIENCE + 40 * limit(size)) else None
            except EOFError:
                told = None
            if isinstance(told, Outcome):
                yield told
                first, size = told.number + step, 0
            elif isinstance(told, int):
                size = told
            else:
                break
        process.kill()
        process.join()
        if first < last:  # it did not come to the end
            how = "hangs" if process.exitcode == -signal.SIGKILL else f"ends with {process.exitcode}"
            yield Outcome(first, size, 0.0, False, f"the process {how}", how)
            first += step


def _work(make: Make, first: int, last: int, step: int, thorough: int, memory: int, sending: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.signal(signal.SIGPROF, _too_slow)
    with tempfile.TemporaryDirectory(prefix="ptxgen-fuzz-") as folder:
        for number in range(first, last, step):
            text = make(number)
            sending.send(len(text))
            sending.send(examined(number, text, bool(thorough) and number // step % thorough == 0, Path(folder)))
    sending.close()


def examined(number: int, text: str, thorough: bool, folder: Path) -> Outcome:
    """What comes of one text."""
    allowed = limit(len(text))
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, allowed)
        parsed = examination.question(text)
        seconds = time.process_time() - began
        signal.setitimer(signal.ITIMER_PROF, 20 * allowed)
        parsed = examination.examine(text, thorough)
        if thorough and number % 5 == 0:
            file = folder / "fuzz.ptx"
            file.write_bytes(text.encode("utf-8", "surrogateescape" if examination.has_bytes(text) else "replace"))
            examination.command(file)
        return Outcome(number, len(text), seconds, parsed)
    except BaseException as error:  # whatever it is, it is what is looked for
        signal.setitimer(signal.ITIMER_PROF, 0)
        report = traceback.format_exc(limit=-12)
        return Outcome(number, len(text), time.process_time() - began, False, kind(error), report)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def kind(error: BaseException) -> str:
    """What tells findings apart: the error, and where in the product it came up."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/ptxgen/" in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else ""
    message = str(error).split("\n")[0][:60] if isinstance(error, examination.Wrong) else ""
    return f"{type(error).__name__} {place} {message}".strip()


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def mutated(texts: list[str], seed: int) -> Make:
    """The mutated text of each number."""
    from tools.fuzz.mutation import mutate
    from tools.fuzz.seeds import case

    def make(number: int) -> str:
        chance = random.Random(f"{seed}:{number}")
        return mutate(chance, *case(texts, chance))

    return make
