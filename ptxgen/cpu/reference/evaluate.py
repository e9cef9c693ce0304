"""Evaluate single instructions by the specification: the oracle for everything that executes them faster.

    d, a, b = (register(name, "f32") for name in "dab")
    evaluate("add.rz.f32", d, a, b, registers={"a": 0x3F800000, "b": 0x33800000})       # {"d": 0x3f800000}

    add = prepare("add.rz.f32", d, a, b)        # matched and compiled once
    add.run({"a": 0x3F800000, "b": 0x33800000})

Operands are those of the IR, or Python integers for constants; the match is the one that `ptxgen.check` finds.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from ptxgen.check.instruction import Verdict, verdict, within_limits
from ptxgen.cpu.reference.computation import Cluster, Computation, computation
from ptxgen.cpu.reference.interpreter import WarpContext
from ptxgen.cpu.reference.registers import Reader, Registers, Writer, reader, writer
from ptxgen.errors import IllegalInstruction, OperandError
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand
from ptxgen.isa.classes import plain
from ptxgen.isa.kinds import NO_OPTIONS
from ptxgen.isa.matching import Match

WARP = 32
ALL_LANES = (1 << WARP) - 1


def evaluate(
    opcode: str,
    *operands: Operand | int,
    registers: Registers | None = None,
    cluster: Cluster | None = None,
    options: frozenset[str] = NO_OPTIONS,
) -> dict[str, int]:
    """The bits of every register that the instruction writes, after it has run in one thread.

    `registers` holds the bits before: by the text of a register or special register; of a variable, the address; of
    `CC`, the carry flag (0 unless given), which is in the result if it is set. A register wider than the type is
    cut, or extended, as PTX ISA 9.4.1 says. `cluster` maps a shared-memory address and the rank of a CTA to the
    address there. `options` are those of the entry, such as "texmode_independent".

    `IllegalInstruction` or `OperandError` where `ptxgen.check` finds an error, `Unmodelled` where the specification has
    no semantics, `SemanticsError` where an instruction that looks into other lanes runs without a warp.
    """
    return prepare(opcode, *operands, options=options).run(registers or {}, cluster=cluster)


def evaluate_warp(
    opcode: str,
    *operands: Operand | int,
    lanes: Sequence[Registers],
    active: int = ALL_LANES,
    cluster: Cluster | None = None,
    options: frozenset[str] = NO_OPTIONS,
) -> list[dict[str, int]]:
    """The same for a warp: `lanes` holds the registers of the 32 threads; inactive ones write nothing."""
    return prepare(opcode, *operands, options=options).run_warp(lanes, active, cluster)


def prepare(opcode: str, *operands: Operand | int, options: frozenset[str] = NO_OPTIONS) -> Statement:
    """The instruction ready to run, for use with many values."""
    given = tuple(ir.integer(each) if isinstance(each, int) else each for each in operands)
    found = verdict(opcode, tuple(plain(each.cls) for each in given), options)
    for match in found.legal:
        if not match.limits or within_limits(match, given):
            return Statement(_computation(match), given)
    raise _refusal(found, given)


@define(eq=False)
class Statement:
    """A legal instruction with its operands, ready to run any number of times."""

    computation: Computation
    operands: tuple[Operand, ...]
    _readers: tuple[tuple[str, Reader], ...] = field(init=False, repr=False)
    _writers: tuple[tuple[str, Writer], ...] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        found = self.computation
        self._readers = tuple((p.name, reader(p.find(self.operands), p.type, p.count)) for p in found.sources)
        self._writers = tuple((p.name, writer(p.find(self.operands), p.type, p.count)) for p in found.destinations)

    def run(
        self, registers: Registers, warp: WarpContext | None = None, cluster: Cluster | None = None
    ) -> dict[str, int]:
        """The bits of the registers that it writes, as `evaluate` says."""
        bits = {name: read(registers) for name, read in self._readers}
        results = self.computation.run(bits, registers.get("CC", 0), warp, cluster)
        written: dict[str, int] = {}
        for name, write in self._writers:
            write(written, results[name])
        carry = results.get("CC")
        if isinstance(carry, int):
            written["CC"] = carry
        return written

    def run_warp(
        self, lanes: Sequence[Registers], active: int = ALL_LANES, cluster: Cluster | None = None
    ) -> list[dict[str, int]]:
        """The bits of the registers that each lane writes, as `evaluate_warp` says."""
        if len(lanes) != WARP:
            raise ValueError(f"a warp has {WARP} lanes, not {len(lanes)}")
        wanted = self.computation.program.peers
        peers = {
            name: [read(lane) if active >> at & 1 else 0 for at, lane in enumerate(lanes)]
            for name, read in self._readers
            if name in wanted
        }
        return [
            self.run(lane, WarpContext(at, active, peers), cluster) if active >> at & 1 else {}
            for at, lane in enumerate(lanes)
        ]


_computations: dict[Match, Computation] = {}


def _computation(match: Match) -> Computation:
    found = _computations.get(match)
    if found is None:
        found = _computations[match] = computation(match)
    return found


def _refusal(found: Verdict, operands: tuple[Operand, ...]) -> IllegalInstruction | OperandError:
    from ptxgen.check import explain

    if found.legal:
        return OperandError(explain.value(found.legal, operands, found.opcode).message)
    error = OperandError if found.readings and not found.matches else IllegalInstruction
    return error(explain.illegal(found).message)
