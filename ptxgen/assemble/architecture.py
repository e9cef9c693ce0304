"""Which architecture to assemble a `.target` for."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Real architectures without suffix, oldest first. Kept here until the tables of the ISA have them.
_PLAIN = (
    20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75,
    80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121,
)  # fmt: skip
# One GPU under two numbers: toolkit 13 renamed it.
_RENAMED = {"101": "110", "110": "101"}
_ARCH = re.compile(r"sm_(\d+)([af]?)")


def is_architecture(name: str) -> bool:
    """Whether `name` is written like one: "sm_90a"."""
    return _ARCH.fullmatch(name) is not None


def candidates(target: str) -> Iterator[str]:
    """The architectures that can run PTX of a `.target`, the closest first.

    First the target itself, under either name that it may have. PTX of a plain target runs on all later ones, so the
    plain ones above follow: an assembler that has dropped sm_52 takes its PTX for sm_75. PTX of an `a` or `f` target
    stays where it is.
    """
    match = _ARCH.fullmatch(target)
    if match is None:
        return
    yield target
    number, suffix = match.groups()
    if number in _RENAMED:
        yield f"sm_{_RENAMED[number]}{suffix}"
    if not suffix:
        yield from (f"sm_{later}" for later in _PLAIN if later > int(number))


def split(architecture: str) -> tuple[int, str]:
    """Number and suffix of an architecture, by its newer name: "sm_90a" is (90, "a"), "sm_101" (110, "")."""
    match = _ARCH.fullmatch(architecture)
    if match is None:
        raise ValueError(f"{architecture!r} is no GPU architecture")
    number, suffix = match.groups()
    return int("110" if number == "101" else number), suffix
