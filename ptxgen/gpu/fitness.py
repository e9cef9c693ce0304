"""Which GPU and driver a module needs, in words and as a test. Needs no driver."""

from __future__ import annotations

from ptxgen.isa import targets, versions
from ptxgen.isa.versions import Version


def runs_on(target: str, arch: str) -> bool:
    """Whether a GPU of `arch` ("sm_90") runs PTX of a `.target`; it has the features of each suffix of its number."""
    wanted = targets.target(target)
    suited = f"{arch}{wanted.suffix}"
    if suited in targets.names():
        return targets.assembles(target, suited)
    return not wanted.suffix and int(arch.removeprefix("sm_")) >= wanted.number  # a GPU newer than the tables


def gpu_needed(target: str) -> str:
    """The GPUs that run a `.target`, in words."""
    wanted = targets.present(target)
    major, minor = divmod(wanted.number, 10)
    choice = {"": " or later", "a": " and no other", "f": f" or a later {major}.x"}[wanted.suffix]
    return f"a GPU of compute capability {major}.{minor}{choice}"


def newest_isa(cuda: tuple[int, int]) -> Version | None:
    """The newest PTX ISA that a driver for a CUDA version takes; None for one that is not known."""
    return versions.of_toolkit(f"{cuda[0]}.{cuda[1]}")


def driver_needed(version: Version) -> str:
    """The oldest driver that takes a PTX ISA version, in words."""
    for toolkit in versions.toolkits(version):
        return f"an NVIDIA driver for CUDA {toolkit} or later"
    return "an NVIDIA driver newer than any known here"
