"""Arrays as a launch sees them: an address, a size, and whether the engine can reach it."""

from __future__ import annotations

from typing import Any, cast

from attrs import field, frozen

from ptxgen.launch.scalars import Unfit

_DLPACK_CPU = 1  # kDLCPU of the DLPack standard


@frozen
class Array:
    """Memory behind a Python object. `size` and `itemsize` in bytes; `what` is how an error names it.

    `obstacle` is empty when the engine can address the memory, else what to do about it. `dense` is false for a view
    with gaps, which a bare address cannot describe. `owner` keeps the memory alive.
    """

    address: int
    size: int
    itemsize: int
    what: str
    obstacle: str = ""
    dense: bool = True
    readonly: bool = False
    owner: object = field(default=None, eq=False, repr=False)


@frozen(eq=False)
class Copied:
    """A host array that a GPU launch copies in before the kernel and back after it; made by `copied`."""

    array: object
    to_device: bool = True
    back: bool = True


def copied(array: object, *, to_device: bool = True, back: bool = True) -> Copied:
    """Ask for `array`, which is in host memory, to be copied to the GPU for one launch, and back when it is done.

    `to_device=False` is for pure outputs: the kernel then finds undefined values. `back=False` is for pure inputs,
    and the only choice for a read-only array. A launch with a copy waits until the kernel has ended. On the CPU
    engine nothing is copied, and the kernel works on the array itself.
    """
    return Copied(array, to_device, back)


def host_array(value: object) -> Array | None:
    """The host memory behind `value` (numpy array, or DLPack on the CPU such as a torch tensor); None if it is none.

    Raises Unfit if the object does not give access to its memory, as a torch tensor that requires gradients.
    """
    if not hasattr(value, "__array_interface__"):
        device = getattr(value, "__dlpack_device__", None)
        if device is None or int(device()[0]) != _DLPACK_CPU:
            return None
        import numpy

        try:
            value = numpy.from_dlpack(cast(Any, value))
        except (BufferError, RuntimeError, TypeError, ValueError) as reason:
            raise Unfit("an array that shares its memory", str(reason)) from reason
    interface = cast("dict[str, Any]", cast(Any, value).__array_interface__)
    shape = tuple(int(n) for n in interface["shape"])
    itemsize = int(cast(Any, value).itemsize) if hasattr(value, "itemsize") else int(interface["typestr"][2:])
    address, readonly = interface["data"]
    size = itemsize
    for extent in shape:
        size *= extent
    return Array(
        address=int(address),
        size=size,
        itemsize=itemsize,
        what=f"{getattr(value, 'dtype', interface['typestr'])} array of shape {shape} in host memory",
        dense=is_dense(shape, interface.get("strides"), itemsize),
        readonly=bool(readonly),
        owner=value,
    )


def is_dense(shape: tuple[int, ...], strides: tuple[int, ...] | None, itemsize: int) -> bool:
    """Whether elements fill their memory without gap or overlap, in any order of axes. `strides` in bytes."""
    if strides is None or 0 in shape:
        return True
    expected = itemsize
    for stride, extent in sorted((s, n) for s, n in zip(strides, shape, strict=True) if n > 1):
        if stride != expected:
            return False
        expected *= extent
    return True
