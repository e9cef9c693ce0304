"""The codes that the product can give, found in its source: the first argument of every `Diagnostic(...)`.

Where that is a parameter of the function around it, the codes are what the callers pass, or its default; where it is
the attribute `code` of something, what such things are made with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from tests.architecture.source import files, tree

Function = ast.FunctionDef | ast.AsyncFunctionDef


@frozen
class Use:
    """A code that is given, or an expression that nobody can read one from (`code` empty)."""

    code: str
    path: Path
    line: int


def uses() -> list[Use]:
    """Every code in ptxgen/."""
    return [use for path in files("ptxgen") for call, around in _calls(path) if _name(call) == "Diagnostic"
            for use in _codes(_argument(call, 0, "code"), around, path)]  # fmt: skip


def _codes(expression: ast.expr | None, around: Function | None, path: Path) -> Iterator[Use]:
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield Use(expression.value, path, expression.lineno)
    elif isinstance(expression, ast.IfExp):
        yield from _codes(expression.body, around, path)
        yield from _codes(expression.orelse, around, path)
    elif isinstance(expression, ast.Name) and around is not None and expression.id in _parameters(around):
        yield from _passed(around, expression.id, path)
    elif isinstance(expression, ast.Attribute) and expression.attr == "code":
        yield from _made_with_code()
    else:
        yield Use("", path, getattr(expression, "lineno", 0))


def _made_with_code() -> Iterator[Use]:
    """What objects with a code are made with: by their `__init__`, or as their first field."""
    for path in files("ptxgen"):
        if "diagnostics" in path.parts:  # which describes the codes
            continue
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.ClassDef) or node.name == "Diagnostic":
                continue
            fields = [ast.unparse(item) for item in node.body if isinstance(item, ast.AnnAssign)]
            if fields[:1] == ["code: str"]:
                for call, around in _calls(path):
                    if _name(call) == node.name:
                        yield from _codes(_argument(call, 0, "code"), around, path)
            for item in node.body:
                if isinstance(item, Function) and item.name == "__init__" and "code" in _parameters(item):
                    yield from _passed(item, "code", path, node.name)


def _passed(function: Function, parameter: str, home: Path, called: str = "") -> Iterator[Use]:
    """What the callers of a function pass for a parameter, and its default."""
    called = called or function.name
    names = _parameters(function)
    at = names.index(parameter) - (names[0] in ("self", "cls"))
    positional = [*function.args.posonlyargs, *function.args.args]
    defaults = dict(zip(reversed([a.arg for a in positional]), reversed(function.args.defaults), strict=False))
    if parameter in defaults:
        yield from _codes(defaults[parameter], None, home)
    for path in files("ptxgen"):
        if called.startswith("_") and path != home:
            continue
        for call, around in _calls(path):
            if _name(call) == called and (given := _argument(call, at, parameter)) is not None:
                yield from _codes(given, around, path)


def _parameters(function: Function) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _argument(call: ast.Call, at: int, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[at] if len(call.args) > at else None


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _calls(path: Path) -> Iterator[tuple[ast.Call, Function | None]]:
    """Every call of a file, with the function that it stands in."""

    def visit(node: ast.AST, around: Function | None) -> Iterator[tuple[ast.Call, Function | None]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                yield child, around
            yield from visit(child, child if isinstance(child, Function) else around)

    yield from visit(tree(path), None)
