"""A Python file that defines a module: how the command line loads one."""

from __future__ import annotations

import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define

from ptxgen.build.module import Module
from ptxgen.cli.usage import BrokenKernelFile, WrongUsage
from ptxgen.errors import PtxError


@define
class KernelFile:
    """What a kernel file defines: its module, and `run(program)`, which launches and checks."""

    module: Module
    run: Callable[[Any], object] | None


def load_kernel_file(path: str) -> KernelFile:
    """Execute a Python file and take its module; WrongUsage when it has none, or several.

    Errors of ptxgen pass; any other becomes a BrokenKernelFile.
    """
    if not Path(path).is_file():
        raise WrongUsage(f"{path} is no file")
    names = _execute(path)
    modules = list({id(v): v for v in names.values() if isinstance(v, Module)}.values())
    if len(modules) != 1:
        raise WrongUsage(f"{path} defines {len(modules)} modules; a kernel file defines one ptxgen.Module")
    run = names.get("run")
    return KernelFile(modules[0], run if callable(run) else None)


def _execute(path: str) -> dict[str, Any]:
    folder = str(Path(path).resolve().parent)
    sys.path.insert(0, folder)  # a kernel file may import what lies beside it
    try:
        return runpy.run_path(path)
    except PtxError:
        raise
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != path:
            trace = trace.tb_next
        raise BrokenKernelFile("".join(traceback.format_exception(type(error), error, trace)).rstrip()) from error
    finally:
        sys.path.remove(folder)
