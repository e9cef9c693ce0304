"""Which syntax lines and sets of the manual the specification has, told by their hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.manual.record import short_hash
from tools.manual.sections import pieces, without_comments
from tools.specification.family import Block, Erratum, Family
from tools.specification.notation import squeeze

# Errata of a block that are taken back together: those of one edition, or those about one line.
_TOGETHER = 4


def covered(families: Iterable[Family]) -> set[str]:
    """The hashes of every line and set of the specification, and of what errata say stands there in the manual."""
    return {short_hash(piece) for family in families for piece in _of(family)}


def _of(family: Family) -> Iterator[str]:
    if family.alias:
        yield f"{family.alias}={{{','.join(family.mnemonics)}}}"
    errata = list(dict.fromkeys(e for block in family.blocks for e in block.errata if e.word in ("replace", "drop")))
    for erratum in errata:
        yield from pieces(erratum.theirs)
    # A heading that the manual has before a line is a part of it there.
    dropped = ["", *(squeeze(e.theirs) for e in errata if e.word == "drop")]
    for block in family.blocks:
        for text in _editions(block, errata):
            yield from (heading + piece for piece in pieces(text) for heading in dropped)


def _editions(block: Block, errata: list[Erratum]) -> Iterator[str]:
    """The syntax of a block, and as it stands in the manual when some of the errata are taken back."""
    text = squeeze(without_comments(block.syntax))
    # They are applied one after the other, so the last is the first to be taken back.
    replaced = [(squeeze(e.theirs), squeeze(e.ours)) for e in reversed(errata) if e.word == "replace"]
    replaced = [(theirs, ours) for theirs, ours in replaced if ours]
    yield from _taken_back(text, replaced, _TOGETHER)
    for theirs, ours in replaced:
        text = text.replace(ours, theirs)
    yield text


def _taken_back(text: str, replaced: list[tuple[str, str]], at_most: int) -> Iterator[str]:
    yield text
    for index, (theirs, ours) in enumerate(replaced):
        if at_most and ours in text:
            yield from _taken_back(text.replace(ours, theirs), replaced[index + 1 :], at_most - 1)
