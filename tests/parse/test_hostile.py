"""Text that once ended in an error of Python: now it is a finding with a place."""

from __future__ import annotations

import pytest

import ptxgen

HEADER = ".version 8.3\n.target sm_80\n.address_size 64\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".entry k()\n{\n.align 4 .b8 x[4];\nret;\n}", "a variable has a state space"),
        (f".global .u64 x[2] = {{ 1, {'9' * 5000} }};", f"{'9' * 24}... has more than 64 bits"),
        (f".global .u64 x[2] = {{ 1, 0x{'f' * 5000} }};", f"0x{'f' * 22}... has more than 64 bits"),
    ],
)
def test_a_finding(text: str, says: str) -> None:
    first, *more = ptxgen.check(HEADER + text).diagnostics
    assert not more
    assert (first.severity, first.message) == ("error", says)
    assert first.line >= 4
