"""The language of the semantics texts: a white list over Python's own grammar.

Assignments, `for` over a static range, `if`, expressions and calls of the intrinsics; no attributes, no functions, no
loops that could fail to end. What is outside is reported by line and construct, before anything runs.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection, Iterator

from ptxgen.cpu.reference.formats import is_type
from ptxgen.cpu.reference.intrinsics import INTRINSICS
from ptxgen.errors import SpecError

#: Names that every text has, besides its operands, slots and flags.
BUILT_IN = ("CC", "laneid")

STATEMENTS = (ast.Assign, ast.AugAssign, ast.For, ast.If)
EXPRESSIONS = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript, ast.Name, ast.Constant,
    ast.Tuple, ast.List,
)  # fmt: skip
#: How the constructs that people try are called.
OUTSIDE: dict[type[ast.AST], str] = {
    ast.Attribute: "attributes",
    ast.While: "while",
    ast.FunctionDef: "def",
    ast.Lambda: "lambda",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.GeneratorExp: "generator expressions",
    ast.ListComp: "comprehensions",
    ast.JoinedStr: "f-strings",
    ast.NamedExpr: ":=",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Pass: "pass",
    ast.Expr: "expressions without effect",
    ast.Slice: "slices; use bits(x, lo, n)",
    ast.MatMult: "@",
}


class SemanticsError(SpecError):
    """A semantics text is outside the language, or fails on the given values; `line` counts from 1 within the text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


def name_of(token: str) -> str:
    """The name of an operand, slot or token in a semantics text.

    The dot is dropped, `::` and other punctuation become `__` and `_`; what begins with a digit gets a `_` before it,
    and a keyword of Python one after it: `.and` is `and_`, `.cta_group::1` is `cta_group__1`, `.2d` is `_2d`.
    """
    name = re.sub(r"\W", "_", token.removeprefix("."))
    name = f"_{name}" if name[:1].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name


def parse(text: str) -> ast.Module:
    """The tree of a text, all of it within the white list; SemanticsError for the first thing that is not."""
    tree = _parse(text)
    for line, message in _outside(tree):
        raise SemanticsError(line, message)
    return tree


def check_semantics(text: str, names: Collection[str]) -> list[tuple[int, str]]:
    """Everything that can be seen to be wrong without values, as (line, message).

    `names` are the operands, slots, flags and types of the instruction, as `name_of` spells them.
    """
    try:
        tree = _parse(text)
    except SemanticsError as e:
        return [(e.line, e.message)]
    found = list(_outside(tree)) + list(_unknown(tree, names))
    return sorted(set(found))


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as e:
        raise SemanticsError(e.lineno or 1, e.msg) from None


def _outside(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What the white list does not have."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        allowed = STATEMENTS if isinstance(node, ast.stmt) else EXPRESSIONS
        if isinstance(node, ast.stmt | ast.expr) and type(node) not in allowed:
            yield line, _refusal(node)
        match node:
            case ast.Assign(targets=targets):
                if len(targets) > 1:
                    yield line, "one target for an assignment"
                for target in targets:
                    yield from _target(target)
            case ast.AugAssign(target=target):
                yield from _target(target)
            case ast.For(target=target, iter=source, orelse=orelse):
                if not isinstance(target, ast.Name):
                    yield line, "a loop has one variable"
                if not (isinstance(source, ast.Call) and isinstance(source.func, ast.Name)):
                    yield line, "a loop runs over range(...) or lanes(T)"
                elif source.func.id not in ("range", "lanes"):
                    yield line, f"a loop runs over range(...) or lanes(T), not {source.func.id}"
                if orelse:
                    yield line, "no else after a loop"
            case ast.Call():
                yield from _call(node)
            case ast.Constant(value=value):
                if value is not None and not isinstance(value, bool | int | float | str):
                    yield line, f"no constant {value!r}"
            case ast.Compare(ops=operators, comparators=comparators):
                for operator, right in zip(operators, comparators, strict=True):
                    none = isinstance(right, ast.Constant) and right.value is None
                    if isinstance(operator, ast.Is | ast.IsNot) and not none:
                        yield line, "is only asks for None"
            case ast.BinOp(op=ast.MatMult()):
                yield line, "no @"
            case _:
                pass


def _target(target: ast.expr) -> Iterator[tuple[int, str]]:
    match target:
        case ast.Name() | ast.Subscript(value=ast.Name()):
            pass
        case ast.Tuple(elts=targets):
            for each in targets:
                yield from _target(each)
        case _:
            yield target.lineno, "only name and name[i] can be assigned"


def _call(call: ast.Call) -> Iterator[tuple[int, str]]:
    if not isinstance(call.func, ast.Name):
        yield call.lineno, "only intrinsics can be called"
        return
    if call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
        yield call.lineno, f"{call.func.id}: arguments by position only"
    intrinsic = INTRINSICS.get(call.func.id)
    if intrinsic is None:
        yield call.lineno, f"no intrinsic is called {call.func.id}"
    elif not intrinsic.least <= len(call.args) <= intrinsic.most:
        yield call.lineno, f"{call.func.id} takes {intrinsic.arity} arguments, not {len(call.args)}"
    elif intrinsic.by_name and not isinstance(call.args[0], ast.Name):
        yield call.lineno, f"{call.func.id}: the first argument is the name of an operand"


def _unknown(tree: ast.Module, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Names that mean nothing, and types that no line has where a flag is asked for."""
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    local = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    known = {*names, *local, *BUILT_IN}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                if id(node) not in called and name not in known and not is_type(name):
                    yield node.lineno, f"no operand, slot or token is called {name}"
            case ast.If(test=test) | ast.IfExp(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
                yield from _type_as_flag(test, known)
            case ast.BoolOp(values=values):
                for value in values:
                    yield from _type_as_flag(value, known)
            case _:
                pass


def _type_as_flag(test: ast.expr, known: Collection[str]) -> Iterator[tuple[int, str]]:
    if isinstance(test, ast.Name) and is_type(test.id) and test.id not in known:
        yield test.lineno, f"no line has .{test.id}, so it is never there"


def _refusal(node: ast.AST) -> str:
    return f"no {OUTSIDE.get(type(node), type(node).__name__)} in a semantics text"
