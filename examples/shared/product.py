"""A product of two matrices by a kernel that takes tensor maps of them, checked against numpy."""

from __future__ import annotations

import numpy
from shared.on_gpu import tensor_map

from ptxgen import copied
from ptxgen.launch import Kernel


def multiplied(kernel: Kernel, tile: tuple[int, int, int]) -> str:
    """Launch `kernel(map_a, map_b, steps, n, d)` for D = A B', a block for each tile of D; what came of it.

    `tile` is the rows of A and of B that a block multiplies, and the elements of K in one of its steps.
    """
    # Small whole numbers, so that no sum is rounded.
    m, n, depth = 256, 512, 1024
    rng = numpy.random.default_rng(1)
    a, b = (rng.integers(-4, 5, (rows, depth)).astype(numpy.float16) for rows in (m, n))
    result = numpy.zeros((m, n), numpy.float32)
    expected = a.astype(numpy.float32) @ b.astype(numpy.float32).T
    rows_a, rows_b, step = tile
    (map_a, _a), (map_b, _b) = tensor_map(a, (rows_a, step)), tensor_map(b, (rows_b, step))

    kernel.launch((n // rows_b, m // rows_a), 128, map_a, map_b, depth // step, n, copied(result))

    wrong = int((result != expected).sum())
    if wrong:
        raise SystemExit(f"product: {wrong} of {result.size} elements are wrong")
    return f"all {result.size} elements as expected"
