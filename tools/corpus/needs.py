"""What `ptxgen.requires` says a module needs, put to ptxas.

At the version that it says ptxas has to accept the module, and one version lower, of those that some toolkit brought,
to refuse it. Where the manual asks
for more than ptxas does, which the specifications hold as `ungated`, it does so at the version without those rows.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from ptxgen.check.lowest import least_for_ptxas, lowest_version
from ptxgen.ir.module import Module
from ptxgen.isa import versions
from ptxgen.isa.versions import Version
from tools.certify.ptxas import Verdict, messages, module_verdict
from tools.certify.releases import Release

NEEDED, MANUAL = "needed", "by the manual"
HEADINGS = (NEEDED, MANUAL)


def faults(module: Module, release: Release, timeout: float) -> Iterator[tuple[str, str]]:
    """Where `requires` and ptxas disagree about the version of a module."""
    stated = lowest_version(module)
    asked = least_for_ptxas(module, module.target) or stated
    if (text := _refusal(module, stated, release, timeout)) is not None:
        yield NEEDED, f"{versions.text(stated)} is refused: {text}"
    if asked != stated and (text := _refusal(module, asked, release, timeout)) is not None:
        yield NEEDED, f"{versions.text(asked)}, without ungated rows, is refused: {text}"
    lower = [version for version in versions.known() if version < asked and versions.describe(version)]
    if lower and _refusal(module, lower[-1], release, timeout) is None:
        yield NEEDED, f"{versions.text(lower[-1])} is accepted, below {versions.text(asked)}"


def by_the_manual(module: Module) -> bool:
    """Whether the manual asks for more than ptxas does."""
    return least_for_ptxas(module, module.target) != lowest_version(module)


def _refusal(module: Module, version: Version, release: Release, timeout: float) -> str | None:
    """What ptxas says against a module under another version; None when it accepts it."""
    moved = copy.copy(module)
    moved.version = versions.text(version)
    architecture = release.architecture(module.target)
    if architecture is None:
        return f"ptxas {release.name} does not know {module.target}"
    text = moved.ptx()
    if module_verdict(text, release, architecture, timeout=timeout) is Verdict.ACCEPTED:
        return None
    return " ".join(messages(text, release, architecture, timeout=timeout).split())
