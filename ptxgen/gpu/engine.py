"""A GPU as the engine of a program: cuda.core does the work."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from attrs import define, evolve, field, frozen

from ptxgen.errors import Diagnostic, LaunchError
from ptxgen.gpu.cuda import bindings, checked, complaints, core, reported_as
from ptxgen.gpu.staging import Staging
from ptxgen.gpu.structures import launch_with_structures
from ptxgen.launch import Array, Bound, Limits, Parameter, Shape, Unfit, host_array
from ptxgen.launch.arrays import is_dense

_SHARED_UNASKED = 48 * 1024  # bytes of dynamic shared memory that a kernel has without asking
_CLUSTER_PORTABLE = 8  # blocks of a cluster that every GPU with clusters has
_CLUSTER_MOST = 16
_TENSOR_MAP_SIZE = 128  # bytes
_SCALARS = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}  # bytes, and the numpy type of cuda.core's argument
_COPY = "copied(array) copies it to the GPU for the launch, and back"


@define(eq=False)
class GpuEngine:
    """Kernels loaded on one GPU. `keep` is what must live as long as they."""

    device: Any  # cuda.core.Device
    kernels: Mapping[str, Any]  # of cuda.core
    keep: object = field(repr=False)
    _limits: dict[str, Limits] = field(factory=dict[str, Limits], init=False, repr=False)

    def limits(self, kernel: str) -> Limits:
        """What a kernel may be launched with, asked for once."""
        if kernel not in self._limits:
            self._limits[kernel] = self._ask_limits(kernel)
        return self._limits[kernel]

    def _ask_limits(self, kernel: str) -> Limits:
        with reported_as(LaunchError, "launch", kernel):
            gpu, taken = self.device.properties, self.kernels[kernel].attributes[self.device]
            return Limits(
                grid=(gpu.max_grid_dim_x, gpu.max_grid_dim_y, gpu.max_grid_dim_z),
                block=(gpu.max_block_dim_x, gpu.max_block_dim_y, gpu.max_block_dim_z),
                threads=taken.max_threads_per_block,
                cluster=_CLUSTER_MOST if gpu.compute_capability_major >= 9 else 0,
                shared=gpu.max_shared_memory_per_block_optin - taken.shared_size_bytes,
            )

    def memory(self, stream: object) -> GpuMemory:
        """What tells arrays on this GPU from others."""
        with reported_as(LaunchError, "launch", "the GPU cannot be used"):
            self.device.set_current()
            return GpuMemory(self.device.device_id, self.stream(stream))

    def run(self, kernel: str, shape: Shape, arguments: tuple[Bound, ...], stream: object) -> None:
        """Launch a kernel on a stream."""
        on = self.stream(stream)
        with reported_as(LaunchError, "launch", kernel):
            self._ask_for(kernel, shape)
            with Staging(self.device, on) as staging:
                staged = tuple(staging.place(argument) for argument in arguments)
                self._launch(self.kernels[kernel], shape, staged, on)

    def stream(self, stream: object) -> Any:
        """The cuda.core stream of None (the default stream), an address, or anything with `__cuda_stream__`."""
        if stream is None:
            return self.device.default_stream
        if isinstance(stream, core().Stream):
            return stream
        if isinstance(stream, int):
            return core().Stream.from_handle(stream)
        if hasattr(stream, "__cuda_stream__"):
            return self.device.create_stream(stream)
        need = "a stream of cuda.core, an object with __cuda_stream__, its address, or None"
        message = f"stream must be {need}, got {type(stream).__qualname__}"
        raise LaunchError.of(Diagnostic("launch", "error", message, need=need, have=type(stream).__qualname__))

    def _ask_for(self, kernel: str, shape: Shape) -> None:
        """Tell the driver of what a kernel gets only when asked for; cuda.core reads these attributes, no more."""
        api = bindings()
        wanted = api.CUfunction_attribute
        asked: dict[Any, int] = {}
        if shape.shared > _SHARED_UNASKED:
            asked[wanted.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = shape.shared
        if shape.cluster and prod(shape.cluster) > _CLUSTER_PORTABLE:
            asked[wanted.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = 1
        for attribute, value in asked.items():
            handle = api.CUkernel(int(self.kernels[kernel].handle))
            checked(api.cuKernelSetAttribute(attribute, value, handle, api.CUdevice(self.device.device_id)))

    def _launch(self, kernel: Any, shape: Shape, arguments: tuple[Bound, ...], stream: Any) -> None:
        if not all(argument.native or len(argument.data) in _SCALARS for argument in arguments):
            launch_with_structures(kernel, shape, arguments, stream)
            return
        # cuda.core counts the grid of a cluster launch in clusters, PTX and we in blocks.
        grid = shape.grid
        if shape.cluster:
            x, y, z = (blocks // size for blocks, size in zip(shape.grid, shape.cluster, strict=True))
            grid = (x, y, z)
        config = core().LaunchConfig(grid=grid, cluster=shape.cluster, block=shape.block, shmem_size=shape.shared)
        core().launch(stream, config, kernel, *map(_core_argument, arguments))


@frozen
class GpuMemory:
    """How Python objects lie in the memory of one GPU, for work on one stream."""

    device_id: int
    stream: Any  # of cuda.core

    @property
    def copies(self) -> bool:
        return True

    def view(self, value: object) -> Array | None:
        """An array that the GPU can reach, or with what stands in its way; None when a value is no array."""
        try:
            on_gpu = hasattr(value, "__cuda_array_interface__")
            if not on_gpu and (array := host_array(value)) is not None:
                return evolve(array, obstacle=_COPY)
            if not on_gpu and not hasattr(value, "__dlpack__"):
                return None
            # Also makes the stream wait for what its owner still does to the array.
            view = core().utils.StridedMemoryView.from_any_interface(value, stream_ptr=int(self.stream.handle))
        except (BufferError, RuntimeError, TypeError, ValueError, *complaints()) as reason:
            raise Unfit("an array that shares its memory", str(reason)) from reason
        return self._array(view)

    def passes(self, value: object, parameter: Parameter) -> bool:
        """Whether a value is a tensor map for a parameter of its size."""
        return parameter.size == _TENSOR_MAP_SIZE and isinstance(value, core().TensorMapDescriptor)

    def _array(self, view: Any) -> Array:
        itemsize = int(view._layout.itemsize)
        obstacle = ""
        if not view.is_device_accessible:
            obstacle = _COPY
        elif view.device_id not in (-1, self.device_id):
            obstacle = f"it is on GPU {view.device_id}, and the kernel runs on GPU {self.device_id}"
        place = f"on GPU {view.device_id}" if view.is_device_accessible else "in host memory"
        strides = None if view.strides is None else tuple(n * itemsize for n in view.strides)
        return Array(
            address=int(view.ptr),
            size=int(view.size) * itemsize,
            itemsize=itemsize,
            what=f"{_dtype(view)} array of shape {tuple(view.shape)} {place}",
            obstacle=obstacle,
            dense=is_dense(tuple(view.shape), strides, itemsize),
            readonly=bool(view.readonly),
            owner=view,
        )


def _core_argument(argument: Bound) -> Any:
    """What cuda.core passes as just these bytes: the unsigned numpy scalar of their size, whatever the type."""
    if argument.native is not None:
        return argument.native
    import numpy

    return getattr(numpy, _SCALARS[len(argument.data)])(int.from_bytes(argument.data, "little"))


def _dtype(view: Any) -> str:
    """In words, for errors; cuda.core cannot name the narrow types unless ml_dtypes is installed."""
    try:
        return str(view.dtype)
    except NotImplementedError:
        return f"{8 * int(view._layout.itemsize)}-bit"
