"""All of `specs/`, loaded and checked together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import define

from ptxgen.errors import SpecError
from tools.specification.audit import audit
from tools.specification.family import Family, Vocabulary
from tools.specification.global_files import check_global_files
from tools.specification.load import load
from tools.specification.reader import Node, Problems, read

ROOT = Path(__file__).resolve().parents[2] / "specs"
GLOBALS = ("types", "tokens", "targets", "versions", "registers", "directives")


@define
class Specification:
    """The global tables as plain data, and every family in the order of its file's name."""

    tables: dict[str, Any]
    families: list[Family]
    vocabulary: Vocabulary


def load_specification(root: Path = ROOT, audited: bool = True) -> Specification:
    """Load and audit `specs/`; `SpecError` lists every fault of every file as `path:line: key: message`."""
    problems = Problems()
    nodes: dict[str, tuple[Path, Node]] = {}
    for name in GLOBALS:
        path = root / f"{name}.yaml"
        if not path.exists():
            problems.add(path, 1, name, "missing; every specification has it")
        elif (node := read(path, problems)) is not None:
            nodes[name] = path, node
    if len(nodes) == len(GLOBALS):
        check_global_files(nodes, problems)
    if problems.found:
        raise SpecError(str(problems))
    tables: dict[str, Any] = {name: _plain(node) for name, (_, node) in nodes.items()}
    vocabulary = Vocabulary(
        frozenset(tables["types"]["types"]),
        frozenset(tables["targets"]["targets"]),
        frozenset(tables["versions"]["versions"]),
        frozenset(tables["targets"]["options"]) | frozenset(tables["directives"]["options"]),
    )
    paths = sorted((root / "instructions").glob("*.yaml"))
    if not paths:
        problems.add(root / "instructions", 1, "instructions", "no specification file")
    _check_unread(root, {*paths, *(path for path, _ in nodes.values())}, problems)
    families = [family for path in paths if (family := load(path, vocabulary, problems)) is not None]
    owner: dict[str, Path] = {}
    for family in families:
        for mnemonic in family.mnemonics:
            if mnemonic in owner:
                problems.add(family.path, 1, "instruction", f"{mnemonic} stands in {owner[mnemonic].name} too")
            owner[mnemonic] = family.path
    if audited:
        audit(families, tables, problems)
    if problems.found:
        raise SpecError(str(problems))
    return Specification(tables, families, vocabulary)


def _check_unread(root: Path, files: set[Path], problems: Problems) -> None:
    """Add each other YAML file: what it says would be missing without a word."""
    for path in {path for path in root.rglob("*") if path.suffix.lower() in (".yaml", ".yml")} - files:
        problems.add(path, 1, "yaml", "never read; specs/README.md says which files are")


def _plain(node: Node) -> Any:
    if isinstance(node, dict):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    return str(node)
