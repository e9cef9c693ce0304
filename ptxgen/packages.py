"""`ptxgen.check(...)`, `ptxgen.isa["mma"]`: a package that is also the function, or the table, of its name."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


def make_callable(package: str, home: str, function: str) -> None:
    """Let `package` be called: it calls `function` of the module `home`, imported on the first call."""

    def call(_self: ModuleType, *arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(home), function)(*arguments, **options)

    sys.modules[package].__class__ = type("CallablePackage", (ModuleType,), {"__call__": call})


def make_table(package: str, home: str, table: str) -> None:
    """Let `package` be asked like a mapping: it asks `table` of the module `home`."""

    def ask(operation: str) -> Any:
        def method(_self: ModuleType, *arguments: Any) -> Any:
            return getattr(getattr(importlib.import_module(home), table), operation)(*arguments)

        return method

    operations = ("__getitem__", "__iter__", "__len__", "__contains__")
    sys.modules[package].__class__ = type("TablePackage", (ModuleType,), {name: ask(name) for name in operations})
