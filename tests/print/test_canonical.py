"""The canonical form: what is printed is read as the same module, and printed as the same text again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ptxgen
from ptxgen.ir.equal import difference
from ptxgen.parse.module import parse, read

TESTS = Path(__file__).parents[1]
GOLDEN = sorted((TESTS / "golden").glob("*.ptx"))
HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_golden_files_are_canonical(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert parse(text).ptx() == text


def test_every_module_that_is_read_is_printed_and_read_as_the_same() -> None:
    """All of tests/data/modules.jsonl that ptxas accepts and the reader reads."""
    wrong: list[str] = []
    count = 0
    for line in (TESTS / "data" / "modules.jsonl").read_text(encoding="ascii").splitlines():
        row = json.loads(line)
        module, found = read(row["ptx"])
        if not row["accept"] or any(each.severity == "error" for each in found):
            continue
        if row.get("assembles", True) is None:  # a list of no labels, which nothing but its odd spelling can say
            continue
        count += 1
        text = module.ptx()
        again, found = read(text)
        errors = [each.message for each in found if each.severity == "error"]
        what = errors[0] if errors else difference(module, again)
        if not what and again.ptx() != text:
            what = "printed otherwise the second time"
        if what:
            wrong.append(f"{row['id']} {row['note']}: {what}")
    assert count > 2000
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (".entry k(){ret;}", "\n.entry k\n{\n\tret;\n}\n"),
        (".entry k(){.reg.u32 a;add.u32 a,a,1;}", "\n.entry k\n{\n\t.reg .u32 a;\n\tadd.u32 a, a, 1;\n}\n"),
        (".entry k(){{L:bra L;}}", "\n.entry k\n{\n\t{\nL:\n\tbra L;\n\t}\n}\n"),
        (".global .u32 a,b;", "\n.global .u32 a;\n.global .u32 b;\n"),
        (".global .u32 a;.func f{ret;}", "\n.global .u32 a;\n\n.func f\n{\n\tret;\n}\n"),
        ("//x\n.global .u32 a;//y", "\n// x\n.global .u32 a; // y\n"),
    ],
)
def test_layout(written: str, canonical: str) -> None:
    assert parse(HEADER + written).ptx() == HEADER + canonical


def test_the_version_is_the_modules_own() -> None:
    """Not the lowest that would do: whoever wrote it may have had reasons."""
    for version in ("8.0", "9.0"):
        text = f".version {version}\n.target sm_90\n.address_size 64\n"
        assert ptxgen.parse(text).ptx() == text


def test_what_the_text_does_not_say_is_not_added() -> None:
    assert ptxgen.parse(".version 9.0\n.target sm_90\n").ptx() == ".version 9.0\n.target sm_90\n"
