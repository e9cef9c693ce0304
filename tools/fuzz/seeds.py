"""The texts that are mutated: those of the project, and of a folder that is named."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 40_000  # characters; of longer files a piece is taken, so that there is time for many
_END = re.compile(r"^\}", re.MULTILINE)  # of a function


def seeds(corpus: Path | None = None) -> list[str]:
    """The modules of the tests, and the files of a corpus."""
    rows = (ROOT / "tests" / "data" / "modules.jsonl").read_text(encoding="ascii").splitlines()
    texts = [json.loads(row)["ptx"] for row in rows]
    texts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "golden").glob("*.ptx"))] * 20
    if corpus is not None:
        files = sorted(path for path in corpus.rglob("*") if path.is_file())
        texts += [file.read_bytes().decode("utf-8", "surrogateescape") for file in files] * 10
    return texts


def case(texts: list[str], chance: random.Random) -> tuple[str, str]:
    """Two of the texts, short enough."""
    return _piece(chance.choice(texts), chance), _piece(chance.choice(texts), chance)


def _piece(text: str, chance: random.Random) -> str:
    """A text, or the head of a long one and some functions from further on."""
    if len(text) <= MOST:
        return text
    ends = [match.end() for match in _END.finditer(text)] or [0]
    at = chance.choice(ends)
    return text[: MOST // 4] + text[at : at + MOST // 2]
