"""The keys of the global files, and what each has to be. Their meaning stands at the head of each file."""

from __future__ import annotations

from pathlib import Path

from tools.specification.reader import Node, Problems, Text
from tools.specification.sorts import Entry, Listed, Needs, Sort, Table, Word, choice, either, one_of, pattern

KINDS = ("bits", "unsigned", "signed", "float", "fixed", "predicate", "opaque")

_text = Word("text", str.strip)
_name = pattern("a name", r"[A-Za-z_]\w*")
_number = pattern("a number", r"\d+|0x[0-9a-f]+")
_yes = choice("yes", "no")
_token = pattern("a token with its dot", r"\.\w+(::\w+)*")
_section = pattern("the number of a section", r"\d+(\.\d+)*")
_toolkit = pattern("a toolkit, such as 12.4", r"\d+\.\d+")
_letter = choice("b", "u", "s", "f", "half2", "pred")


def check_global_files(tables: dict[str, tuple[Path, Node]], problems: Problems) -> None:
    """Add every fault of the global files: keys, and values that are not what they have to be."""
    sorts = _sorts({name: node for name, (_, node) in tables.items()})
    # Where a whole file is wrong, its names would be missing all over the others.
    shapeless = {name: table for name, table in tables.items() if not isinstance(table[1], dict)}
    for name, (path, node) in (shapeless or tables).items():
        for line, key, message in sorts[name].faults(node, Text(f"{name}.yaml", 1)):
            problems.add(path, line, key, message)


def _names(node: Node | None, key: str) -> frozenset[str]:
    """The names that the table of a file has."""
    table = node.get(Text(key)) if isinstance(node, dict) else None
    return frozenset(map(str, table)) if isinstance(table, dict) else frozenset()


def _sorts(files: dict[str, Node]) -> dict[str, Sort]:
    """File -> what it has to be, given the names in the others."""
    targets, versions = _names(files["targets"], "targets"), _names(files["versions"], "versions")
    types, groups = _names(files["types"], "types"), _names(files["types"], "groups")
    type_ = one_of("a type of types.yaml", types)
    target = one_of("a target of targets.yaml", targets)
    version = one_of("a version of versions.yaml", versions)
    needs = Needs(targets, versions)
    row = one_of("a type, a group or a kind of types.yaml", types | groups | set(KINDS))
    option = one_of("an option", _names(files["targets"], "options") | _names(files["directives"], "options"))
    toolkit = one_of("a toolkit of versions.yaml", _names(files["versions"], "toolkits"))
    return {
        "types": _types(type_, row, needs),
        "tokens": _tokens(),
        "targets": _targets(target, version, needs, option),
        "versions": _versions(toolkit),
        "registers": _registers(type_, types, needs, option),
        "directives": _directives(type_, needs, option),
    }


_CONTEXTS = ("modifier", "fixed", "vector", "element", "warp", "warpgroup")


def _types(type_: Sort, row: Word, needs: Sort) -> Sort:
    format_ = Entry({
        "sign": _yes, "exponent!": _number, "mantissa!": _number, "bias!": _number, "infinity": _yes, "nan": _number,
        "subnormal": _yes,
    })  # fmt: skip
    kind = Entry(
        {
            "kind!": choice(*KINDS), "bits": _number, "of": type_, "lanes": _number, "pitch": _number,
            "register": needs, "variable": Listed(_token), "container": type_, "format": format_, "fraction": _number,
        },
        either=("bits", "of"),
    )  # fmt: skip
    letters = Listed(_letter)
    registers = Table(row, Entry({"exact!": letters, "wider": letters, "lax": letters}))
    literals = Table(row, Listed(choice("integer", "single", "double")))
    address = Entry({
        "register!": letters, "bits!": Listed(_number), "beyond": Listed(_number), "variable": Listed(_token),
        "immediate": _yes, "offset": _yes,
    })  # fmt: skip
    return Entry({
        "types!": Table(_token, kind),
        "groups!": Table(_name, Listed(type_)),
        "operands!": Entry({f"{context}!": registers for context in _CONTEXTS}),
        "vectors!": Entry({"alike!": Listed(letters), "sink": choice("destination")}),
        "constants!": Entry({"whole!": literals, "vector!": literals, "mixed!": literals, "warp": literals}),
        "addresses!": Table(pattern("a state space, or a name", r"\.?\w+(::\w+)*"), address),
    })  # fmt: skip


