"""The script for bash. Where it proposes nothing, `-o default` lets bash propose files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ptxgen.cli.completion.commands import FILES, Command, Value, kinds

_SCRIPT = """\
# Completion of ptxgen for bash.
_ptxgen() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words=
{lists}
    local command=${{COMP_WORDS[1]}}
    if (( COMP_CWORD > 2 )); then
        case "$command ${{COMP_WORDS[2]}}" in
            {actions}) command+=" ${{COMP_WORDS[2]}}" ;;
        esac
    fi
    if (( COMP_CWORD == 1 )); then
        words={verbs}
    else
        case "$command $previous" in
{values}
            *)
                case "$command" in
{commands}
                esac
                if [[ $current == -* ]]; then words=$options; else words=$arguments; fi
                ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _ptxgen ptxgen"""


def script(commands: Sequence[Command]) -> str:
    """The script."""
    values = [
        f"            {'|'.join(shlex.quote(' '.join((*command.path, name))) for name in option.names)})"
        f" words={_words(option.value)} ;;"
        for command in commands
        for option in command.options
        if option.value is not None
    ]
    cases = [
        f"                    {shlex.quote(' '.join(command.path))})"
        f" local options={shlex.quote(' '.join(name for option in command.options for name in option.names))}"
        f" arguments={_words(command.argument)} ;;"
        for command in commands
    ]
    return _SCRIPT.format(
        lists="\n".join(f"    local {kind}={shlex.quote(' '.join(words))}" for kind, words in kinds().items()),
        actions="|".join(shlex.quote(" ".join(command.path)) for command in commands if len(command.path) > 1),
        verbs=shlex.quote(" ".join(command.path[0] for command in commands if len(command.path) == 1)),
        values="\n".join(values),
        commands="\n".join(cases),
    )


def _words(value: Value) -> str:
    """An expression of the shell for the words of a value; empty for files."""
    if value.kind == FILES:
        return "''"
    own = shlex.quote(" ".join(value.words)) if value.words else ""
    return f'"${value.kind}"' + (f'" "{own}' if own else "") if value.kind else own
