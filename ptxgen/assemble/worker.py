"""A child process that runs nvJitLink, so that a crash of the library is an error and not the end of the process.

This is the parent's end; `worker_process` is the child. They exchange pickled tuples over the child's standard input
and output, and the child serves until its input ends.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from threading import Event, Timer
from typing import IO, NamedTuple, cast

from attrs import define, field


class Reply(NamedTuple):
    """`code` is None if the text was refused, and `failure` then says what the log does not. `arch` is the one used."""

    code: bytes | None
    arch: str
    log: str
    failure: str


@define(eq=False)
class Worker:
    """The parent's end of one child process."""

    process: subprocess.Popen[bytes]
    owner: int = field(factory=os.getpid)

    @classmethod
    def start(cls) -> Worker:
        """Start a child; it inherits the search path, so that it imports what this process would."""
        process = subprocess.Popen(
            [sys.executable, "-m", "ptxgen.assemble.worker_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        )
        worker = cls(process)
        atexit.register(worker.stop)
        return worker

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def mine(self) -> bool:
        """False in a fork of the process that started the child: two must not talk to it."""
        return self.owner == os.getpid()

    def ask(self, text: bytes, architectures: tuple[str, ...], timeout: float) -> Reply:
        """Assemble in the child. A child that dies or takes longer than `timeout` seconds gives a reply too."""
        stdin, stdout = cast("IO[bytes]", self.process.stdin), cast("IO[bytes]", self.process.stdout)
        late = Event()
        timer = Timer(timeout, lambda: (late.set(), self.process.kill()))
        timer.start()
        try:
            pickle.dump((text, architectures), stdin)
            stdin.flush()
            return Reply(*pickle.load(stdout))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            code = self.process.wait()
            if late.is_set():
                failure = f"it took longer than {timeout:g} s and was stopped"
            else:
                failure = f"the assembler crashed ({_how_it_ended(code)}); this is a fault of it, whatever the text"
            self.stop()
            return Reply(None, architectures[0], "", failure)
        except BaseException:  # interrupted, so that the next reply would be this one's
            self.process.kill()
            self.stop()
            raise
        finally:
            timer.cancel()

    def stop(self) -> None:
        """End the child and release its pipes."""
        atexit.unregister(self.stop)
        if not self.mine:
            return
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        self.process.wait()


def _how_it_ended(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit status {code}"
