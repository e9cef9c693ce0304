"""Names for the types of operands: `U32 = Reg[b32] | Reg[u32] | Reg[s32] | Reg[f16x2] | int`, once for all stubs.

Classes of the stubs have attributes called `f32` and `pred`, which would hide the type of that name within them. So
everything that names a PTX type is an alias in `ptxgen_isa/opcodes/_operands.pyi`.
"""

from __future__ import annotations

import re

from attrs import define, field

_HEAD = '''"""What instructions take and return, by PTX type."""

from typing import Any, Literal, TypeAlias

from ptxgen.ir.module import Function
from ptxgen.ir.operands import Address, Name, Offset, Prefixed, Reg, Selected, Sink, Special, Variable
from ptxgen.names import SpecialVector
from ptxgen_isa.names import (
{names}
)

class Opcode:
    """A prefix of an opcode, or a whole one."""

    def __getitem__(self, token: object, /) -> Any:
        """A token as a value: `k.add.rn[f32](a, b)`."""

Guard: TypeAlias = Reg[pred] | Prefixed[pred]
Argument: TypeAlias = Reg[Any] | Variable[Any] | Sink | float
'''

# How what stands in a set beside registers shows in its name.
_MARKS = (
    ("Selected[", "part"), ("Prefixed[", "prefixed"), ("Sink", "sink"), ("Special", "special"), ("Variable[", "symbol"),
    ("Name", "name"), ("tuple[", "vector"),
)  # fmt: skip
_SAFE = re.compile(r"(?:int|float|Sink|Name|Function|Offset|Address|Any|Literal\[\d+\]|Variable\[Any\])\Z")
_NESTED = re.compile(r"(?:tuple|list)\[(?:[A-Z]\w*|None|Any|Ellipsis|[ ,|]|\.\.\.|tuple\[|list\[|\])*\]\Z")


@define(eq=False)
class Aliases:
    """Gives each set of types one name, in the order in which they are met."""

    registers: list[str]  # types that registers have
    names: dict[frozenset[str], str] = field(factory=dict)
    sets: dict[str, frozenset[str]] = field(factory=dict)
    hints: dict[frozenset[str], list[str]] = field(factory=dict)
    results: dict[str, str] = field(factory=dict)  # name -> text

    def hint(self, types: frozenset[str], ptx: list[str]) -> None:
        """The PTX types to name a set after, should it need a name."""
        if ptx:
            self.hints.setdefault(types, ptx)

    def name(self, types: frozenset[str], ptx: list[str] | None = None) -> str:
        """The name of a set, or its text where that is as short and hides nothing."""
        if len(types) == 1:
            (only,) = types
            if match := re.fullmatch(r"Reg\[(\w+)\]", only):
                return self.result(match[1])
            if _SAFE.match(only) or _NESTED.match(only):
                return only
        if "float" in types:
            types -= {"int"}  # a float is a number to Python's types
        found = self.names.get(types)
        if found is None:
            found = self._new_name(types, ptx or self.hints.get(types, []))
            self.names[types] = found
            self.sets[found] = types
        return found

    def _new_name(self, types: frozenset[str], ptx: list[str]) -> str:
        words = list(dict.fromkeys(ptx)) or ["operand"]
        base = "_".join(word[0].upper() + word[1:] for word in words[:3])
        if not types & {"int", "float"}:
            base += "_reg" if any(t.startswith("Reg[") for t in types) else ""
        base += "".join(f"_{mark}" for start, mark in _MARKS if any(t.startswith(start) for t in types))
        name = base
        number = 1
        while name in self.sets:
            number += 1
            name = f"{base}_{number}"
        return name

    def without(self, text: str, left_out: str) -> str:
        """A type whose sets do not have a member; "" when it is the member itself."""
        if text == left_out:
            return ""

        def replace(match: re.Match[str]) -> str:
            types = self.sets.get(match[0])
            return match[0] if types is None else self.name(types - {left_out}, self.hints.get(types))

        return re.sub(r"\b[A-Z]\w*\b", replace, text)

    def result(self, ptx: str) -> str:
        """A register of a type."""
        self.results.setdefault(f"Reg_{ptx}", f"Reg[{ptx}]")
        return f"Reg_{ptx}"

    def vector(self, ptx: list[str]) -> str:
        """Registers of these types."""
        one = self.result(ptx[0])
        if len(set(ptx)) > 1:
            return f"tuple[{', '.join(self.result(name) for name in ptx)}]"
        text = f"tuple[{', '.join([one] * len(ptx))}]"
        return self.results.setdefault(f"{one}_x{len(ptx)}", text) and f"{one}_x{len(ptx)}"

    def used(self, text: str) -> list[str]:
        """The names in a text that the stub of an instruction has to import."""
        words = set(re.findall(r"\b[A-Z]\w*\b", text))
        own = self.sets.keys() | self.results.keys() | {"Guard", "Argument", "Opcode"}
        return sorted(words & own)

    def module(self, types: list[str]) -> str:
        """The text of `_operands.pyi`."""
        rows = {name: text for name, text in self.results.items()}
        rows |= {name: " | ".join(sorted(types_, key=self._order)) for name, types_ in self.sets.items()}
        listed = "".join(f"{name}: TypeAlias = {rows[name]}\n" for name in sorted(rows))
        needed = [name for name in types if re.search(rf"\[{name}\]", listed)]
        return _HEAD.replace("{names}", _columns(dict.fromkeys([*needed, "pred"]))) + listed

    def _order(self, text: str) -> tuple[int, int, str]:
        if match := re.match(r"(\w+)\[(\w+)\]", text):
            kinds = ("Reg", "Selected", "Prefixed", "Special", "SpecialVector", "Variable")
            kind = kinds.index(match[1]) if match[1] in kinds else len(kinds)
            return kind, self.registers.index(match[2]) if match[2] in self.registers else 99, text
        return 9, 0, text


def _columns(names: dict[str, None]) -> str:
    return "".join(f"    {name},\n" for name in names).rstrip("\n")
