"""The script for zsh, to be evaluated after compinit, or to be put as `_ptxgen` into a folder of fpath."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ptxgen.cli.completion.commands import FILES, Command, Value, kinds

_SCRIPT = """\
#compdef ptxgen
# Completion of ptxgen for zsh.
_ptxgen() {{
    local -a {names} verbs
{lists}
    verbs=(
{verbs}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
        return
    fi
    local command=$words[2]
    if (( CURRENT > 3 )); then
        case "$command $words[3]" in
            {actions}) command+=" $words[3]" ;;
        esac
    fi
    case "$command $words[CURRENT-1]" in
{values}
    esac
    case "$command" in
{commands}
    esac
}}
if [[ $funcstack[1] == _ptxgen ]]; then _ptxgen "$@"; else compdef _ptxgen ptxgen; fi"""


def script(commands: Sequence[Command]) -> str:
    """The script."""
    values = [
        f"        {'|'.join(shlex.quote(' '.join((*command.path, name))) for name in option.names)})"
        f" {_add(option.value)}; return ;;"
        for command in commands
        for option in command.options
        if option.value is not None
    ]
    cases: list[str] = []
    for command in commands:
        names = " ".join(name for option in command.options for name in option.names)
        arguments = _add(command.argument)
        path = shlex.quote(" ".join(command.path))
        cases.append(f"        {path}) if [[ $PREFIX == -* ]]; then compadd -- {names}; else {arguments}; fi ;;")
    verbs = [command for command in commands if len(command.path) == 1]
    return _SCRIPT.format(
        names=" ".join(kinds()),
        lists="\n".join(f"    {kind}=({' '.join(map(shlex.quote, words))})" for kind, words in kinds().items()),
        verbs="\n".join(f"        {shlex.quote(command.path[0] + ':' + command.help)}" for command in verbs),
        actions="|".join(shlex.quote(" ".join(command.path)) for command in commands if len(command.path) > 1),
        values="\n".join(values),
        commands="\n".join(cases),
    )


def _add(value: Value) -> str:
    if value.kind == FILES:
        return "_files"
    words = (*(f"${value.kind}" for _ in value.kind[:1]), *map(shlex.quote, value.words))
    return f"compadd -- {' '.join(words)}"