def _tokens() -> Sort:
    return Entry({
        "ordered!": Table(_name, either(choice("types.yaml"), Listed(_token))),
        "numbers!": Table(_token, _number),
        "shapes": Listed(_token),
        "repeatable!": Listed(pattern("a token, perhaps after its mnemonic", r"[a-z]*\.\w+(::\w+)*")),
        "ignored!": Listed(pattern("a token, or one after its mnemonic", r"([a-z][\w.]*)?\.\w+(::\w+)*")),
        "movable!": Listed(pattern("a word after the first of its mnemonic", r"[a-z]\w*\.\w+(::\w+)*")),
    })  # fmt: skip


def _targets(target: Word, version: Sort, needs: Sort, option: Sort) -> Sort:
    row = Entry({
        "since!": version,
        "family": _name,
        "assembled!": pattern("toolkits, such as 11.8.. or ..12.9", r"(\d+\.\d+)?\.\.(\d+\.\d+)?"),
        "renamed": Table(target, version),
    })  # fmt: skip
    only = Entry({
        "since!": needs, "ungated": needs, "only": Listed(target), "conflicts": Listed(option), "wants": _token,
    })  # fmt: skip
    return Entry({
        "targets!": Table(pattern("a target, such as sm_90a", r"sm_\d+[af]?"), row),
        "synonyms": Table(_name, _name),
        "options!": Table(_name, only),
    })  # fmt: skip


def _versions(toolkit: Sort) -> Sort:
    driver = pattern("a driver, such as 570.26", r"\d+(\.\d+)+")
    return Entry({
        "versions!": Table(pattern("a version, such as 8.3", r"\d+\.\d+"), Listed(toolkit)),
        "toolkits!": Table(_toolkit, Entry({"branch": _number, "driver": driver})),
    })  # fmt: skip


def _registers(type_: Sort, types: frozenset[str], needs: Sort, option: Sort) -> Sort:
    row = Entry({
        "type!": Word("a type of types.yaml, perhaps after .v4", lambda text: text.removeprefix(".v4 ") in types),
        "legacy": Listed(type_), "since!": needs, "ungated": needs, "requires": option, "section": _section,
        "summary!": _text,
    })  # fmt: skip
    return Entry({
        "reads!": Table(_name, Listed(choice("scalar", "vector", "element", "predicate"))),
        "registers!": Table(pattern("names of registers", r"\w+(<\d+>)?(, \w+(<\d+>)?)*"), row),
    })  # fmt: skip


