"""What is said where nothing can be launched."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ptxgen.errors import LoadError
from ptxgen.gpu import Driver, Gpu, Machine, load, machine
from ptxgen.gpu.loading import choose_gpu

H200 = Gpu(0, "NVIDIA H200", "sm_90", 132)
OLD = Gpu(1, "Tesla T4", "sm_75", 40)
DRIVER = Driver((13, 0), "580.65.06")


def refusal(here: Machine, target: str, index: int | None = None) -> LoadError:
    with pytest.raises(LoadError) as caught:
        choose_gpu(here, "8.7", target, index)
    return caught.value


def test_without_a_driver_the_error_says_what_would_run_the_module():
    error = refusal(Machine(None, (), "there is no NVIDIA driver on this machine"), "sm_90a")
    assert str(error) == (
        "cannot run on a GPU: there is no NVIDIA driver on this machine. The module (PTX 8.7, sm_90a) needs a GPU of "
        "compute capability 9.0 and no other and an NVIDIA driver for CUDA 12.8 or later"
    )
    assert error.diagnostics[0].need.startswith("a GPU of compute capability 9.0")


def test_a_driver_without_gpu():
    assert "finds no GPU" in str(refusal(Machine(DRIVER, (), f"the {DRIVER} finds no GPU"), "sm_90"))


def test_the_first_gpu_that_runs_the_target_is_chosen():
    here = Machine(DRIVER, (H200, OLD), "")
    assert choose_gpu(here, "8.0", "sm_75", None) == (DRIVER, H200)
    assert choose_gpu(here, "8.0", "sm_75", 1) == (DRIVER, OLD)
    assert choose_gpu(Machine(DRIVER, (OLD, H200), ""), "8.0", "sm_90a", None) == (DRIVER, H200)


def test_no_gpu_for_the_target():
    here = Machine(DRIVER, (H200, OLD), "")
    assert "this machine has GPU 0, NVIDIA H200 (sm_90); GPU 1, Tesla T4 (sm_75)" in str(refusal(here, "sm_100"))
    error = refusal(here, "sm_90a", 1)
    assert str(error).startswith("GPU 1 was asked for, but a module for sm_90a needs")
    assert error.diagnostics[0].choices == ("0",)
    assert str(refusal(here, "sm_80", 7)).startswith("GPU 7 was asked for")


def test_facts_in_words():
    assert str(DRIVER) == "driver 580.65.06 (CUDA 13.0)"
    assert str(Driver((12, 4), "")) == "driver (CUDA 12.4)"
    assert str(H200) == "GPU 0, NVIDIA H200 (sm_90)"


def test_this_machine_is_described_without_an_error():
    here = machine()
    assert bool(here.missing) != bool(here.gpus)


@pytest.mark.skipif(not machine().missing, reason="there is a GPU")
def test_load_here():
    with pytest.raises(LoadError, match="cannot run on a GPU"):
        load("", {}, version="8.0", target="sm_90")


def test_text_with_a_nul_is_refused_before_anything():
    with pytest.raises(LoadError, match="line 2: NUL"):
        load(".version 8.0\n\0", {}, version="8.0", target="sm_90")


def test_without_cuda_python_too():
    script = (
        "import sys; sys.modules['cuda'] = None\n"
        "from ptxgen.gpu import machine\n"
        "assert 'is not installed; pip install ptxgen[gpu]' in machine().missing, machine()\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == 0
