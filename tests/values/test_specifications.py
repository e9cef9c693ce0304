"""Every semantics text of the specification is in the language, and every value example comes out as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptxgen.cpu.reference import SemanticsError, check_semantics, type_named
from tests.values.statements import SPECIFICATIONS, Block, bits, blocks, describe, is_nan, register_type, runs

FILES = sorted(SPECIFICATIONS.glob("*.yaml"))


def assignments(text: str) -> dict[str, str]:
    pairs = [part.split("=") for part in text.split(",") if part.strip()]
    return {name.strip(): value.strip() for name, value in pairs}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_texts_are_in_the_language(path: Path) -> None:
    faults = [
        f"{path}:{block.line + line}: {message}"
        for block in blocks(path)
        for line, message in check_semantics(block.semantics, block.language_names)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_value_examples(path: Path) -> None:
    faults = [
        f"{path}:{line}: {example.strip()}\n    {fault}"
        for block in blocks(path)
        for line, example in block.examples
        if "=>" in example and (fault := wrong(block, example))
    ]
    assert not faults, "\n".join(faults)


def wrong(block: Block, example: str) -> str:
    """What is wrong with a value example, "" if nothing."""
    statement, _, values = example.partition("=>")
    before, _, after = values.partition("->")
    try:
        run = next(runs(block, statement, assignments(before)), None)
        if run is None:
            return "no syntax line of the block fits"
        arguments = run.arguments()
        results = run.program().run(**arguments)
    except (SemanticsError, ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    registers: dict[str, tuple[str, int]] = {"CC": ("pred", int(str(results.get("CC", -1))))}
    for name, of in arguments["destinations"].items():
        raw, kind = results[name], of if isinstance(of, str) else of[0]
        written = next(w for n, w in run.written.items() if re.sub(r"\W", "_", n) == name)
        parts = written.parts or (written,)
        for part, each in zip(parts, raw if isinstance(raw, list) else [raw], strict=True):
            registers[part.text] = (kind, each)
    for register, want in assignments(after).items():
        if register not in registers:
            return f"{register} is no destination"
        kind, got = registers[register]
        shown = type_named(kind)
        value = register_type(register) or shown
        right = is_nan(want) and value.format is not None and value.decode(got) != value.decode(got)
        if not right and got != bits(want, value):
            return f"{register} is {describe(got, value)}, not {want}"
    return ""
