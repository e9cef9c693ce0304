"""Names for the types of operands: `U32 = Reg[b32] | Reg[u32] | Reg[s32] | Reg[f16x2] | int`, once for all stubs.

Classes of the stubs have attributes called `f32` and `pred`, which would hide the type of that name within them. So
everything that names a PTX type is an alias in `ptxgen_isa/opcodes/_operands.pyi`.
"""

from __future__ import annotations

import re

from attrs import define, field

from ptxgen.isa import types

_HEAD = '''"""What instructions take and return, by PTX type."""

{imports}

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

# What stubs import, and from where.
HOMES = {
    "typing": ("Any", "Literal", "TypeAlias", "overload"),
    "ptxgen.ir.module": ("Function",),
    "ptxgen.ir.operands": (
        "Address", "Name", "Offset", "Prefixed", "Reg", "Selected", "Sink", "Special", "Variable",
    ),
    "ptxgen.names": ("SpecialVector",),
}  # fmt: skip

# Where an operand's type stands, in the words of specs/types.yaml; how a set of registers of such a type is marked.
_CONTEXTS = (
    ("modifier", False, ""), ("modifier", True, "_wide"), ("fixed", False, "_fixed"), ("vector", False, "_element"),
    ("vector", True, "_wide_element"), ("warp", False, "_fragment"), ("warpgroup", False, "_fragment"),
)  # fmt: skip
_HARMLESS = {"tuple", "list", "int", "float"}  # words in lower case that no attribute of a stub is called


@define(eq=False)
class Aliases:
    """Gives each set of types one name, in the order in which they are met."""

    registers: list[str]  # types that registers have
    types: list[str]  # all types
    names: dict[frozenset[str], str] = field(factory=dict[frozenset[str], str])
    sets: dict[str, frozenset[str]] = field(factory=dict[str, frozenset[str]])
    results: dict[str, str] = field(factory=dict[str, str])  # name -> text
    bases: dict[frozenset[str], str] = field(init=False, factory=dict[frozenset[str], str])  # registers -> name

    def __attrs_post_init__(self) -> None:
        for context, wider, mark in _CONTEXTS:
            for name in [*self.registers, *self.types]:
                fitting = [r for r in self.registers if types.fits(name, r, context, wider)]
                fitting = [f"Reg[{r}]" for r in fitting if not types.is_lax(name, r)]
                self.bases.setdefault(frozenset(fitting), f"{name.capitalize()}{mark}")

    def name(self, members: frozenset[str], base: str = "") -> str:
        """The name of a set, or its text where that is as short and hides nothing."""
        if "float" in members:
            members -= {"int"}  # a float is a number to Python's types
        if len(members) == 1:
            (only,) = members
            if match := re.fullmatch(r"Reg\[(\w+)\]", only):
                return self.result(match[1])
        if len(members) <= 2 and all(map(_hides_nothing, members)):
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
        name = base or (self.bases.get(registers) if registers else "") or "Operand"
        if registers and not base and not members & {"int", "float"}:
            name += "_reg"
        if not base:
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

    def imports(self, text: str) -> str:
        """Import lines for the stub of an instruction."""
        own = sorted(self.sets.keys() | self.results.keys() | {"Guard", "Argument", "Opcode"})
        return imports({**HOMES, "ptxgen_isa.opcodes._operands": tuple(own)}, text)

    def module(self) -> str:
        """The text of `_operands.pyi`."""
        rows = dict(self.results)
        rows |= {name: " | ".join(sorted(members, key=self._order)) for name, members in self.sets.items()}
        listed = "".join(f"{name}: TypeAlias = {rows[name]}\n" for name in sorted(rows))
        text = _HEAD.replace("{imports}\n", "") + listed
        return _HEAD.replace("{imports}\n", imports({**HOMES, "ptxgen_isa.names": tuple(self.types)}, text)) + listed

    def _order(self, text: str) -> tuple[int, int, str]:
        if match := re.match(r"(\w+)\[(\w+)\]", text):
            kinds = ("Reg", "Selected", "Prefixed", "Special", "SpecialVector", "Variable")
            kind = kinds.index(match[1]) if match[1] in kinds else len(kinds)
            return kind, self.registers.index(match[2]) if match[2] in self.registers else 99, text
        return 9, 0, text


def _hides_nothing(text: str) -> bool:
    """Whether a text names no PTX type, and so may stand in a class with attributes that are called like one."""
    return set(re.findall(r"\b[a-z]\w*", text)) <= _HARMLESS


def imports(homes: dict[str, tuple[str, ...]], text: str) -> str:
    """Import lines for the names that a text uses."""
    words = set(re.findall(r"\w+", text))
    lines: list[str] = []
    for module, names in homes.items():
        used = ", ".join(name for name in names if name in words)
        if used:
            lines.append(f"from {module} import {used}\n" + ("\n" if module == "typing" else ""))
    return "".join(lines)
