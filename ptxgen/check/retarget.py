"""`ptxgen.retarget`: the same module under another header."""

from __future__ import annotations

import copy

from ptxgen.check.header import expect_module, expect_texts
from ptxgen.check.lowest import lowest_version
from ptxgen.check.module import check
from ptxgen.errors import IllegalInstruction, Unavailable
from ptxgen.ir.module import Module
from ptxgen.isa import targets, versions


def retarget(module: Module, target: str | None = None, version: str | None = None) -> Module:
    """The module for another target (its own if none is given) and version (the lowest sufficient one).

    Functions and variables are those of the module, not copies. Raises Unavailable where the target or version lacks
    something that the module uses, and IllegalInstruction where it is wrong anyway; the diagnostics say what.
    """
    expect_module(module, "retarget")
    expect_texts("retarget", {"target": "sm_90", "version": "8.3"}, target=target, version=version)
    wanted = target or module.target
    if version is None and wanted in targets.names():
        version = versions.text(lowest_version(module, wanted))
    errors = [found for found in check(module, target=wanted, version=version).diagnostics if found.severity == "error"]
    if errors:
        raise (Unavailable if errors[0].code == "unavailable" else IllegalInstruction).of(*errors)
    moved = copy.copy(module)
    moved.target, moved.version = wanted, version
    return moved
