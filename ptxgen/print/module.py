"""Write a module: header, directives, variables, functions, statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from ptxgen.check.directives import on_declaration
from ptxgen.ir.module import (
    Comment,
    Directive,
    Function,
    Label,
    Module,
    Prototype,
    Raw,
    Statement,
    Targets,
)  # fmt: skip
from ptxgen.ir.operands import Name, Reg, Variable


def print_module(module: Module, version: str) -> str:
    """The module as PTX text for a PTX ISA version."""
    target = ", ".join((module.target, *module.options))
    parts = [f".version {version}\n.target {target}\n"]
    if module.address_size:
        parts.append(f".address_size {module.address_size}\n")
    parts += [f"{directive(d)}\n" for d in module.directives]
    parts += [f"\n{_head(function)};\n" for function in _addressed(module)]
    if module.variables:
        parts.append("\n")
        parts += [f"{variable(v)};\n" for v in module.variables]
    for function in module.functions:
        parts.append("\n")
        parts += function_parts(function)
    return "".join(parts)


def print_function(function: Function) -> str:
    """A function with its body, or its declaration."""
    return "".join(function_parts(function))


def function_parts(function: Function) -> Iterator[str]:
    """The text of a function in pieces, so that a long body is put together once."""
    head = _head(function)
    if function.declared:
        yield f"{head};\n"
        return
    yield f"{head}\n{{\n"
    for kind, name, count in function.registers:
        yield f"\t.reg .{kind} {name}{f'<{count}>' if count else ''};\n"
    for at in range(0, len(function.body), _BLOCK):
        yield statements(function.body[at : at + _BLOCK])
    yield "}\n"


def _head(function: Function) -> str:
    linkage = f".{function.linkage} " if function.linkage else ""
    kind = ".entry" if function.entry else ".func"
    head = f"{linkage}{kind} "
    if function.returns:
        head += f"({', '.join(map(parameter, function.returns))}) "
    head += function.name
    if function.parameters:
        head += "(\n\t" + ",\n\t".join(map(parameter, function.parameters)) + "\n)"
    return head + "".join(f"\n{directive(d)}" for d in function.directives)


def _addressed(module: Module) -> list[Function]:
    """The functions whose address is an initial value: they are declared before the variables."""
    values = [value for variable in module.variables for value in variable.initial_values()]
    names = {value.text for value in values if isinstance(value, Name)}
    found = {f.name: f for f in module.functions if f.name in names}
    return [evolve(f, directives=() if f.entry else on_declaration(f.directives)) for f in found.values()]


_BLOCK = 1024  # statements whose lines exist at a time: few enough to stay in the processor's cache


def statements(body: list[Statement]) -> str:
    """The lines of a body. Instructions are written here, not in a function of their own: there are many of them."""
    lines: list[str] = []
    append = lines.append
    for statement in body:
        if not isinstance(statement, tuple):
            append(f"{other(statement)}\n")
            continue
        match len(statement):
            case 4:
                head, a, b, c = statement
                append(f"{head.text}{a.text}, {b.text}, {c.text};\n")
            case 3:
                head, a, b = statement
                append(f"{head.text}{a.text}, {b.text};\n")
            case 5:
                head, a, b, c, d = statement
                append(f"{head.text}{a.text}, {b.text}, {c.text}, {d.text};\n")
            case _:
                append(f"{statement[0].text}{', '.join([operand.text for operand in statement[1:]])};\n")
    return "".join(lines)


def other(statement: Statement) -> str:
    """Anything in a body that is no instruction."""
    match statement:
        case Label(name=name):
            return f"{name}:"
        case Comment(text=text):
            return "\n".join(f"\t// {line}" for line in text.splitlines())
        case Raw(text=text):
            return text
        case Variable():
            return f"\t{variable(statement)};"
        case Directive():
            return f"\t{directive(statement)}"
        case Prototype():
            return f"{statement.name}: .callprototype {prototype(statement)};"
        case Targets(name=name, directive=kind, targets=targets):
            return f"{name}: {kind} {', '.join(target.text for target in targets)};"
        case _:
            raise AssertionError(statement)


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


def variable(item: Variable[Any]) -> str:
    """A declaration without its semicolon."""
    words: list[str] = []
    if item.linkage:
        words.append(f".{item.linkage}")
    words.append(item.space)
    words += [f".attribute({a})" for a in item.attributes if not a.startswith(".ptr")]
    if item.align is not None:
        words.append(f".align {item.align}")
    if item.vector > 1:
        words.append(f".v{item.vector}")
    words.append(f".{item.type}")
    words += [a for a in item.attributes if a.startswith(".ptr")]
    dimensions = "".join("[]" if n is None else f"[{n}]" for n in item.shape)
    words.append(item.text + dimensions)
    text = " ".join(words)
    if item.initial is not None:
        text += " = " + _initial(item.initial, bool(item.shape or item.vector > 1))
    return text


def _initial(values: tuple[Any, ...], braces: bool) -> str:
    if not braces:
        return _element(values[0])
    return "{" + ", ".join(_element(value) for value in values) + "}"


def _element(value: Any) -> str:
    if isinstance(value, tuple):
        return _initial(value, True)  # pyright: ignore[reportUnknownArgumentType]
    return value.text if isinstance(value, Name | Variable) or hasattr(value, "text") else str(value)


def directive(item: Directive) -> str:
    """A directive with its arguments; a pragma ends with a semicolon wherever it stands."""
    text = f"{item.name} {', '.join(item.arguments)}" if item.arguments else item.name
    return f"{text};" if item.name == ".pragma" else text
