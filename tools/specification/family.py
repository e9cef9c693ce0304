"""Load one specification file: check every key, name and sentence, and keep what the tables need."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, field

from tools.specification.availability import AvailabilityError, read_needs
from tools.specification.conditions import ConditionError, Names, Tree, compile_condition
from tools.specification.kinds import KindError, compile_kind
from tools.specification.notation import Block as Notation
from tools.specification.notation import NotationError, read_block
from tools.specification.reader import Node, Problems, Text, line_of, read

FILE_KEYS = (
    "instruction", "summary", "head", "operands", "defaults", "rules", "stricter", "laxer", "since", "ungated",
    "removed", "deprecated", "traits", "semantics", "errata", "forms",
)  # fmt: skip
BLOCK_KEYS = (
    "section", "syntax", "errata", "operands", "defaults", "rules", "stricter", "laxer", "since", "ungated",
    "removed", "deprecated", "traits", "semantics", "examples", "rejects",
)  # fmt: skip
RULES = ("rules", "stricter", "laxer")
AVAILABILITY = ("since", "ungated", "removed", "deprecated")
Kinds: TypeAlias = "dict[str, list[tuple[Tree | None, dict[str, object]]]]"
TRAITS = ("convergent", "async", "reads-memory", "writes-memory", "terminator")
ERRATA = ("replace", "drop", "optional", "name")


@define
class Sentence:
    """A condition with its place, as text and tree."""

    text: str
    line: int
    tree: Tree
    key: str
    needs: dict[str, str] = field(factory=dict)
    shared: bool = False  # stands at file level


@define
class Example:
    """A statement that must, or must not, be legal; of an example perhaps with values before and after."""

    text: str
    line: int
    legal: bool
    options: tuple[str, ...] = ()
    inputs: str = ""
    outputs: str = ""


@define
class Block:
    """One entry of `forms`, file-level keys merged in."""

    section: str
    line: int
    notation: Notation
    kinds: Kinds
    defaults: dict[str, str]
    sentences: list[Sentence]
    traits: tuple[str, ...]
    semantics: str  # "" when the file gives none
    semantics_line: int
    examples: list[Example]


@define
class Family:
    """One specification file."""

    path: Path
    name: str
    alias: str
    mnemonics: tuple[str, ...]
    summary: str
    head: tuple[str, ...]
    blocks: list[Block]


@define
class Vocabulary:
    """What the global files say: the words that every specification may use."""

    types: frozenset[str]  # with dots
    targets: frozenset[str]
    options: frozenset[str]


def load(path: Path, vocabulary: Vocabulary, problems: Problems) -> Family | None:
    """The family in one file; None, and problems, when it is wrong."""
    before = len(problems.found)
    root = read(path, problems)
    if root is None:
        return None
    if not isinstance(root, dict):
        problems.add(path, 1, "yaml", "a specification is a mapping of keys; see specs/README.md")
        return None
    family = _Loader(path, vocabulary, problems, root).family()
    return family if len(problems.found) == before else None


@define
class _Loader:
    path: Path
    vocabulary: Vocabulary
    problems: Problems
    root: dict[Text, Node]
    alias: str = ""
    mnemonics: tuple[str, ...] = ()

    def family(self) -> Family | None:
        self.keys(self.root, FILE_KEYS, ("instruction", "summary", "forms"), "file")
        name = self.name()
        summary = self.text(self.root.get(_KEY["summary"]), "summary")
        head = tuple(str(word) for word in self.texts(self.root.get(_KEY["head"]), "head"))
        forms = self.root.get(_KEY["forms"])
        if not isinstance(forms, list) or not forms:
            self.fault(forms, "forms", "wants a list of blocks, one per Syntax block of the manual")
            return None
        bodies = [form for form in forms if isinstance(form, dict)]
        if len(bodies) < len(forms):
            self.fault(forms, "forms", "each block is a mapping that begins with section and syntax")
        read_blocks = [(body, self.notation(body)) for body in bodies]
        pairs = [(body, notation) for body, notation in read_blocks if notation is not None]
        everywhere = self.names([notation for _, notation in pairs])
        blocks = [self.block(body, notation, everywhere) for body, notation in pairs]
        self.known_head(everywhere, head)
        return Family(self.path, name, self.alias, self.mnemonics, summary, head, blocks)

    def name(self) -> str:
        text = self.text(self.root.get(_KEY["instruction"]), "instruction")
        alias, equals, body = text.partition("=")
        if equals:
            self.alias = alias.strip()
        else:
            body = text
        body = body.strip()
        words = [word.strip() for word in body.strip("{}").split(",")] if body.startswith("{") else [body]
        for word in words:
            if not re.fullmatch(r"[a-z][\w.]*\w", word):
                self.fault(self.root.get(_KEY["instruction"]), "instruction", f"{word!r} is no mnemonic")
        self.mnemonics = tuple(words)
        return self.alias or words[0]

    # ---- one block

    def notation(self, body: dict[Text, Node]) -> Notation | None:
        self.keys(body, BLOCK_KEYS, ("section", "syntax"), "block")
        syntax = body.get(_KEY["syntax"])
        text = self.text(syntax, "syntax")
        if not text:
            return None
        optional: list[str] = []
        inline: dict[str, str] = {}
        for owner in (self.root, body):
            self.errata(owner, text, optional, inline, owner is body)
        starts = (self.alias, *self.mnemonics) if self.alias else self.mnemonics
        try:
            notation = read_block(text, starts, inline)
        except NotationError as error:
            self.fault(syntax, "syntax", str(error))
            return None
        for word in optional:
            notation.make_optional(word)
        return notation

    def errata(
        self, owner: dict[Text, Node], text: str, optional: list[str], inline: dict[str, str], own: bool
    ) -> None:
        """`syntax` and `examples` are ours; `errata` says how the manual's text differs from them."""
        examples = "".join(e for e in self.list(owner.get(_KEY["examples"]), "examples") if isinstance(e, Text))
        for entry in self.list(owner.get(_KEY["errata"]), "errata"):
            if not isinstance(entry, dict) or len(entry) != 1:
                self.fault(entry, "errata", f"wants a mapping with one of {', '.join(ERRATA)}")
                continue
            ((word, value),) = entry.items()
            if word == "replace" and isinstance(value, list) and len(value) == 2:
                if own and _squeeze(str(value[1])) not in _squeeze(text + examples):
                    self.fault(word, "errata", f"replace: our {str(value[1])!r} is in no syntax line or example")
            elif word == "drop" and isinstance(value, Text):
                if own and _squeeze(value) in [_squeeze(line) for line in text.split("\n")]:
                    self.fault(word, "errata", f"drop: {str(value)!r} still stands in the syntax")
            elif word == "optional" and isinstance(value, Text):
                optional.append(str(value))
            elif word == "name" and isinstance(value, list) and len(value) == 2:
                inline[str(value[0])] = str(value[1])
            else:
                self.fault(word, "errata", f"{word}: wants {', '.join(ERRATA)} as specs/README.md describes")

    def names(self, notations: list[Notation]) -> Names:
        """What the lines of some blocks have. Conditions may name what any block of the file has."""
        lines = [line for notation in notations for line in notation.lines]
        return Names(
            (self.alias, *self.mnemonics) if self.alias else self.mnemonics,
            frozenset(t for line in lines for m in line.modifiers for t in m.tokens)
            | frozenset(s for line in lines for o in line.operands for s in o.all_selectors()),
            frozenset(m.name for line in lines for m in line.modifiers if m.slot),
            frozenset(o.selector_slot for line in lines for o in line.operands if o.selector_slot),
            frozenset(name for line in lines for o in line.operands for name in o.names()),
            self.vocabulary.options,
            self.vocabulary.types,
        )

    def block(self, body: dict[Text, Node], notation: Notation, everywhere: Names) -> Block:
        names = self.names([notation])
        section = self.text(body.get(_KEY["section"]), "section")
        kinds = self.kinds(body, names, everywhere)
        for name in sorted(names.operands - kinds.keys()):
            self.fault(body.get(_KEY["syntax"]), "operands", f"the operand {name} has no kind")
        sentences = [s for owner in (self.root, body) for s in self.sentences(owner, everywhere, owner is body)]
        semantics = body.get(_KEY["semantics"]) or self.root.get(_KEY["semantics"])
        return Block(
            section,
            line_of(body.get(_KEY["section"])),
            notation,
            kinds,
            {**self.defaults(self.root, everywhere), **self.defaults(body, everywhere)},
            sentences,
            tuple(dict.fromkeys((*self.traits(self.root), *self.traits(body)))),
            str(semantics) if isinstance(semantics, Text) else "",
            line_of(semantics),
            self.examples(body, "examples", True) + self.examples(body, "rejects", False),
        )

    def kinds(self, body: dict[Text, Node], names: Names, everywhere: Names) -> Kinds:
        """Operand -> its kinds. As anchors share entries between blocks, an entry may name operands of the others."""
        kinds: Kinds = {}
        for owner in (self.root, body):
            entries = owner.get(_KEY["operands"], {})
            if not isinstance(entries, dict):
                self.fault(entries, "operands", "wants a mapping from operand names to kinds")
                continue
            for key, node in entries.items():
                for name in (part.strip() for part in key.split(",")):
                    if name not in everywhere.operands:
                        self.fault(key, "operands", f"{name!r} is in no syntax line")
                    elif name in names.operands:
                        kinds[name] = self.kind_choices(name, node, everywhere)
        return kinds

    def kind_choices(self, name: str, node: Node, names: Names) -> list[tuple[Tree | None, dict[str, object]]]:
        pairs = list(node.items()) if isinstance(node, dict) else [(Text("else", line_of(node)), node)]
        choices: list[tuple[Tree | None, dict[str, object]]] = []
        for when, kind in pairs:
            if not isinstance(kind, Text):
                self.fault(when, f"operands: {name}", "wants a kind, or a mapping from conditions to kinds")
                continue
            try:
                tree = None if when == "else" else compile_condition(when, names)
                choices.append((tree, compile_kind(kind, names)))
            except (ConditionError, KindError) as error:
                self.fault(kind, f"operands: {name}", str(error))
        return choices

    def sentences(self, owner: dict[Text, Node], names: Names, own: bool) -> list[Sentence]:
        found: list[Sentence] = []
        for key in RULES:
            for text in self.texts(owner.get(_KEY[key]), key):
                self.sentence(text, key, {}, names, own, found)
        for key in AVAILABILITY:
            rows = owner.get(_KEY[key])
            if rows is None:
                continue
            if not isinstance(rows, dict):
                self.fault(rows, key, "wants a mapping from conditions to versions")
                continue
            for text, node in rows.items():
                try:
                    needs = read_needs(node, self.vocabulary.targets)
                except AvailabilityError as error:
                    self.fault(text, f"{key}: {text}", str(error))
                    continue
                self.sentence(text, key, needs, names, own, found)
        return found

    def sentence(
        self, text: Text, key: str, needs: dict[str, str], names: Names, own: bool, found: list[Sentence]
    ) -> None:
        try:
            tree = compile_condition(text, names)
        except ConditionError as error:
            self.fault(text, key, str(error))
            return
        found.append(Sentence(str(text), text.line, tree, key, needs, not own))

    def defaults(self, owner: dict[Text, Node], names: Names) -> dict[str, str]:
        entries = owner.get(_KEY["defaults"], {})
        if not isinstance(entries, dict):
            self.fault(entries, "defaults", "wants a mapping from slots to tokens")
            return {}
        found: dict[str, str] = {}
        for slot, token in entries.items():
            if slot not in names.slots | names.tokens | names.selectors:
                self.fault(slot, "defaults", f"{slot} is no slot of a syntax line")
            elif isinstance(token, Text):
                found[str(slot)] = str(token)
            else:
                self.fault(slot, "defaults", f"{slot} wants one token")
        return found

    def traits(self, owner: dict[Text, Node]) -> tuple[str, ...]:
        words = self.texts(owner.get(_KEY["traits"]), "traits")
        for word in words:
            if word not in TRAITS:
                self.fault(word, "traits", f"{word!r} is none of {', '.join(TRAITS)}")
        return tuple(str(word) for word in words)

    def examples(self, body: dict[Text, Node], key: str, legal: bool) -> list[Example]:
        found: list[Example] = []
        for entry in self.list(body.get(_KEY[key]), key):
            options: tuple[str, ...] = ()
            if isinstance(entry, dict) and _KEY["ptx"] in entry:
                options = tuple(str(o) for o in self.texts(entry.get(_KEY["options"]), key))
                entry = entry[_KEY["ptx"]]
            if not isinstance(entry, Text):
                self.fault(entry, key, "wants a statement, or { ptx: statement, options: [...] }")
                continue
            statement, arrow, values = entry.partition("=>")
            statement = re.sub(r"\s*//.*", "", statement).strip()
            if not statement.endswith(";"):
                self.fault(entry, key, f"{statement!r} must end with ';'")
                continue
            before, _, after = values.partition("->")
            if arrow and "->" not in values:
                self.fault(entry, key, "values are written '=> inputs -> outputs'")
            found.append(Example(statement, entry.line, legal, options, before.strip(), after.strip()))
        return found

    # ---- the whole file

    def known_head(self, names: Names, head: tuple[str, ...]) -> None:
        for word in head:
            if word not in names.slots | names.tokens:
                self.fault(self.root.get(_KEY["head"]), "head", f"{word} is in no syntax line")

    def keys(self, body: dict[Text, Node], allowed: tuple[str, ...], required: tuple[str, ...], where: str) -> None:
        for key in body:
            if key not in allowed:
                self.fault(key, str(key), f"no key of a {where}; the keys are {', '.join(allowed)}")
        known = [str(key) for key in body if key in allowed]
        ordered = sorted(known, key=allowed.index)
        if known != ordered:
            first = next(k for k, o in zip(known, ordered, strict=True) if k != o)
            line = next(key.line for key in body if key == first)
            self.problems.add(self.path, line, first, f"out of order; write {', '.join(ordered)}")
        for key in required:
            if key not in known:
                self.problems.add(self.path, line_of(body), key, f"missing; every {where} has it")

    def text(self, node: Node | None, key: str) -> str:
        if isinstance(node, Text):
            return str(node)
        if node is not None:
            self.fault(node, key, "wants text")
        return ""

    def list(self, node: Node | None, key: str) -> list[Node]:
        if node is None:
            return []
        if isinstance(node, list):
            return node
        self.fault(node, key, "wants a list")
        return []

    def texts(self, node: Node | None, key: str) -> list[Text]:
        found: list[Text] = []
        for item in self.list(node, key):
            if isinstance(item, Text):
                found.append(item)
            else:
                self.fault(item, key, "wants a list of texts")
        return found

    def fault(self, node: Node | None, key: str, message: str) -> None:
        self.problems.add(self.path, line_of(node), key, message)


class _Keys(dict[str, Text]):
    def __missing__(self, key: str) -> Text:
        return Text(key)


_KEY: Any = _Keys()


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)
