"""cuda.core and the driver bindings, imported when first needed; their errors as ours."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ptxgen.errors import Diagnostic, PtxError


def core() -> Any:
    """The module cuda.core."""
    return import_module("cuda.core")


def bindings() -> Any:
    """The module cuda.bindings.driver, whose functions return a status and values."""
    return import_module("cuda.bindings.driver")


class Status(Exception):
    """A call of the driver did not succeed; the text is its status, such as "CUDA_ERROR_INVALID_PTX (218)"."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(f"{name} ({number})")
        self.name = name
        self.number = number


def checked(answer: tuple[Any, ...]) -> Any:
    """The value of a call of the bindings (None if it has none); raises Status."""
    status, *values = answer
    if int(status) != 0:
        raise Status(status.name, int(status))
    return values[0] if values else None


def complaints() -> tuple[type[Exception], ...]:
    """The exceptions by which bindings and cuda.core say that a call of the driver did not succeed."""
    return Status, import_module("cuda.core._utils.cuda_utils").CUDAError  # which has no public name


@contextmanager
def reported_as(error: type[PtxError], code: str, what: str) -> Generator[None, None, None]:
    """Turn a complaint of the driver inside the block into one of our errors: "`what`: reason"."""
    try:
        yield
    except complaints() as reason:
        raise error.of(Diagnostic(code, "error", f"{what}: {reason}")) from reason
