"""nvJitLink as assembler.

nvJitLink is a library, and the ptxas inside it dies of a segmentation fault on some malformed PTX. So that such
input ends in an AssembleError and not in the end of the user's process, the library runs in a child process, which is
started on the first call (some 0.1 s) and reused. Everything else about it is as if it were called here.

nvJitLink assembles relocatable code and links it: what ptxas does only for a whole program (honouring `setmaxnreg`,
for one) it leaves out, with an info line (C7504) that is among the messages.
"""

from __future__ import annotations

from importlib import import_module

from attrs import frozen

from ptxgen.assemble.cubin import Cubin, refusal
from ptxgen.assemble.worker import Reply, Worker


@frozen
class NvJitLink:
    """The nvJitLink that cuda-bindings finds. `version` is that of the library, such as "13.5"."""

    version: str

    @property
    def name(self) -> str:
        return f"nvJitLink {self.version}"

    @property
    def place(self) -> str:
        """The path of the library."""
        pathfinder = import_module("cuda.pathfinder")
        try:
            return pathfinder.load_nvidia_dynamic_lib("nvJitLink").abs_path or ""
        except pathfinder.DynamicLibNotFoundError:
            return ""

    @classmethod
    def find(cls) -> NvJitLink | None:
        """nvJitLink if cuda-bindings and the library are installed, else None."""
        try:
            major, minor = import_module("cuda.bindings.nvjitlink").version()
        except (ImportError, RuntimeError):  # RuntimeError: bindings without the library, or an older one than 12.3
            return None
        return cls(f"{major}.{minor}")

    def assemble(self, text: str, architectures: tuple[str, ...], timeout: float) -> Cubin:
        """See Assembler. The text is passed as UTF-8."""
        reply = _ask(text, architectures, timeout)
        if reply.code is None:
            raise refusal(self.name, reply.arch or architectures[0], reply.log, reply.failure)
        return Cubin.of(reply.code, reply.arch, self.name, reply.log)


# Workers that wait for work. One is taken for the time of a call, so that threads assemble side by side.
_idle: list[Worker] = []


def _ask(text: str, architectures: tuple[str, ...], timeout: float) -> Reply:
    worker = _take()
    reply = worker.ask(text.encode("utf-8", "replace"), architectures, timeout)
    if worker.alive:
        _idle.append(worker)
    return reply


def _take() -> Worker:
    while _idle:
        worker = _idle.pop()
        if worker.mine and worker.alive:
            return worker
        worker.stop()
    return Worker.start()
