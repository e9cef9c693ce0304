"""Run the command line as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@frozen
class Done:
    """Exit status, standard output and standard error."""

    status: int
    output: str
    errors: str


def command(*arguments: str, cwd: Path = ROOT, input: bytes = b"") -> Done:
    """`ptxgen ARGUMENTS`."""
    run = [sys.executable, "-m", "ptxgen", *arguments]
    done = subprocess.run(run, cwd=cwd, env=ENVIRONMENT, input=input, capture_output=True, timeout=120, check=False)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
