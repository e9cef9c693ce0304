"""The versions and targets from which real opcodes assemble, as measured, against the specification."""

import json
import random
import re
from pathlib import Path

import pytest

from ptxgen.isa.family import table
from ptxgen.isa.opcodes import read
from tools.certify import statements as make
from tools.certify.expectation import legal

FLOORS = Path(__file__).parents[3] / "shared" / "cases" / "floors.jsonl"


OTHER_MNEMONICS = ("red.async", "st.async", "st.bulk")
"""Instructions of their own, whose first word is another instruction."""


def specified(opcode: str) -> bool:
    """Whether the specification has the opcode's mnemonic."""
    mnemonic, _ = table().split(opcode)
    own = next((name for name in OTHER_MNEMONICS if opcode.startswith(f"{name}.")), mnemonic)
    return bool(mnemonic) and mnemonic == own


def statements(opcode: str) -> list[str]:
    """The opcode with every choice of its optional operands, and with operands of other kinds."""
    plain = [statement for reading in read(opcode)[1] for statement in make.of_reading(reading, random.Random(1))]
    return [s.text for s in plain] + [step.text for s in plain for step in make.operand_steps(s)]


HANDLES = ("indirect texture access", "indirect surface access")
"""What was refused in rows whose measured module has its texture or surface in a register."""
DECLARED = "opaque type"
"""What was refused in a row that measures the declaration beside the statement: of the statement it says no floor."""


def disagreement(row: dict[str, str]) -> str:
    """What the specification says otherwise than the measurement; "" when it agrees."""
    given = statements(row["opcode"])
    if any(feature in row["error"] for feature in HANDLES):
        given = [re.sub(r"\[(texv|srfv)\b", "[%u64_1", text) for text in given]
    target, *options = row["target"].split(",")

    def accepted(version: str) -> bool:
        return any(legal(text, target, version, frozenset(options)) for text in given)

    where = f"{row['opcode']} on {row['target']}"
    if not accepted(row["accepted_from"]):
        return f"{where} is accepted in {row['accepted_from']}"
    if DECLARED not in row["error"] and accepted(row["rejected_at"]):
        return f"{where} is rejected in {row['rejected_at']}: {row['error']}"
    return ""


@pytest.mark.skipif(not FLOORS.exists(), reason=f"no {FLOORS.name} beside the checkout")
def test_the_specification_has_the_measured_floors() -> None:
    rows: list[dict[str, str]] = [json.loads(line) for line in FLOORS.read_text(encoding="utf-8").splitlines()]
    compared = [row for row in rows if specified(row["opcode"])]
    assert compared, "no opcode was compared"
    wrong = [text for row in compared if (text := disagreement(row))]
    assert not wrong, f"{len(wrong)} of {len(compared)} (of {len(rows)} measured):\n" + "\n".join(wrong)
