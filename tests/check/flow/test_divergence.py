"""Lanes that part before an instruction for the whole warp; masks without lanes; numbers of registers."""

from __future__ import annotations

import pytest

from tests.check.flow.functions import codes, found

SHUFFLE = "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;"
LANE = "mov.u32 %r1, %laneid;\n"
THREAD = "mov.u32 %r1, %tid.x;\n"


def branch(compare: str, inside: str, start: str = THREAD, other: str = "st.shared.u32 [buffer], 0;") -> str:
    """A branch around a statement, and what all lanes do behind it."""
    return f"{start}setp.{compare};\n@!%p1 bra L;\n{inside}\nL:\n{other}\nret;"


@pytest.mark.parametrize("inside", ["bar.sync 0;", "barrier.sync.aligned 0;", SHUFFLE, "bar.warp.sync 0xffffffff;"])
@pytest.mark.parametrize("compare", ["eq.u32 %p1, %r1, 0", "lt.u32 %p1, %r1, 16", "ge.s32 %p1, %r1, 40"])
def test_surely_divergent(compare: str, inside: str) -> None:
    assert found(branch(compare, inside)) == [("divergent", inside)]


@pytest.mark.parametrize(
    ("compare", "inside"),
    [
        ("lt.u32 %p1, %r1, 32", "bar.sync 0;"),  # the first warp
        ("ge.u32 %p1, %r1, 128", SHUFFLE),
        ("eq.u32 %p1, %r1, 0", "barrier.sync 0;"),  # not .aligned
        ("eq.u32 %p1, %r1, 0", "shfl.sync.idx.b32 %r2, %r1, 0, 31, 1;"),  # names the lane that comes here
        ("eq.u32 %p1, %r1, %r1", "bar.sync 0;"),
    ],
)
def test_not_surely(compare: str, inside: str) -> None:
    assert codes(branch(compare, inside)) == []


def test_other_values() -> None:
    masked = f"{THREAD}and.b32 %r3, %r1, 31;\n"
    assert codes(branch("eq.u32 %p1, %r3, 0", "bar.sync 0;", masked)) == ["divergent"]
    warps = f"{THREAD}and.b32 %r3, %r1, 32;\n"
    assert codes(branch("eq.u32 %p1, %r3, 0", "bar.sync 0;", warps)) == []
    assert codes(branch("eq.u32 %p1, %r1, 3", "bar.sync 0;", LANE)) == ["divergent"]
    block = "mov.u32 %r1, %ctaid.x;\n"
    assert codes(branch("eq.u32 %p1, %r1, 3", "bar.sync 0;", block)) == []
    shifted = f"{THREAD}shr.u32 %r3, %r1, 5;\n"
    assert codes(branch("eq.u32 %p1, %r3, 0", "bar.sync 0;", shifted)) == []


def test_a_register_of_several_values() -> None:
    twice = f"{THREAD}setp.eq.u32 %p2, 1, 2;\n@%p2 mov.u32 %r1, 0;\n"
    assert codes(branch("eq.u32 %p1, %r1, 0", "bar.sync 0;", twice)) == []


def test_own_guard() -> None:
    assert codes(f"{THREAD}setp.eq.u32 %p1, %r1, 0;\n@%p1 bar.sync 0;\nret;") == ["divergent"]
    assert codes(f"{THREAD}setp.lt.u32 %p1, %r1, 64;\n@%p1 bar.sync 0;\nret;") == []


def test_elected_lane() -> None:
    elected = "elect.sync _|%p1, -1;\n@%p1 bar.sync 0;\nret;"
    assert codes(elected) == ["divergent"]


def test_behind_the_branch_all_are_together() -> None:
    body = f"{THREAD}setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nst.shared.u32 [buffer], 0;\nL:\nbar.sync 0;\nret;"
    assert codes(body) == []


def test_lanes_that_end_are_not_waited_for() -> None:
    assert codes(f"{THREAD}setp.ge.u32 %p1, %r1, 100;\n@%p1 bra L;\nbar.sync 0;\nL:\nret;") == []
    assert codes(f"{THREAD}setp.ge.u32 %p1, %r1, 100;\n@%p1 ret;\nbar.sync 0;\nret;") == []


def test_the_other_lanes_may_meet_them() -> None:
    body = f"{THREAD}setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n{SHUFFLE}\nbra M;\nL:\n{SHUFFLE}\nM:\nbar.sync 0;\nret;"
    assert codes(body) == []


@pytest.mark.parametrize("mask", ["0", "0x0"])
def test_empty_mask(mask: str) -> None:
    assert codes(f"mov.u32 %r1, 0;\nshfl.sync.idx.b32 %r2, %r1, 0, 31, {mask};\nret;") == ["membermask-zero"]
    assert codes(f"bar.warp.sync {mask};\nret;") == ["membermask-zero"]


def test_other_masks() -> None:
    assert codes("bar.warp.sync 1;\nmov.u32 %r1, 0;\nbar.warp.sync %r1;\nret;") == []


@pytest.mark.parametrize(
    ("directives", "expected"),
    [
        ("", ["register-count"]),
        (".maxntid 128", ["register-count"]),
        (".reqntid 128", ["register-count"]),
        (".maxnreg 64", []),
        (".maxntid 128 .minnctapersm 2", []),
        (".reqntid 128 .minnctapersm 2", []),
    ],
)
def test_numbers_of_registers(directives: str, expected: list[str]) -> None:
    """As ptxas 13.5 has it, which says that it ignores the instruction."""
    body = "setmaxnreg.dec.sync.aligned.u32 40;\nsetmaxnreg.inc.sync.aligned.u32 64;\nret;"
    assert codes(body, directives=directives) == expected
