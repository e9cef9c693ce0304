"""Stand-ins for the memory and the engine of a device, without any device."""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from ptxgen.launch import Array, Bound, Limits, Memory, Parameter, Shape, host_array


@frozen
class OnGpu:
    """What a test passes for an array in GPU memory."""

    address: int
    itemsize: int = 4
    dense: bool = True


@frozen
class HostMemory:
    """That of the CPU engine: arrays are where they are."""

    copies: bool = False

    def view(self, value: object) -> Array | None:
        return host_array(value)

    def passes(self, value: object, parameter: Parameter) -> bool:
        return False


@frozen
class GpuMemory:
    """Other than the host's: of arrays it reaches only `OnGpu`."""

    copies: bool = True

    def view(self, value: object) -> Array | None:
        if isinstance(value, OnGpu):
            return Array(value.address, 64, value.itemsize, "an array on the GPU", dense=value.dense)
        host = host_array(value)
        return None if host is None else evolve(host, obstacle="wrap it in copied()")

    def passes(self, value: object, parameter: Parameter) -> bool:
        return isinstance(value, str) and value == "a tensor map" and parameter.size == 128


@define
class Recorder:
    """An engine that only remembers what it was asked to run."""

    ran: list[tuple[str, Shape, tuple[Bound, ...], object]] = field(
        factory=list[tuple[str, Shape, tuple[Bound, ...], object]]
    )

    def limits(self, kernel: str) -> Limits:
        return Limits(threads=256)

    def memory(self, stream: object) -> Memory:
        return GpuMemory()

    def run(self, kernel: str, shape: Shape, arguments: tuple[Bound, ...], stream: object) -> None:
        self.ran.append((kernel, shape, arguments, stream))
