"""Run the command line as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
_START = "from ptxgen.cli import start; start()"


@frozen
class Done:
    """Exit status, standard output and standard error."""

    status: int
    output: str
    errors: str


def command(*arguments: str, cwd: Path = ROOT) -> Done:
    """`ptxgen ARGUMENTS`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    run = [sys.executable, "-c", _START, *arguments]
    done = subprocess.run(run, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return Done(done.returncode, done.stdout, done.stderr)
