"""Kernels for tests: what a body prints, and what a refused call must not leave behind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ptxgen import Builder, Module, PtxError

Body = Callable[[Any], object]


def written(body: Body, target: str = "sm_90", version: str | None = None, **options: Any) -> list[str]:
    """The lines of a kernel's body, without tabs and declarations of registers."""
    module = Module(target, version, **options)
    module.entry(lambda k: body(k), name="kernel")
    return body_lines(module.ptx())


def body_lines(text: str) -> list[str]:
    """The lines of the last body in a module, without tabs and declarations of registers."""
    lines = text[text.rindex("\n{\n") + 3 : text.rindex("\n}")].split("\n")
    return [line.strip() for line in lines if not line.startswith("\t.reg ")]


def builder(target: str = "sm_90", version: str | None = None, **options: Any) -> Builder:
    """A builder whose function stays open."""
    return building(Module(target, version, **options))


def building(module: Module, name: str = "kernel", **directives: Any) -> Builder:
    """A builder of a kernel of a module, taken out of its body."""
    kept: list[Builder] = []

    class Stop(Exception):
        pass

    def body(k: Builder) -> None:
        kept.append(k)
        raise Stop

    with pytest.raises(Stop):
        module.entry(name=name, **directives)(body)
    return kept[0]


@contextmanager
def refused(
    error: type[PtxError], *fragments: str, k: Builder | None = None, module: Module | None = None
) -> Iterator[pytest.ExceptionInfo[PtxError]]:
    """The block raises this error, at the line of its own that fails, and leaves function and module as they were."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    assert frame.f_back.f_back is not None
    file = frame.f_back.f_back.f_code.co_filename
    module = module or (k.module if k is not None else None)
    before = state(k, module)
    with pytest.raises(PtxError) as caught:
        yield caught
    found = caught.value
    assert isinstance(found, error), f"{type(found).__name__}: {found}"
    for fragment in fragments:
        assert fragment in str(found)
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path) == file]
    assert found.__notes__ == [f"at {file}:{lines[-1]}"]
    assert found.diagnostics
    assert {(d.file, d.line) for d in found.diagnostics} == {(file, lines[-1])}
    assert all(d.message for d in found.diagnostics)
    assert state(k, module) == before


def state(k: Builder | None, module: Module | None) -> tuple[Any, ...]:
    """All that a refused call must leave as it is."""
    function = () if k is None else (list(k.function.body), list(k.named))
    return (*function, *(() if module is None else (list(module.functions), list(module.variables))))
