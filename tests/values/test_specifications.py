"""Every value example of the specification comes out as it says; what is modelled, and what is not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from ptxgen.cpu.reference import SemanticsError, Unmodelled, evaluate, prepare
from ptxgen.cpu.reference.evaluate import WARP, Statement
from ptxgen.errors import IllegalInstruction, OperandError, PtxError
from ptxgen.ir.operands import register
from ptxgen.isa.family import Block, Line, table
from ptxgen.isa.semantics import text_of
from ptxgen.parse.statement import parse_statement
from tests.values.statements import bits, describe, is_nan, statement, types
from tools.certify.statements import of_line
from tools.specification.environment import resolve
from tools.specification.family import Example, Family
from tools.specification.specification import ROOT, load_specification

FILES = sorted(path.stem for path in (ROOT / "instructions").glob("*.yaml"))


@cache
def families() -> dict[str, Family]:
    return {family.name: family for family in load_specification(audited=False).families}


@pytest.mark.parametrize("name", FILES)
def test_value_examples(name: str) -> None:
    family = families()[name]
    compiled = table().family(family.mnemonics[0])
    assert compiled
    faults = [
        f"{family.path}:{example.line}: {example.text} => {example.inputs} -> {example.outputs}\n    {fault}"
        for block, compiled_block in zip(family.blocks, compiled.blocks, strict=True)
        for example in block.examples
        if example.outputs and (fault := wrong(example, compiled_block))
    ]
    assert not faults, "\n".join(faults)


def wrong(example: Example, block: Block) -> str:
    """What is wrong with a value example, "" if nothing."""
    try:
        run = statement(example.text, example.options)
        if run.computation.match.reading.line.block is not block:
            return f"it is evaluated by the block {run.computation.match.reading.line.block.section!r}"
        after = outcome(run, assignments(example.inputs))
    except (PtxError, ValueError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
    kinds = types(run)
    for name, want in assignments(example.outputs).items():
        if name not in after:
            return f"{name} is not written"
        value = kinds[name].decode(after[name]) if kinds[name].lanes == 1 else None
        right = value != value if is_nan(want) else after[name] == bits(want, kinds[name])
        if not right:
            return f"{name} is {describe(after[name], kinds[name])}, not {want}"
    return ""


def assignments(text: str) -> dict[str, str]:
    pairs = [part.split("=") for part in text.split(",") if part.strip()]
    return {name.strip(): value.strip() for name, value in pairs}


def outcome(run: Statement, inputs: dict[str, str]) -> dict[str, int]:
    """The registers that are written, in a warp whose lanes all have the same ones; `laneid` is among the inputs."""
    lane = int(inputs.pop("laneid", "0"), 0)
    kinds = types(run)
    registers = {name: bits(value, kinds[name]) for name, value in inputs.items()}
    return run.run_warp([registers] * WARP)[lane]


# ---- what is modelled


def lines() -> dict[tuple[str, str], Line]:
    """Family and section -> a line of each block."""
    found = (table().family(mnemonic) for mnemonic in table().mnemonics())
    return {(f.name, block.section): block.lines[0] for f in found if f is not None for block in f.blocks}


#: What computes a result and has no semantics, and why.
UNMODELLED = {
    # how a NaN that says "out of bounds" is coded is not published
    ("fma", "9.7.4.4  Half precision, out of bounds"),
    # how c is rounded to the other half format is not said
    ("mul", "9.7.5.4  Mixed precision, both half formats (numbered as in PTX ISA 9.4)"),
    # where the windows of the state spaces lie in the generic address space, the machine knows
    ("cvta", "9.7.9.20  To generic"),
    ("cvta", "9.7.9.20  From generic"),
    ("isspacep", "9.7.9.19"),
    ("getctarank", "9.7.9.24"),
    # what an address belongs to, too
    ("istypep", "9.7.10.6"),
    # the stack pointer is no operand
    ("alloca", "9.7.17.3"),
    # the state of an mbarrier, a cache policy, the response of a cancellation: opaque
    ("mbarrier.pending_count", "9.7.13.15.17"),
    ("createpolicy", "9.7.9.18"),
    ("clusterlaunchcontrol.query_cancel", "9.7.13.18"),
    # which of equal elements it chooses is left open
    ("spcompress", "9.7.10.30"),
    ("stacksave", "9.7.17.1"),
}
# Fragments are spread over a warp; the order of sums and their rounding are left open.
MATRICES = ("mma", "mma.sp", "wmma.mma")


def test_what_computes_a_result_has_semantics() -> None:
    unmodelled = {key for key, line in lines().items() if not text_of(line) and computes(line)}
    assert {key for key in unmodelled if key[0] not in MATRICES} == UNMODELLED
    assert {key[0] for key in unmodelled if key[0] in MATRICES} == set(MATRICES)


def computes(line: Line) -> bool:
    """Whether an instruction has a destination, and touches no memory and does not jump."""
    writes = any(k.get("access") for choices in line.block.kinds.values() for _, k in choices)
    return writes and not line.block.traits & {"reads-memory", "writes-memory", "async", "terminator"}


def test_how_much_is_modelled() -> None:
    assert sum(bool(text_of(line)) for line in lines().values()) >= 126


@pytest.mark.parametrize("path", sorted((ROOT / "instructions").glob("*.yaml")), ids=lambda p: p.stem)
def test_what_is_unmodelled_says_why(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").split("\n"):
        assert not re.search(r"semantics: *unmodelled\s*$", line), "a comment behind `unmodelled` gives the reason"


def test_every_line_can_be_evaluated() -> None:
    """Whatever the modifiers, no text meets a name without a value or assigns what the destination cannot hold."""
    random = Random(1)
    faults: list[str] = []
    for line in (line for first in lines().values() if text_of(first) for line in first.block.lines):
        for each in of_line(line.family, line, 6, random):
            parsed = parse_statement(each.text, resolve)
            try:
                run = prepare(parsed.opcode, *parsed.operands)
            except (IllegalInstruction, OperandError):
                continue
            registers = {
                name: random.getrandbits(1 if kind.name == "pred" else 64) for name, kind in types(run).items()
            }
            try:
                run.run_warp([registers] * WARP, active=1, cluster=lambda address, rank: address + rank)
            except SemanticsError as error:
                faults.append(f"{each.text} {error}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("opcode", ["ld.global.u32", "atom.global.add.u32", "isspacep.global"])
def test_evaluating_what_is_not_modelled_is_refused_by_name(opcode: str) -> None:
    text = f"{opcode} d, {'[a], b' if opcode.startswith('atom') else '[a]' if opcode.startswith('ld') else 'a'};"
    with pytest.raises(Unmodelled, match=rf"{opcode} has no semantics: the specification leaves it unmodelled"):
        statement(text)


def test_looking_into_other_lanes_takes_a_warp() -> None:
    with pytest.raises(SemanticsError, match="no warp"):
        evaluate("activemask.b32", register("d", "b32"))
