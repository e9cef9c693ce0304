"""Writing what a verb makes."""

from __future__ import annotations

import os
import sys

from ptxgen.cli.usage import WrongUsage


def write_data(data: bytes) -> None:
    """Bytes to standard output, as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def write(path: str, data: bytes) -> None:
    """Write a file; WrongUsage says why that is not possible."""
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise WrongUsage(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def replace(path: str, data: bytes) -> None:
    """Write a file anew in one step: who reads it meanwhile, or is interrupted, has the old or the new one whole."""
    import shutil

    real = os.path.realpath(path)  # a link stays one
    beside = f"{real}.{os.getpid()}.ptxgen"
    write(beside, data)
    try:
        shutil.copymode(real, beside)
        os.replace(beside, real)
    except OSError as error:
        os.unlink(beside)
        raise WrongUsage(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
