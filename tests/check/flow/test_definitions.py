"""Registers that are read before they are set."""

from __future__ import annotations

import pytest

import ptxgen
from ptxgen.check.flow import definitions, findings
from tests.check.flow.functions import codes, found, text

BRANCH = "setp.eq.u32 %p1, 1, 2;\n@%p1 bra L;\n"


@pytest.mark.parametrize(
    "body",
    [
        "mov.u32 %r2, %r1;\nret;",
        "mov.u32 %r2, %r1;\nmov.u32 %r1, 0;\nret;",
        "st.shared.u32 [%r1], 0;\nret;",
        "st.shared.v2.u32 [buffer], {0, %r1};\nret;",
        "@!%p1 bra L;\nL:\nret;",
        f"{BRANCH}mov.u32 %r2, %r1;\nL:\nret;",
        f"{BRANCH}mov.u32 %r1, 1;\nret;\nL:\nmov.u32 %r2, %r1;\nret;",
        "selp.u32 %r2, 1, 0, %p1;\nret;",
    ],
)
def test_set_on_no_path(body: str) -> None:
    assert codes(body) == ["uninitialised"]


@pytest.mark.parametrize(
    "body",
    [
        f"{BRANCH}mov.u32 %r1, 1;\nL:\nmov.u32 %r2, %r1;\nret;",
        f"{BRANCH}bra M;\nL:\nmov.u32 %r1, 1;\nM:\nst.shared.u32 [buffer], %r1;\nret;",
        f"{BRANCH}mov.u32 %r1, 1;\nL:\n@%p1 mov.u32 %r2, %r1;\nret;",
    ],
)
def test_set_on_some_paths(body: str) -> None:
    assert codes(body) == ["maybe-uninitialised"]


def test_set_behind_the_read_in_a_loop() -> None:
    loop = "L:\nadd.u32 %r2, %r1, 1;\nmov.u32 %r1, %r2;\nsetp.eq.u32 %p1, %r1, 9;\n@%p1 bra L;\nret;"
    assert found(loop) == [("maybe-uninitialised", "add.u32 %r2, %r1, 1;")]


@pytest.mark.parametrize(
    "body",
    [
        "mov.u32 %r1, 1;\nmov.u32 %r2, %r1;\nret;",
        f"mov.u32 %r1, 1;\n{BRANCH}mov.u32 %r1, 2;\nL:\nmov.u32 %r2, %r1;\nret;",
        f"{BRANCH}mov.u32 %r1, 1;\nbra M;\nL:\nmov.u32 %r1, 2;\nM:\nmov.u32 %r2, %r1;\nret;",
        "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %r1, 9;\n@%p1 bra L;\nret;",
        "ld.shared.v2.u32 {%r1, %r2}, [buffer];\nadd.u32 %r3, %r1, %r2;\nret;",
        "setp.eq.u32 %p1|%p2, 1, 2;\nselp.u32 %r1, 1, 0, %p2;\nret;",
        "mov.u32 %r3, 1;\nshfl.sync.idx.b32 %r1|%p1, %r3, 0, 31, -1;\n@%p1 mov.u32 %r2, %r1;\nret;",
        "mov.u64 %rd1, 1;\nmov.b64 {%r1, _}, %rd1;\nmov.u32 %r2, %r1;\nret;",
        "trap;\nmov.u32 %r2, %r1;\nret;",  # never reached
        "setp.eq.u32 %p1, 1, 2;\n@%p1 mov.u32 %r1, 1;\n@%p1 mov.u32 %r2, %r1;\nret;",
        ".reg .v2 .u32 %v;\nmov.u32 %v.x, 0;\nmov.u32 %v.y, 1;\nst.shared.v2.u32 [buffer], %v;\nret;",
    ],
)
def test_set(body: str) -> None:
    assert codes(body) == []


def test_parameters_in_registers_are_set() -> None:
    before = ".func (.reg .u32 out) twice(.reg .u32 in)\n{\nadd.u32 out, in, in;\nret;\n}"
    assert codes("mov.u32 %r1, 1;\ncall (%r2), twice, (%r1);\nmov.u32 %r3, %r2;\nret;", before=before) == []


def test_accumulators_may_be_ignored() -> None:
    """Whether d is read is a predicate's affair."""
    body = """mov.u64 %rd1, 1;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd1, 0, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
ret;"""
    assert codes(body) == []


def test_each_register_once() -> None:
    body = "mov.u32 %r2, %r1;\nmov.u32 %r3, %r1;\nadd.u32 %r4, %r5, %r5;\nret;"
    assert found(body) == [("uninitialised", "mov.u32 %r2, %r1;"), ("uninitialised", "add.u32 %r4, %r5, %r5;")]


def ladder(count: int, last: str) -> str:
    """So many diamonds, each of which sets a register on both of its sides."""
    rungs = "\n".join(
        f"@%p1 bra A{n};\nmov.u32 %r{n % 30}, 1;\nbra B{n};\nA{n}:\nmov.u32 %r{n % 30}, 2;\nB{n}:" for n in range(count)
    )
    return f"setp.eq.u32 %p1, 1, 2;\n{rungs}\n{last}\nret;"


@pytest.mark.parametrize("nearby", [0, 4, 32])
@pytest.mark.parametrize("chunk", [1, 2048])
def test_far_away(nearby: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is found out, and however many registers are solved for at a time, the answer is the same."""
    monkeypatch.setattr(definitions, "NEARBY", nearby)
    monkeypatch.setattr(definitions, "CHUNK", chunk)
    assert codes(ladder(60, "add.u32 %r33, %r3, %r4;")) == []
    assert codes(ladder(60, "add.u32 %r33, %r34, %r4;")) == ["uninitialised"]
    skipped = "@%p1 bra C;\nmov.u32 %r35, 1;\nC:\nadd.u32 %r33, %r35, %r4;"
    assert codes(ladder(60, skipped)) == ["maybe-uninitialised"]


def test_of_an_illegal_statement_nothing_is_known() -> None:
    """What it sets is not known, so nobody is told that it is not set."""
    module = ptxgen.parse(text("mov.sat.u32 %r1, 1;\nmov.u32 %r2, %r1;\nret;"))
    assert list(findings(module)) == []
