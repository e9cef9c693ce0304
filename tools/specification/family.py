"""One specification file as data: what the loader keeps of it, and the keys that it may have."""

from __future__ import annotations

from pathlib import Path

from attrs import define, field, frozen

from tools.specification.conditions import Names, Tree
from tools.specification.notation import Block as Notation
from tools.specification.notation import Line

FILE_KEYS = (
    "instruction", "summary", "head", "operands", "defaults", "rules", "stricter", "laxer", "unassembled",
    "since", "ungated", "removed", "deprecated", "instead", "traits", "effects", "semantics", "errata", "forms",
)  # fmt: skip
BLOCK_KEYS = (
    "section", "syntax", "beyond", "errata", "operands", "defaults", "rules", "stricter", "laxer", "unassembled",
    "since", "ungated", "removed", "deprecated", "instead", "traits", "effects", "semantics", "examples", "rejects",
)  # fmt: skip
RULES = ("rules", "stricter", "laxer", "unassembled")
AVAILABILITY = ("since", "ungated", "removed", "deprecated")
INSTEAD = "instead"
FILE_REQUIRED = ("instruction", "summary", "forms")
BLOCK_REQUIRED = ("section", "syntax")
TRAITS = ("convergent", "async", "reads-memory", "writes-memory", "terminator")
EFFECTS = (
    "aborts", "warp-wide", "names-lanes", "elects-lane", "resizes-registers", "writes-shared", "reads-shared",
    "reads-shared-async", "fences-async-proxy", "copies-to-shared", "awaits-copies", "initialises-mbarrier",
    "fences-mbarrier", "reaches-cluster", "holds-registers", "fences-registers", "commits-registers",
    "awaits-registers", "loads-tensor-memory", "stores-tensor-memory", "uses-tensor-memory", "releases-tensor-memory",
    "awaits-tensor-loads", "awaits-tensor-stores",
)  # fmt: skip
ERRATA = ("replace", "name", "drop", "optional")  # the first two take two texts, the others one


@define
class Sentence:
    """A condition with its place, as text and tree."""

    text: str
    line: int
    tree: Tree
    key: str
    needs: dict[str, str] = field(factory=dict[str, str])  # of `instead`, the phrases
    shared: bool = False  # stands at file level
    effects: tuple[str, ...] = ()  # of a row of `effects`


@define
class Example:
    """A statement that must, or must not, be legal; of an example perhaps with values before and after."""

    text: str
    line: int
    legal: bool
    options: tuple[str, ...] = ()
    inputs: str = ""
    outputs: str = ""


@frozen
class Choice:
    """One kind that an operand may have, and the condition (`else`: none) under which it has it."""

    text: str
    line: int
    condition: Tree | None
    kind: dict[str, object]


@frozen
class Erratum:
    """How the manual's text differs from ours: `word` is one of `ERRATA`."""

    word: str
    line: int
    theirs: str  # of `optional`, the modifier or operand; of `name`, the inline set
    ours: str = ""
    shared: bool = False  # stands at file level


@define
class Block:
    """One entry of `forms`, file-level keys merged in."""

    section: str
    line: int
    syntax: str
    syntax_line: int  # that of its key
    notation: Notation
    names: Names  # of its own lines
    errata: list[Erratum]
    kinds: dict[str, list[Choice]]
    defaults: dict[str, str]
    sentences: list[Sentence]
    traits: tuple[str, ...]
    semantics: str  # "" when the file gives none
    semantics_line: int
    examples: list[Example]

    def place(self, line: Line) -> int:
        """The line of the file that a syntax line stands on; of one in `beyond`, where the block begins."""
        return self.line if line.beyond else self.syntax_line + 1 + line.row


@define
class Family:
    """One specification file."""

    path: Path
    name: str  # of the file
    alias: str
    mnemonics: tuple[str, ...]
    summary: str
    head: tuple[str, ...]
    names: Names  # of all lines
    blocks: list[Block]


@define
class Vocabulary:
    """What the global files say: the words that every specification may use."""

    types: frozenset[str]  # with dots
    targets: frozenset[str]
    versions: frozenset[str]
    options: frozenset[str]
