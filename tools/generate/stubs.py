"""The stubs of the builder: one class per state of an opcode, so that completion offers exactly what may follow."""

from __future__ import annotations

import re

from ptxgen.isa import grammar
from tools.generate.aliases import Aliases
from tools.generate.automaton import Automaton, Class, reachable
from tools.generate.signatures import Parameter, Signature, Signatures
from tools.specification.specification import Specification

FOLDER = "opcodes"

BUILDER = '''"""The base of `ptxgen.build.Builder`; builder.pyi beside it types every instruction."""


class Instructions:
    """All instructions as attributes; the builder makes them on first use."""


class RegisterTypes:
    """Types of registers as attributes."""


class VariableTypes:
    """Types of variables as attributes."""
'''

_BUILDER_HEAD = '''"""Every instruction of PTX, register type and variable type as an attribute."""

from typing import Generic, TypeVar, overload

import ptxgen_isa.names as _types
from ptxgen.build.variables import Declarator
from ptxgen.ir.operands import Reg
from ptxgen_isa.opcodes import (
{modules}
)

T = TypeVar("T")

class NewRegister(Generic[T]):
    """Makes fresh registers of one type."""

    @overload
    def __call__(self, *, name: str = "") -> Reg[T]: ...
    @overload
    def __call__(self, count: int, /) -> tuple[Reg[T], ...]: ...

class RegisterTypes:
    """Types of registers."""

{registers}
class VariableTypes:
    """Types of variables."""

{variables}
class Instructions:
    """The instructions, by the first word of their mnemonic."""
'''


def stubs(specification: Specification) -> dict[str, str]:
    """File name -> text of every stub."""
    types = {name.lstrip("."): row for name, row in specification.tables["types"]["types"].items()}
    registers = [name for name, row in types.items() if "register" in row]
    opaque = [name for name, row in types.items() if row["kind"] == "opaque"]
    variables = [name for name in registers if name != "pred"] + opaque
    aliases = Aliases(registers, list(types))
    signatures = Signatures(aliases)
    files: dict[str, str] = {}
    instructions: list[str] = []
    for root, mnemonics in sorted(grammar.roots().items()):
        name = grammar.escape(root)
        cls = Automaton(root, signatures).build()
        ordered = sorted(mnemonics, key=lambda mnemonic: mnemonic != root)  # `cvt` before `cvt.pack`
        docs = {mnemonic: _document(specification, mnemonic) for mnemonic in ordered}
        files[f"{FOLDER}/{name}.pyi"] = _module(cls, aliases, docs)
        instructions.append(f"\n    {name}: _{name}.{name}\n" + _docstring("\n\n".join(docs.values())))
    modules = "".join(f"    {n} as _{n},\n" for n in map(grammar.escape, sorted(grammar.roots()))).rstrip("\n")
    head = _BUILDER_HEAD.replace("{modules}", modules)
    head = head.replace("{registers}", "".join(f"    {n}: NewRegister[_types.{n}]\n" for n in registers))
    head = head.replace("{variables}", "".join(f"    {n}: Declarator[_types.{n}]\n" for n in variables))
    files["builder.pyi"] = head + "".join(instructions)
    files[f"{FOLDER}/_operands.pyi"] = aliases.module()
    files[f"{FOLDER}/__init__.pyi"] = '"""The instructions of PTX, one module for each first word of a mnemonic."""\n'
    return files


def _document(specification: Specification, mnemonic: str) -> str:
    """What a family is for, and its syntax in NVIDIA's notation."""
    for family in specification.families:
        if mnemonic in family.mnemonics:
            return "\n\n".join([family.summary, *(block.syntax.strip("\n") for block in family.blocks)])
    raise AssertionError(mnemonic)


def _module(root: Class, aliases: Aliases, docs: dict[str, str]) -> str:
    body = "".join(_class(cls, aliases, docs) for cls in reachable(root))
    return aliases.imports(re.sub(r'(?s)""".*?"""', "", body)) + body


def _class(cls: Class, aliases: Aliases, docs: dict[str, str]) -> str:
    lines = [f"\nclass {cls.name}(Opcode):\n"]
    if cls.mnemonics:
        lines.append(_docstring("\n\n".join(docs[mnemonic] for mnemonic in cls.mnemonics)))
    lines += [f"    {grammar.escape(token)}: {following.name}\n" for token, following in cls.following.items()]
    mark = "    @overload\n" if len(cls.signatures) > 1 else ""
    lines += [f"{mark}    def __call__({_call(s, aliases)}: ...\n" for s in cls.signatures]
    return "".join(lines)


def _docstring(text: str) -> str:
    lines = text.replace("\\", "\\\\").replace('"""', "'''").split("\n")
    return "".join(f"    {line}".rstrip() + "\n" for line in (f'"""{lines[0]}', *lines[1:], '"""'))


def _call(signature: Signature, aliases: Aliases) -> str:
    parts = ["self", *(_parameter(parameter, aliases) for parameter in signature.parameters)]
    if signature.parameters:
        parts.append("/")
    parts.append("*")
    if signature.out:
        out = aliases.name(signature.out)
        parts.append(f"out: {out} | None = ..." if signature.out_optional else f"out: {out}")
    parts.append("pred: Guard | None = ...")
    return f"{', '.join(parts)}) -> {signature.result}"


def _parameter(parameter: Parameter, aliases: Aliases) -> str:
    return f"{parameter.name}: {aliases.name(parameter.types)}{' = ...' if parameter.optional else ''}"
