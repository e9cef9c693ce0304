"""Checks: instructions against the specification, modules against their target and version."""

from ptxgen.packages import make_callable

make_callable(__name__, "ptxgen.check.module", "check")
