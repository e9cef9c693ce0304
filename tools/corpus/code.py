"""Machine code of two texts, compared.

Compared is all of a cubin but what is made for debuggers: code, constants, initial values, relocations, resources, and
the symbols with their sections, values and sizes. Not compared are the sections `.nv_debug...`, which hold the text
itself and places in it, and the tables of strings and symbols as such, in which the names of those sections stand.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from ptxgen.assemble import elf
from ptxgen.cli.inputs import written
from tools.certify.releases import RELEASES, Release

SAME = "same code"
TRIES = 4
_DEBUG = ".nv_debug"
_COUNTED = re.compile(r"(?<=__)\d+$", re.ASCII)  # of a variable of a function, after the lines of the text
_TABLES = frozenset({"", ".strtab", ".shstrtab", ".symtab"})


@frozen
class Assembly:
    """How ptxas makes code of a text."""

    release: Release
    architecture: str
    options: tuple[str, ...] = ()

    def run(self, text: str, timeout: float) -> bytes | str:
        """The cubin, or why there is none."""
        with TemporaryDirectory(prefix="ptxgen-") as folder:
            Path(folder, "input.ptx").write_bytes(written(text))
            command = [self.release.path(), f"-arch={self.architecture}", *self.options, "input.ptx", "-o", "output"]
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout, check=False)
            except subprocess.TimeoutExpired:
                return f"out of time, {timeout:g} s"
            if done.returncode:
                said = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()
                return f"{self}: " + (said[-1] if said else f"exit status {done.returncode}")
            return Path(folder, "output").read_bytes()

    def __str__(self) -> str:
        return " ".join((f"ptxas {self.release.name}", f"-arch={self.architecture}", *self.options))


def assemblies(target: str, release: Release) -> list[Assembly]:
    """How code may be had for a target: first whole, then with functions that are defined elsewhere (`-c`); by a
    release, then by the oldest one, which still makes code of 32 bits."""
    found: list[Assembly] = []
    for judge in (release, RELEASES[0]):
        architecture = judge.architecture(target)
        if architecture is not None:
            real = architecture.replace("compute_", "sm_")
            found += [Assembly(judge, real), Assembly(judge, real, ("-c",))]
    return found


def compare(text: str, printed: str, ways: list[Assembly], timeout: float) -> tuple[str, str]:
    """SAME, and how it was assembled; or "" and why the original cannot be; or what differs, and where.

    Of some texts ptxas makes now this code, now that: then it is enough that both texts have some code in common.
    """
    why = ""
    for way in ways:
        original = way.run(text, timeout)
        if isinstance(original, bytes):
            break
        why = why or original
    else:
        return "", why or "no known ptxas has an architecture for its target"
    originals = [original]
    unequal: list[str] = []
    for _ in range(TRIES):
        other = way.run(printed, timeout)
        if isinstance(other, str):
            return "refused", f"its printed text: {other}"
        unequal = min((differences(one, other) for one in originals), key=len)
        if not unequal:
            return SAME, str(way)
        if isinstance(again := way.run(text, timeout), bytes):
            originals.append(again)
    return "different", f"{way}: {', '.join(unequal)}"


def differences(one: bytes, other: bytes) -> list[str]:
    """The names of the sections that differ, and "symbols" where these do."""
    first, second = _compared(one), _compared(other)
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def _compared(cubin: bytes) -> dict[str, object]:
    contents: dict[str, list[bytes]] = {}
    for name, content in elf.sections(cubin):
        if name not in _TABLES and _DEBUG not in name:
            contents.setdefault(name, []).append(content)
    symbols = [
        (_COUNTED.sub("", name), *rest) for name, *rest in elf.symbols(cubin) if _DEBUG not in f"{name} {rest[0]}"
    ]
    return {**contents, "symbols": sorted(symbols)}
