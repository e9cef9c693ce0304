"""`ptxgen check` beside ptxas, as whole processes; and reading alone beside the parser of another project.

`ptxas -arch=compute_XX` parses and checks, and makes no code. Both get the same files in the same rounds, by turns.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from attrs import frozen

from tools.bench import large
from tools.bench.row import Bound, Row
from tools.certify.releases import RELEASES, ReleaseUnavailable

INSTRUCTIONS = 100_000
PRODUCERS = 20  # of which the largest file is taken
LARGE, CORPUS, PARSE, OTHER = "check, {:,} instructions", "check, {} files", "read, {:,} instructions", "ptx-parser"
PTXAS = "ptxas"
_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.MULTILINE)

Command = Sequence[str]


@frozen
class Pair:
    """What ptxgen and ptxas do with the same files; ptxas is asked for one file at a time, as its `-arch` needs."""

    ptxgen: tuple[Command, ...]
    ptxas: tuple[Command, ...]


def rows(repeat: int, corpus: Path | None) -> list[Row]:
    """Medians of `repeat` rounds: one large kernel and, where a folder is given, the largest files in it."""
    found = [_large(repeat, INSTRUCTIONS), *reading(repeat, INSTRUCTIONS)]
    if corpus is not None:
        files = largest(corpus)
        what = CORPUS.format(len(files))
        found.append(_row(what, Bound(1.2), repeat, lambda: pair(files)) if files else Row(what, fault="no .ptx file"))
    return found


def _large(repeat: int, count: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "large.ptx")
        file.write_text(large.kernel(count), encoding="utf-8")
        return _row(LARGE.format(count), Bound(1.5), repeat, lambda: pair([file]))


def _row(what: str, bound: Bound, repeat: int, commands: Callable[[], Pair]) -> Row:
    try:
        seconds, ratio = measure(commands(), repeat)
    except ReleaseUnavailable as error:
        return Row(what, remark=f"no ptxas: {error}")
    return Row(what, seconds, ratio, PTXAS, bound)


def largest(corpus: Path) -> list[Path]:
    """The largest file of each of the producers, which are folders, with the largest files."""
    folders: dict[Path, list[Path]] = {}
    for file in sorted(corpus.rglob("*.ptx")):
        folders.setdefault(file.parent, []).append(file)
    files = [max(found, key=_size) for found in folders.values()]
    return sorted(files, key=_size, reverse=True)[:PRODUCERS]


def pair(files: Sequence[Path]) -> Pair:
    """The commands for these files."""
    release = RELEASES[-1]
    asked: list[Command] = []
    for file in files:
        named = _TARGET.search(file.read_text(encoding="utf-8", errors="replace"))
        architecture = release.architecture(named[1]) if named is not None else None
        arch = f"-arch={architecture}" if architecture is not None else f"-arch=compute_{large.TARGET}"
        asked.append((str(release.path()), arch, str(file), "-o", os.devnull))
    return Pair(((sys.executable, "-m", "ptxgen", "check", *map(str, files)),), tuple(asked))


def measure(commands: Pair, repeat: int) -> tuple[float, float]:
    """The median of the seconds that ptxgen takes, and of the ratios to ptxas in the same round."""
    _elapsed(commands.ptxgen)  # writes the byte code
    times = [(_elapsed(commands.ptxgen), _elapsed(commands.ptxas)) for _ in range(repeat)]
    return median(ours for ours, _ in times), median(ours / theirs for ours, theirs in times)


def reading(repeat: int, count: int) -> list[Row]:
    """Reading in this process, by ptxgen and by ptx-parser, which is compiled; for information."""
    from ptxgen.parse.module import read

    text = large.kernel(count, simple=True)  # it reads few files: no 16-bit registers, no %fd
    what = PARSE.format(count)
    ours = min(_spent(read, text) for _ in range(repeat))
    if find_spec("ptx_parser") is None:
        return [Row(what, ours), Row(OTHER, remark="not installed: pip install 'ptxgen[bench]'")]
    other: Any = import_module("ptx_parser")
    theirs = min(_spent(other.parse_ptx, text) for _ in range(repeat))
    return [Row(what, ours, ours / theirs, OTHER), Row(OTHER, theirs)]


def _spent(work: Callable[[str], Any], text: str) -> float:
    start = process_time()
    kept = work(text)
    spent = process_time() - start
    del kept
    return spent


def _elapsed(commands: Sequence[Command]) -> float:
    """The seconds that commands take, one after the other, whatever they say."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = perf_counter()
    for command in commands:
        subprocess.run(command, env=environment, check=False, capture_output=True)
    return perf_counter() - start


def _size(file: Path) -> int:
    return file.stat().st_size
