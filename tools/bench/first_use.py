"""The first use of an instruction: its line of the table is decoded, and an opcode of it read."""

from __future__ import annotations

from time import process_time

from ptxgen.isa import opcodes
from ptxgen.isa.family import Family, decode, table
from tools.bench.row import Bound, Row

LIMIT = 0.005  # seconds
WHAT = "slowest first use of an instruction"


def rows(repeat: int) -> list[Row]:
    """The instruction whose first use takes longest."""
    seconds, name = max((measure(name, repeat), name) for name in table().mnemonics())
    return [Row(WHAT, seconds, seconds / LIMIT, f"{LIMIT * 1000:g} ms", Bound(1.0), name)]


def measure(mnemonic: str, repeat: int) -> float:
    """The least time in seconds, of this process alone: what else there is can only add to it."""
    text = table().text(mnemonic)
    times: list[float] = []
    for _ in range(repeat):
        start = process_time()
        _use(decode(text), mnemonic)
        times.append(process_time() - start)
    return min(times)


def _use(family: Family, mnemonic: str) -> None:
    line = family.lines_of(mnemonic)[0]
    tokens = tuple(modifier.tokens[0] for modifier in line.modifiers if not modifier.group)
    assert any(reading.line is line for reading in opcodes.readings(family, mnemonic, tokens))
