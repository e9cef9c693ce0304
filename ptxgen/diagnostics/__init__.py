"""Diagnostics for readers: what each code means, and findings as text, JSON, SARIF and commands of GitHub workflows.

    from ptxgen.diagnostics import Checked, as_sarif, as_text

    found = Checked.of("kernel.ptx", ptxgen.check(text).diagnostics, text)
    print(as_text(found))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptxgen.diagnostics.catalogue import Code, codes
    from ptxgen.diagnostics.checked import Checked
    from ptxgen.diagnostics.github import as_github
    from ptxgen.diagnostics.machine import as_json
    from ptxgen.diagnostics.sarif import as_sarif
    from ptxgen.diagnostics.text import as_text

# Each in its module, which is imported when its name is first used: a run needs one format at most.
_HOMES = {
    "Checked": "checked", "Code": "catalogue", "as_github": "github", "as_json": "machine", "as_sarif": "sarif",
    "as_text": "text", "codes": "catalogue",
}  # fmt: skip

__all__ = ["Checked", "Code", "as_github", "as_json", "as_sarif", "as_text", "codes"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'ptxgen.diagnostics' has no attribute {name!r}")
    found = getattr(import_module(f"ptxgen.diagnostics.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
