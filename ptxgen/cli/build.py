"""`ptxgen build KERNEL.py`: write the PTX of a kernel file."""

from __future__ import annotations

import argparse
import sys

from ptxgen.cli import options as option
from ptxgen.cli.usage import reported


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("build", __doc__)
    made.add_argument("kernel", metavar="KERNEL.py", help="a file that defines one ptxgen.Module")
    made.add_argument("-o", "--output", metavar="F.ptx", help="write there, not to standard output")
    option.add_target(made, "another .target, such as sm_120")
    option.add_isa(made, "another .version, such as 8.7")
    return made


def main(arguments: list[str]) -> int:
    """Print, or write to `-o`, the module's PTX for its own or another target and version."""
    given = parser().parse_args(arguments)
    return reported(lambda: _build(given.kernel, given.target, given.isa, given.output))


def _build(kernel: str, target: str | None, version: str | None, output: str | None) -> int:
    from ptxgen.check.retarget import retarget
    from ptxgen.cli.kernel_file import load_kernel_file

    module = load_kernel_file(kernel).module
    text = retarget(module, target, version or module.version).ptx()
    if output:
        from ptxgen.cli.output import write

        write(output, text.encode("utf-8"))
    else:
        sys.stdout.write(text)
    return 0
