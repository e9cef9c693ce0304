"""Single-token mutations of small modules, put to the checker and to ptxas: where their verdicts differ."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from attrs import frozen

import ptxgen
from tools.certify.ptxas import Verdict, module_verdict
from tools.certify.releases import Release
from tools.fuzz.mutation import one_token_changed, tokens

SMALL = 3_000  # characters
DEFAULT = "compute_90"
_TARGET = re.compile(r"\.target[^\n]*?\b(sm_\d+[af]?)\b")


@frozen
class Difference:
    """A text on which the two differ."""

    text: str
    verdict: Verdict  # of ptxas
    said: str  # the first error of the checker, or its absence


def mutants(texts: list[str], seed: int, count: int) -> list[str]:
    """Small texts, each with one token changed."""
    chance = random.Random(seed)
    small = [text for text in texts if len(text) < SMALL and text.isascii()]
    found: dict[str, None] = {}
    while len(found) < count:
        parts, others = tokens(chance.choice(small)), tokens(chance.choice(small))
        one_token_changed(chance, parts, others)
        found["".join(parts)] = None
    return list(found)


def differences(texts: list[str], release: Release, workers: int = 2) -> Iterator[Difference]:
    """Those on which the two differ. Each text has a run of ptxas of its own: modules of one run share names."""
    release.path()
    with ThreadPoolExecutor(workers) as pool:
        verdicts = pool.map(partial(_verdict, release), texts)
        for text, verdict in zip(texts, verdicts, strict=True):
            report = ptxgen.check(text)
            if verdict is not Verdict.CRASHED and report.ok is not (verdict is Verdict.ACCEPTED):
                yield Difference(text, verdict, str(report.diagnostics[0]) if not report.ok else "no error")


def _verdict(release: Release, text: str) -> Verdict:
    return module_verdict(text, release, architecture(text, release))


def architecture(text: str, release: Release) -> str:
    """The `-arch` for the target of a text; that of sm_90 where it has none that the release knows."""
    named = _TARGET.findall(text)
    return (release.architecture(named[-1]) if named else None) or DEFAULT
