"""What this machine has to run kernels on."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ptxgen.gpu.cuda import Status, bindings, checked, complaints, core


@frozen
class Driver:
    """The NVIDIA driver: the newest CUDA it supports, such as (13, 0), and its release, "580.65.06" ("" if unknown)."""

    cuda: tuple[int, int]
    release: str

    def __str__(self) -> str:
        return f"driver {self.release + ' ' if self.release else ''}(CUDA {self.cuda[0]}.{self.cuda[1]})"


@frozen
class Gpu:
    """One GPU. `arch` without suffix, "sm_90"; `index` is the ordinal that cuda.core.Device takes."""

    index: int
    name: str
    arch: str
    multiprocessors: int

    def __str__(self) -> str:
        return f"GPU {self.index}, {self.name} ({self.arch})"


@frozen
class Machine:
    """Driver and GPUs. `missing` says why kernels cannot run here and what would help; empty if they can."""

    driver: Driver | None
    gpus: tuple[Gpu, ...]
    missing: str


def machine() -> Machine:
    """Look at this machine. Never raises; starts the driver if there is one, but makes no context."""
    try:
        api = bindings()
        core()
    except ImportError as error:
        return Machine(None, (), f"{error.name or 'cuda-core'} is not installed; pip install ptxgen[gpu]")
    try:
        version = checked(api.cuDriverGetVersion())
    except (RuntimeError, Status):  # RuntimeError: the bindings find no libcuda
        return Machine(None, (), "there is no NVIDIA driver on this machine")
    # Not cuda.core.system, which needs NVML for this, and containers often lack that.
    driver = Driver((version // 1000, version % 1000 // 10), _release())
    try:
        checked(api.cuInit(0))
        gpus = tuple(_gpu(device) for device in core().Device.get_all_devices())
    except complaints() as reason:
        return Machine(driver, (), f"the {driver} finds no GPU it can use: {reason}")
    return Machine(driver, gpus, "" if gpus else f"the {driver} finds no GPU")


def _gpu(device: Any) -> Gpu:
    return Gpu(device.device_id, device.name, f"sm_{device.arch}", device.properties.multiprocessor_count)


def _release() -> str:
    try:
        numbers = core().system.get_kernel_mode_driver_version()
    except RuntimeError:  # no NVML
        return ""
    # As NVIDIA prints it: the last of three numbers with two digits.
    return ".".join(str(n) if i < 2 else f"{n:02}" for i, n in enumerate(numbers))
