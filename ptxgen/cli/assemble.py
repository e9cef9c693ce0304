"""`ptxgen assemble FILE.ptx|KERNEL.py`: a cubin, what its kernels take, and what the assembler says."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ptxgen.cli import options as option
from ptxgen.cli.inputs import named, read
from ptxgen.cli.reading import refused
from ptxgen.cli.usage import WrongUsage, reported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptxgen.assemble import Assembler, Cubin


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("assemble", __doc__)
    made.add_argument("file", metavar="FILE.ptx|KERNEL.py", help="PTX, or a kernel file; - is standard input")
    option.add_arch(made, "the GPU to assemble for; the .target of the file if none is given")
    made.add_argument("-o", "--output", metavar="F.cubin", help="write the cubin there")
    made.add_argument("--ptxas", metavar="PATH", help="this ptxas, not nvJitLink or the ptxas on PATH")
    return made


def main(arguments: list[str]) -> int:
    """Exit status 1, with what the assembler says, where it refuses the file."""
    given = parser().parse_args(arguments)
    return reported(lambda: _assemble(given.file, given.arch, given.output, given.ptxas))


def _assemble(path: str, arch: str | None, output: str | None, ptxas: str | None) -> int:
    from ptxgen.assemble import Ptxas, assemble, default_assembler
    from ptxgen.cli.output import write
    from ptxgen.errors import AssembleError

    text, target = _text(path)
    try:
        assembler = Ptxas.at(ptxas) if ptxas else default_assembler()
    except AssembleError as error:
        raise WrongUsage(str(error)) from None
    try:
        cubin = assemble(text, arch, assembler=assembler)
    except AssembleError as error:
        print(f"ptxgen: {str(error).splitlines()[0]}", file=sys.stderr)
        print(refused(path, text, error), file=sys.stderr)
        return 1
    if output:
        write(output, cubin.code)
    print("\n".join(described(path, cubin, assembler, arch or target)))
    return 0


def _text(path: str) -> tuple[str, str]:
    """PTX text, and the target of its header."""
    if path.endswith(".py"):
        from ptxgen.cli.kernel_file import load_kernel_file

        module = load_kernel_file(path).module
        return module.ptx(), module.target
    from ptxgen.parse.module import read as read_module

    text = read(path)
    return text, read_module(text)[0].target


def described(path: str, cubin: Cubin, assembler: Assembler, wanted: str) -> Iterator[str]:
    """Size, architecture, assembler; what each kernel takes; the lines of the assembler, with advice."""
    from ptxgen.assemble import advice_on

    place = f" ({assembler.place})" if assembler.place else ""
    instead = "" if cubin.arch == wanted else f", as it has no {wanted}"
    yield f"{named(path)}: {cubin.size} bytes for {cubin.arch}{instead}, by {cubin.assembler}{place}"
    yield from (f"  {name}: {resources}" for name, resources in cubin.resources.items())
    yield from (f"  {message}" for message in cubin.messages)
    yield from (f"   = help: {found.about}: {found.text}" for found in advice_on(cubin))
