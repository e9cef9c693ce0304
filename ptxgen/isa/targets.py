"""Targets: `sm_90`, `sm_90a`, `sm_100f`, and what a target predicate in a specification means.

`sm_90` is met by any target numbered 90 or more, with or without a suffix; `sm_100f` by the `f` and `a` targets of its
family numbered 100 or more; `sm_100a` by itself alone. A renamed target (sm_101, now sm_110) answers to both names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from attrs import define

from ptxgen.isa import versions
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version


@define(eq=False, weakref_slot=False, repr=False)
class Target:
    """A target architecture."""

    name: str
    number: int
    suffix: str  # "" | "a" | "f"
    family: str
    since: Version  # the first PTX ISA version that accepts `.target name`

    def __str__(self) -> str:
        return self.name


class UnknownTarget(ValueError):
    """No target has this name."""


@lru_cache(maxsize=256)
def target(name: str) -> Target:
    """The target of a name; `UnknownTarget` when there is none."""
    row = load("targets")["targets"].get(name)
    if row is None:
        near = [other for other in names() if name.rstrip("af") == other.rstrip("af")]
        raise UnknownTarget(f"no target is called {name!r}; {_list(near) if near else _list(names())}")
    number = name.removeprefix("sm_").rstrip("af")
    suffix = name.removeprefix(f"sm_{number}")
    return Target(name, int(number), suffix, row.get("family", ""), versions.parse(row["since"]))


def plain(arch: str) -> str:
    """The architecture that ptxas means by its `-arch`: sm_90 by compute_90, for which it makes no code."""
    for synonym, name in load("targets")["synonyms"].items():
        arch = name + arch.removeprefix(synonym) if arch.startswith(synonym) else arch
    return arch


@lru_cache(maxsize=256)
def written_as(name: str) -> str:
    """The target that ptxas takes a name for, "" for none: sm_90 for compute_90, sm_090, sm_90x; sm_90a for sm_90xa.

    It reads a prefix, a number and the last letter, and passes over what stands between.
    """
    match = _WRITTEN.fullmatch(name)
    if match is None:
        return ""
    prefix = load("targets")["synonyms"].get(match[1], match[1])
    found = f"{prefix}{match[2]}{match[3] or ''}"
    return found if found in names() else ""


_WRITTEN = re.compile(r"([A-Za-z]+_)0*(\d+)(?:[\w$]*?([af])?)", re.ASCII)


def names() -> tuple[str, ...]:
    """Every target, in the order of targets.yaml."""
    return tuple(load("targets")["targets"])


def options() -> dict[str, dict[str, Any]]:
    """The options of `.target`, such as texmode_independent."""
    return load("targets")["options"]


@lru_cache(maxsize=1)
def _renames() -> dict[str, str]:
    """Old name -> new name."""
    return {name: next(iter(row["renamed"])) for name, row in load("targets")["targets"].items() if "renamed" in row}


@lru_cache(maxsize=4096)
def meets(name: str, predicate: str) -> bool:
    """Whether a target satisfies a predicate of an availability row; "" is any target."""
    if not predicate:
        return True
    have, want = present(name), present(predicate)
    if want.suffix == "a":
        return have.name == want.name
    if want.suffix == "f":
        return have.suffix in ("a", "f") and have.family == want.family and have.number >= want.number
    return have.number >= want.number


def present(name: str) -> Target:
    """The target under its present name."""
    return target(_renames().get(name, name))


@lru_cache(maxsize=4096)
def assembles(name: str, arch: str) -> bool:
    """Whether PTX of `.target name` assembles for an architecture, and so whether it runs there.

    Here ptxas compares the numbers as they are written: sm_101 assembles for sm_103, though it is sm_110 by now. A
    plain target assembles for its own and all higher numbers, an `f` target for those of its family, with any suffix
    or none, and an `a` target for itself alone.
    """
    want, have = target(name), target(arch)
    if want.suffix == "a":
        return arch in (name, present(name).name)
    return have.number >= want.number and (not want.suffix or have.family == want.family)


@lru_cache(maxsize=256)
def toolkits(arch: str) -> tuple[str, ...]:
    """The CUDA toolkits whose ptxas assembles for an architecture, oldest first."""
    wanted = target(arch)
    first, _, last = load("targets")["targets"][arch]["assembled"].partition("..")
    return tuple(
        toolkit
        for toolkit in versions.toolkits(wanted.since)
        if versions.parse(first or toolkit) <= versions.parse(toolkit) <= versions.parse(last or toolkit)
    )


def assembled_by(arch: str, toolkit: str) -> bool:
    """Whether the ptxas of a CUDA toolkit ("12.4", "12.4.131") assembles for an architecture."""
    return ".".join(toolkit.split(".")[:2]) in toolkits(arch)


def needs(since: str | dict[str, str]) -> dict[str, str]:
    """Availability as it stands in a table, a version or a mapping, as target predicate -> version; "" is any."""
    return dict(since) if isinstance(since, dict) else {"": since}


def accepts(version: Version, name: str) -> bool:
    """Whether `.version` and `.target` go together."""
    return version >= target(name).since


def portable(name: str) -> str:
    """The plain target of the same number: `sm_90a` -> `sm_90`."""
    return name.rstrip("af")


def _list(items: list[str] | tuple[str, ...]) -> str:
    return "there is " + ", ".join(items)
