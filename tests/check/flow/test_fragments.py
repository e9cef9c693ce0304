"""Registers that belong to an asynchronous matrix multiplication."""

from __future__ import annotations

import pytest

from tests.check.flow.functions import codes, found

ZEROS = "mov.u64 %rd1, 1;\n" + "\n".join(f"mov.f32 %f{n}, 0f00000000;" for n in range(1, 5))
FENCE = "wgmma.fence.sync.aligned;"
COMMIT = "wgmma.commit_group.sync.aligned;"
WAIT = "wgmma.wait_group.sync.aligned 0;"
READ = "add.f32 %f9, %f1, %f1;"


def mma(first: int = 1, a: str = "%rd1") -> str:
    """A multiplication into four registers; with matrix A in registers, one number less."""
    transposed = "0, 0" if a == "%rd1" else "0"
    accumulator = ", ".join(f"%f{n}" for n in range(first, first + 4))
    return (
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
        f"{{{accumulator}}}, {a}, %rd1, 1, 1, 1, {transposed};"
    )  # fmt: skip


def test_right() -> None:
    assert codes("\n".join([ZEROS, FENCE, mma(), mma(), COMMIT, WAIT, READ, "ret;"])) == []


@pytest.mark.parametrize("missing", [WAIT, COMMIT])
def test_read_too_early(missing: str) -> None:
    lines = [line for line in (ZEROS, FENCE, mma(), COMMIT, WAIT, READ, READ, "ret;") if line != missing]
    assert found("\n".join(lines)) == [("register-wait", READ)]


def test_written_too_early() -> None:
    change = "mov.f32 %f1, 0f00000000;"
    assert codes("\n".join([ZEROS, FENCE, mma(), COMMIT, change, WAIT, "ret;"])) == ["register-wait"]


def test_matrix_in_registers_is_held() -> None:
    fragments = "\n".join(f"mov.b32 %r{n}, 0;" for n in range(1, 5))
    multiplied = mma(a="{%r1, %r2, %r3, %r4}")
    change = "mov.b32 %r1, 1;"
    assert codes("\n".join([ZEROS, fragments, FENCE, multiplied, COMMIT, WAIT, change, "ret;"])) == []
    assert codes("\n".join([ZEROS, fragments, FENCE, multiplied, COMMIT, change, WAIT, "ret;"])) == ["register-wait"]


def test_groups_are_counted() -> None:
    """Waiting until one group is pending waits for all but the last."""
    zeros = "\n".join(f"mov.f32 %f{n}, 0f00000000;" for n in range(5, 9))
    first = [ZEROS, zeros, FENCE, mma(1), COMMIT, mma(5), COMMIT, "wgmma.wait_group.sync.aligned 1;"]
    assert codes("\n".join([*first, READ, "ret;"])) == []
    assert codes("\n".join([*first, "add.f32 %f9, %f5, %f5;", "ret;"])) == ["register-wait"]


def test_pending_around_a_loop() -> None:
    """What the end of a loop leaves pending, its beginning must not read."""
    loop = [ZEROS, "L:", "%READ", FENCE, mma(), COMMIT, "setp.eq.u32 %p1, 1, 2;", "@%p1 bra L;", WAIT, "ret;"]
    assert codes("\n".join(loop).replace("%READ", "")) == []
    assert codes("\n".join(loop).replace("%READ", READ)) == ["register-wait"]


def test_no_fence() -> None:
    assert found("\n".join([ZEROS, mma(), mma(), COMMIT, WAIT, "ret;"])) == [("register-fence", mma())]


def test_set_after_the_fence() -> None:
    change = "mov.f32 %f1, 0f3F800000;"
    assert codes("\n".join([ZEROS, FENCE, change, mma(), COMMIT, WAIT, "ret;"])) == ["register-fence"]
    assert codes("\n".join([ZEROS, change, FENCE, mma(), COMMIT, WAIT, "ret;"])) == []
    again = [ZEROS, FENCE, mma(), COMMIT, WAIT, change, "%FENCE", mma(), COMMIT, WAIT, "ret;"]
    assert codes("\n".join(again).replace("%FENCE", "")) == ["register-fence"]
    assert codes("\n".join(again).replace("%FENCE", FENCE)) == []


def test_the_caller_of_a_function_may_have_fenced() -> None:
    declared = ".reg .b64 %rd<2>; .reg .f32 %f<9>;\n"
    before = f".func multiply()\n{{\n{declared}{ZEROS}\n{mma()}\n{COMMIT}\n{WAIT}\nret;\n}}"
    assert codes("call multiply;\nret;", before=before) == ["register-fence"]  # %f1 is set, and not fenced
    assert codes("call multiply;\nret;", before=before.replace(ZEROS, "mov.u64 %rd1, 1;")) == []
