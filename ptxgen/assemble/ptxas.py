"""ptxas, the program, as assembler: on PATH, of a toolkit (CUDA_PATH, CUDA_HOME), or of the nvidia-cuda-nvcc wheel."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from ptxgen.assemble.cubin import Cubin, refusal
from ptxgen.errors import AssembleError, Diagnostic

# Every release accepts this for every architecture that it has. The list of architectures is no substitute: the
# option that prints it came with 13.4.
_PROBE = ".version 4.0\n.target sm_20\n.address_size 64\n"
_PROBE_TIMEOUT = 60.0  # seconds
_INPUT, _OUTPUT = "input.ptx", "output.cubin"


@frozen
class Ptxas:
    """One ptxas program. `version` is the release and build, such as "13.5.37"."""

    path: Path
    version: str

    @property
    def name(self) -> str:
        return f"ptxas {self.version}"

    @property
    def place(self) -> str:
        """The path of the program."""
        return str(self.path)

    @classmethod
    def at(cls, path: str | Path) -> Ptxas:
        """The ptxas of that path; raises AssembleError if it is none."""
        try:
            asked = subprocess.run([path, "--version"], capture_output=True, timeout=_PROBE_TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AssembleError.of(Diagnostic("assembler", "error", f"{path} does not run: {_why(error)}")) from error
        match = re.search(rb"\bV(\d+\.\d+\.\d+)", asked.stdout)
        if match is None:
            raise AssembleError.of(Diagnostic("assembler", "error", f"{path} is no ptxas: it prints no version"))
        return cls(Path(path).absolute(), match[1].decode())

    def assemble(self, text: str, architectures: tuple[str, ...], timeout: float) -> Cubin:
        """See Assembler. The text is passed as UTF-8."""
        chosen = next((arch for arch in architectures if self._knows(arch)), None)
        if chosen is None:
            raise refusal(self.name, architectures[0], "", f"it does not know {' or '.join(architectures)}")
        with TemporaryDirectory(prefix="ptxgen-") as folder:
            Path(folder, _INPUT).write_bytes(text.encode("utf-8", "replace"))
            try:
                done = self._run(folder, timeout, "-v", f"-arch={chosen}")
            except subprocess.TimeoutExpired:
                raise refusal(self.name, chosen, "", f"it took longer than {timeout:g} s and was stopped") from None
            log = (done.stdout + done.stderr).decode("utf-8", "replace")
            if done.returncode < 0:
                failure = f"it crashed (signal {-done.returncode}); this is a fault of it, whatever the text"
                raise refusal(self.name, chosen, log, failure)
            if done.returncode:
                raise refusal(self.name, chosen, log)
            return Cubin.of(Path(folder, _OUTPUT).read_bytes(), chosen, self.name, log)

    def _knows(self, arch: str) -> bool:
        with TemporaryDirectory(prefix="ptxgen-") as folder:
            Path(folder, _INPUT).write_text(_PROBE)
            return self._run(folder, _PROBE_TIMEOUT, f"-arch={arch}").returncode == 0

    def _run(self, folder: str, timeout: float, *options: str) -> subprocess.CompletedProcess[bytes]:
        """In `folder`, so that no message names a path that nobody can open."""
        command = [self.path, *options, _INPUT, "-o", _OUTPUT]
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout, check=False)


def _why(error: OSError | subprocess.TimeoutExpired) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return f"it printed no version within {error.timeout:g} s"


def find_ptxas() -> Ptxas | None:
    """The first ptxas, on PATH or where cuda-pathfinder looks (wheels, conda, CUDA_PATH, CUDA_HOME); None if none."""
    path = shutil.which("ptxas") or _find_elsewhere()
    return Ptxas.at(path) if path else None


def _find_elsewhere() -> str | None:
    try:
        pathfinder = import_module("cuda.pathfinder")
    except ImportError:
        return None
    return pathfinder.find_nvidia_binary_utility("ptxas")
