"""Grid, block, cluster and dynamic shared memory of a launch, held against the limits of a device."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from numbers import Integral
from typing import Any, cast

from attrs import Factory, frozen

from ptxgen.errors import Diagnostic, LaunchError

Dimensions = tuple[int, int, int]


@frozen
class Limits:
    """What a device and a kernel allow. The defaults are those of every GPU since compute capability 3.0.

    `threads` counts the threads of a block, `cluster` the blocks of a cluster (0: no clusters), `shared` the bytes of
    dynamic shared memory that are left for a block (None: not known).
    """

    grid: Dimensions = (2**31 - 1, 65535, 65535)
    block: Dimensions = (1024, 1024, 64)
    threads: int = 1024
    cluster: int = 16
    shared: int | None = None


@frozen
class Shape:
    """A launch shape. `grid` counts blocks, with or without a cluster; `block` threads; `shared` bytes of a block."""

    grid: Dimensions
    block: Dimensions
    cluster: Dimensions | None = None
    shared: int = 0


def shape_of(
    kernel: str, grid: object, block: object, cluster: object = None, shared: object = 0, limits: Limits | None = None
) -> Shape:
    """The shape from ints or tuples of one to three ints (x, y, z); raises LaunchError naming all that is wrong."""
    limits = limits or Limits()
    found = _Complaints(kernel)
    blocks = _dimensions(found, "grid", grid, limits.grid)
    threads = _dimensions(found, "block", block, limits.block)
    if prod(threads) > limits.threads:
        found.add("the block", f"{limits.threads} threads or fewer", prod(threads))
    clusters = None if cluster is None else _cluster(found, cluster, blocks, limits.cluster)
    if not isinstance(shared, Integral) or int(shared) < 0:
        found.add("shared", "a number of bytes", repr(shared))
    elif limits.shared is not None and int(shared) > limits.shared:
        found.add("shared", f"{limits.shared} bytes or less beside what the kernel declares itself", int(shared))
    found.stop()
    return Shape(blocks, threads, clusters, int(cast(Any, shared)))


def _cluster(found: _Complaints, value: object, grid: Dimensions, most: int) -> Dimensions:
    if not most:
        found.add("cluster", "left out, since this device has no clusters", repr(value))
        return (1, 1, 1)
    cluster = _dimensions(found, "cluster", value, (most, most, most))
    if prod(cluster) > most:
        found.add("the cluster", f"{most} blocks or fewer", prod(cluster))
    for axis, blocks, size in zip("xyz", grid, cluster, strict=True):
        if blocks % size:
            found.add(f"grid {axis}", f"a multiple of cluster {axis}, {size}", blocks)
    return cluster


def _dimensions(found: _Complaints, what: str, value: object, most: Dimensions) -> Dimensions:
    parts = tuple(cast("Sequence[object]", value)) if isinstance(value, tuple | list) else (value,)
    numbers = [int(part) for part in parts if isinstance(part, Integral)]
    if not 1 <= len(parts) <= 3 or len(numbers) != len(parts):
        found.add(what, "an int or a tuple of up to three ints (x, y, z)", repr(cast(object, value)))
        return (1, 1, 1)
    x, y, z = [*numbers, 1, 1][:3]
    for axis, size, limit in zip("xyz", (x, y, z), most, strict=True):
        if not 1 <= size <= limit:
            found.add(f"{what} {axis}", f"from 1 to {limit}", size)
            return (1, 1, 1)
    return x, y, z


@frozen
class _Complaints:
    """Everything that is wrong with one launch shape, so that the user hears of it at once."""

    kernel: str
    diagnostics: list[Diagnostic] = Factory(list[Diagnostic])

    def add(self, what: str, need: str, have: object) -> None:
        self.diagnostics.append(
            Diagnostic(
                code="shape",
                severity="error",
                message=f"{self.kernel}: {what} must be {need}, got {have}",
                instruction=self.kernel,
                need=need,
                have=str(have),
            )
        )

    def stop(self) -> None:
        if self.diagnostics:
            raise LaunchError.of(*self.diagnostics)
