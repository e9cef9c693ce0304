"""Code that is never reached."""

from __future__ import annotations

import pytest

from tests.check.flow.functions import found


def test_behind_a_branch() -> None:
    body = "bra L;\nmov.u32 %r1, 1;\nmov.u32 %r2, 2;\nL:\nret;"
    assert found(body) == [("unreachable", "mov.u32 %r1, 1;")]


def test_a_loop_that_nothing_enters() -> None:
    assert found("ret;\nL:\nmov.u32 %r1, 1;\nbra L;") == [("unreachable", "mov.u32 %r1, 1;")]


@pytest.mark.parametrize(
    "body",
    [
        "ret;\nret;",
        "trap;\nmov.u32 %r1, 1;\nret;",  # behind what aborts, compilers write what they like
        "setp.eq.u32 %p1, 1, 2;\n@%p1 ret;\nmov.u32 %r1, 1;\nret;",
        "bra L;\nL:\nmov.u32 %r1, 1;\nret;",
    ],
)
def test_quiet(body: str) -> None:
    assert found(body) == []
