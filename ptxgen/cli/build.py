"""`ptxgen build KERNEL.py`: write the PTX of a kernel file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ptxgen.check.module import check
from ptxgen.cli.kernel_file import load_kernel_file
from ptxgen.cli.usage import WrongUsage, reported
from ptxgen.errors import IllegalInstruction, Unavailable


def main(arguments: list[str]) -> int:
    """Print, or write to `-o`, the module's PTX for its own or another target and version."""
    parser = argparse.ArgumentParser(prog="ptxgen build", description=__doc__)
    parser.add_argument("kernel", metavar="KERNEL.py", help="a file that defines one ptxgen.Module")
    parser.add_argument("-o", "--output", metavar="F.ptx", help="write there, not to standard output")
    parser.add_argument("--target", metavar="T", help="another .target, such as sm_120")
    parser.add_argument("--isa", metavar="V", help="another .version, such as 8.7")
    options = parser.parse_args(arguments)

    def action() -> int:
        module = load_kernel_file(options.kernel).module
        report = check(module, target=options.target, version=options.isa)
        if not report.ok:
            errors = [d for d in report.diagnostics if d.severity == "error"]
            raise (Unavailable if errors[0].code == "unavailable" else IllegalInstruction).of(*errors)
        module.target = options.target or module.target
        module.version = options.isa or module.version
        text = module.ptx()
        if options.output:
            try:
                Path(options.output).write_text(text, encoding="utf-8")
            except OSError as error:
                raise WrongUsage(f"cannot write {options.output}: {error.strerror}") from error
        else:
            sys.stdout.write(text)
        return 0

    return reported(action)
