"""Wrong specifications are refused: each file of `wrong/` begins with all that must be said about it.

A comment `# 14: rules: ...` at its head is a message without the path; `...` stands for anything.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptxgen.errors import SpecError
from tests.specification.messages import Message, messages
from tools.specification.specification import GLOBALS, ROOT, load_specification

WRONG = Path(__file__).parent / "wrong"
CASES = sorted(path for path in WRONG.iterdir())
EXPECTED = re.compile(r"# (\d+: .*)")


def faults(root: Path, *files: Path) -> list[str]:
    """What is said about some files beside the global ones, as `line: key: message`."""
    for name in GLOBALS:
        (root / f"{name}.yaml").symlink_to(ROOT / f"{name}.yaml")
    (root / "instructions").mkdir()
    for path in files:
        (root / "instructions" / path.name).write_bytes(path.read_bytes())
    with pytest.raises(SpecError) as caught:
        load_specification(root)
    return [re.sub(r"^.*?/instructions(/[^:]*)?:", "", line) for line in str(caught.value).splitlines()]


def files_of(case: Path) -> list[Path]:
    return sorted(case.iterdir()) if case.is_dir() else [case]


def expected(case: Path) -> list[str]:
    """The messages in the comments at the head of the files of a case."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files_of(case)]
    heads = [re.split(r"^(?!#)", text, maxsplit=1, flags=re.M)[0] for text in texts]
    return [found[1] for head in heads for found in EXPECTED.finditer(head)]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_refused(case: Path, tmp_path: Path) -> None:
    said, wanted = faults(tmp_path, *files_of(case)), expected(case)
    assert len(said) == len(wanted), said
    for message, pattern in zip(said, wanted, strict=True):
        assert re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), message), message


def test_no_files(tmp_path: Path) -> None:
    assert faults(tmp_path) == ["1: instructions: no specification file"]


def test_no_global_table(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_specification(tmp_path)
    assert [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()] == [
        f"{name}.yaml:1: {name}: missing; every specification has it" for name in sorted(GLOBALS)
    ]


ELSEWHERE = ("no specification file", "missing; every specification has it")  # the tests above


@pytest.mark.parametrize("message", messages(), ids=lambda message: message.place)
def test_every_message_has_a_case(message: Message) -> None:
    said = [text for case in CASES for text in expected(case)]
    assert message.text in ELSEWHERE or any(message.said_by(text) for text in said), message.text
