"""Load one specification file: check every key, name and sentence, and keep what the tables need."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from tools.specification.availability import AvailabilityError, read_needs, read_phrases
from tools.specification.conditions import ConditionError, Names, compile_condition
from tools.specification.family import (
    AVAILABILITY,
    BLOCK_KEYS,
    BLOCK_REQUIRED,
    EFFECTS,
    ERRATA,
    FILE_KEYS,
    FILE_REQUIRED,
    INSTEAD,
    RULES,
    TRAITS,
    Block,
    Choice,
    Erratum,
    Example,
    Family,
    Sentence,
    Vocabulary,
)  # fmt: skip
from tools.specification.kinds import KindError, compile_kind
from tools.specification.notation import Block as Notation
from tools.specification.notation import NotationError, read_block
from tools.specification.reader import Node, Problems, Text, line_of, read


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
    entries: dict[tuple[int, str], Text] = field(factory=dict[tuple[int, str], Text])  # every entry of every `operands`
    used: set[tuple[int, str]] = field(factory=set[tuple[int, str]])

    def family(self) -> Family | None:
        self.keys(self.root, FILE_KEYS, FILE_REQUIRED, "file")
        self.mnemonic()
        summary = self.text(self.root.get(_KEY["summary"]), "summary")
        head = tuple(str(word) for word in self.texts(self.root.get(_KEY["head"]), "head"))
        forms = self.root.get(_KEY["forms"])
        if not isinstance(forms, list) or not forms:
            self.fault(forms, "forms", "wants a list of blocks, one per Syntax block of the manual")
            return None
        bodies = [form for form in forms if isinstance(form, dict)]
        if len(bodies) < len(forms):
            self.fault(forms, "forms", "each block is a mapping that begins with section and syntax")
        read = [(body, errata := self.errata(body), self.notation(body, errata)) for body in bodies]
        known = [(body, errata, notation) for body, errata, notation in read if notation is not None]
        if len(known) < len(forms):
            return None  # names of the lines that are not known yet would be faults wherever they stand
        everywhere = self.names([notation for _, _, notation in known])
        blocks = [self.block(body, errata, notation, everywhere) for body, errata, notation in known]
        for (_, operand), key in self.entries.items():
            if (key.line, operand) not in self.used:
                self.fault(key, "operands", f"the kind of {operand} is used by no block")
        self.known_head(everywhere, head)
        return Family(self.path, self.path.stem, self.alias, self.mnemonics, summary, head, everywhere, blocks)

    def mnemonic(self) -> None:
        text = self.text(self.root.get(_KEY["instruction"]), "instruction")
        alias, equals, body = text.partition("=")
        if equals:
            self.alias = alias.strip()
        else:
            body = text
        body = body.strip()
        words = [word.strip() for word in body.strip("{}").split(",")] if body.startswith("{") else [body]
        for word in words:
            if not re.fullmatch(r"[a-z]\w*(?:(?:\.|::)\w+)*", word):
                self.fault(self.root.get(_KEY["instruction"]), "instruction", f"{word!r} is no mnemonic")
        self.mnemonics = tuple(words)

    # ---- one block

    def notation(self, body: dict[Text, Node], errata: list[Erratum]) -> Notation | None:
        self.keys(body, BLOCK_KEYS, BLOCK_REQUIRED, "block")
        syntax = body.get(_KEY["syntax"])
        text = self.text(syntax, "syntax")
        if not text:
            return None
        starts = (self.alias, *self.mnemonics) if self.alias else self.mnemonics
        inline = {erratum.theirs: erratum.ours for erratum in errata if erratum.word == "name"}
        try:
            notation = read_block(text, starts, inline, self.text(body.get(_KEY["beyond"]), "beyond"))
        except NotationError as error:
            self.fault(syntax, "syntax", str(error))
            return None
        for erratum in errata:
            if erratum.word == "optional":
                notation.make_optional(erratum.theirs)
        return notation

    def errata(self, body: dict[Text, Node]) -> list[Erratum]:
        """`syntax` and `examples` are ours; `errata` says how the manual's text differs from them."""
        found: list[Erratum] = []
        for owner in (self.root, body):
            for entry in self.list(owner.get(_KEY["errata"]), "errata"):
                if not isinstance(entry, dict) or len(entry) != 1:
                    self.fault(entry, "errata", f"wants a mapping with one of {', '.join(ERRATA)}")
                    continue
                ((word, value),) = entry.items()
                pair = [str(part) for part in value if isinstance(part, Text)] if isinstance(value, list) else []
                if word in ("replace", "name") and len(pair) == 2:
                    found.append(Erratum(str(word), word.line, pair[0], pair[1], owner is self.root))
                elif word in ("drop", "optional") and isinstance(value, Text):
                    found.append(Erratum(str(word), word.line, str(value), shared=owner is self.root))
                elif word in ERRATA:
                    self.fault(word, "errata", f"{word} wants {'two texts' if word in ERRATA[:2] else 'one text'}")
                else:
                    self.fault(word, "errata", f"{word} is none of {', '.join(ERRATA)}")
        return found

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

    def block(self, body: dict[Text, Node], errata: list[Erratum], notation: Notation, everywhere: Names) -> Block:
        names = self.names([notation])
        everywhere = _countable(everywhere, names)
        section = self.text(body.get(_KEY["section"]), "section")
        if not _SECTION.fullmatch(section):
            self.fault(
                body.get(_KEY["section"]),
                "section",
                "wants the manual's number, perhaps with a title: 9.7.1.1  Integer",
            )
        kinds = self.kinds(body, names, everywhere)
        for name in sorted(names.operands - kinds.keys()):
            self.fault(body.get(_KEY["syntax"]), "operands", f"the operand {name} has no kind")
        sentences = [s for owner in (self.root, body) for s in self.sentences(owner, everywhere, owner is body)]
        semantics = body.get(_KEY["semantics"]) or self.root.get(_KEY["semantics"])
        return Block(
            section,
            line_of(body.get(_KEY["section"])),
            self.text(body.get(_KEY["syntax"]), "syntax"),
            line_of(body.get(_KEY["syntax"])),
            notation,
            names,
            errata,
            kinds,
            {**self.defaults(self.root, everywhere), **self.defaults(body, everywhere)},
            sentences,
            tuple(dict.fromkeys((*self.traits(self.root), *self.traits(body)))),
            str(semantics) if isinstance(semantics, Text) else "",
            line_of(semantics),
            self.examples(body, "examples", True) + self.examples(body, "rejects", False),
        )

    def kinds(self, body: dict[Text, Node], names: Names, everywhere: Names) -> dict[str, list[Choice]]:
        """Operand -> its kinds. As anchors share entries between blocks, an entry may name operands of the others."""
        kinds: dict[str, list[Choice]] = {}
        places: dict[str, int] = {}
        for owner in (self.root, body):
            entries = owner.get(_KEY["operands"], {})
            if not isinstance(entries, dict):
                self.fault(entries, "operands", "wants a mapping from operand names to kinds")
                continue
            for key, node in entries.items():
                for name in (part.strip() for part in key.split(",")):
                    if name not in everywhere.operands:
                        self.fault(key, "operands", f"{name!r} is in no syntax line")
                        continue
                    self.entries[key.line, name] = key
                    if name in names.operands:
                        kinds[name] = self.choices(name, node, everywhere)
                        places[name] = key.line
        self.used.update((line, name) for name, line in places.items())
        return kinds

    def choices(self, name: str, node: Node, names: Names) -> list[Choice]:
        pairs = list(node.items()) if isinstance(node, dict) else [(Text("else", line_of(node)), node)]
        found: list[Choice] = []
        for when, kind in pairs:
            if not isinstance(kind, Text):
                self.fault(when, f"operands: {name}", "wants a kind, or a mapping from conditions to kinds")
                continue
            try:
                tree = None if when == "else" else compile_condition(when, names)
                found.append(Choice(str(when), when.line, tree, compile_kind(kind, names)))
            except (ConditionError, KindError) as error:
                self.fault(kind, f"operands: {name}", str(error))
        for choice in found[:-1]:
            if choice.condition is None:
                self.fault(node, f"operands: {name}", "'else' stands last")
        return found

    def sentences(self, owner: dict[Text, Node], names: Names, own: bool) -> list[Sentence]:
        found: list[Sentence] = []
        for key in RULES:
            for text in self.texts(owner.get(_KEY[key]), key):
                self.sentence(text, key, {}, names, own, found)
        for key in (*AVAILABILITY, INSTEAD):
            rows = owner.get(_KEY[key])
            if rows is None:
                continue
            if not isinstance(rows, dict):
                what = "phrases" if key == INSTEAD else "versions"
                self.fault(rows, key, f"wants a mapping from conditions to {what}")
                continue
            for text, node in rows.items():
                try:
                    needs = self.needs(node, key)
                except AvailabilityError as error:
                    self.fault(text, f"{key}: {text}", str(error))
                    continue
                self.sentence(text, key, needs, names, own, found)
        for text, words in self.effects(owner).items():
            self.sentence(text, "effects", {}, names, own, found, words)
        return found

    def needs(self, node: Node, key: str) -> dict[str, str]:
        """What hangs on the condition of a row: versions, or phrases, by target predicate."""
        if key == INSTEAD:
            return read_phrases(node, self.vocabulary.targets)
        return read_needs(node, self.vocabulary.targets, self.vocabulary.versions)

    def sentence(
        self, text: Text, key: str, needs: dict[str, str], names: Names, own: bool, found: list[Sentence],
        effects: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        try:
            tree = compile_condition(text, names)
        except ConditionError as error:
            self.fault(text, key, str(error))
            return
        found.append(Sentence(str(text), text.line, tree, key, needs, not own, effects))

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

    def effects(self, owner: dict[Text, Node]) -> dict[Text, tuple[str, ...]]:
        """Condition -> the effects that a statement has under it."""
        rows = owner.get(_KEY["effects"], {})
        if not isinstance(rows, dict):
            self.fault(rows, "effects", "wants a mapping from conditions to lists of effects")
            return {}
        found: dict[Text, tuple[str, ...]] = {}
        for text, node in rows.items():
            words = self.texts(node, f"effects: {text}")
            for word in words:
                if word not in EFFECTS:
                    self.fault(word, f"effects: {text}", f"{word!r} is none of {', '.join(EFFECTS)}")
            found[text] = tuple(str(word) for word in words)
        return found

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
            if not body.get(_KEY[key]):
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


def _countable(everywhere: Names, own: Names) -> Names:
    """Names without the slots `.type1`, `.type2`... of other blocks: here these are the first type, the second..."""
    others = {slot for slot in everywhere.slots - own.slots if re.fullmatch(r"\.type\d", slot)}
    return evolve(everywhere, slots=everywhere.slots - others)


_SECTION = re.compile(r"\d+(?:\.\d+)+(?:  \S.*)?")


class _Keys(dict[str, Text]):
    def __missing__(self, key: str) -> Text:
        return Text(key)


_KEY: Any = _Keys()
