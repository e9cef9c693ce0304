"""`ptxgen run KERNEL.py`: the PTX, what it needs, its code, and the launch where there is a device."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ptxgen.cli import options as option
from ptxgen.cli.usage import reported

if TYPE_CHECKING:
    from ptxgen.cli.kernel_file import KernelFile

DEVICES = ("auto", "gpu", "cpu")  # those of ptxgen.load


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("run", __doc__)
    made.add_argument("kernel", metavar="KERNEL.py", help="a file that defines one ptxgen.Module and run(program)")
    made.add_argument("--device", choices=DEVICES, default="auto")
    return made


def main(arguments: list[str]) -> int:
    """Show a kernel file and run it; without a GPU, say what would run it."""
    given = parser().parse_args(arguments)
    return reported(lambda: _run(given.kernel, given.device))


def _run(path: str, device: str) -> int:
    from ptxgen.cli.kernel_file import load_kernel_file

    return run(load_kernel_file(path), device)


def run(kernel: KernelFile, device: str) -> int:
    """Exit status 0, also without a GPU unless one was asked for; 1 when the assembler or the device refuses."""
    from ptxgen.assemble import assemble
    from ptxgen.check.requirements import requires
    from ptxgen.errors import AssembleError, LoadError
    from ptxgen.loading import load

    print(kernel.module.ptx())
    print(requires(kernel.module))
    try:
        cubin = assemble(kernel.module)
    except AssembleError as error:
        if not any(found.code == "no-assembler" for found in error.diagnostics):
            raise
        print(f"not assembled: {error}")
    else:
        instead = "" if cubin.arch == kernel.module.target else f", as it has no {kernel.module.target}"
        print(f"assembled for {cubin.arch} by {cubin.assembler}{instead}: {cubin.size} bytes")
        for name, resources in cubin.resources.items():
            print(f"  {name}: {resources}")
        for message in cubin.messages:
            print(f"  {message}")
    if kernel.run is None:
        return 0
    try:
        program = load(kernel.module, device)
    except LoadError as error:
        if device != "auto" or not any(found.code == "no-device" for found in error.diagnostics):
            raise
        print(f"not launched: {error}")
        return 0
    if program.log:
        print(program.log)
    result = kernel.run(program)
    print(f"launched on {program.device}" + (f": {result}" if result is not None else ""))
    return 0
