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


def of_toolkit(release: str) -> Version | None:
    """The newest PTX ISA that the ptxas of a CUDA toolkit ("12.4", "12.4.131") takes; None when it is not known."""
    name = ".".join(release.split(".")[:2])
    for version, toolkits in load("versions")["versions"].items():
        if name in toolkits:
            return parse(version)
    return None


def of_driver(driver: str) -> Version | None:
    """The newest PTX ISA that a Linux driver ("570.86", "570.86.15") takes; None when it is older than all known."""
    have = _numbers(driver)  # of a shortened number such as 550 or 550.54 only these parts are compared
    found: Version | None = None
    for toolkit, row in load("versions")["toolkits"].items():
        need = row.get("driver") or row.get("branch")
        version = of_toolkit(toolkit)
        if need is not None and version is not None and have >= _numbers(need)[: len(have)]:
            found = version if found is None else max(found, version)
    return found


def toolkits(version: Version) -> list[str]:
    """The CUDA toolkits whose ptxas takes a version, oldest first."""
    return [
        toolkit
        for known_version, released in load("versions")["versions"].items()
        if parse(known_version) >= version
        for toolkit in released
    ]


def oldest_driver(version: Version) -> str:
    """The oldest Linux driver that takes a version: "550.54.14", or a branch "615"; "" when none is known."""
    for toolkit in toolkits(version):
        row = load("versions")["toolkits"].get(toolkit, {})
        if found := row.get("driver") or row.get("branch"):
            return str(found)
    return ""


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{text!r} is no driver version; one looks like 570.86")
    return tuple(int(part) for part in parts)
