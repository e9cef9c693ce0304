"""Statements that ptxas takes because it reads over a modifier (overlooked.yaml)."""

from __future__ import annotations

import itertools
from functools import lru_cache
from pathlib import Path

import yaml

from ptxgen.isa.kinds import NO_OPTIONS
from tools.certify.expectation import legal

_FILE = Path(__file__).with_name("overlooked.yaml")


@lru_cache(maxsize=1)
def words() -> dict[str, frozenset[str]]:
    """First word of a mnemonic -> the modifiers that may be read over after it, without their dots."""
    listed: dict[str, list[str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: frozenset(modifiers) for name, modifiers in listed.items()}


def overlooks(statement: str, target: str, version: str, options: frozenset[str] = NO_OPTIONS) -> bool:
    """Whether a statement is legal once some of the modifiers are left out that ptxas may read over."""
    opcode, _, operands = statement.partition(" ")
    name, *modifiers = opcode.split(".")
    surplus = [at for at, word in enumerate(modifiers) if word in words().get(name, ())]
    for size in range(1, len(surplus) + 1):
        for out in itertools.combinations(surplus, size):
            kept = [word for at, word in enumerate(modifiers) if at not in out]
            if legal(f"{'.'.join([name, *kept])} {operands}", target, version, options):
                return True
    return False
