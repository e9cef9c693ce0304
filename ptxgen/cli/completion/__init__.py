"""`ptxgen completion bash|zsh|fish`: a script that completes verbs, options, targets, versions, codes, instructions.

    eval "$(ptxgen completion bash)"          in ~/.bashrc
    eval "$(ptxgen completion zsh)"           in ~/.zshrc, after compinit
    ptxgen completion fish | source           in ~/.config/fish/config.fish
"""

from __future__ import annotations

import argparse
import importlib

from ptxgen.cli import options as option
from ptxgen.cli.usage import reported

SHELLS = ("bash", "zsh", "fish")


def parser() -> argparse.ArgumentParser:
    """The options of the verb."""
    made = option.verb_parser("completion", __doc__)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.add_argument("shell", choices=SHELLS)
    return made


def main(arguments: list[str]) -> int:
    """Print the script."""
    given = parser().parse_args(arguments)

    def action() -> int:
        from ptxgen.cli.completion.commands import commands

        print(importlib.import_module(f"ptxgen.cli.completion.{given.shell}").script(commands()))
        return 0

    return reported(action)
