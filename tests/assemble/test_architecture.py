"""From a `.target` to architectures."""

from itertools import islice

import pytest

from ptxgen.assemble.architecture import candidates, is_architecture


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ("sm_90", ["sm_90", "sm_100", "sm_101"]),
        ("sm_20", ["sm_20", "sm_21", "sm_30"]),
        ("sm_90a", ["sm_90a"]),
        ("sm_100f", ["sm_100f", "sm_103f", "sm_107f"]),
        ("sm_101", ["sm_101", "sm_110", "sm_103"]),
        ("sm_101a", ["sm_101a", "sm_110a"]),
        ("sm_110", ["sm_110", "sm_120", "sm_121"]),
        ("sm_999", ["sm_999"]),
        ("native", []),
    ],
)
def test_candidates(target: str, first: list[str]):
    assert list(islice(candidates(target), 3)) == first


def test_names():
    assert is_architecture("sm_120f")
    assert not is_architecture("compute_90")
