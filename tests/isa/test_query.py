"""`ptxgen.isa[...]`: what the specification says of an instruction."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ptxgen
from ptxgen import IllegalInstruction


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


def test_a_name_that_is_no_mnemonic() -> None:
    assert "nope" not in ptxgen.isa
    with pytest.raises(IllegalInstruction, match="the specification has no instruction called 'nope'") as caught:
        ptxgen.isa["nope"]
    assert isinstance(caught.value, KeyError)


def test_the_star_brings_the_public_names() -> None:
    code = "from ptxgen import *; print(Module.__name__, u32.__name__, sreg.tid.x.text, OperandError.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Module", "u32", "%tid.x", "OperandError"]
