"""Build, validate and print a straight-line kernel: ptxgen beside other emitters, per instruction."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from importlib.util import find_spec
from statistics import median
from time import process_time

from tools.bench.emitters import Emitter, builder, llvm, plain, pyptx
from tools.bench.row import Bound, Row

PLAIN = Emitter("plain emitter", plain.emit)
PTXGEN = Emitter("ptxgen", builder.emit)
EMITTERS = (
    PLAIN,
    PTXGEN,
    Emitter("llvmlite, IR text", llvm.ir_text, "llvmlite"),
    Emitter("llvmlite, PTX", llvm.ptx, "llvmlite"),
    Emitter("pyptx", pyptx.emit, "pyptx"),
)
INSTALL = "not installed: pip install 'ptxgen[bench]'"

# What is compared with what; other emitters are compared with the plain one, for information.
RATIOS = {"ptxgen": (PLAIN.name, Bound(3.0)), "pyptx": (PTXGEN.name, Bound(5.0, least=True))}


def installed(emitter: Emitter) -> bool:
    """Whether an emitter's package is there."""
    return not emitter.package or find_spec(emitter.package) is not None


def rows(count: int, repeat: int) -> list[Row]:
    """Medians of `repeat` rounds with kernels of `count` instructions."""
    seconds = measure(list(filter(installed, EMITTERS)), count, repeat)
    return [_row(emitter.name, f"{emitter.name}, {count:,}", seconds) for emitter in EMITTERS]


def _row(name: str, what: str, seconds: dict[str, float]) -> Row:
    if name not in seconds:
        return Row(what, remark=INSTALL)
    if name == PLAIN.name:
        return Row(what, seconds[name])
    to, bound = RATIOS.get(name, (PLAIN.name, None))
    return Row(what, seconds[name], seconds[name] / seconds[to], to, bound)


def measure(emitters: Sequence[Emitter], count: int, repeat: int) -> dict[str, float]:
    """The median time of an instruction by each emitter; they take turns, so that all meet the same machine.

    It is this process's time, of which other processes take nothing. A kernel lives until its clock has stopped: nobody
    pays for taking down what was built. The garbage collector runs when it likes.
    """
    times: dict[str, list[float]] = {emitter.name: [] for emitter in emitters}
    for _ in range(repeat):
        for emitter in emitters:
            gc.collect()
            start = process_time()
            built = emitter.emit(count)
            times[emitter.name].append((process_time() - start) / count)
            del built
    return {name: median(found) for name, found in times.items()}
