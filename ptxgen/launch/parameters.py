"""The entries of a kernel's `.param` list, as far as a launch needs to know them."""

from __future__ import annotations

from attrs import field, frozen

from ptxgen.isa import types

_KINDS = {"bits": "b", "unsigned": "u", "signed": "s", "float": "f"}


@frozen
class Parameter:
    """One kernel parameter. `type` is a PTX type without its dot: "u32", "f64", "b8".

    `count` is None for a scalar and n for an array of n elements passed by value. `pointer` says that the parameter
    was declared with `.ptr`; `align` is then the alignment in bytes promised for what it points to. `element` is the
    PTX type of what it points to, where somebody knows it (PTX text does not say).
    """

    name: str
    type: str
    count: int | None = None
    pointer: bool = False
    align: int = field(default=1, kw_only=True)
    element: str | None = field(default=None, kw_only=True)

    @property
    def size(self) -> int:
        """Bytes of the whole parameter; 0 for a type that no launch can pass."""
        return width(self.type) // 8 * (1 if self.count is None else self.count)

    @property
    def holds_address(self) -> bool:
        """Whether an array may stand here: a pointer, or a plain 64-bit integer, as most compilers write one."""
        return self.count is None and (self.pointer or (kind(self.type) in "bu" and width(self.type) == 64))

    def __str__(self) -> str:
        brackets = "" if self.count is None else f"[{self.count}]"
        return f".{self.type}{' .ptr' if self.pointer else ''} {self.name}{brackets}"


def width(ptx_type: str) -> int:
    """Bits of one element of a PTX type that a parameter can have; 0 for any other type (`.texref`, `.pred`)."""
    found = types.type_of(ptx_type)
    return found.bits if found is not None and found.register and found.kind in _KINDS else 0


def kind(ptx_type: str) -> str:
    """How the bits are meant: "u", "s", "f", or "b" for bits without meaning (packed types too); "" if unknown."""
    found = types.type_of(ptx_type)
    if found is None or not width(ptx_type):
        return ""
    return _KINDS[found.kind] if found.lanes == 1 else "b"
