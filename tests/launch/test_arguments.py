"""Arguments against a parameter list: what fits, as which bytes, and what is said of the rest."""

from __future__ import annotations

import ctypes
import struct

import numpy
import pytest

from ptxgen.errors import LaunchError
from ptxgen.launch import Parameter, bind, copied
from tests.launch.memories import GpuMemory, HostMemory, OnGpu

GPU, HOST = GpuMemory(), HostMemory()


def data(ptx_type: str, value: object, count: int | None = None) -> bytes:
    (bound,) = bind("k", [Parameter("p", ptx_type, count)], [value], GPU)
    return bound.data


def refusal(parameter: Parameter, value: object, memory: GpuMemory | HostMemory = GPU) -> str:
    with pytest.raises(LaunchError) as caught:
        bind("k", [parameter], [value], memory)
    (diagnostic,) = caught.value.diagnostics
    assert parameter.name in diagnostic.need
    assert diagnostic.message in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("ptx_type", "value", "expected"),
    [
        ("u8", 255, b"\xff"),
        ("s8", -128, b"\x80"),
        ("b16", -1, b"\xff\xff"),
        ("b16", 65535, b"\xff\xff"),
        ("u32", 7, b"\x07\0\0\0"),
        ("u32", True, b"\x01\0\0\0"),
        ("u32", numpy.int64(7), b"\x07\0\0\0"),
        ("s64", -2, b"\xfe" + b"\xff" * 7),
        ("b128", 1 << 100, (1 << 100).to_bytes(16, "little")),
        ("f32", 1.5, struct.pack("<f", 1.5)),
        ("f32", 3, struct.pack("<f", 3.0)),
        ("f32", numpy.float16(0.5), struct.pack("<f", 0.5)),
        ("f32", float("inf"), struct.pack("<f", float("inf"))),
        ("f64", numpy.float32(0.1), struct.pack("<d", float(numpy.float32(0.1)))),
        ("f16", 65504.0, b"\xff\x7b"),
        ("f16x2", 0x3C003C00, b"\x00\x3c\x00\x3c"),
        ("b32", numpy.float32(1.0), b"\0\0\x80\x3f"),
        ("b16", numpy.float16(1.0), b"\0\x3c"),
    ],
)
def test_numbers_become_the_bytes_of_the_type(ptx_type: str, value: object, expected: bytes):
    assert data(ptx_type, value) == expected


@pytest.mark.parametrize(
    ("ptx_type", "value", "wanted"),
    [
        ("u8", 256, "from 0 to 255"),
        ("u32", -1, "from 0 to 4294967295"),
        ("s8", 128, "from -128 to 127"),
        ("b8", -129, "from -128 to 255"),
        ("u32", 1.0, "an int"),
        ("u32", "1", "an int"),
        ("u32", None, "an int"),
        ("u32", numpy.zeros(3), "an int"),
        ("f32", "1", "a float or an int"),
        ("f32", 1e39, "magnitude"),
        ("f16", 65520, "magnitude"),
        ("f64", 10**400, "magnitude"),
        ("b32", 1.0, "numpy scalar"),
        ("b32", numpy.float64(1.0), "4 bytes"),
        ("pred", True, "nothing that a launch can pass"),
    ],
)
def test_numbers_that_do_not_fit(ptx_type: str, value: object, wanted: str):
    assert wanted in refusal(Parameter("p", ptx_type), value)


def test_an_error_names_kernel_position_parameter_wanted_and_got():
    with pytest.raises(LaunchError) as caught:
        bind("saxpy", [Parameter("n", "u32"), Parameter("a", "f32")], [3, "two"], GPU)
    assert str(caught.value) == "saxpy, argument 2: parameter .f32 a wants a float or an int, got str"


def test_all_wrong_arguments_are_reported_together():
    with pytest.raises(LaunchError) as caught:
        bind("k", [Parameter("n", "u32"), Parameter("a", "f32"), Parameter("m", "u8")], [-1, 2.0, 300], GPU)
    assert [d.have for d in caught.value.diagnostics] == ["int -1", "int 300"]


@pytest.mark.parametrize("given", [(), (1,), (1, 2, 3)])
def test_count(given: tuple[int, ...]):
    with pytest.raises(LaunchError, match=r"k takes 2 arguments \(\.u32 n, \.u64 \.ptr x\), got"):
        bind("k", [Parameter("n", "u32"), Parameter("x", "u64", pointer=True)], given, GPU)


def test_missing_arguments_are_named():
    with pytest.raises(LaunchError, match="got 0: n, x missing"):
        bind("k", [Parameter("n", "u32"), Parameter("x", "u64")], [], GPU)


def test_addresses():
    pointer = Parameter("x", "u64", pointer=True, align=16)
    (bound,) = bind("k", [pointer], [0x7F00_0000_0010], GPU)
    assert int.from_bytes(bound.data, "little") == 0x7F00_0000_0010
    assert "aligned to 16 bytes" in refusal(pointer, 0x7F00_0000_0018)
    assert "an array or an address" in refusal(pointer, 1.5)
    assert "an array or an address" in refusal(pointer, -1)
    assert "an array, an address or an int" in refusal(Parameter("x", "u64"), [1, 2])