def _directives(type_: Word, needs: Sort, option: Sort) -> Sort:
    words: dict[str, Sort] = {
        "syntax": _text, "arguments": Table(_text, _text), "since!": needs, "ungated": needs, "deprecated": needs,
        "removed": needs, "conflicts": Listed(_token), "requires": Listed(_token), "needed": Listed(_token),
        "repeat": _yes, "returned": _yes, "declared": _yes, "opaque": _yes, "section": _section, "summary": _text,
        "launched": _number,
    }  # fmt: skip
    places = Listed(choice("module", "entry", "func", "prototype", "body"))
    linked, age = Listed(_token), Entry({"since!": needs, "ungated": needs, "removed": needs})
    named = pattern("a directive", r"(\.|@@)\w+( \.\w+)?")
    placed = Entry({**words, "on!": places})
    feature = Entry({"since!": needs, "ungated": needs, "what!": _text})
    data = Entry({**words, "on!": places, "data": Table(_token, _text), "names": Listed(_token), "offset": _yes})
    align = Entry({"power": _number, "most": _number, "default": _number})
    where = either(needs, age)
    space = Entry({
        "module": where, "body": where, "array": choice("many", "one", "none"),
        "unsized": Listed(choice("extern", "initial")), "vector!": _yes, "initial": _yes, "attributes": _yes,
        "bank": Entry({"since!": needs, "removed!": needs, "last!": _number}), "kernel": age, "incomplete": age,
        "budget": Entry({"bytes!": _number, "of!": choice("module", "kernel")}),
        "align": align,
    })  # fmt: skip
    field = Entry({
        "types!": Listed(type_), "value!": either(choice("integer"), Listed(_name)), "since": needs, "ungated": needs,
    })  # fmt: skip
    return Entry({
        "module!": Table(
            named, Entry({**words, "on": places, "assembled": Table(_number, _toolkit), "narrow": _name})
        ),
        "functions!": Entry({".entry!": _function(type_, needs, option), ".func!": _function(type_, needs, option)}),
        "performance!": Table(named, placed),
        "order!": Listed(either(_token, Listed(_token))),
        "languages!": Table(_number, _text),
        "control!": Table(named, placed),
        "pragmas!": Table(_name, placed),
        "debugging": Table(named, data, {"features": Table(_text, feature)}),
        "linking!": Table(named, Entry({**words, "on": linked})),
        "attributes!": Table(named, Entry({**words, "on!": linked})),
        "spaces!": Table(_token, space),
        "vectors!": Entry({"sizes!": Listed(_token), "most!": _number, "not!": Listed(type_)}),
        "alignment!": Entry({"power": _number, "most!": _number}),
        "size!": Entry({"most!": _number}),
        "names": Entry({"numbered": _text, "list": _yes}),
        "initializers!": _initializers(type_, needs),
        "opaque!": Entry({
            "where!": Table(choice("module", "entry"), _token), "since!": needs, "samplerref": option,
            "fields": Table(_name, field),
        }),
        "options!": Table(_name, _token),
        "examples": Table(_text, either(_text, Entry({"ptx!": _text, "options!": Listed(option)}))),
    })  # fmt: skip


def _function(type_: Sort, needs: Sort, option: Sort) -> Sort:
    align = Entry({"power": _number, "most": _number, "default": _number})
    types = either(Listed(type_), Table(_token, Listed(type_)))
    unsized = either(_yes, Entry({"last": _yes, "since!": needs}))
    pointer = Entry({
        "since!": needs, "spaces!": Listed(_token), "align": align, "types!": Entry({"bits!": Listed(_number)}),
    })  # fmt: skip
    parameters = Entry({
        "space!": Table(_token, needs), "types": Entry({"not": types}),
        "opaque": Entry({"since!": needs, "samplerref": option}), "vector": either(_yes, Listed(_token)),
        "array!": Entry({"space": _token, "dimensions!": _number, "unsized!": unsized}), "align!": align,
        "size": Listed(Entry({"most!": _number, "since!": needs})), "ptr": pointer,
    })  # fmt: skip
    return Entry({
        "syntax!": _text, "since!": needs, "section": _section, "summary!": _text, "parameters!": parameters,
        "declaration": Entry({"since!": needs}),
        "returned": Entry({"count!": _number, "unsized": _yes}),
    })  # fmt: skip


def _initializers(type_: Word, needs: Sort) -> Sort:
    age = {"since!": needs, "ungated": needs}
    return Entry({
        "types!": Table(type_, Listed(choice("integer", "float", "address", "mask"))),
        "address!": Entry({
            "variable!": Entry({**age, "spaces!": Listed(_token), "offset": _text}),
            "generic": Entry({**age, "syntax": _text}), "function!": Entry(age), "kernel!": Entry(age),
        }),
        "mask": Entry({**age, "syntax": _text, "masks": Listed(_number), "constant": Entry(age)}),
    })  # fmt: skip
