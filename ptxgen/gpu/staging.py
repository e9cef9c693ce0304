"""Copies of host arrays in GPU memory, for the time of one launch."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from attrs import define, field

from ptxgen.gpu.cuda import core
from ptxgen.launch import Array, Bound


@define
class _Copy:
    on_host: Any  # cuda.core.Buffer, not owning
    on_gpu: Any  # cuda.core.Buffer
    back: bool


@define(eq=False)
class Staging:
    """The copies of one launch: placed before it, copied back and freed when the block ends.

    An array that stands for two parameters gets one copy, so that the kernel sees one array.
    """

    device: Any  # cuda.core.Device
    stream: Any  # of cuda.core
    _copies: dict[tuple[int, int], _Copy] = field(factory=dict[tuple[int, int], _Copy])

    def place(self, argument: Bound) -> Bound:
        """The argument with the address of its copy; unchanged if it needs none."""
        if argument.copy is None or argument.array is None:
            return argument
        if not argument.array.size:
            return argument.at(0)
        copy = self._copy_of(argument.array)
        if argument.copy.to_device:
            copy.on_gpu.copy_from(copy.on_host, stream=self.stream)
        copy.back = copy.back or argument.copy.back
        return argument.at(int(copy.on_gpu.handle))

    def _copy_of(self, array: Array) -> _Copy:
        key = (array.address, array.size)
        if key not in self._copies:
            on_host = core().Buffer.from_handle(array.address, array.size, owner=array.owner)
            self._copies[key] = _Copy(on_host, self.device.allocate(array.size, stream=self.stream), back=False)
        return self._copies[key]

    def __enter__(self) -> Staging:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None and self._copies:
                for copy in self._copies.values():
                    if copy.back:
                        copy.on_host.copy_from(copy.on_gpu, stream=self.stream)
                self.stream.sync()
        finally:
            for copy in self._copies.values():
                copy.on_gpu.close(self.stream)
