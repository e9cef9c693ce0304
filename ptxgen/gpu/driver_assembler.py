"""PTX loaded by the driver's own assembler, with its log.

cuda.core loads PTX without options, so that the log is lost; hence the bindings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import finalize

from attrs import define, field

from ptxgen.gpu.cuda import Status, bindings, checked, core

_LOG_SIZE = 1 << 20  # bytes, of each of the two logs


class Refused(Exception):
    """The driver did not take the PTX; the text is its status. `too_new`: because of the `.version`."""

    def __init__(self, status: Status, log: str) -> None:
        super().__init__(str(status))
        self.log = log
        self.too_new = status.name == "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"


@define(eq=False)
class Library:
    """PTX as the driver has loaded it; unloaded when it is no longer used. `kernels` are cuda.core kernels by name."""

    kernels: dict[str, Any]
    log: str
    _buffers: tuple[bytearray, bytearray] = field(repr=False)  # the driver may write to them as long as it is loaded


def load_ptx(text: str, names: Iterable[str]) -> Library:
    """Load PTX into the current context; raises Refused.

    The driver assembles for the current device. Where it finds the result in its cache on disk, the log is empty.
    """
    api = bindings()
    option = api.CUjit_option
    info, errors = bytearray(_LOG_SIZE), bytearray(_LOG_SIZE)
    options = {
        option.CU_JIT_INFO_LOG_BUFFER: info,
        option.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: _LOG_SIZE,
        option.CU_JIT_ERROR_LOG_BUFFER: errors,
        option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: _LOG_SIZE,
        option.CU_JIT_LOG_VERBOSE: 1,
    }
    code = text.encode("utf-8", "replace") + b"\0"
    library = None
    try:
        library = checked(api.cuLibraryLoadData(code, list(options), list(options.values()), len(options), [], [], 0))
        # By default the driver loads lazily; this makes it assemble now, while somebody listens.
        checked(api.cuLibraryGetModule(library))
        kernels = {name: _kernel(api, library, name) for name in names}
    except Status as status:
        if library is not None:
            api.cuLibraryUnload(library)
        raise Refused(status, _text(info, errors)) from status
    loaded = Library(kernels, _text(info, errors), (info, errors))
    finalize(loaded, api.cuLibraryUnload, library).atexit = False  # at exit the driver may be gone already
    return loaded


def _kernel(api: Any, library: Any, name: str) -> Any:
    try:
        handle = checked(api.cuLibraryGetKernel(library, name.encode()))
    except Status as status:
        raise Status(f"kernel {name}: {status.name}", status.number) from status
    return core().Kernel.from_handle(int(handle))


def _text(*logs: bytearray) -> str:
    parts = (log.partition(b"\0")[0].decode("utf-8", "replace").strip() for log in logs)
    return "\n".join(part for part in parts if part)
