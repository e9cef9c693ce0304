"""`ptxgen.requires`: the lowest version, the targets, and what asks for them. Numbers are the manual's."""

from __future__ import annotations

from typing import Any

import pytest

import ptxgen
from ptxgen import Module, sreg
from ptxgen.check.lowest import Uses, spans
from ptxgen.isa import versions


def module(target: str, body: Any, **directives: Any) -> Module:
    made = Module(target)
    made.entry(name="kernel", **directives)(lambda k: body(k))
    return made


def test_a_plain_module() -> None:
    found = ptxgen.requires(module("sm_70", lambda k: k.add.f32(1.0, 2.0)))
    assert (found.target, found.version) == ("sm_70", "6.0")  # sm_70 came with PTX 6.0
    assert found.reasons == (("6.0", "sm_70"),)
    assert found.toolkit == "9.0"
    assert found.driver == "384.81"
    assert found.targets["sm_90"] == "7.8"
    assert found.targets["sm_100a"] == "8.6"
    assert found.targets["sm_20"] == "2.3"  # .address_size came with PTX 2.3


def test_an_instruction_that_asks_for_more() -> None:
    found = ptxgen.requires(module("sm_90", lambda k: (k.elect.sync(-1), k.mov.u32(sreg.aggr_smem_size))))
    assert found.version == "8.1"
    assert found.reasons[:2] == (("8.1", "mov.u32"), ("8.0", "elect.sync"))
    assert ("7.8", "sm_90") in found.reasons
    assert "sm_89" not in found.targets
    assert found.targets["sm_90"] == "8.1"
    assert found.targets["sm_120"] == "8.7"
    assert (found.toolkit, found.driver) == ("12.1", "530.30.02")
    assert str(found).startswith("lowest .version for sm_90: 8.1, because of mov.u32 (PTX 8.1); elect.sync (PTX 8.0)")


def test_family_targets() -> None:
    """redux.sync.min.f32: sm_100a from 8.6 on, sm_100f and its family from 8.8 on (PTX ISA 9.7.13.12)."""
    found = ptxgen.requires(module("sm_100a", lambda k: k.redux.sync.min.f32(k.reg.f32(), -1)))
    assert found.version == "8.6"
    assert set(found.targets) == {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_107a", "sm_107f"}
    assert found.targets["sm_103a"] == "8.8"
    assert found.targets["sm_107f"] == "9.4"


def test_a_directive_that_asks_for_more() -> None:
    found = ptxgen.requires(module("sm_90", lambda k: k.ret(), reqntid=32, reqnctapercluster=2, blocksareclusters=True))
    assert found.version == "9.0"
    assert found.reasons[0] == ("9.0", ".blocksareclusters")
    assert set(found.targets) == {name for name in found.targets if ptxgen.isa.targets.target(name).number >= 90}


def test_removed_instructions_bound_the_version_from_above() -> None:
    """shfl without .sync is gone from sm_70 on with PTX 6.4 (PTX ISA 9.7.9.5)."""
    found = ptxgen.requires(module("sm_60", lambda k: k.shfl.bfly.b32(k.reg.b32(), 1, 31)))
    assert found.version == "5.0"
    assert found.targets["sm_70"] == "6.0"
    assert "sm_75" in found.targets  # 6.3
    assert "sm_80" not in found.targets  # 7.0


def test_what_only_the_manual_asks_for_counts() -> None:
    assert ptxgen.requires(module("sm_70", lambda k: k.nanosleep.u32(1))).version == "6.3"


@pytest.mark.parametrize(
    ("target", "text", "version", "why"),
    [
        ("sm_75", ".func a(); .func b() { ret; } .alias a, b;", "6.3", ""),
        ("sm_30", ".func a(); .func b() { ret; } .alias a, b;", "6.3", ".alias"),
        ("sm_30", '.file 1 "f", 1, 2', "3.2", "the time stamp of a .file"),
        ("sm_30", ".section .debug_info { .b8 -1 }", "7.5", "a negative number in a .section"),
        ("sm_30", ".section .debug_str { a: .b8 1 }", "7.2", "a label in a .section"),  # by the manual; ptxas 7.0
        ("sm_30", '.pragma "nounroll";', "3.0", ""),
        ("sm_20", '.pragma "nounroll";', "2.0", ""),
        ("sm_10", '.pragma "nounroll";', "2.0", ".pragma"),
    ],
)
def test_directives_that_ask_for_more(target: str, text: str, version: str, why: str) -> None:
    found = ptxgen.requires(f".version 9.0\n.target {target}\n{text}\n.entry k {{ ret; }}\n")
    assert found.version == version
    if why:
        assert (version, why) in found.reasons
        assert found.lines[why] == 3


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (".reg .u32 %r;\n.entry k { exit; }", (2, 3)),
        (".local .u32 x;\n.entry k { exit; }", (2, 3)),
        (".tex .u32 x;\n.entry k { exit; }", (1, 4)),
        (".entry k { .param .u32 p; exit; }", (1, 3)),
    ],
)
def test_what_a_version_no_longer_has_bounds_it_from_above(text: str, last: tuple[int, int]) -> None:
    module = ptxgen.parse(f".version 1.3\n.target sm_10\n{text}\n")
    found = ptxgen.requires(module)
    assert found.version == "1.0"
    allowed = [s for alternatives, _ in spans(Uses.of(module), "sm_10", True) for s in alternatives]
    assert all(last in span for span in allowed)
    later = next(version for version in versions.known() if version > last)
    assert not all(later in span for span in allowed)
    assert "sm_30" not in found.targets  # which came with PTX 3.0


def test_a_target_that_does_not_exist() -> None:
    with pytest.raises(ptxgen.Unavailable, match=r"no target is called 'sm_91'; there is sm_10, .*") as caught:
        ptxgen.requires(".version 9.0\n.target sm_91\n.entry k { ret; }\n")
    (found,) = caught.value.diagnostics
    assert (found.code, found.have) == ("header", "sm_91")


def test_what_other_targets_lack() -> None:
    found = ptxgen.requires(".version 9.0\n.target sm_90\n.entry k { .reg .pred %p; elect.sync _|%p, -1; ret; }\n")
    assert not found.targets.keys() & found.lacking.keys()
    assert {*found.targets, *found.lacking} == {*ptxgen.isa.targets.names()}
    assert found.lacking["sm_89"] == "elect.sync"


def test_versions_that_do_not_meet() -> None:
    """A register of the module is gone from PTX 3.0 on, with which sm_30 came."""
    found = ptxgen.requires(".version 1.3\n.target sm_10\n.reg .u32 %r;\n.entry k { exit; }\n")
    assert found.lacking["sm_30"] == "a .reg of the module, which PTX 3.0 removed"
    assert "sm_21" in found.targets


def test_an_option_that_few_targets_have() -> None:
    found = ptxgen.requires(".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k { exit; }\n")
    assert [*found.targets] == ["sm_10", "sm_11", "sm_12"]
    assert found.lacking["sm_13"] == "map_f64_to_f32"
