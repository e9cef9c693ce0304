"""The script for fish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptxgen.cli.completion.commands import FILES, Command, Option, Value, kinds


def script(commands: Sequence[Command]) -> str:
    """The script."""
    lines = ["# Completion of ptxgen for fish."]
    lines += [f"set -g __ptxgen_{kind} {' '.join(map(_quoted, words))}" for kind, words in kinds().items()]
    return "\n".join([*lines, *(line for command in commands for line in _command(command))])


def _command(command: Command) -> Iterator[str]:
    *above, name = command.path
    where = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in above) or "__fish_use_subcommand"
    yield f"complete -c ptxgen -n {_quoted(where)} -f -a {name} -d {_quoted(command.help)}"
    here = _quoted("; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.path))
    for option in command.options:
        yield f"complete -c ptxgen -n {here} {_option(option)} -d {_quoted(option.help)}"
    if command.argument.kind != FILES and not command.actions:  # actions are commands of their own
        yield f"complete -c ptxgen -n {here} -f -a {_words(command.argument)}"


def _option(option: Option) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.value is None:
        follows = "-f"
    elif option.value.kind == FILES:
        follows = "-r -F"
    else:
        follows = f"-x -a {_words(option.value)}"
    return " ".join([*names, follows])


def _words(value: Value) -> str:
    kind = f"$__ptxgen_{value.kind} " if value.kind else ""
    return f'"{kind}{" ".join(value.words)}"'


def _quoted(text: str) -> str:
    """A text in single quotes of fish."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
