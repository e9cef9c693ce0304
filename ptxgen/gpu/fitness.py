"""Which GPU and driver a module needs, in words and as a test. Needs no driver."""

from __future__ import annotations

from collections.abc import Callable

from ptxgen.assemble.architecture import split
from ptxgen.isa import targets

# The newest PTX ISA that a driver for a CUDA version takes: (13, 0) -> "9.0"; None for a version that is not known.
NewestIsa = Callable[[tuple[int, int]], str | None]


def runs_on(target: str, arch: str) -> bool:
    """Whether a GPU of `arch` ("sm_90") runs PTX of a `.target`.

    A plain target runs on its own and every later GPU, an `f` target on the later ones of its family, an `a` target on
    its own only.
    """
    wanted, gpu = targets.target(target), arch.rstrip("af")
    suited = f"{gpu}{wanted.suffix}"  # the target that has all of this GPU's features of that sort
    if suited in targets.names():
        return targets.meets(suited, target)
    return not wanted.suffix and int(gpu.removeprefix("sm_")) >= wanted.number


def gpu_needed(target: str) -> str:
    """The GPUs that run a `.target`, in words."""
    number, suffix = split(target)
    major, minor = divmod(number, 10)
    choice = {"": " or later", "a": " and no other", "f": f" or a later {major}.x"}[suffix]
    return f"a GPU of compute capability {major}.{minor}{choice}"


def accepts(newest: str | None, version: str) -> bool:
    """Whether a driver whose newest PTX ISA is `newest` takes a `.version`; one that is not known may."""
    return newest is None or _key(version) <= _key(newest)


def driver_needed(version: str, newest_isa: NewestIsa) -> str:
    """The oldest driver that takes a `.version`, in words."""
    for cuda in ((major, minor) for major in range(9, 20) for minor in range(10)):
        newest = newest_isa(cuda)
        if newest is not None and accepts(newest, version):
            return f"an NVIDIA driver for CUDA {cuda[0]}.{cuda[1]} or later"
    return "an NVIDIA driver newer than any known here"


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
