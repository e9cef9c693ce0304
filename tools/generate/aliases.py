"""Names for the types of operands: `U32 = Reg[b32] | Reg[u32] | Reg[s32] | Reg[f16x2] | int`, once for all stubs.

Classes of the stubs have attributes called `f32` and `pred`, which would hide the type of that name within them. So
everything that names a PTX type is an alias in `ptxgen_isa/opcodes/_operands.pyi`.
"""

from __future__ import annotations

import re

from attrs import define, field

from ptxgen.isa import types

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
LONGEST = 8  # vectors of more elements have a type without length

# Where an operand's type stands, in the words of specs/types.yaml; how a set of registers of such a type is marked.
_CONTEXTS = (
    ("modifier", False, ""), ("modifier", True, "_wide"), ("fixed", False, "_fixed"), ("vector", False, "_element"),
    ("vector", True, "_wide_element"), ("warp", False, "_fragment"), ("warpgroup", False, "_fragment"),
)  # fmt: skip
_SAFE = re.compile(r"(?:int|float|Sink|Name|Function|Offset|Address|Any|Literal\[\d+\]|Variable\[Any\])\Z")
_NESTED = re.compile(r"(?:tuple|list)\[(?:[A-Z]\w*|None|Any|Ellipsis|[ ,|]|\.\.\.|tuple\[|list\[|\])*\]\Z")


@define(eq=False)
class Aliases:
    """Gives each set of types one name, in the order in which they are met."""

    registers: list[str]  # types that registers have
    types: list[str]  # all types
    names: dict[frozenset[str], str] = field(factory=dict)
    sets: dict[str, frozenset[str]] = field(factory=dict)
    results: dict[str, str] = field(factory=dict)  # name -> text
    bases: dict[frozenset[str], str] = field(init=False, factory=dict)  # registers -> how a set with them is called

    def __attrs_post_init__(self) -> None:
        for name in [*self.registers, *self.types]:
            for context, wider, mark in _CONTEXTS:
                fitting = [r for r in self.registers if types.fits(name, r, context, wider) and not types.is_lax(name, r)]
                self.bases.setdefault(frozenset(f"Reg[{r}]" for r in fitting), f"{name.capitalize()}{mark}")

    def name(self, members: frozenset[str], base: str = "") -> str:
        """The name of a set, or its text where that is as short and hides nothing."""
        if "float" in members:
            members -= {"int"}  # a float is a number to Python's types
        if len(members) == 1:
            (only,) = members
            if match := re.fullmatch(r"Reg\[(\w+)\]", only):
                return self.result(match[1])
        if len(members) <= 2 and all(_SAFE.match(text) or _NESTED.match(text) for text in members):
            return " | ".join(sorted(members, key=self._order))
        found = self.names.get(members)
        if found is None:
            found = self._new_name(members, base)
            self.names[members] = found
            self.sets[found] = members
        return found

    def _new_name(self, members: frozenset[str], base: str) -> str:
        """A name that says what is in a set; a number tells sets apart that sound alike."""
        registers = frozenset(text for text in members if text.startswith("Reg["))
        name = base or self.bases.get(registers, "Operand")
        if not base and registers and not members & {"int", "float"}:
            name += "_reg"
        name += "".join(f"_{mark}" for start, mark in _MARKS if any(text.startswith(start) for text in members))
        wanted, number = name, 1
        while name in self.sets or name in self.results:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def without(self, text: str, left_out: str) -> str:
        """A type whose sets do not have a member; "" when it is the member itself."""
        if text == left_out:
            return ""

        def replace(match: re.Match[str]) -> str:
            members = self.sets.get(match[0])
            return match[0] if members is None else self.name(members - {left_out})

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
        if len(ptx) > LONGEST:
            return f"tuple[{one}, ...]"
        self.results[f"{one}_x{len(ptx)}"] = f"tuple[{', '.join([one] * len(ptx))}]"
        return f"{one}_x{len(ptx)}"

    def used(self, text: str) -> list[str]:
        """The names in a text that the stub of an instruction has to import."""
        words = set(re.findall(r"\b[A-Z]\w*\b", text))
        own = self.sets.keys() | self.results.keys() | {"Guard", "Argument", "Opcode"}
        return sorted(words & own)

    def module(self) -> str:
        """The text of `_operands.pyi`."""
        rows = {name: text for name, text in self.results.items()}
        rows |= {name: " | ".join(sorted(members, key=self._order)) for name, members in self.sets.items()}
        listed = "".join(f"{name}: TypeAlias = {rows[name]}\n" for name in sorted(rows))
        needed = [name for name in self.types if re.search(rf"\[{name}\]", listed)]
        return _HEAD.replace("{names}", _columns(dict.fromkeys([*needed, "pred"]))) + listed

    def _order(self, text: str) -> tuple[int, int, str]:
        if match := re.match(r"(\w+)\[(\w+)\]", text):
            kinds = ("Reg", "Selected", "Prefixed", "Special", "SpecialVector", "Variable")
            kind = kinds.index(match[1]) if match[1] in kinds else len(kinds)
            return kind, self.registers.index(match[2]) if match[2] in self.registers else 99, text
        return 9, 0, text


def _columns(names: dict[str, None]) -> str:
    return "".join(f"    {name},\n" for name in names).rstrip("\n")
