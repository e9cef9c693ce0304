"""`ptxgen run KERNEL.py`: the PTX, what it needs, its code, and the launch where there is a device."""

from __future__ import annotations

import argparse

from ptxgen.assemble import assemble
from ptxgen.check.requirements import requires
from ptxgen.cli.kernel_file import KernelFile, load_kernel_file
from ptxgen.cli.usage import reported
from ptxgen.errors import AssembleError, LoadError
from ptxgen.loading import DEVICES, load


def main(arguments: list[str]) -> int:
    """Show a kernel file and run it; without a GPU, say what would run it."""
    parser = argparse.ArgumentParser(prog="ptxgen run", description=__doc__)
    parser.add_argument("kernel", metavar="KERNEL.py", help="a file that defines one ptxgen.Module and run(program)")
    parser.add_argument("--device", choices=DEVICES, default="auto")
    options = parser.parse_args(arguments)
    return reported(lambda: run(load_kernel_file(options.kernel), options.device))


def run(kernel: KernelFile, device: str) -> int:
    """Exit status 0, also without a GPU unless one was asked for; 1 when the assembler or the device refuses."""
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
