"""The surface that a user launches through."""

from __future__ import annotations

import pytest

from ptxgen.errors import LaunchError
from ptxgen.launch import Parameter, Program, Shape
from tests.launch.memories import OnGpu, Recorder

SAXPY = (Parameter("n", "u32"), Parameter("a", "f32"), Parameter("x", "u64", pointer=True))


@pytest.fixture
def engine() -> Recorder:
    return Recorder()


@pytest.fixture
def program(engine: Recorder) -> Program:
    return Program.of(engine, {"saxpy": SAXPY, "nothing": ()}, device="a stand-in")


def test_both_spellings_launch_the_same(program: Program, engine: Recorder):
    program["saxpy"].launch(4, 128, 1, 2.0, OnGpu(0x1000), shared=16, stream="s")
    program["saxpy"][4, 128](1, 2.0, OnGpu(0x1000), shared=16, stream="s")
    program["nothing"][1, 1]()
    assert engine.ran[0] == engine.ran[1]
    kernel, shape, arguments, stream = engine.ran[0]
    assert (kernel, shape, stream) == ("saxpy", Shape((4, 1, 1), (128, 1, 1), None, 16), "s")
    assert [argument.parameter for argument in arguments] == list(SAXPY)
    assert engine.ran[2][2] == ()


def test_nothing_runs_when_something_is_wrong(program: Program, engine: Recorder):
    for wrong in (
        lambda: program["saxpy"].launch(1, 32),
        lambda: program["saxpy"].launch(1, 512, 1, 2.0, OnGpu(0)),
        lambda: program["saxpy"][1, 32](1, 2.0, "x"),
        lambda: program["saxpy"][32](1, 2.0, OnGpu(0)),  # pyright: ignore[reportArgumentType]
        lambda: program["saxpy"][1, 2, 3](1, 2.0, OnGpu(0)),  # pyright: ignore[reportArgumentType]
        lambda: program["saxp"].launch(1, 32),
    ):
        with pytest.raises(LaunchError):
            wrong()
    assert engine.ran == []


def test_an_unknown_kernel_gets_the_choices(program: Program):
    with pytest.raises(LaunchError, match="no kernel 'saxp'; the module has saxpy, nothing") as caught:
        program["saxp"]
    assert caught.value.diagnostics[0].choices == ("saxpy", "nothing")
    assert list(program) == ["saxpy", "nothing"]
    assert "saxpy" in program
    assert "saxp" not in program
