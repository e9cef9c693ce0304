"""One straight-line kernel, by several emitters.

Of every eight instructions four are `add.f32`, two `fma.rn.f32`, one is `ld.global.f32` and one `st.global.f32`; each
but the last writes a register of its own. Every emitter spells the eight out, as a kernel's author would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

PATTERN = 8  # instructions


@frozen
class Emitter:
    """`emit(n)` builds n instructions; it returns their text and whatever must outlive the clock."""

    name: str
    emit: Callable[[int], tuple[str, Any]]
    package: str = ""  # to be installed
