"""`ptxgen doctor`: what this machine has to assemble and run PTX, and what is missing."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ptxgen.cli import options as option
from ptxgen.cli.usage import reported

# Optional packages: what each is for, and the extra of ptxgen that brings it.
PACKAGES = {
    "cuda-core": ("running kernels on a GPU", "gpu"),
    "cuda-bindings": ("assembling with nvJitLink", "assemble"),
    "nvidia-nvjitlink": ("assembling without a CUDA toolkit", "assemble"),
    "numpy": ("arrays as arguments of kernels", "gpu"),
    "pygments": ("coloured lines of PTX in messages", "color"),
}


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    return option.verb_parser("doctor", __doc__)


def main(arguments: list[str]) -> int:
    """Sentences on standard output; exit status 1 only where something that is there does not work."""
    parser().parse_args(arguments)
    return reported(_examine)


def _examine() -> int:
    broken = False
    for sentence, works in (_own(), *_gpu(), *_assemblers(), *_packages()):
        print(sentence)
        broken |= not works
    return 1 if broken else 0


def _own() -> tuple[str, bool]:
    import platform

    from ptxgen import __version__
    from ptxgen.isa import versions

    newest = versions.text(versions.newest())
    return f"ptxgen {__version__} knows PTX up to {newest}; it runs in Python {platform.python_version()}.", True


def _gpu() -> Iterator[tuple[str, bool]]:
    from ptxgen.gpu import machine

    here = machine()
    if here.driver is not None:
        yield f"The {here.driver} accepts {_accepted('.'.join(map(str, here.driver.cuda)))}.", True
    for gpu in here.gpus:
        yield f"{gpu} runs kernels; it has {gpu.multiprocessors} multiprocessors.", True
    if here.missing:
        yield f"No kernel can run here: {here.missing}. Building, checking and assembling need no GPU.", True


def _assemblers() -> Iterator[tuple[str, bool]]:
    from ptxgen.assemble import NvJitLink, find_ptxas
    from ptxgen.errors import AssembleError

    found = 0
    for find in (NvJitLink.find, find_ptxas):
        try:
            assembler = find()
        except AssembleError as error:  # a ptxas on PATH that is none, or does not run
            yield f"{error}; remove it from PATH, or install it anew.", False
            continue
        if assembler is not None:
            place = f" ({assembler.place})" if assembler.place else ""
            yield f"{assembler.name}{place} assembles {_accepted(assembler.version)}.", True
            found += 1
    if not found:
        yield "There is no assembler: pip install ptxgen[assemble], or put the ptxas of a CUDA toolkit on PATH.", True


def _accepted(toolkit: str) -> str:
    """The PTX that belongs to a CUDA version."""
    from ptxgen.isa import versions

    newest = versions.of_toolkit(toolkit)
    return f"PTX up to {versions.text(newest)}" if newest is not None else "PTX newer than any known here"


def _packages() -> Iterator[tuple[str, bool]]:
    from importlib.metadata import PackageNotFoundError, version

    present: list[str] = []
    for name, (purpose, extra) in PACKAGES.items():
        try:
            present.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            yield f"{name} is not installed, for {purpose}: pip install ptxgen[{extra}].", True
    if present:
        yield f"Installed: {', '.join(present)}.", True
