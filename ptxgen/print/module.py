"""Write a module: header, declarations, functions, statements."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.ir.module import Function, Item, Module
from ptxgen.ir.operands import Variable
from ptxgen.ir.statements import (
    Close,
    Comment,
    Directive,
    Label,
    Open,
    Prototype,
    Raw,
    Registers,
    Section,
    Statement,
    Targets,
)  # fmt: skip
from ptxgen.print.declarations import directive, head, prototype, registers, variable


def print_module(module: Module, version: str) -> str:
    """The module as PTX text for a PTX ISA version."""
    parts = [f"{comment(remark)}\n" for remark in module.banner]
    parts.append(f".version {version}\n.target {', '.join((module.target, *module.options))}\n")
    if module.address_size:
        parts.append(f".address_size {module.address_size}\n")
    before: Item | None = None
    for item in module.items:
        if isinstance(item, Comment) and item.trailing:
            parts[-1] = _behind(parts[-1], item)
            continue
        if _apart(before, item):
            parts.append("\n")
        parts += item_parts(item)
        before = item
    return "".join(parts)


def _apart(before: Item | None, item: Item) -> bool:
    """Whether a blank line stands between two items: where another kind begins; a remark belongs to what follows it."""
    if before is None:
        return not isinstance(item, Directive)
    if isinstance(before, Comment):
        return False
    return isinstance(item, Function | Section) or type(before) is not type(item)


def item_parts(item: Item) -> Iterator[str]:
    """The text of one declaration of a module."""
    match item:
        case Function():
            yield from function_parts(item)
        case Variable():
            yield f"{variable(item)};\n"
        case Registers():
            yield f"{registers(item)};\n"
        case Directive():
            yield f"{directive(item)}\n"
        case Section(name=name, lines=lines):
            yield f"{name}\n{{\n"
            yield "".join(f"{line}\n" for line in lines)
            yield "}\n"
        case Comment():
            yield f"{comment(item)}\n"
        case Raw(text=text):
            yield f"{text}\n"


def print_function(function: Function) -> str:
    """A function with its body, or its declaration."""
    return "".join(function_parts(function))


def function_parts(function: Function) -> Iterator[str]:
    """The text of a function in pieces, so that a long body is put together once."""
    if function.declared:
        yield f"{head(function)};\n"
        return
    yield f"{head(function)}\n{{\n"
    body, at = function.body, 0
    while at < len(body):
        end = at + _BLOCK
        while end < len(body) and isinstance(body[end], Comment):  # it may belong to the line before it
            end += 1
        yield statements(body[at:end])
        at = end
    yield "}\n"


_BLOCK = 1024  # statements whose lines exist at a time: few enough to stay in the processor's cache


def statements(body: list[Statement]) -> str:
    """The lines of a body. Instructions are written here, not in a function of their own: there are many of them."""
    lines: list[str] = []
    append = lines.append
    for statement in body:
        if not isinstance(statement, tuple):
            if isinstance(statement, Comment) and statement.trailing and lines:
                lines[-1] = _behind(lines[-1], statement)
            else:
                append(f"{other(statement)}\n")
            continue
        match len(statement):
            case 4:
                start, a, b, c = statement
                append(f"{start.text}{a.text}, {b.text}, {c.text};\n")
            case 3:
                start, a, b = statement
                append(f"{start.text}{a.text}, {b.text};\n")
            case 5:
                start, a, b, c, d = statement
                append(f"{start.text}{a.text}, {b.text}, {c.text}, {d.text};\n")
            case _:
                append(f"{statement[0].text}{', '.join([operand.text for operand in statement[1:]])};\n")
    return "".join(lines)


def other(statement: Statement) -> str:
    """Anything in a body that is no instruction."""
    match statement:
        case Label(name=name):
            return f"{name}:"
        case Comment():
            return "\n".join(f"\t{line}" for line in comment(statement).split("\n"))
        case Raw(text=text):
            return text
        case Variable():
            return f"\t{variable(statement)};"
        case Registers():
            return f"\t{registers(statement)};"
        case Directive():
            return f"\t{directive(statement)}"
        case Open():
            return "\t{"
        case Close():
            return "\t}"
        case Prototype():
            return f"{statement.name}: .callprototype {prototype(statement)};"
        case Targets(name=name, directive=kind, targets=targets):
            return f"{name}: {kind} {', '.join(target.text for target in targets)};"
        case _:
            raise AssertionError(statement)


def comment(item: Comment) -> str:
    """A remark, each line behind its own mark."""
    return "\n".join(f"// {line}" if line else "//" for line in item.text.split("\n"))


def _behind(text: str, remark: Comment) -> str:
    """A line with a remark at its end."""
    return f"{text[:-1]} {comment(remark)}\n"
