"""Structured control flow, each form emitting exactly the labels and branches that one would write by hand."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import define

from ptxgen.ir.operands import Name, Prefixed, Reg

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder


@define(eq=False, weakref_slot=False, repr=False)
class Branch:
    """The handle of `with k.if_(p) as branch:`; `branch.else_()` follows it."""

    builder: Builder
    end: Name

    @contextmanager
    def else_(self) -> Generator[None]:
        """What happens when the predicate is false."""
        builder = self.builder
        builder.unplace(self.end)
        after = builder.label("endelse")
        builder.bra(after)
        builder.place(self.end)
        yield
        builder.place(after)


@define(eq=False, weakref_slot=False, repr=False)
class Loop:
    """The handle of `with k.loop("name") as loop:`."""

    builder: Builder
    top: Name
    end: Name
    broken: bool = False

    def repeat(self, *, pred: Reg[Any] | Prefixed[Any] | None = None) -> None:
        """Go back to the top, when `pred` holds."""
        self.builder.bra(self.top, pred=pred)

    def break_(self, *, pred: Reg[Any] | Prefixed[Any] | None = None) -> None:
        """Leave the loop, when `pred` holds."""
        self.broken = True
        self.builder.bra(self.end, pred=pred)


@contextmanager
def if_(builder: Builder, pred: Reg[Any] | Prefixed[Any]) -> Generator[Branch]:
    """`@!pred bra $endif; ... $endif:`"""
    condition = builder.guard(pred, "k.if_(p)")
    end = builder.label("endif")
    builder.bra(end, pred=~condition)
    yield Branch(builder, end)
    builder.place(end)


@contextmanager
def loop(builder: Builder, name: str) -> Generator[Loop]:
    """`$name: ...`, and `$name_end:` when the loop is left from inside."""
    top = builder.label(name)
    handle = Loop(builder, top, builder.label(f"{name}_end"))
    builder.place(top)
    yield handle
    if handle.broken:
        builder.place(handle.end)
