"""PTX ISA versions, with the toolkits and drivers that take them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from ptxgen.isa.data import load

Version: TypeAlias = tuple[int, int]


@lru_cache(maxsize=256)
def parse(text: str) -> Version:
    """`"8.10"` as (8, 10); `ValueError` says what a version looks like."""
    major, dot, minor = text.partition(".")
    if not (dot and major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()):
        raise ValueError(f"{text!r} is no PTX ISA version; one looks like 8.3")
    return int(major), int(minor)


def text(version: Version) -> str:
    """(8, 10) as `"8.10"`."""
    return f"{version[0]}.{version[1]}"


@lru_cache(maxsize=1)
def known() -> tuple[Version, ...]:
    """Every PTX ISA version, oldest first."""
    return tuple(sorted(parse(name) for name in load("versions")["versions"]))


def newest() -> Version:
    """The newest PTX ISA version that the specification knows."""
    return known()[-1]


def describe(version: Version) -> dict[str, Any]:
    """What `versions.yaml` says of a version: its CUDA releases and the driver that first took it."""
    return load("versions")["versions"][text(version)]
