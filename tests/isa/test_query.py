"""`ptxgen.isa[...]`: what the specification says of an instruction."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ptxgen
from ptxgen import IllegalInstruction
from ptxgen.isa.query import listing, of_opcode


def test_a_form_has_the_syntax_and_all_that_is_said_about_it() -> None:
    (form,) = ptxgen.isa["mul24"].forms
    assert form.syntax == "mul24.mode.type d, a, b"
    assert form.modifiers == ((".hi", ".lo"), (".u32", ".s32"))
    assert form.operands == ("d", "a", "b")
    assert ("mul24", {"": "1.0"}) in form.since


def test_what_ptxas_took_away_and_what_only_the_manual_asks_for() -> None:
    old = next(form for form in ptxgen.isa["shfl"].forms if ".sync" not in form.syntax)
    assert old.removed == (("shfl", {"sm_70": "6.4"}),)
    assert old.deprecated == (("shfl", {"": "6.0"}),)
    assert any(needs == {"": "6.3"} or "6.3" in needs.values() for _, needs in ptxgen.isa["nanosleep"].forms[0].ungated)


def test_operands_and_sets() -> None:
    (form,) = ptxgen.isa["bfi"].forms
    assert form.sets == {".type": (".b32", ".b64")}
    assert form.kinds == {
        "f": "out .type", "a": ".type", "b": ".type", "c": ".u32 or constant 0..255", "d": ".u32 or constant 0..255",
    }  # fmt: skip


def test_rows_that_cannot_matter_to_a_line_are_not_its_own() -> None:
    plain, saturating = (form for form in ptxgen.isa["add"].forms if form.section == "9.7.1.1  Integer")
    assert [condition for condition, _ in plain.since] == ["add"]
    assert ".sat.{u32, u16x2, s16x2}" in dict(saturating.since)


def test_on_a_target_in_a_version() -> None:
    redux = ptxgen.isa["redux"]
    assert [form.syntax.split()[0] for form in redux.on("sm_80").forms] == ["redux.sync.op.type", "redux.sync.op.b32"]
    assert len(redux.on("sm_100a").forms) == len(redux.on().forms) == len(redux.forms) == 3
    assert redux.on("sm_75").forms == redux.on("sm_80", "6.5").forms == redux.on(version="6.5").forms == ()
    narrow = next(form for form in ptxgen.isa["cvt"].on("sm_90").forms if ".f8x2type.f32" in form.syntax)
    assert narrow.sets == {".frnd2": (".rn",), ".f8x2type": (".e4m3x2", ".e5m2x2")}
    assert narrow.left_out == (".pzo", ".scaled::n1::ue8m0", "scale-factor")
    assert narrow.since == ((".{e4m3x2, e5m2x2}", {"sm_90": "7.8", "sm_89": "8.1"}),)


@pytest.mark.parametrize(
    ("target", "version", "message"),
    [
        ("sm_42", None, "no target is called 'sm_42'"),
        (None, "8.15", "there is no PTX ISA version 8.15"),
        ("sm_90", "new", "'new' is no PTX ISA version"),
    ],
)
def test_no_such_place(target: str | None, version: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ptxgen.isa["bfi"].on(target, version)


def test_where_an_instruction_is_there() -> None:
    assert ptxgen.isa["elect.sync"].needs() == {"sm_90": "8.0"}
    assert ptxgen.isa["bfi"].needs() == {"sm_20": "2.0"}
    assert ptxgen.isa["add"].needs() == {"": "1.0"}
    assert ptxgen.isa["shfl"].available()["sm_80"] == "7.0"
    (form,) = ptxgen.isa["elect.sync"].forms
    assert form.available() == ptxgen.isa["elect.sync"].available()
    assert "sm_89" not in form.available()


def test_what_serves_instead() -> None:
    assert ptxgen.isa["redux"].instead("sm_120") == ()  # it has the integers
    assert ptxgen.isa["redux"].instead("sm_75") == (("redux.sync", "a loop of shfl.sync"),)
    assert ptxgen.isa["redux"].instead("sm_20") == ()  # no shfl.sync either
    assert dict(ptxgen.isa["add"].instead("sm_90"))[".f32x2"] == "add.f32 for each half"
    assert dict(ptxgen.isa["fence"].instead("sm_80")) == {".{acquire, release}": "fence.acq_rel"}
    assert ptxgen.isa["add"].forms[0].instead == ()


def test_one_opcode() -> None:
    found = of_opcode("mad.wide.u32")
    assert found is not None
    (form,) = found.forms
    assert form.kinds == {"d": "out .u64", "a": ".u32", "b": ".u32", "c": ".u64"}
    assert (found.mnemonic, found.needs()) == ("mad", {"": "1.0"})
    assert of_opcode("mad.wide.q32") is None
    beyond = of_opcode("add.ftz.f16x2.f32x2.f32x2")  # only ptxas takes it
    assert beyond is None


def test_the_list() -> None:
    everywhere = {one.mnemonic: one for one in listing()}
    assert list(everywhere) == list(ptxgen.isa)
    assert (everywhere["bfi"].version, everywhere["bfi"].needs) == ("2.0", {"sm_20": "2.0"})
    there = {one.mnemonic: one.version for one in listing("sm_90", "7.8")}
    assert there["mapa"] == "7.8"
    assert "elect.sync" not in there
    assert {one.mnemonic: one.version for one in listing("sm_90")}["bfi"] == "7.8"  # the target is no older


def test_a_name_that_is_no_mnemonic() -> None:
    assert "nope" not in ptxgen.isa
    with pytest.raises(IllegalInstruction, match="the specification has no instruction called 'nope'") as caught:
        ptxgen.isa["nope"]
    assert isinstance(caught.value, KeyError)


def test_the_star_brings_the_public_names() -> None:
    code = "from ptxgen import *; print(Module.__name__, u32.__name__, sreg.tid.x.text, OperandError.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Module", "u32", "%tid.x", "OperandError"]
