"""What an annotation may say of a parameter beside its type."""

from __future__ import annotations

from attrs import define


@define(frozen=True)
class ptr:
    """`.ptr`: what a pointer parameter points to: `Annotated[Param[u64], ptr("global", align=16)]`."""

    space: str = ""
    align: int | None = None

    def text(self) -> str:
        """As PTX writes it."""
        words = [".ptr"]
        if self.space:
            words.append(f".{self.space.lstrip('.')}")
        if self.align is not None:
            words.append(f".align {self.align}")
        return " ".join(words)


@define(frozen=True)
class array:
    """An array parameter: `Annotated[Param[b8], array(128, align=64)]`; `array(None)` is one of unknown size."""

    count: int | None
    align: int | None = None
