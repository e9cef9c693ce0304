"""What must come between two accesses: fences of proxies and of mbarrier objects, waits for copies and loads."""

from __future__ import annotations

import pytest

from tests.check.flow.functions import codes, found

LOADED = "ld.param.u64 %rd1, [pointer];\ncvta.to.global.u64 %rd2, %rd1;\n"
STORE = "st.shared.u32 [buffer], 1;"
FENCE = "fence.proxy.async.shared::cta;"
BULK = "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [buffer], 128;"
MMA = """mov.u64 %rd3, 1;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd3, %rd3, 0, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;"""
TENSOR = "mov.u64 %rd3, 1;\nmov.u32 %r1, 0;\nsetp.eq.u32 %p1, 1, 1;\n"
TENSOR_MMA = "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd3, %rd3, %r1, %p1;"


@pytest.mark.parametrize("last", [BULK, MMA])
@pytest.mark.parametrize(
    "store", [STORE, "atom.shared.add.u32 %r2, [buffer], 1;", "red.shared::cta.add.u32 [buffer], 1;"]
)
def test_proxy_fence(store: str, last: str) -> None:
    assert codes(f"{LOADED}{store}\nbar.sync 0;\n{last}\nret;") == ["proxy-fence"]
    assert codes(f"{LOADED}{store}\n{FENCE}\nbar.sync 0;\n{last}\nret;") == []
    assert codes(f"{LOADED}{last}\nbar.sync 0;\n{store}\nret;") == []


def test_proxy_fence_of_tensor_memory() -> None:
    body = f"{TENSOR}{STORE}\n%FENCE\nbar.sync 0;\n{TENSOR_MMA}\nret;"
    assert codes(body.replace("%FENCE", ""), "sm_100a") == ["proxy-fence"]
    assert codes(body.replace("%FENCE", FENCE), "sm_100a") == []


def test_which_fence() -> None:
    """A fence of another kind, or an access to another space, changes nothing."""
    assert codes(f"{LOADED}{STORE}\nfence.acq_rel.cta;\n{BULK}\nret;") == ["proxy-fence"]
    assert codes(f"{LOADED}st.global.u32 [%rd2], 1;\n{BULK}\nret;") == []


def test_a_fence_on_some_path_is_enough() -> None:
    """The addresses do not tell whether the accesses meet: who fences somewhere knows what he does."""
    guarded = f"{LOADED}{STORE}\nsetp.eq.u32 %p1, 1, 2;\n@%p1 bra L;\n{FENCE}\nL:\n{BULK}\nret;"
    assert codes(guarded) == []
    loop = f"{LOADED}mov.u32 %r1, 0;\nL:\n{FENCE}\n{BULK}\n{STORE}\nsetp.eq.u32 %p1, %r1, 2;\n@%p1 bra L;\nret;"
    assert codes(loop) == []
    assert codes(loop.replace(FENCE, "")) == ["proxy-fence"]


def test_message() -> None:
    ((code, line),) = found(f"{LOADED}{STORE}\n{STORE}\n{BULK}\n{BULK}\nret;")
    assert (code, line) == ("proxy-fence", BULK)


CLUSTER = "mapa.shared::cluster.u32 %r2, %r1, 1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];"


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("", ["mbarrier-init-fence"]),
        ("bar.sync 0;", ["mbarrier-init-fence"]),
        ("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;", ["mbarrier-init-fence"]),
        ("fence.mbarrier_init.release.cluster;\nbarrier.cluster.arrive.relaxed.aligned;", []),
        ("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;", []),
        ("fence.acq_rel.cluster;", []),
    ],
)
def test_mbarrier_init(between: str, expected: list[str]) -> None:
    body = f"mov.u32 %r1, bar;\nmbarrier.init.shared::cta.b64 [%r1], 1;\n{between}\n{CLUSTER}\nret;"
    assert codes(body) == expected


def test_mbarrier_of_one_cta() -> None:
    body = "mbarrier.init.shared::cta.b64 [bar], 1;\nbar.sync 0;\nmbarrier.arrive.shared::cta.b64 _, [bar];\nret;"
    assert codes(body) == []


LOAD = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];"
STORE_TENSOR = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r1};"
WAIT_LOAD, WAIT_STORE = "tcgen05.wait::ld.sync.aligned;", "tcgen05.wait::st.sync.aligned;"
FREE = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;"


@pytest.mark.parametrize(
    ("first", "wait", "last", "code"),
    [
        (LOAD, WAIT_LOAD, STORE_TENSOR, "tensor-load-wait"),
        (LOAD, WAIT_LOAD, TENSOR_MMA, "tensor-load-wait"),
        (LOAD, WAIT_LOAD, FREE, "tensor-load-wait"),
        (STORE_TENSOR, WAIT_STORE, LOAD, "tensor-store-wait"),
        (STORE_TENSOR, WAIT_STORE, TENSOR_MMA, "tensor-store-wait"),
    ],
)
def test_tensor_memory(first: str, wait: str, last: str, code: str) -> None:
    assert codes(f"{TENSOR}{first}\n{last}\nret;", "sm_100a") == [code]
    assert codes(f"{TENSOR}{first}\n{wait}\n{last}\nret;", "sm_100a") == []


def test_other_tensor_memory() -> None:
    other = STORE_TENSOR.replace("[%r1]", "[%r2]")
    assert codes(f"{TENSOR}add.u32 %r2, %r1, 8;\n{LOAD}\n{other}\nret;", "sm_100a") == []
    moved = f"{TENSOR}{LOAD}\nadd.u32 %r1, %r1, 8;\n{STORE_TENSOR}\nret;"
    assert codes(moved, "sm_100a") == []  # the register has another value


def test_a_result_that_is_read_is_there() -> None:
    """A true dependence through registers orders a load (9.7.16.6.4)."""
    assert codes(f"{TENSOR}{LOAD}\nadd.u32 %r4, %r3, 1;\nret;", "sm_100a") == []


COPY = "cp.async.ca.shared.global [buffer], [%rd2], 16;"
READ = "ld.shared.u32 %r1, [buffer];"


@pytest.mark.parametrize(
    "wait",
    [
        "cp.async.commit_group;\ncp.async.wait_group 0;",
        "cp.async.wait_all;",
        "cp.async.mbarrier.arrive.shared.b64 [bar];",
    ],
)
def test_copies(wait: str) -> None:
    assert codes(f"{LOADED}{COPY}\nbar.sync 0;\n{READ}\nret;") == ["copy-wait"]
    assert codes(f"{LOADED}{COPY}\ncp.async.commit_group;\nbar.sync 0;\n{READ}\nret;") == ["copy-wait"]
    assert codes(f"{LOADED}{COPY}\n{wait}\nbar.sync 0;\n{READ}\nret;") == []


def test_pipeline_of_copies() -> None:
    """The next copy is begun before the data of the last is read: the loop waits."""
    loop = (
        f"{LOADED}{COPY}\ncp.async.commit_group;\nmov.u32 %r2, 0;\nL:\ncp.async.wait_group 0;\nbar.sync 0;\n{COPY}\n"
        f"cp.async.commit_group;\n{READ}\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra L;\nret;"
    )
    assert codes(loop) == []
