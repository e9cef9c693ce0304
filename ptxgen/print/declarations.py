"""Write declarations: heads of functions, parameters, variables, registers, directives."""

from __future__ import annotations

from typing import Any

from ptxgen.ir.initial import Field
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Reg, Variable
from ptxgen.ir.statements import Directive, Prototype, Registers
from ptxgen.isa import directives


def head(function: Function) -> str:
    """All of a function before its body."""
    linkage = f".{function.linkage} " if function.linkage else ""
    text = f"{linkage}{'.entry' if function.entry else '.func'} "
    text += "".join(f".attribute({attribute}) " for attribute in function.attributes)
    if function.returns:
        text += f"({', '.join(map(parameter, function.returns))}) "
    text += function.name
    if function.parameters:
        text += "(\n\t" + ",\n\t".join(map(parameter, function.parameters)) + "\n)"
    return text + "".join(f"\n{directive(d)}" for d in function.directives)


def prototype(statement: Prototype) -> str:
    """The signature after `.callprototype`."""
    returns = f"({', '.join(map(parameter, statement.returns))}) " if statement.returns else ""
    parameters = ", ".join(map(parameter, statement.parameters))
    return f"{returns}_ ({parameters})" + "".join(f" {directive(d)}" for d in statement.directives)


def parameter(item: Variable[Any] | Reg[Any]) -> str:
    """A parameter of a function: a register or a variable in .param space."""
    if isinstance(item, Reg):
        return f".reg .{item.type} {item.text}"
    return variable(item)


def registers(item: Registers) -> str:
    """A declaration of registers without its semicolon."""
    vector = f".v{item.vector} " if item.vector > 1 else ""
    return f".reg {vector}.{item.type} " + ", ".join(f"{name}<{n}>" if n else name for name, n in item.names)


def variable(item: Variable[Any]) -> str:
    """A declaration without its semicolon."""
    words: list[str] = []
    if item.linkage:
        words.append(f".{item.linkage}")
    banks = [a for a in item.attributes if a.startswith(f"{item.space}[")]
    words += banks or [item.space]
    words += [f".attribute({a})" for a in item.attributes if not a.startswith(".ptr") and a not in banks]
    if item.align is not None:
        words.append(f".align {item.align}")
    if item.vector > 1:
        words.append(f".v{item.vector}")
    words.append(f".{item.type}")
    words += [a for a in item.attributes if a.startswith(".ptr")]
    dimensions = "".join("[]" if n is None else f"[{n}]" for n in item.shape)
    numbered = f"<{item.count}>" if item.count else ""
    words.append(item.text + numbered + dimensions)
    text = " ".join(words)
    if item.initial is not None:
        text += " = " + _initial(item.initial, bool(item.shape or item.vector > 1 or _is_opaque(item.initial)))
    return text


def _is_opaque(values: tuple[Any, ...]) -> bool:
    """Whether an initialiser is that of a texture, sampler or surface: named fields, or none."""
    return not values or isinstance(values[0], Field)


def _initial(values: tuple[Any, ...], braces: bool) -> str:
    if not braces:
        return _element(values[0])
    return "{" + ", ".join(_element(value) for value in values) + "}"


def _element(value: Any) -> str:
    if isinstance(value, tuple):
        return _initial(value, True)  # pyright: ignore[reportUnknownArgumentType]
    return value.text if hasattr(value, "text") else str(value)


def directive(item: Directive) -> str:
    """A directive with its arguments, and the semicolon that some end with."""
    text = f"{item.name} {', '.join(item.arguments)}" if item.arguments else item.name
    known = directives.table().get(item.name)
    return f"{text};" if known is not None and known.syntax.endswith(";") else text
