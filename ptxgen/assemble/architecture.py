"""Which architecture to assemble a `.target` for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptxgen.isa import targets

_ARCH = re.compile(r"sm_\d+[af]?")


def is_architecture(name: str) -> bool:
    """Whether `name` is written like one: "sm_90a"."""
    return _ARCH.fullmatch(name) is not None


def candidates(target: str) -> Iterator[str]:
    """The architectures that can run PTX of a `.target`, the closest first.

    First the target itself, then its present name, then all later ones of its sort that take it: an assembler that has
    dropped sm_52 takes its PTX for sm_75. One that no table has is tried as it is: the assembler may be newer.
    """
    if not is_architecture(target):
        return
    yield target
    if target in targets.names():
        suffix, present = targets.target(target).suffix, targets.present(target).name
        later = [
            arch
            for arch in targets.names()
            if arch != target and targets.target(arch).suffix == suffix and targets.assembles(target, arch)
        ]
        yield from sorted(later, key=lambda arch: arch != present)
