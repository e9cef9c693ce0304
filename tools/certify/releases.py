"""The releases of ptxas that judge PTX, and how to get them.

A release is a wheel on the Python package index. It is fetched on first use, once, into a cache outside the checkout:
`$PTXGEN_CACHE`, else `$XDG_CACHE_HOME/ptxgen`, else `~/.cache/ptxgen`, as `ptxas/<release>/ptxas`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from attrs import field, frozen


class ReleaseUnavailable(Exception):
    """A release of ptxas is not known, or could not be had."""


def isa(version: str) -> tuple[int, int]:
    """The version of the PTX ISA as numbers, so that it compares: "8.10" is above "8.9"."""
    major, minor = version.split(".")
    return int(major), int(minor)


def number(target: str) -> int:
    """The number of a target or architecture, without its letter: 100 of "sm_100a"."""
    found = re.search(r"\d+", target)
    if found is None:
        raise ValueError(f"{target!r} is not the name of a target")
    return int(found[0])


def cache() -> Path:
    """The folder where fetched tools live."""
    if explicit := os.environ.get("PTXGEN_CACHE"):
        return Path(explicit)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ptxgen"


# Targets that every release knows, also those for which it makes no code any more: they parse under a newer `-arch`.
_ANCIENT = "10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 82"
ANCIENT = frozenset(_ANCIENT.split())

# From 13.0 the architecture has the new name; the old target remains legal in old versions of the ISA.
RENAMED = {"101": "110", "101a": "110a", "101f": "110f"}


@frozen
class Release:
    """One release of ptxas."""

    name: str
    """As the toolkit numbers it, which is also the version of the package."""
    package: str
    newest: str
    """The newest version of the PTX ISA that it takes; it takes all older ones too."""
    architectures: frozenset[str] = field(repr=False)
    """What may follow `-arch=compute_`, and works."""

    def architecture(self, target: str) -> str | None:
        """The `-arch` that checks PTX for `target` without making code, or None.

        The exact one where there is one, because some instructions are expanded, and then checked, for the
        architecture and not for the target.
        """
        name = target.removeprefix("sm_")
        for exact in (name, RENAMED.get(name)):
            if exact in self.architectures:
                return f"compute_{exact}"
        if name not in ANCIENT:
            return None
        plain = sorted(int(x) for x in self.architectures if x.isdecimal())
        return f"compute_{next(x for x in plain if x >= int(name))}"

    def judges(self, version: str, target: str) -> bool:
        """Whether this release can say what is legal under `.version version` and `.target target`."""
        return isa(version) <= isa(self.newest) and self.architecture(target) is not None

    def path(self) -> Path:
        """The program, fetched if it is not in the cache yet. Safe in several processes at once."""
        program = cache() / "ptxas" / self.name / "ptxas"
        if not program.exists():
            self._fetch(program)
        return program

    def _fetch(self, program: Path) -> None:
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=program.parent) as name:
            folder = Path(name)
            requirement = f"{self.package}=={self.name}"
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
            done = subprocess.run([*pip, f"--dest={folder}", requirement], capture_output=True, text=True, check=False)
            wheels = list(folder.glob("*.whl"))
            if done.returncode or not wheels:
                raise ReleaseUnavailable(f"ptxas {self.name}: cannot download {requirement}:\n{done.stderr.strip()}")
            with zipfile.ZipFile(wheels[0]) as wheel:
                member = next((x for x in wheel.namelist() if x.endswith("bin/ptxas")), None)
                if member is None:
                    raise ReleaseUnavailable(f"ptxas {self.name}: {wheels[0].name} has no bin/ptxas")
                unpacked = folder / "ptxas"
                with wheel.open(member) as source, unpacked.open("wb") as copy:
                    shutil.copyfileobj(source, copy)
            unpacked.chmod(0o755)
            # A rename is atomic: whoever looks sees no program or a whole one.
            unpacked.replace(program)


def _table() -> tuple[Release, ...]:
    cuda11 = "35 37 50 52 53 60 61 62 70 72 75 80 86 87"
    cuda12 = "50 52 53 60 61 62 70 72 75 80 86 87 89 90"
    cuda13 = "75 80 86 87 88 89 90 90a 100 100a 100f 103 103a 103f 110 110a 110f 120 120a 120f 121 121a 121f"
    # 12.3 to 12.8 list compute_90a and the like, and then call them unsupported.
    blackwell = "90a 100 100a 100f 101 101a 101f 103 103a 103f 120 120a 120f 121 121a 121f"
    rows = (
        ("11.7.99", "nvidia-cuda-nvcc-cu11", "7.7", cuda11),
        ("11.8.89", "nvidia-cuda-nvcc-cu11", "7.8", f"{cuda11} 89 90"),
        ("12.0.140", "nvidia-cuda-nvcc-cu12", "8.0", f"{cuda12} 90a"),
        ("12.1.105", "nvidia-cuda-nvcc-cu12", "8.1", f"{cuda12} 90a"),
        ("12.2.140", "nvidia-cuda-nvcc-cu12", "8.2", f"{cuda12} 90a"),
        ("12.3.107", "nvidia-cuda-nvcc-cu12", "8.3", cuda12),
        ("12.4.131", "nvidia-cuda-nvcc-cu12", "8.4", cuda12),
        ("12.5.82", "nvidia-cuda-nvcc-cu12", "8.5", cuda12),
        ("12.6.85", "nvidia-cuda-nvcc-cu12", "8.5", cuda12),
        ("12.8.93", "nvidia-cuda-nvcc-cu12", "8.7", f"{cuda12} 100 101 120"),
        ("12.9.86", "nvidia-cuda-nvcc-cu12", "8.8", f"{cuda12} {blackwell}"),
        ("13.0.88", "nvidia-cuda-nvcc", "9.0", cuda13),
        ("13.1.115", "nvidia-cuda-nvcc", "9.1", cuda13),
        ("13.2.78", "nvidia-cuda-nvcc", "9.2", cuda13),
        ("13.3.73", "nvidia-cuda-nvcc", "9.3", cuda13),
        ("13.4.92", "nvidia-cuda-nvcc", "9.4", f"{cuda13} 107 107a 107f"),
        ("13.5.37", "nvidia-cuda-nvcc", "9.5", f"{cuda13} 107 107a 107f"),
    )
    return tuple(Release(name, package, newest, frozenset(archs.split())) for name, package, newest, archs in rows)


RELEASES = _table()
"""All known releases, oldest first."""


def release(name: str) -> Release:
    """The release of that name, whole ("13.5.37") or without its last number ("13.5")."""
    for known in RELEASES:
        if name in (known.name, known.name.rpartition(".")[0]):
            return known
    raise ReleaseUnavailable(f"no ptxas {name}; there are {', '.join(x.name for x in RELEASES)}")


def judges(version: str, target: str) -> tuple[Release, ...]:
    """The releases that can judge `.version version` with `.target target`, oldest first."""
    return tuple(x for x in RELEASES if x.judges(version, target))


def _judge(version: str, target: str, which: int) -> Release:
    able = judges(version, target)
    if not able:
        raise ReleaseUnavailable(f"no known ptxas judges PTX {version} for {target}")
    return able[which]


def oldest(version: str, target: str) -> Release:
    """The oldest release that can judge this version and target."""
    return _judge(version, target, 0)


def newest(version: str, target: str) -> Release:
    """The newest release that can judge this version and target."""
    return _judge(version, target, -1)
