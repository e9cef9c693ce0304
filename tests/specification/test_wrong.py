"""Wrong specifications are refused: each file of `wrong/` begins with all that must be said about it.

A comment `# 14: rules: ...` at its head is a message without the path; `...` stands for anything. A global file of a
case, such as targets.yaml, takes the place of that in `small/`; those cases have no instructions.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptxgen.errors import SpecError
from tests.specification.messages import Message, messages
from tools.specification.specification import GLOBALS, ROOT, load_specification

WRONG, SMALL = Path(__file__).parent / "wrong", Path(__file__).parent / "small"
CASES = sorted(path for path in WRONG.iterdir())
EXPECTED = re.compile(r"# (\d+: .*)")


def faults(root: Path, *files: Path) -> list[str]:
    """What is said about some files beside the global ones, as `line: key: message`."""
    given = {path.stem: path for path in files if path.stem in GLOBALS}
    for name in GLOBALS:
        (root / f"{name}.yaml").symlink_to(given.get(name, (SMALL if given else ROOT) / f"{name}.yaml"))
    (root / "instructions").mkdir()
    for path in files if not given else ():
        (root / "instructions" / path.name).write_bytes(path.read_bytes())
    with pytest.raises(SpecError) as caught:
        load_specification(root)
    return [re.sub(r"^.*?/(instructions(/[^:]*)?|\w+\.yaml):", "", line) for line in str(caught.value).splitlines()]


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


def test_no_text(tmp_path: Path) -> None:
    """Folders, links to nothing, and values deeper than Python's stack are faults, too."""
    (tmp_path / "instructions" / "folder.yaml").mkdir(parents=True)
    (tmp_path / "instructions" / "link.yaml").symlink_to("nothing")
    (tmp_path / "instructions" / "deep.yaml").write_text(f"forms: {'[' * 900}{']' * 900}")
    for name in GLOBALS:
        (tmp_path / f"{name}.yaml").symlink_to(ROOT / f"{name}.yaml")
    with pytest.raises(SpecError) as caught:
        load_specification(tmp_path)
    said = [line.removeprefix(f"{tmp_path}/instructions/") for line in str(caught.value).splitlines()]
    assert [line.split(": not readable: ")[0] for line in said] == [
        f"{name}.yaml:1: yaml" for name in ("deep", "folder", "link")
    ]


def test_no_global_text(tmp_path: Path) -> None:
    for name in GLOBALS:
        (tmp_path / f"{name}.yaml").mkdir()
    with pytest.raises(SpecError) as caught:
        load_specification(tmp_path)
    assert [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()] == [
        f"{name}.yaml:1: yaml: not readable: Is a directory" for name in sorted(GLOBALS)
    ]


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
