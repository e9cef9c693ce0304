"""What can be completed: the commands with their options, read from the parsers, and the values, from the tables."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from typing import Any, cast

from attrs import frozen

from ptxgen.cli import VERBS
from ptxgen.cli import options as option

FILES = "files"  # the kind of values that a shell completes itself


@frozen
class Value:
    """What an option or argument takes: words of its own, or those of a kind."""

    kind: str = ""  # "" for `words`
    words: tuple[str, ...] = ()


@frozen
class Option:
    """An option with its names, and the value that follows it, if one does."""

    names: tuple[str, ...]
    help: str
    value: Value | None


@frozen
class Command:
    """A verb, or an action of a verb; `arguments` are what stands beside options, `actions` the next word's choice."""

    path: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]
    actions: tuple[str, ...] = ()

    @property
    def argument(self) -> Value:
        """What its arguments are completed with."""
        if self.actions:
            return Value("", self.actions)
        return self.arguments[0] if self.arguments else Value(FILES)


# Metavar -> kind. Any other is a file.
KINDS = {
    option.TARGET: "targets", option.ARCH: "targets", option.VERSION: "versions", "OLD": "versions", "NEW": "versions",
    option.TOOLKIT: "toolkits", option.DRIVER: "drivers", "CODE": "codes", "NAME": "names",
}  # fmt: skip


def commands() -> list[Command]:
    """Every verb, and behind it its actions."""
    return [
        command
        for verb, help in VERBS.items()
        for command in _of((verb,), help, importlib.import_module(f"ptxgen.cli.{verb}").parser())
    ]


def kinds() -> dict[str, tuple[str, ...]]:
    """Kind -> its values, from the tables of the specification and of the codes."""
    from ptxgen.assemble.advice import known
    from ptxgen.diagnostics.catalogue import codes
    from ptxgen.isa import directives, registers, targets, versions
    from ptxgen.isa.data import load
    from ptxgen.isa.family import table

    rows = load("versions")["toolkits"].values()
    described = [name for name in directives.table() if " " not in name]
    return {
        "targets": targets.names(),
        "versions": tuple(map(versions.text, versions.known())),
        "toolkits": tuple(versions.toolkits((1, 0))),
        "drivers": tuple(dict.fromkeys(str(row["driver"]) for row in rows if "driver" in row)),
        "codes": (*codes(), *known()),
        "names": (*table().mnemonics(), *(f"%{name}" for name in registers.table()), *described),
    }


def _of(path: tuple[str, ...], help: str, parser: argparse.ArgumentParser) -> Iterator[Command]:
    options: list[Option] = []
    arguments: list[Value] = []
    below: list[Command] = []
    for action in _actions(parser):
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            parsers: dict[str, argparse.ArgumentParser] = cast("Any", action).choices
            for name, one in parsers.items():
                below += _of((*path, name), one.description or "", one)
        elif action.option_strings:
            value = None if action.nargs == 0 else _value(action)
            options.append(Option(tuple(action.option_strings), action.help or "", value))
        else:
            arguments.append(_value(action))
    actions = tuple(command.path[len(path)] for command in below)
    yield Command(path, help, tuple(options), tuple(arguments), actions)
    yield from below


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """argparse has no public way to ask what was added."""
    return parser._actions  # pyright: ignore[reportPrivateUsage]


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value("", tuple(map(str, action.choices)))
    kind = KINDS.get(str(action.metavar), FILES)
    return Value(kind, (action.default,) if isinstance(action.default, str) else ())
