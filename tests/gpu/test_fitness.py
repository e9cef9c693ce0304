"""Which GPU and driver a module needs."""

from __future__ import annotations

import pytest

from ptxgen.gpu.fitness import driver_needed, gpu_needed, newest_isa, runs_on


@pytest.mark.parametrize(
    ("target", "runs", "not_on"),
    [
        ("sm_80", ["sm_80", "sm_86", "sm_90", "sm_120"], ["sm_75"]),
        ("sm_90a", ["sm_90"], ["sm_89", "sm_100"]),
        ("sm_100f", ["sm_100", "sm_103"], ["sm_110", "sm_120", "sm_90"]),
        ("sm_103f", ["sm_103"], ["sm_100"]),
        ("sm_101a", ["sm_110"], ["sm_100", "sm_120"]),
        ("sm_120f", ["sm_120", "sm_121"], ["sm_110"]),
        ("sm_121", ["sm_121", "sm_999"], ["sm_120"]),
        ("sm_121f", ["sm_121"], ["sm_999"]),
    ],
)
def test_targets_and_gpus(target: str, runs: list[str], not_on: list[str]):
    assert all(runs_on(target, arch) for arch in runs)
    assert not any(runs_on(target, arch) for arch in not_on)


def test_words_for_gpus():
    assert gpu_needed("sm_90") == "a GPU of compute capability 9.0 or later"
    assert gpu_needed("sm_90a") == "a GPU of compute capability 9.0 and no other"
    assert gpu_needed("sm_100f") == "a GPU of compute capability 10.0 or a later 10.x"
    assert gpu_needed("sm_101a") == "a GPU of compute capability 11.0 and no other"


def test_what_drivers_take():
    assert newest_isa((12, 6)) == (8, 5)
    assert newest_isa((13, 0)) == (9, 0)
    assert newest_isa((99, 0)) is None


def test_words_for_drivers():
    assert driver_needed((8, 5)) == "an NVIDIA driver for CUDA 12.5 or later"
    assert driver_needed((99, 0)) == "an NVIDIA driver newer than any known here"
