"""specs/README.md mentions every word of the format."""

from __future__ import annotations

import re

import pytest

from tools.specification import conditions, family, kinds
from tools.specification.names import NAMES
from tools.specification.specification import GLOBALS, ROOT

WORDS = (
    *family.FILE_KEYS, *family.BLOCK_KEYS, *family.TRAITS, *family.EFFECTS, *family.ERRATA, *kinds.FLAGS, *kinds.NAMED,
    *conditions.PREDICATES, *conditions.FUNCTIONS, *conditions.OPERAND_KINDS, *NAMES,
    *(f"{name}.yaml" for name in GLOBALS),
)  # fmt: skip


@pytest.mark.parametrize("word", sorted(set(WORDS)))
def test_word_is_explained(word: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"(?<![\w$-]){re.escape(word)}(?![\w-])", text)


def test_files_stand_in_the_directory() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all((ROOT / name).exists() for name in re.findall(r"\b\w+\.(?:yaml|md|json)\b", text) if name != "NAME.yaml")
