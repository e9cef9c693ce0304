"""Where syntax lines have legal statements: held against what the specification calls legal, statement by statement."""

from __future__ import annotations

import pytest

from ptxgen.check.instruction import verdict
from ptxgen.isa import availability, targets, versions
from ptxgen.isa.classes import plain
from ptxgen.isa.family import Line, table
from ptxgen.isa.reach import reduced, since
from tools.specification.audit.examples import understand
from tools.specification.family import Family
from tools.specification.specification import load_specification

FAMILIES = load_specification(audited=False).families
PLACES = (("sm_107a", "9.5"), ("sm_90", "8.0"), ("sm_75", "6.3"), ("sm_20", "3.0"))


def lines(mnemonic: str) -> tuple[Line, ...]:
    family = table().family(mnemonic)
    assert family is not None
    return family.lines_of(mnemonic)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_legal_statement_has_its_tokens_in_the_reduced_line(family: Family) -> None:
    compiled = table().family(family.mnemonics[0])
    assert compiled is not None
    for example in (example for block in family.blocks for example in block.examples if example.legal):
        mnemonic = table().split(example.text.split()[example.text.startswith("@")].rstrip(";"))[0]
        for case in understand(example.text, compiled, mnemonic, frozenset(example.options)).cases:
            for match in case.matches:
                if match.broken:
                    continue
                for target, version in PLACES:
                    at = versions.parse(version)
                    spans = (availability.span(match, target), availability.span(match, target, "ungated"))
                    if not all(at in span for span in spans) or availability.special_registers(match):
                        continue
                    left = reduced(match.reading.line, mnemonic, [target], at)
                    assert left is not None, (example.text, target, version)
                    assert set(match.reading.tokens) <= {t for m in left.modifiers for t in m.tokens}, example.text


@pytest.mark.parametrize(
    ("mnemonic", "target", "version", "tokens"),
    [
        ("max", "sm_80", "9.5", {".u16", ".u32", ".u64", ".s16", ".s32", ".s64"}),  # neither .relu nor .u16x2
        ("max", "sm_120f", "9.2", {".u16", ".u32", ".u64", ".s16", ".s32", ".s64", ".relu", ".u16x2", ".s16x2", ".u8x4",
                                   ".s8x4"}),
        ("bfi", "sm_20", "2.0", {".b32", ".b64"}),
        ("bfi", "sm_20", "1.4", None),  # not in this version
        ("bfi", "sm_13", "9.5", None),  # not on this target
        ("shfl", "sm_70", "6.3", {".up", ".down", ".bfly", ".idx", ".b32"}),
        ("shfl", "sm_70", "6.4", None),  # removed
    ],
)  # fmt: skip
def test_tokens_of_the_first_section(mnemonic: str, target: str, version: str, tokens: set[str] | None) -> None:
    block = lines(mnemonic)[0].block
    found = [reduced(line, mnemonic, [target], versions.parse(version)) for line in block.lines]
    left = [line for line in found if line is not None]
    assert bool(left) is (tokens is not None)
    assert {token for line in left for modifier in line.modifiers for token in modifier.tokens} == (tokens or set())


def test_what_is_reduced_to_is_legal() -> None:
    """Every token that is left to a line of few modifiers stands in some legal opcode."""
    (line,) = lines("mul24")
    left = reduced(line, "mul24", ["sm_75"], (6, 3))
    assert left is not None
    assert [m.tokens for m in left.modifiers] == [(".hi", ".lo"), (".u32", ".s32")]


def test_an_optional_operand_goes_with_its_modifier() -> None:
    line = next(line for line in lines("ld") if "cache-policy" in line.text)
    for target, there in (("sm_75", False), ("sm_80", True)):
        left = reduced(line, "ld", [target], (9, 5))
        assert left is not None
        assert any(m.name == ".level::cache_hint" for m in left.modifiers) is there
        assert any(template.name == "cache-policy" for template in left.operands) is there


def test_since_when() -> None:
    assert since(lines("bfi"), "bfi", ["sm_13", "sm_20", "sm_90"]) == {"sm_20": (2, 0), "sm_90": (2, 0)}
    assert since(lines("bfi"), "bfi", ["sm_90"], (7, 7)) == {}  # the target itself is younger
    assert since(lines("shfl"), "shfl", ["sm_60", "sm_80"]) == {"sm_60": (3, 0), "sm_80": (6, 0)}
    narrow = [line for line in lines("cvt") if ".f8x2type.f32" in line.text]
    found = since(narrow, "cvt", ["sm_80", "sm_89", "sm_90", "sm_100"])
    assert found == {"sm_89": (8, 1), "sm_90": (7, 8), "sm_100": (7, 8)}


def test_since_when_there_are_statements_of_a_kind() -> None:
    tree = ["has", [".f32x2"]]
    assert since(lines("add"), "add", ["sm_90", "sm_100"], which=tree) == {"sm_100": (8, 6)}


def test_lines_that_the_manual_lacks_do_not_count() -> None:
    beyond = [line for line in lines("add") if line.beyond]
    assert beyond
    assert since(beyond, "add", targets.names()) == {}
    assert reduced(beyond[0], "add", targets.names(), versions.newest()) is None


def test_verdicts_agree_on_whole_opcodes() -> None:
    """What `since` says of the tokens of one opcode is what a verdict says of a statement of it."""
    from ptxgen.build.module import Module
    from tests.build.kernels import building

    k = building(Module("sm_100"))
    x = plain(k.reg.f32().cls)
    found = verdict("add.rp.f32", (x, x, x))
    spans = {target: span.first for target in ("sm_13", "sm_20", "sm_100") for _, span in found.spans(target)}
    assert spans["sm_13"] > versions.newest()
    line = next(line for line in lines("add") if line.text.startswith("add{.rnd}{.ftz}{.sat}.f32"))
    had = since([line], "add", ["sm_13", "sm_20", "sm_100"], which=["has", [".rp"]])
    assert had == {"sm_20": (1, 0), "sm_100": (1, 0)}
