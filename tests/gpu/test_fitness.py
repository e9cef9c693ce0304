"""Which GPU and driver a module needs."""

from __future__ import annotations

import pytest

from ptxgen.gpu.fitness import accepts, driver_needed, gpu_needed, runs_on


def newest_isa(cuda: tuple[int, int]) -> str | None:
    return {(12, 0): "8.0", (12, 9): "8.8", (13, 0): "9.0", (13, 5): "9.5"}.get(cuda)


@pytest.mark.parametrize(
    ("target", "runs", "not_on"),
    [
        ("sm_80", ["sm_80", "sm_86", "sm_90", "sm_120"], ["sm_75"]),
        ("sm_90a", ["sm_90"], ["sm_89", "sm_100"]),
        ("sm_100f", ["sm_100", "sm_103"], ["sm_110", "sm_120", "sm_90"]),
        ("sm_103f", ["sm_103"], ["sm_100"]),
        ("sm_101a", ["sm_110"], ["sm_100", "sm_120"]),
        ("sm_120f", ["sm_120", "sm_121"], ["sm_110"]),
    ],
)
def test_targets_and_gpus(target: str, runs: list[str], not_on: list[str]):
    assert all(runs_on(target, arch) for arch in runs)
    assert not any(runs_on(target, arch) for arch in not_on)


def test_words_for_gpus():
    assert gpu_needed("sm_90") == "a GPU of compute capability 9.0 or later"
    assert gpu_needed("sm_90a") == "a GPU of compute capability 9.0 and no other"
    assert gpu_needed("sm_100f") == "a GPU of compute capability 10.0 or a later 10.x"


def test_versions_compare_as_numbers():
    assert accepts("9.0", "8.7")
    assert accepts("9.10", "9.9")
    assert accepts("9.0", "9.0")
    assert not accepts("8.8", "9.0")
    assert accepts(None, "99.0")


def test_words_for_drivers():
    assert driver_needed("8.5", newest_isa) == "an NVIDIA driver for CUDA 12.9 or later"
    assert driver_needed("99.0", newest_isa) == "an NVIDIA driver newer than any known here"
