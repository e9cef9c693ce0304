"""Whole processes: the interpreter alone, `import ptxgen`, and a module of one instruction."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from statistics import median

from tools.bench.row import Bound, Row

PASS, IMPORT, ATTRS, MODULE = "python -c pass", "import ptxgen", "import attrs", "one-instruction module"
HEAVY = ("numpy", "llvmlite", "cuda", "yaml")  # load on first use, if at all

PROGRAMS = {
    PASS: "pass",
    IMPORT: "import ptxgen",
    ATTRS: "import attrs",
    MODULE: """
from ptxgen import Module
module = Module("sm_80")
@module.entry
def kernel(k):
    a = k.reg.f32()
    k.add.f32(a, a)
print(module.ptx())
""",
}


def rows(repeat: int) -> list[Row]:
    """Medians of `repeat` runs of each program, and which heavy packages ours load."""
    seconds = measure(repeat)
    return [
        Row(PASS, seconds[PASS]),
        _row(IMPORT, PASS, Bound(1.3), seconds),
        Row(ATTRS, seconds[ATTRS]),
        _row(MODULE, ATTRS, Bound(1.6), seconds),
    ]


def _row(what: str, to: str, bound: Bound, seconds: dict[str, float]) -> Row:
    loaded = heavy(PROGRAMS[what])
    fault = f"loads {', '.join(loaded)}" if loaded else ""
    return Row(what, seconds[what], seconds[what] / seconds[to], to, bound, f"loads no {', '.join(HEAVY)}", fault)


def measure(repeat: int) -> dict[str, float]:
    """The median time of each program's process. They take turns, so that all meet the same machine.

    It is the time that the processors spend on it, from its start to its end, of which other processes take nothing.
    """
    for program in PROGRAMS.values():
        run(program)  # writes the byte code
    times: dict[str, list[float]] = {what: [] for what in PROGRAMS}
    for _ in range(repeat):
        for what, program in PROGRAMS.items():
            start = _spent()
            run(program)
            times[what].append(_spent() - start)
    return {what: median(found) for what, found in times.items()}


def _spent() -> float:
    """The processor time of all processes that were run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def heavy(program: str) -> list[str]:
    """The heavy packages that a program loads."""
    report = f"\nimport sys\nprint('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
    return run(program + report).splitlines()[-1].split()[1:]


def run(program: str) -> str:
    """What a program prints, in an interpreter of its own."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
