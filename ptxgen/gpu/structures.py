"""Launches with parameters of other sizes than 1, 2, 4 and 8 bytes, which cuda.core does not pass."""

from __future__ import annotations

import ctypes
from typing import Any

from ptxgen.errors import Diagnostic, LaunchError
from ptxgen.gpu.cuda import bindings, checked
from ptxgen.launch import Bound, Shape


def launch_with_structures(kernel: Any, shape: Shape, arguments: tuple[Bound, ...], stream: Any) -> None:
    """Launch a cuda.core kernel on a cuda.core stream, each parameter as its bytes; raises Status."""
    for argument in arguments:
        if argument.native is not None:
            message = f"{argument.parameter}: a tensor map of cuda.core cannot go with other by-value arrays"
            raise LaunchError.of(Diagnostic("argument", "error", message, hint="pass its 128 bytes"))
    blocks = [ctypes.create_string_buffer(argument.data, len(argument.data)) for argument in arguments]
    addresses = (ctypes.c_void_p * len(blocks))(*(ctypes.addressof(block) for block in blocks))
    api = bindings()
    function = api.CUfunction(int(kernel.handle))
    checked(api.cuLaunchKernelEx(_config(api, shape, stream), function, ctypes.addressof(addresses), 0))


def _config(api: Any, shape: Shape, stream: Any) -> Any:
    config = api.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = shape.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = shape.block
    config.sharedMemBytes = shape.shared
    config.hStream = stream.handle
    attributes: list[Any] = []
    if shape.cluster:
        cluster = api.CUlaunchAttribute()
        cluster.id = api.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        dimensions = cluster.value.clusterDim
        dimensions.x, dimensions.y, dimensions.z = shape.cluster
        attributes.append(cluster)
    config.attrs, config.numAttrs = attributes, len(attributes)
    return config
