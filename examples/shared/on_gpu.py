"""What the host hands to kernels besides numbers and arrays: tensor maps and textures of numpy arrays, by cuda.core."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from numpy.typing import NDArray


def tensor_map(matrix: NDArray[Any], box: tuple[int, int]) -> tuple[Any, Any]:
    """A map of a copy of a matrix, in boxes whose rows have 128 bytes, swizzled; and the copy.

    The copy has to live as long as the map is used.
    """
    view_of = import_module("cuda.core.utils").StridedMemoryView
    swizzle = import_module("cuda.core.typing").TensorMapSwizzle.SWIZZLE_128B
    device = _device()
    stream = device.default_stream
    copy = device.allocate(matrix.nbytes, stream=stream)
    view = view_of.from_buffer(copy, matrix.shape, dtype=matrix.dtype)
    view.copy_from(view_of.from_array_interface(matrix), stream, blocking=True)
    return view.as_tensor_map(box_dim=box, swizzle=swizzle), copy


def texture(picture: NDArray[Any]) -> Any:
    """A texture of a copy of a picture, which interpolates between its elements; a context manager with a `handle`."""
    kinds = import_module("cuda.core.texture")
    device = _device()
    height, width = picture.shape
    elements = device.create_opaque_array(kinds.OpaqueArrayOptions((width, height), picture.dtype, 1))
    elements.copy_from(picture, stream=device.default_stream)
    device.default_stream.sync()
    options = kinds.TextureObjectOptions(address_mode="clamp", filter_mode="linear")
    return device.create_texture_object(resource=kinds.ResourceDescriptor.from_opaque_array(elements), options=options)


def _device() -> Any:
    device = import_module("cuda.core").Device()
    device.set_current()
    return device
