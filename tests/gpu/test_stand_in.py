"""The way through cuda.core without a GPU: the launch tests again, in a process whose driver is a stand-in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("stand_in_driver.c")
COMPILER = shutil.which("cc")
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is a Linux library"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler"),
]

LOAD = """
import numpy
from ptxgen.errors import PtxError
from ptxgen.gpu import load
from ptxgen.launch import copied
from tests.gpu.modules import PARAMETERS, PTX
def loaded(version="6.3"):
    return load(PTX, PARAMETERS, version=version, target="sm_52")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose libcuda.so.1 is the stand-in."""
    folder = tmp_path_factory.mktemp("driver")
    command = [COMPILER or "cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", str(DRIVER), "-ldl"]
    subprocess.run([*command, "-o", str(folder / "libcuda.so.1")], check=True)
    return folder


def run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Exit status and output of Python with the stand-in as its driver."""
    own = {"LD_LIBRARY_PATH": str(folder), "PYTHONPATH": os.pathsep.join(["", *sys.path])} | environment
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | own, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def calls(folder: Path, script: str, **environment: str) -> tuple[list[str], str]:
    """What the stand-in was asked by a script, and what the script printed; the script ends without an error."""
    log = folder / "calls"
    log.unlink(missing_ok=True)
    status, output = run(folder, "-c", LOAD + script, STAND_IN_LOG=str(log), **environment)
    assert status == 0, output
    return log.read_text().splitlines(), output


def test_the_launch_tests(folder: Path):
    status, output = run(
        folder, "-m", "pytest", str(DRIVER.with_name("test_launch.py")), "-m", "gpu", "-p", "no:cacheprovider"
    )
    assert status == 0, output
    assert " passed" in output


def test_text_is_loaded_with_a_log_and_unloaded(folder: Path):
    asked, printed = calls(folder, "p = loaded(); print(p.log); del p")
    assert asked[0].startswith("load PTX of ")
    assert asked[0].endswith(", logged, verbose")
    assert asked[-1] == "unload"
    assert "assembled by the driver (CUDA 13.0)" in printed
    assert "(C7508) said when loaded" in printed


def test_a_launch_copies_in_waits_copies_back_and_frees(folder: Path):
    script = "x, y = numpy.ones((2, 10), numpy.float32)\n"
    script += "loaded()['saxpy'].launch((4, 2), 32, 10, 2.0, copied(x, back=False), copied(y, to_device=False))"
    asked, _ = calls(folder, script)
    launch = "launch saxpy (4 2 1) (32 1 1) shared 0 stream 1"
    assert asked[1:9] == ["allocate 40", "copy 40", "allocate 40", launch, "copy 40", "wait", "free", "free"]


@pytest.mark.parametrize(
    "kernel", ["nothing'].launch(8, 1, ", "keep'].launch(8, 1, bytes(16), copied(numpy.zeros(2)), "]
)
def test_clusters_and_shared_memory(folder: Path, kernel: str):
    asked, _ = calls(folder, f"loaded()['{kernel}cluster=2, shared=100000)")
    assert "set attribute 8 to 100000" in asked
    assert any("(8 1 1) (1 1 1) shared 100000" in line for line in asked)
    assert "cluster (2 1 1)" in asked
    asked, _ = calls(folder, f"loaded()['{kernel}cluster=(4, ), shared=100)".replace("8, 1", "16, 1"))
    assert not any(line.startswith("set attribute") for line in asked)
    asked, _ = calls(folder, f"loaded()['{kernel}cluster=16)".replace("8, 1", "16, 1"))
    assert "set attribute 14 to 1" in asked


def test_text_too_new_is_assembled_here(folder: Path):
    asked, printed = calls(folder, "print(loaded('9.2').log)")
    assert asked[0] == "load cubin"
    assert "PTX 9.2 is newer than 9.0, the newest that the driver (CUDA 13.0) takes; assembled by nvJitLink" in printed
    assert "registers" in printed


def test_text_that_the_driver_finds_too_new_is_assembled_here(folder: Path):
    asked, printed = calls(folder, "print(loaded().log)", STAND_IN_LOAD="222")
    assert asked[0].startswith("load PTX")
    assert asked[1] == "load cubin"
    assert "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222); assembled by nvJitLink" in printed


def test_text_that_the_driver_refuses(folder: Path):
    script = "try: loaded()\nexcept PtxError as error: print(type(error).__name__, error, error.diagnostics[0].line)"
    _, printed = calls(folder, script, STAND_IN_LOAD="218")
    assert printed.startswith("LoadError the driver (CUDA 13.0) refused the module: CUDA_ERROR_INVALID_PTX (218)")
    assert "as the test asked" in printed
    assert printed.endswith(" 3\n")


def test_a_kernel_that_fails(folder: Path):
    script = "try: loaded()['keep'].launch(1, 1, bytes(16), copied(numpy.zeros(2)))\n"
    script += "except PtxError as error: print(type(error).__name__, error)"
    asked, printed = calls(folder, script, STAND_IN_SYNC="700")
    assert printed.startswith("LaunchError keep: ")
    assert "free" in asked
