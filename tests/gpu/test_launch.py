"""Load and launch: on a GPU where there is one, and on the stand-in driver (test_stand_in.py) everywhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy
import pytest

from ptxgen.errors import LaunchError, LoadError
from ptxgen.gpu import load, machine
from ptxgen.gpu.cuda import core
from ptxgen.launch import Parameter, Program, copied
from tests.gpu.modules import CLUSTER_PTX, PARAMETERS, PTX, SHARED_PTX

HERE = machine()
IS_STAND_IN = any(gpu.name == "Stand-In" for gpu in HERE.gpus)
pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(HERE.missing), reason=HERE.missing)]
hardware = pytest.mark.skipif(IS_STAND_IN, reason="the stand-in driver does not run PTX")


def loaded(
    text: str = PTX, parameters: Mapping[str, Sequence[Parameter]] = PARAMETERS, target: str = "sm_52"
) -> Program:
    return load(text, parameters, version="6.3", target=target)


@pytest.fixture(scope="module")
def program() -> Program:
    return loaded()


@pytest.fixture
def x() -> numpy.ndarray:
    return numpy.arange(1000, dtype=numpy.float32)


def test_saxpy_on_copied_arrays(program: Program, x: numpy.ndarray):
    y = numpy.ones(1000, numpy.float32)
    program["saxpy"].launch(8, 128, 1000, 2.0, copied(x, back=False), copied(y))
    assert (y == 2 * x + 1).all()
    program["saxpy"][8, 128](1000, 1, copied(x, back=False), copied(y))
    assert (y == 3 * x + 1).all()


def test_one_array_for_two_parameters_stays_one(program: Program, x: numpy.ndarray):
    before = x.copy()
    program["saxpy"].launch(8, 128, 1000, 2.0, copied(x, back=False), copied(x))
    assert (x == 3 * before).all()


def test_empty_arrays(program: Program):
    empty = numpy.zeros(0, numpy.float32)
    program["saxpy"].launch(1, 32, 0, 2.0, copied(empty), copied(empty))


def test_structures_by_value(program: Program):
    out = numpy.zeros(16, numpy.uint8)
    program["keep"].launch(1, 1, bytes(range(16)), copied(out, to_device=False))
    assert out.tolist() == list(range(16))
    program["keep"].launch((2, 1), 1, numpy.array([1.5, -2.0]), copied(out))
    assert out.view(numpy.float64).tolist() == [1.5, -2.0]


def test_a_scalar_of_128_bits():
    out = numpy.zeros(2, numpy.uint64)
    program = loaded(parameters={"keep": (Parameter("wide", "b128"), Parameter("out", "u64"))})
    program["keep"].launch(1, 1, 3 << 64 | 5, copied(out))
    assert out.tolist() == [5, 3]


class Interface:
    """An array on the GPU with `__cuda_array_interface__` and nothing else."""

    def __init__(self, address: int, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> None:
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": "<f4",
            "data": (address, False),
            "strides": strides,
            "version": 3,
            "stream": None,
        }


def test_arrays_that_are_on_the_gpu(program: Program, x: numpy.ndarray):
    device, host = core().Device(0), core().Buffer.from_handle
    stream = device.create_stream()
    buffers = [device.allocate(4000, stream=stream) for _ in range(2)]
    for buffer in buffers:
        buffer.copy_from(host(x.ctypes.data, 4000, owner=x), stream=stream)
    on_x, on_y = (int(buffer.handle) for buffer in buffers)
    program["saxpy"].launch(8, 128, 1000, 1.0, buffers[0], buffers[1], stream=stream)  # DLPack
    program["saxpy"].launch(8, 128, 1000, 1.0, Interface(on_x, (1000,)), Interface(on_y, (10, 100)), stream=stream)
    program["saxpy"].launch(8, 128, 1000, 1.0, on_x, on_y, stream=stream)
    result = numpy.zeros_like(x)
    host(result.ctypes.data, 4000, owner=result).copy_from(buffers[1], stream=stream)
    stream.sync()
    assert (result == 4 * x).all()
    with pytest.raises(LaunchError, match="an array without gaps"):
        program["saxpy"].launch(8, 128, 1000, 1.0, on_x, Interface(on_y, (10, 50), (400, 4)), stream=stream)


def test_streams(program: Program):
    device = core().Device(0)
    device.set_current()
    stream = device.create_stream()

    class Foreign:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, int(stream.handle)

    for accepted in (None, stream, Foreign(), int(stream.handle)):
        program["nothing"].launch(1, 32, stream=accepted)
    with pytest.raises(LaunchError, match="stream must be"):
        program["nothing"].launch(1, 32, stream="0")


@pytest.mark.parametrize(
    ("grid", "block", "options", "message"),
    [
        (0, 32, {}, "grid x must be from 1"),
        (1, 2048, {}, "block x must be from 1 to 1024"),
        (1, 32, {"shared": 1 << 20}, "shared must be"),
        (3, 32, {"cluster": 2}, "cluster"),
    ],
)
def test_shapes_that_the_gpu_does_not_have(
    program: Program, grid: int, block: int, options: dict[str, int], message: str
):
    with pytest.raises(LaunchError, match=message):
        program["nothing"].launch(grid, block, **options)


def test_wrong_arguments(program: Program, x: numpy.ndarray):
    with pytest.raises(LaunchError, match="in host memory; copied"):
        program["saxpy"].launch(1, 32, 1000, 2.0, x, x)
    with pytest.raises(LaunchError, match="a, x, y missing"):
        program["saxpy"].launch(1, 32, 1000)


def test_a_program_knows_its_device_and_assembler(program: Program):
    assert program.device == str(HERE.gpus[0])
    assert program.log.startswith("assembled by the driver")
    assert set(program) == set(PARAMETERS)


def test_a_kernel_that_is_not_there():
    with pytest.raises(LoadError, match="kernel absent"):
        loaded(parameters={"absent": ()})


def test_text_too_new_for_the_driver_goes_through_nvjitlink(x: numpy.ndarray, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ptxgen.gpu.loading.newest_isa", lambda cuda: (6, 0))  # pyright: ignore
    program = loaded()
    assert program.log.startswith("PTX 6.3 is newer than 6.0, the newest that the driver")
    assert "assembled by nvJitLink" in program.log
    y = numpy.ones(1000, numpy.float32)
    program["saxpy"].launch(8, 128, 1000, 2.0, copied(x, back=False), copied(y))
    assert (y == 2 * x + 1).all()


@hardware
def test_text_that_the_driver_refuses():
    with pytest.raises(LoadError, match="refused the module") as caught:
        loaded(PTX.replace("fma.rn.f32", "fma.rn.f23"))
    assert caught.value.diagnostics[0].line == PTX[: PTX.index("fma")].count("\n") + 1


@hardware
def test_the_drivers_log_is_kept():
    comment = f"// {os.urandom(8).hex()}\n"  # not in the driver's cache, from which it loads without a word
    assert "registers" in loaded(PTX + comment).log


def has(*capability: int) -> bool:
    return any(tuple(divmod(int(gpu.arch[3:]), 10)) >= capability for gpu in HERE.gpus[:1])


@hardware
@pytest.mark.skipif(not has(9, 0), reason="clusters need compute capability 9.0")
def test_the_grid_of_a_cluster_launch_counts_blocks():
    program = loaded(CLUSTER_PTX, {"ranks": (Parameter("out", "u64"),)}, "sm_90")
    for cluster in (2, 4):
        out = numpy.zeros((8, 2), numpy.uint32)
        program["ranks"].launch(8, 32, copied(out), cluster=cluster)
        assert out.tolist() == [[block % cluster, cluster] for block in range(8)]


@hardware
@pytest.mark.skipif(not has(9, 0), reason="clusters need compute capability 9.0")
def test_a_cluster_beyond_the_portable_size():
    program = loaded(CLUSTER_PTX, {"ranks": (Parameter("out", "u64"),)}, "sm_90")
    out = numpy.zeros((16, 2), numpy.uint32)
    program["ranks"].launch(16, 32, copied(out), cluster=16)
    assert out.tolist() == [[block, 16] for block in range(16)]


@hardware
@pytest.mark.skipif(not has(7, 0), reason="more than 48 KiB need compute capability 7.0")
def test_dynamic_shared_memory_beyond_48_kib():
    program = loaded(SHARED_PTX, {"last": (Parameter("size", "u32"), Parameter("out", "u64"))}, "sm_70")
    out = numpy.zeros(1, numpy.uint32)
    program["last"].launch(1, 1, 60_000, copied(out), shared=60_000)
    assert out[0] == 77
