"""A loaded module and its kernels: the surface that a user launches through, whatever the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from attrs import define, field, frozen

from ptxgen.errors import Diagnostic, LaunchError
from ptxgen.launch.arguments import Bound, Memory, bind
from ptxgen.launch.parameters import Parameter
from ptxgen.launch.shape import Limits, Shape, shape_of


class Engine(Protocol):
    """What runs kernels."""

    def limits(self, kernel: str) -> Limits:
        """What device and kernel allow."""
        ...

    def memory(self, stream: object) -> Memory:
        """The memory that kernels on `stream` see; raises LaunchError if that is no stream of this engine."""
        ...

    def run(self, kernel: str, shape: Shape, arguments: tuple[Bound, ...], stream: object) -> None:
        """Launch with checked arguments; raises LaunchError."""
        ...


@frozen
class Kernel:
    """One kernel of a loaded program."""

    name: str
    parameters: tuple[Parameter, ...]
    engine: Engine = field(repr=False)

    def launch(
        self,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        *args: object,
        shared: int = 0,
        cluster: int | tuple[int, ...] | None = None,
        stream: object = None,
    ) -> None:
        """Launch on `grid` blocks of `block` threads, each an int or up to three (x, y, z).

        `args` stand for the parameters in their order: numbers for scalars; for pointers arrays that the engine can
        reach, `copied` arrays, or addresses as ints; bytes or sequences of numbers for by-value arrays. `shared` is
        dynamic shared memory in bytes, `cluster` the blocks of a cluster; the grid counts blocks all the same.
        `stream` is the engine's: None for its default. A GPU launch does not wait for the kernel, unless an argument
        is copied back. Raises LaunchError before anything is launched if shape or arguments do not fit.
        """
        shape = shape_of(self.name, grid, block, cluster, shared, self.engine.limits(self.name))
        arguments = bind(self.name, self.parameters, args, self.engine.memory(stream))
        self.engine.run(self.name, shape, arguments, stream)

    def __getitem__(self, shape: tuple[int | tuple[int, ...], int | tuple[int, ...]]) -> Callable[..., None]:
        """`kernel[grid, block]` is a function of the arguments, with `launch`'s keywords."""
        if not isinstance(shape, tuple) or len(shape) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
            message = f"{self.name}[grid, block] needs grid and block, got {shape!r}"
            raise LaunchError.of(Diagnostic("shape", "error", message, need="grid, block", have=repr(shape)))
        grid, block = shape

        return partial(self.launch, grid, block)


def _names(kernels: Mapping[str, Kernel]) -> str:
    return repr(list(kernels))


@define(eq=False)
class Program:
    """A loaded module: `program["saxpy"]` is a Kernel.

    `log` holds whatever assembler or driver said when it was loaded; `device` says in words where it runs.
    """

    engine: Engine = field(repr=False)
    kernels: Mapping[str, Kernel] = field(repr=_names)
    device: str = ""
    log: str = ""

    @classmethod
    def of(
        cls, engine: Engine, parameters: Mapping[str, Sequence[Parameter]], device: str = "", log: str = ""
    ) -> Program:
        """A program whose kernels and parameter lists are `parameters`."""
        kernels = {name: Kernel(name, tuple(listed), engine) for name, listed in parameters.items()}
        return cls(engine, kernels, device, log)

    def __getitem__(self, name: str) -> Kernel:
        if name not in self.kernels:
            choices = tuple(self.kernels)
            message = f"no kernel {name!r}; the module has {', '.join(choices) or 'none'}"
            raise LaunchError.of(Diagnostic("kernel", "error", message, have=str(name), choices=choices))
        return self.kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.kernels)

    def __len__(self) -> int:
        return len(self.kernels)

    def __contains__(self, name: object) -> bool:
        return name in self.kernels
