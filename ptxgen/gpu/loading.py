"""Load a module onto a GPU: through the driver's assembler, or where that is too old through nvJitLink's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from ptxgen.assemble import assemble
from ptxgen.assemble.assembler import nul_in
from ptxgen.assemble.log import diagnostics_of
from ptxgen.errors import AssembleError, Diagnostic, LoadError
from ptxgen.gpu.cuda import core, reported_as
from ptxgen.gpu.driver_assembler import Refused, load_ptx
from ptxgen.gpu.engine import GpuEngine
from ptxgen.gpu.fitness import driver_needed, gpu_needed, newest_isa, runs_on
from ptxgen.gpu.machine import Driver, Gpu, Machine, machine
from ptxgen.isa import versions
from ptxgen.launch import Parameter, Program


@frozen
class _Header:
    """What a load needs to know of the module, beside its text."""

    version: str
    target: str
    kernels: tuple[str, ...]


@frozen
class _Loaded:
    kernels: dict[str, Any]  # of cuda.core
    keep: object  # what must live as long as the kernels
    log: str


def load(
    text: str,
    parameters: Mapping[str, Sequence[Parameter]],
    *,
    version: str,
    target: str,
    device: int | None = None,
) -> Program:
    """Load PTX text; the program has the kernels of `parameters`, which maps names to parameter lists.

    `version` and `target` are the module's ("8.0", "sm_90a"). `device` is the index of the GPU, None for the first
    that runs the target.

    Text that is too new for the driver is assembled by nvJitLink instead. `Program.log` says which assembler it was,
    and has every line that it wrote. Raises LoadError if there is no driver or no such GPU, or if the text is refused.
    """
    if (nul := nul_in(text)) is not None:
        raise LoadError.of(nul)
    header = _Header(version, target, tuple(parameters))
    driver, gpu = choose_gpu(machine(), header.version, header.target, device)
    with reported_as(LoadError, "load", f"{gpu} cannot be used"):
        core_device = core().Device(gpu.index)
        core_device.set_current()
    newest = newest_isa(driver.cuda)
    if newest is None or versions.parse(version) <= newest:  # a driver that is not known may take it
        loaded = _through_driver(text, header, driver, gpu)
    else:
        why = f"PTX {version} is newer than {versions.text(newest)}, the newest that the {driver} takes"
        loaded = _through_nvjitlink(text, header, gpu, why)
    engine = GpuEngine(core_device, loaded.kernels, loaded.keep)
    return Program.of(engine, parameters, device=str(gpu), log=loaded.log)


def choose_gpu(here: Machine, version: str, target: str, index: int | None) -> tuple[Driver, Gpu]:
    """The driver, and the first GPU that runs the target (or the one of that index); raises LoadError."""
    need = f"{gpu_needed(target)} and {driver_needed(versions.parse(version))}"
    if here.driver is None or here.missing:
        message = f"cannot run on a GPU: {here.missing}. The module (PTX {version}, {target}) needs {need}"
        raise LoadError.of(Diagnostic("no-device", "error", message, need=need, have=here.missing))
    listing = "; ".join(map(str, here.gpus))
    asked = [gpu for gpu in here.gpus if index is None or gpu.index == index]
    for gpu in asked:
        if runs_on(target, gpu.arch):
            return here.driver, gpu
    choices = tuple(str(gpu.index) for gpu in here.gpus if runs_on(target, gpu.arch))
    message = f"a module for {target} needs {gpu_needed(target)}; this machine has {listing}"
    if index is not None:
        message = f"GPU {index} was asked for, but {message}"
    raise LoadError.of(
        Diagnostic("no-device", "error", message, need=gpu_needed(target), have=listing, choices=choices)
    )


def _through_driver(text: str, header: _Header, driver: Driver, gpu: Gpu) -> _Loaded:
    try:
        library = load_ptx(text, header.kernels)
    except Refused as refused:
        why = f"the {driver} refused the module: {refused}"
        if refused.too_new:
            return _through_nvjitlink(text, header, gpu, why)
        said = diagnostics_of(refused.log) or (Diagnostic("load", "error", why),)
        raise LoadError(_joined([why, refused.log]), said) from refused
    return _Loaded(library.kernels, library, _joined([f"assembled by the {driver}", library.log]))


def _through_nvjitlink(text: str, header: _Header, gpu: Gpu, why: str) -> _Loaded:
    """`why` the driver was not asked, or what it said."""
    arch = header.target if header.target.endswith("a") else gpu.arch
    try:
        cubin = assemble(text, arch)
    except AssembleError as error:
        raise LoadError(_joined([why, str(error)]), error.diagnostics) from error
    code = core().ObjectCode.from_cubin(cubin.code)
    with reported_as(LoadError, "load", f"{why}; and it does not take the cubin of {cubin.assembler} either"):
        kernels = {name: code.get_kernel(name) for name in header.kernels}
    return _Loaded(kernels, code, _joined([f"{why}; assembled by {cubin.assembler} for {cubin.arch}", cubin.log]))


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)
