"""Grid, block, cluster and shared memory against limits."""

from __future__ import annotations

import numpy
import pytest

from ptxgen.errors import LaunchError
from ptxgen.launch import Limits, Shape, shape_of


def test_ints_and_tuples_fill_up_with_ones():
    assert shape_of("k", 3, (4, 2)) == Shape((3, 1, 1), (4, 2, 1))
    assert shape_of("k", (1, 2, 3), numpy.int32(5), shared=64) == Shape((1, 2, 3), (5, 1, 1), None, 64)
    assert shape_of("k", (4, 6), 32, cluster=(2, 3)).cluster == (2, 3, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"grid": 0}, "k: grid x must be from 1 to 2147483647, got 0"),
        ({"grid": (1, 65536)}, "grid y must be from 1 to 65535"),
        ({"grid": 1.5}, "grid must be an int or a tuple"),
        ({"grid": ()}, "grid must be an int or a tuple"),
        ({"grid": (1, 1, 1, 1)}, "grid must be an int or a tuple"),
        ({"block": None}, "block must be an int or a tuple"),
        ({"block": 1025}, "block x must be from 1 to 1024"),
        ({"block": (1, 1, 65)}, "block z must be from 1 to 64"),
        ({"block": (64, 64)}, "the block must be 1024 threads or fewer, got 4096"),
        ({"grid": 5, "cluster": 2}, "grid x must be a multiple of cluster x, 2, got 5"),
        ({"grid": (8, 8), "cluster": (8, 8)}, "the cluster must be 16 blocks or fewer, got 64"),
        ({"shared": -1}, "shared must be a number of bytes"),
        ({"shared": 1000.0}, "shared must be a number of bytes"),
        ({"shared": 300_000, "limits": Limits(shared=232_448)}, "shared must be 232448 bytes or less"),
        ({"cluster": 1, "limits": Limits(cluster=0)}, "this device has no clusters"),
        ({"block": 512, "limits": Limits(threads=256)}, "256 threads or fewer, got 512"),
    ],
)
def test_what_is_wrong_with_a_shape(arguments: dict[str, object], message: str):
    with pytest.raises(LaunchError) as caught:
        shape_of("k", **({"grid": 1, "block": 1} | arguments))  # pyright: ignore[reportArgumentType]
    assert message in str(caught.value)
    assert len(caught.value.diagnostics) == 1


def test_everything_wrong_is_said_at_once():
    with pytest.raises(LaunchError) as caught:
        shape_of("k", 0, 2000, shared=-1)
    assert len(caught.value.diagnostics) == 3