def test_an_array_on_the_gpu_is_its_address():
    (bound,) = bind("k", [Parameter("x", "u64", pointer=True)], [OnGpu(0x1000)], GPU)
    assert bound.data == (0x1000).to_bytes(8, "little")
    assert bound.copy is None
    assert "aligned to 256" in refusal(Parameter("x", "u64", pointer=True, align=256), OnGpu(0x1010))
    assert "without gaps" in refusal(Parameter("x", "u64", pointer=True), OnGpu(0x1000, dense=False))
    assert "elements of 8 bytes (.f64)" in refusal(Parameter("x", "u64", pointer=True, element="f64"), OnGpu(0x1000))
    assert "wants an int" in refusal(Parameter("n", "u32"), OnGpu(0x1000))


def test_a_host_array_needs_copied_on_a_gpu():
    x = numpy.zeros((2, 3), numpy.float32)
    message = refusal(Parameter("x", "u64", pointer=True), x)
    assert "float32 array of shape (2, 3) in host memory" in message
    assert "wrap it in copied()" in message
    wrapped = copied(x, back=False)
    (bound,) = bind("k", [Parameter("x", "u64", pointer=True)], [wrapped], GPU)
    assert bound.copy is wrapped
    assert bound.array is not None
    assert (bound.array.address, bound.array.size) == (x.ctypes.data, 24)
    assert bound.at(0x40).data == (0x40).to_bytes(8, "little")


def test_what_cannot_be_copied():
    pointer = Parameter("x", "u64", pointer=True)
    fixed = numpy.zeros(4)
    fixed.flags.writeable = False
    assert "back=False" in refusal(pointer, copied(fixed))
    assert bind("k", [pointer], [copied(fixed, back=False)], GPU)
    assert "without gaps" in refusal(pointer, copied(numpy.zeros(8)[::2]))
    assert "pass it as it is" in refusal(pointer, copied(OnGpu(0x1000)))
    assert "an array inside copied()" in refusal(pointer, copied(3))
    assert "wants an int" in refusal(Parameter("n", "u32"), copied(fixed))


def test_in_host_memory_arrays_are_passed_by_address_copied_or_not():
    x = numpy.zeros(4)
    for argument in (x, copied(x)):
        (bound,) = bind("k", [Parameter("x", "u64")], [argument], HOST)
        assert bound.data == x.ctypes.data.to_bytes(8, "little")
        assert bound.copy is None
    fortran = numpy.zeros((3, 4), order="F")
    assert bind("k", [Parameter("x", "u64")], [fortran], HOST)
    assert "without gaps" in refusal(Parameter("x", "u64"), numpy.zeros((4, 4))[:, :2], HOST)


class Exporter:
    """An array that speaks DLPack only, as a torch tensor on the CPU."""

    def __init__(self, array: numpy.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def test_dlpack_on_the_host():
    x = numpy.arange(4)
    (bound,) = bind("k", [Parameter("x", "u64")], [Exporter(x)], HOST)
    assert bound.data == x.ctypes.data.to_bytes(8, "little")


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_int32), ("b", ctypes.c_float))


@pytest.mark.parametrize(
    ("ptx_type", "count", "value", "expected"),
    [
        ("b8", 4, b"abcd", b"abcd"),
        ("b8", 8, Pair(1, 2.0), struct.pack("<if", 1, 2.0)),
        ("b8", 8, numpy.array([1.0]), struct.pack("<d", 1.0)),
        ("b8", 2, [1, 255], b"\x01\xff"),
        ("f32", 2, (1, 2.5), struct.pack("<ff", 1, 2.5)),
        ("f32", 2, numpy.array([1, 2.5], numpy.float32), struct.pack("<ff", 1, 2.5)),
        ("s16", 1, [-1], b"\xff\xff"),
    ],
)
def test_arrays_by_value(ptx_type: str, count: int, value: object, expected: bytes):
    assert data(ptx_type, value, count) == expected


@pytest.mark.parametrize(
    ("ptx_type", "count", "value", "wanted"),
    [
        ("b8", 4, b"abc", "4 bytes"),
        ("b8", 4, [1, 2, 3], "4 numbers or 4 bytes"),
        ("b8", 4, 7, "4 numbers or 4 bytes"),
        ("b8", 1, [256], "from -128 to 255"),
        ("f32", 2, numpy.zeros(1), "elements of 4 bytes"),
        ("f32", 2, numpy.zeros(2, numpy.int32), "floats"),
        ("u32", 2, numpy.zeros(2, numpy.float32), "ints"),
    ],
)
def test_arrays_by_value_that_do_not_fit(ptx_type: str, count: int, value: object, wanted: str):
    assert wanted in refusal(Parameter("p", ptx_type, count), value)


def test_what_only_the_engine_can_pass():
    (bound,) = bind("k", [Parameter("m", "b8", 128, align=64)], ["a tensor map"], GPU)
    assert bound.native == "a tensor map"
    assert "128 bytes" in refusal(Parameter("m", "b8", 128), "a tensor map", HOST)
