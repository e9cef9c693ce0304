"""Targets and versions: which module has what, and what a refusal says. Numbers are the manual's (PTX ISA 9.1, 13)."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen import Module, Unavailable
from ptxgen.check.describe import move
from ptxgen.isa.availability import Span
from tests.build.kernels import building, refused, written

FAMILY = "code for sm_{0}f runs on sm_{0} and later architectures of its family only"

HAVE: list[tuple[str, str, Any]] = [
    ("sm_90", "8.0", lambda k: k.elect.sync(-1)),
    ("sm_89", "8.1", lambda k: k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0)),
    ("sm_90", "7.8", lambda k: k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0)),
    ("sm_80", "7.0", lambda k: k.redux.sync.add.u32(k.reg.u32(), -1)),
    ("sm_100a", "8.6", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1)),
    ("sm_100f", "8.8", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1)),
    ("sm_103f", "8.8", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1)),
    ("sm_103a", "8.8", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1)),
    ("sm_100", "8.6", lambda k: k.add.rn.f32x2(k.reg.b64(), k.reg.b64())),
    ("sm_50", "4.3", lambda k: k.lop3.b32(k.reg.b32(), 1, 2, 3)),
    ("sm_70", "7.6", lambda k: k.szext.clamp.u32(k.reg.u32(), 5)),
    ("sm_61", "5.0", lambda k: k.dp4a.u32.u32(k.reg.b32(), 1, 2)),
    ("sm_32", "4.0", lambda k: k.shf.l.wrap.b32(k.reg.b32(), 1, 2)),
    ("sm_60", "6.2", lambda k: k.shfl.bfly.b32(k.reg.b32(), 1, 31)),
    ("sm_70", "6.3", lambda k: k.shfl.bfly.b32(k.reg.b32(), 1, 31)),
    ("sm_90", "7.8", lambda k: k.mapa.u64(k.reg.u64(), 1)),
]

LACK: list[tuple[str, str | None, Any, tuple[str, ...]]] = [
    # the version is too old
    (
        "sm_90",
        "7.8",
        lambda k: k.elect.sync(-1),
        ("elect.sync needs sm_90 with PTX 8.0; the module has sm_90 and PTX 7.8; set .version 8.0",),
    ),
    ("sm_70", "7.5", lambda k: k.szext.clamp.u32(k.reg.u32(), 5), ("needs sm_70 with PTX 7.6", "set .version 7.6")),
    ("sm_50", "4.2", lambda k: k.lop3.b32(k.reg.b32(), 1, 2, 3), ("needs sm_50 with PTX 4.3", "set .version 4.3")),
    # the target is too old
    (
        "sm_75",
        None,
        lambda k: k.redux.sync.add.u32(k.reg.u32(), -1),
        ("redux.sync.add.u32 needs sm_80 with PTX 7.0", "set .target sm_80"),
    ),
    ("sm_80", "8.0", lambda k: k.mapa.u64(k.reg.u64(), 1), ("needs sm_90 with PTX 7.8", "set .target sm_90")),
    ("sm_80", "7.0", lambda k: k.mapa.u64(k.reg.u64(), 1), ("set .target sm_90 and .version 7.8",)),
    # alternatives
    (
        "sm_80",
        "8.3",
        lambda k: k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0),
        ("needs sm_89 with PTX 8.1 or sm_90 with PTX 7.8; the module has sm_80 and PTX 8.3; set .target sm_89",),
    ),
    ("sm_89", "8.0", lambda k: k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0), ("set .version 8.1",)),
    # plain, `a` and `f` targets
    (
        "sm_100",
        None,
        lambda k: k.redux.sync.min.f32(k.reg.f32(), -1),
        ("redux.sync.min.f32 needs ", "sm_100a with PTX 8.6", "sm_100f with PTX 8.8", "set .target sm_100f"),
    ),
    ("sm_90a", None, lambda k: k.redux.sync.min.f32(k.reg.f32(), -1), ("sm_100a with PTX 8.6",)),
    ("sm_120a", None, lambda k: k.redux.sync.min.f32(k.reg.f32(), -1), ("sm_100a with PTX 8.6",)),
    # removed
    (
        "sm_70",
        "6.4",
        lambda k: k.shfl.bfly.b32(k.reg.b32(), 1, 31),
        (
            "shfl.bfly.b32 was removed for sm_70 after PTX 6.3; the module has PTX 6.4; set .version 6.3, or",
        ),
    ),
    (
        "sm_80",
        None,
        lambda k: k.vote.all.pred(k.reg.pred()),
        ("vote.all.pred was removed for sm_80 after PTX 6.3",),
    ),
    # special registers
    ("sm_80", "8.0", lambda k: k.mov.u32(_sreg("cluster_ctarank")), ("mov.u32 needs sm_90 with PTX 7.8",)),
    ("sm_90", "8.0", lambda k: k.mov.u32(_sreg("aggr_smem_size")), ("needs sm_90 with PTX 8.1",)),
]


def _sreg(name: str) -> Any:
    from ptxgen import sreg

    return getattr(sreg, name)


@pytest.mark.parametrize(
    ("target", "version", "call", "text"),
    [
        ("sm_10", "1.4", lambda k, a: k.ld.const[0].u32([a]), "ld.const[0].u32 %r1, [%r0];"),
        ("sm_13", "1.5", lambda k, a: k.ld.const_10_.u32([a + 4]), "ld.const[10].u32 %r1, [%r0+4];"),
        ("sm_20", "2.1", lambda k, a: k.ld["const[2]"].ca.u32([a]), "ld.const[2].ca.u32 %r1, [%r0];"),
        ("sm_20", "2.0", lambda k, a: k["ld.u32.const[2]"]([a]), "ld.const[2].u32 %r1, [%r0];"),
    ],
)
def test_constant_banks(target: str, version: str, call: Any, text: str) -> None:
    assert written(lambda k: call(k, k.reg.u32()), target, version, address_size=0) == [text]


@pytest.mark.parametrize(
    ("target", "version", "said"),
    [
        ("sm_10", "1.4", ("ld.const[3].u32 needs PTX 1.5", "set .version 1.5")),
        ("sm_20", "2.2", ("ld.const[3].u32 was removed for sm_20 after PTX 2.1", "set .version 2.1")),
        ("sm_90", "8.0", ("ld.const[3].u32 was removed for sm_90",)),
    ],
)
def test_constant_banks_came_and_went(target: str, version: str, said: tuple[str, ...]) -> None:
    k = building(Module(target, version, address_size=0))
    a = k.reg.u32()
    with refused(Unavailable, *said, k=k):
        k.ld.const[3].u32([a])


@pytest.mark.parametrize(("target", "version", "call"), HAVE)
def test_have(target: str, version: str, call: Any) -> None:
    k = building(Module(target, version))
    call(k)
    assert len(k.function.body) == 1


@pytest.mark.parametrize(("target", "version", "call", "fragments"), LACK)
def test_lack(target: str, version: str | None, call: Any, fragments: tuple[str, ...]) -> None:
    k = building(Module(target, version))
    with refused(Unavailable, *fragments, k=k) as caught:
        call(k)
    (found,) = caught.value.diagnostics
    assert found.have == (f"{target} and PTX {version}" if version else target)
    assert found.need
    assert found.hint


RS = "cvt.rs.f16x2.f32"  # sm_100a and sm_103a
FP6 = "cvt.rn.satfinite.e3m2x2.f32"  # the families of sm_100f, sm_110f and sm_120f, too


@pytest.mark.parametrize(
    ("opcode", "target", "version", "hint"),
    [
        (RS, "sm_100", "8.6", "set .target sm_100a and .version 8.7; code for sm_100a runs on sm_100 only"),
        (RS, "sm_103f", None, "set .target sm_103a; code for sm_103a runs on sm_103 only"),  # the same number
        (RS, "sm_120", None, "set .target sm_100a; code for sm_100a runs on sm_100 only"),  # no such family: the lowest
        (RS, "sm_75", None, "set .target sm_100a; code for sm_100a runs on sm_100 only"),
        (FP6, "sm_121", None, f"set .target sm_121f; {FAMILY.format('121')}"),
        (FP6, "sm_101", None, f"set .target sm_110f; {FAMILY.format('110')}"),  # its present name
        (FP6, "sm_101", "8.8", f"set .target sm_110f and .version 9.0; {FAMILY.format('110')}"),
        ("brev.b32", "sm_13", None, "set .target sm_20"),
    ],
)
def test_the_nearest_target(opcode: str, target: str, version: str | None, hint: str) -> None:
    k = building(Module(target, version))
    values = {RS: (1.0, 2.0, k.reg.b32()), FP6: (1.0, 2.0)}.get(opcode, (1,))
    with refused(Unavailable, k=k) as caught:
        k[opcode](*values)
    assert caught.value.diagnostics[0].hint == hint


@pytest.mark.parametrize(
    ("target", "call", "hint"),
    [
        # no code for an architecture below runs there
        ("sm_120", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1), "on sm_120 a loop of shfl.sync serves instead"),
        (
            "sm_100",
            lambda k: k.redux.sync.min.f32(k.reg.f32(), -1),
            f"set .target sm_100f; {FAMILY.format('100')}; on sm_100 a loop of shfl.sync serves instead",
        ),
        (
            "sm_75",
            lambda k: k.redux.sync.add.u32(k.reg.u32(), -1),
            "set .target sm_80; on sm_75 a loop of shfl.sync serves instead",
        ),
        ("sm_20", lambda k: k.redux.sync.add.u32(k.reg.u32(), -1), "set .target sm_80"),  # no shfl.sync either
        ("sm_35", lambda k: k.lop3.b32(1, 2, 3, 4), "set .target sm_50; on sm_35 and, or, xor and not serves instead"),
        ("sm_35", lambda k: k.lop3.or_.b32(1, 2, 3, 4, k.reg.pred()), "set .target sm_70"),
        # a row for all, and one for those that have something nearer
        ("sm_60", lambda k: k.fence.acquire.gpu(), "set .target sm_90; on sm_60 membar serves instead"),
        ("sm_80", lambda k: k.fence.acquire.gpu(), "set .target sm_90; on sm_80 fence.acq_rel serves instead"),
        # the modifiers decide
        ("sm_90", lambda k: k.add.f32x2(k.reg.b64(), k.reg.b64()),
         "set .target sm_100; on sm_90 add.f32 for each half serves instead"),
        ("sm_80", lambda k: k.max.relu.s32(k.reg.s32(), 1),
         "set .target sm_90; on sm_80 max and max with 0 serves instead"),
    ],
)  # fmt: skip
def test_what_serves_instead(target: str, call: Any, hint: str) -> None:
    k = building(Module(target))
    with refused(Unavailable, k=k) as caught:
        call(k)
    assert caught.value.diagnostics[0].hint == hint


def test_advice_about_an_architecture_alone() -> None:
    span = Span((8, 6))
    assert move([{"sm_100a": span}], "sm_100", (9, 0)) == "set .target sm_100a; code for sm_100a runs on sm_100 only"
    assert move([{"sm_90": span}, {"sm_100a": span, "sm_103a": span}], "sm_103", (8, 5)) == (
        "set .target sm_103a and .version 8.6; code for sm_103a runs on sm_103 only"
    )
    assert move([{}], "sm_100", (9, 0)) == ""


def test_a_renamed_target_goes_by_its_present_name() -> None:
    k = building(Module("sm_90"))
    with refused(Unavailable, "sm_110f with PTX 9.0", k=k) as caught:
        k[FP6](1.0, 2.0)
    assert "sm_101" not in str(caught.value)


def test_types_are_asked_for_when_an_instruction_is_built() -> None:
    """.f16x2 is from PTX 4.2 on, for sm_53 and later: an attribute is no use of it."""
    k = building(Module("sm_20", "4.0"))
    assert hasattr(k.add, "f16x2")
    add = k.add.f16x2
    with refused(Unavailable, ".f16x2 needs sm_53 with PTX 4.2; the module has sm_20 and PTX 4.0", k=k):
        add(k.reg.b32(), k.reg.b32())
    k = building(Module("sm_20"))  # any version will do, so the message names none
    with refused(Unavailable, ".f16x2 needs sm_53 with PTX 4.2; the module has sm_20", k=k) as caught:
        k.add.f16x2(k.reg.b32(), k.reg.b32())
    assert caught.value.diagnostics[0].have == "sm_20"


def test_what_only_the_manual_asks_of_a_special_register() -> None:
    """ptxas has %envreg0 from the start, the manual from PTX 2.1 on (10.27)."""
    k = building(Module("sm_20", "2.0", address_size=0))
    with refused(Unavailable, "mov.b32 needs PTX 2.1 by the manual, though ptxas accepts it", k=k):
        k.mov.b32(_sreg("envreg0"))
    building(Module("sm_20", "2.0", address_size=0, strict=False)).mov.b32(_sreg("envreg0"))
    building(Module("sm_20", "2.1", address_size=0)).mov.b32(_sreg("envreg0"))


def test_what_only_the_manual_asks_for() -> None:
    """ptxas takes nanosleep from PTX 6.2 on, the manual has it from 6.3 on (9.7.19.2)."""
    k = building(Module("sm_70", "6.2"))
    with refused(Unavailable, "nanosleep.u32 needs sm_70 with PTX 6.3 by the manual, though ptxas accepts it", k=k):
        k.nanosleep.u32(100)
    building(Module("sm_70", "6.2", strict=False)).nanosleep.u32(100)
    building(Module("sm_70", "6.3")).nanosleep.u32(100)


def test_choices_are_the_ways() -> None:
    k = building(Module("sm_80", "8.3"))
    with refused(Unavailable, k=k) as caught:
        k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0)
    assert caught.value.diagnostics[0].choices == ("sm_89 with PTX 8.1", "sm_90 with PTX 7.8")


# ---- version=None: the lowest version that supports all that is used

LOWEST: list[tuple[str, Any, str]] = [
    ("sm_90", lambda k: k.add.f32(1.0, 2.0), "7.8"),  # sm_90 came with 7.8
    ("sm_90a", lambda k: k.add.f32(1.0, 2.0), "8.0"),  # sm_90a with 8.0
    ("sm_100", lambda k: k.add.f32(1.0, 2.0), "8.6"),
    ("sm_100f", lambda k: k.add.f32(1.0, 2.0), "8.8"),
    ("sm_120", lambda k: k.add.f32(1.0, 2.0), "8.7"),
    ("sm_50", lambda k: k.add.f32(1.0, 2.0), "4.0"),
    ("sm_90", lambda k: k.elect.sync(-1), "8.0"),  # 9.7.13.15
    ("sm_50", lambda k: k.lop3.b32(k.reg.b32(), 1, 2, 3), "4.3"),  # 9.7.8.6
    ("sm_50", lambda k: k.fns.b32(-1, 0, 1), "6.0"),  # 9.7.1.17
    ("sm_70", lambda k: k.nanosleep.u32(100), "6.3"),  # 9.7.19.2
    ("sm_70", lambda k: k.bmsk.clamp.b32(1, 2), "7.6"),  # 9.7.1.20
    ("sm_75", lambda k: k.tanh.approx.f32(1.0), "7.0"),  # 9.7.3.23
    ("sm_70", lambda k: k.activemask.b32(), "6.2"),  # 9.7.13.9
    ("sm_89", lambda k: k.cvt.rn.satfinite.e4m3x2.f32(1.0, 2.0), "8.1"),
    ("sm_70", lambda k: k.isspacep.param(k.reg.u64()), "7.7"),  # 9.7.9.18
    ("sm_90", lambda k: k.pragma("frequency 10"), "9.0"),  # 12.4
    ("sm_90", lambda k: k.shared.b128("q"), "8.3"),  # 5.2.1
    ("sm_90", lambda k: k.reg.b128(), "8.3"),
    ("sm_50", lambda k: k.branchtargets("t", _placed(k)), "6.0"),
    ("sm_90", lambda k: k.mov.u32(_sreg("aggr_smem_size")), "8.1"),  # 10.31
    ("sm_90", lambda k: (k.elect.sync(-1), k.isspacep.param(k.reg.u64()), k.mov.u32(_sreg("aggr_smem_size"))), "8.1"),
]


def _placed(k: Any) -> Any:
    label = k.label("x")
    k.place(label)
    return label


@pytest.mark.parametrize(("target", "body", "version"), LOWEST)
def test_lowest_version(target: str, body: Any, version: str) -> None:
    module = Module(target)
    module.entry(lambda k: body(k), name="kernel")
    assert module.ptx().startswith(f".version {version}\n.target {target}\n")


def test_a_version_that_is_given_stays() -> None:
    module = Module("sm_90", "8.5")
    module.entry(lambda k: k.ret(), name="kernel")
    assert module.ptx().startswith(".version 8.5\n")


def test_lowest_version_of_declarations() -> None:
    from typing import Annotated

    from ptxgen import Builder, Param, array, b8

    def kernel(k: Builder, x: Annotated[Param[b8], array(4353)]) -> None:
        k.ret()

    module = Module("sm_70")
    module.entry(kernel)
    assert module.ptx().startswith(".version 8.1\n")  # more than 4352 bytes of parameters
    with refused(Unavailable, "4353 bytes of parameters needs sm_70 with PTX 8.1; the module has sm_60"):
        Module("sm_60").entry(kernel)
    module = Module("sm_50")
    module.global_.u32("x", linkage="common")
    assert module.ptx().startswith(".version 5.0\n")
