"""Evaluate a semantics text for given operands."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from attrs import field, frozen

from ptxgen.cpu.reference.destinations import Destination, Raw, sequence
from ptxgen.cpu.reference.formats import Type, is_type, type_named
from ptxgen.cpu.reference.intrinsics import INTRINSICS
from ptxgen.cpu.reference.lanes import Lanes, read
from ptxgen.cpu.reference.language import SemanticsError, parse
from ptxgen.cpu.reference.operators import binary, compared, element, unary
from ptxgen.cpu.reference.values import Real, real

LONGEST_LOOP = 4096
#: What goes wrong in a text, and is reported with its line.
FAILURES = (TypeError, ValueError, ArithmeticError, IndexError)


@frozen
class WarpContext:
    """The thread's warp. `peers` holds the bits of an operand in each of the 32 lanes."""

    laneid: int
    active: int
    peers: Mapping[str, Sequence[Raw]] = field(factory=dict[str, Sequence[Raw]])


@frozen
class Program:
    """A semantics text, ready to run."""

    text: str
    tree: ast.Module
    #: names that the instruction has in some statement; one without a value is absent, None
    names: frozenset[str]
    #: operands whose values in other lanes the text asks for
    peers: frozenset[str]

    def run(
        self,
        operands: Mapping[str, tuple[str, Raw]],
        destinations: Mapping[str, str | tuple[str, int]],
        slots: Mapping[str, str | None] | None = None,
        flags: Mapping[str, bool] | None = None,
        types: Mapping[str, str] | None = None,
        warp: WarpContext | None = None,
        cluster: Callable[[int, int], int] | None = None,
        negated: Collection[str] = (),
    ) -> dict[str, Raw]:
        """The bits that the destinations hold afterwards.

        `operands` maps names to a type and bits, a sequence of bits for a vector; `destinations` maps names to a type,
        with a count for a vector. A name that is in both is read and written. `CC` is the carry flag: it is read as an
        operand of type "pred" (0 unless given) and is in the result if the text assigns it. `slots` maps slot names to
        the token that stands there, `flags` token names to presence, `types` the names `type`, `type1` ... to types.
        `cluster` maps a shared-memory address and a rank to the address in that CTA. `negated` names the operands
        written `-a`, whose values are those without the sign; a predicate written `!p` is given complemented.

        SemanticsError where the text cannot be evaluated, or leaves a destination without a value.
        """
        values: dict[str, object] = {name: token_value(token) for name, token in (slots or {}).items()}
        values.update((name, type_named(t)) for name, t in (types or {}).items())
        targets = ((name, (of, 0) if isinstance(of, str) else of) for name, of in destinations.items())
        return self.execute(
            values,
            {name: (type_named(t), raw) for name, (t, raw) in operands.items()},
            {name: (type_named(t), count) for name, (t, count) in targets},
            flags or {},
            warp,
            cluster,
            negated,
        )

    def execute(
        self,
        values: dict[str, object],
        operands: Mapping[str, tuple[Type, Raw]],
        destinations: Mapping[str, tuple[Type, int]],
        flags: Mapping[str, bool],
        warp: WarpContext | None,
        cluster: Callable[[int, int], int] | None,
        negated: Collection[str],
    ) -> dict[str, Raw]:
        """The same for names that are resolved already: `values` of slots and types, `CC` if it is set."""
        values.setdefault("CC", 0)
        values.update((name, _value(t, raw)) for name, (t, raw) in operands.items())
        if warp is not None:
            values["laneid"] = warp.laneid
        machine = _Machine(
            names=self.names,
            values=values,
            flags=flags,
            destinations={name: Destination(t, count, values.get(name)) for name, (t, count) in destinations.items()},
            operand_types={name: t for name, (t, _) in operands.items()},
            warp=warp,
            cluster=cluster,
            minus=negated,
        )
        machine.execute(self.tree.body)
        return machine.results()


def compile_semantics(text: str, names: Collection[str] = ()) -> Program:
    """The program of a text. `names` are the instruction's operands, slots and flags, as `name_of` spells them.

    SemanticsError for what is outside the language; `check_semantics` finds unknown names as well.
    """
    tree = parse(text)
    return Program(text, tree, frozenset(names), frozenset(_peers(tree)))


def _peers(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="peer"), args=[ast.Name(id=operand), _]):
                yield operand
            case _:
                pass


def token_value(token: str | None) -> str | Type | None:
    """What a slot with this token stands for: the token without its dot, or the type that it names."""
    if token is None:
        return None
    name = token.removeprefix(".")
    return type_named(name) if is_type(name) else name


def _value(type_: Type, raw: Raw) -> object:
    return read(type_, raw) if isinstance(raw, int) else tuple(read(type_, each) for each in raw)


@frozen
class _Machine:
    """One run: the names and what they stand for."""

    names: Collection[str]
    values: dict[str, Any]
    flags: Mapping[str, bool]
    destinations: dict[str, Destination]
    operand_types: Mapping[str, Type]
    warp: WarpContext | None
    cluster: Callable[[int, int], int] | None
    minus: Collection[str]
    assigned: set[str] = field(factory=set[str])

    def results(self) -> dict[str, Raw]:
        found: dict[str, Raw] = {}
        for name, destination in self.destinations.items():
            try:
                found[name] = destination.raw
            except ValueError as e:
                raise SemanticsError(0, f"{name}: {e}") from e
        if "CC" in self.assigned:
            found["CC"] = self.values["CC"]
        return found

    # Statements

    def execute(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            try:
                self._statement(statement)
            except FAILURES as e:
                raise SemanticsError(statement.lineno, str(e)) from e

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self.evaluate(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._assign(target, binary(op, self.evaluate(target), self.evaluate(value)))
            case ast.If(test=test, body=body, orelse=orelse):
                self.execute(body if self._truth(test) else orelse)
            case ast.For(target=ast.Name(id=name), iter=source, body=body):
                steps: range = self.evaluate(source)
                if len(steps) > LONGEST_LOOP:
                    raise ValueError(f"a loop of {len(steps)} rounds")
                for i in steps:
                    self.values[name] = i
                    self.execute(body)
            case _:
                _refuse(statement)

    def _assign(self, target: ast.expr, value: object) -> None:
        match target:
            case ast.Name(id=name) if name in self.destinations:
                self.destinations[name].assign(value)
            case ast.Name(id="CC"):
                if not isinstance(value, int) or value not in (0, 1):
                    raise ValueError(f"the carry flag is 0 or 1, not {value!r}")
                self.values["CC"] = int(value)
                self.assigned.add("CC")
            case ast.Name(id=name):
                self.values[name] = value
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                if name not in self.destinations:
                    raise TypeError(f"{name} is no destination, so its elements cannot be assigned")
                self.destinations[name].assign_part(self._index(index), value)
            case ast.Tuple(elts=targets):
                values = sequence(value)
                if len(values) != len(targets):
                    raise ValueError(f"{len(values)} values for {len(targets)} names")
                for each, part in zip(targets, values, strict=True):
                    self._assign(each, part)
            case _:
                _refuse(target)

    # Expressions

    def evaluate(self, node: ast.expr) -> Any:
        try:
            return self._expression(node)
        except FAILURES as e:
            raise SemanticsError(node.lineno, str(e)) from e

    def _expression(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value=value):
                return real(value) if isinstance(value, float) else value
            case ast.Name(id=name):
                return self._name(name)
            case ast.BinOp(left=left, op=op, right=right):
                return binary(op, self.evaluate(left), self.evaluate(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(operand)
            case ast.UnaryOp(op=op, operand=operand):
                return unary(op, self.evaluate(operand))
            case ast.BoolOp(op=op, values=values):
                return self._junction(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.evaluate(body if self._truth(test) else orelse)
            case ast.Compare(left=left, ops=operators, comparators=comparators):
                return self._comparison(left, operators, comparators)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.destinations:
                return self.destinations[name].part(self._index(index))
            case ast.Subscript(value=value, slice=index):
                return element(self.evaluate(value), self._index(index))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return tuple(self.evaluate(e) for e in elements)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, arguments)
            case _:
                return _refuse(node)

    def _name(self, name: str) -> object:
        if name in self.destinations:
            return self.destinations[name].value
        if name in self.values:
            return self.values[name]
        if is_type(name):
            return type_named(name)
        if name in self.flags:
            return self.flags[name]
        if name in self.names:
            return None
        raise ValueError(f"{name} has no value")

    def _index(self, node: ast.expr) -> int:
        index = self.evaluate(node)
        if isinstance(index, int) and index >= 0:
            return index
        raise IndexError(f"{index!r} is no index")

    def _condition(self, node: ast.expr) -> object:
        """The value of an operand of `if`, `and`, `or` and `not`, where the name of a type asks for the token."""
        if isinstance(node, ast.Name) and is_type(node.id) and node.id not in self.values:
            return self.flags.get(node.id, False)
        return self.evaluate(node)

    def _truth(self, node: ast.expr) -> bool:
        return _true(self._condition(node))

    def _junction(self, all_of: bool, operands: Sequence[ast.expr]) -> object:
        """The operand that decides, as in Python."""
        for operand in operands[:-1]:
            value = self._condition(operand)
            if _true(value) != all_of:
                return value
        return self._condition(operands[-1])

    def _comparison(self, left: ast.expr, operators: Sequence[ast.cmpop], comparators: Sequence[ast.expr]) -> bool:
        x = self.evaluate(left)
        for op, comparator in zip(operators, comparators, strict=True):
            y = self.evaluate(comparator)
            if not compared(op, x, y):
                return False
            x = y
        return True

    def _call(self, name: str, arguments: Sequence[ast.expr]) -> object:
        intrinsic = INTRINSICS[name]
        values: list[object] = [self] if intrinsic.within else []
        for i, argument in enumerate(arguments):
            if i == 0 and intrinsic.by_name and isinstance(argument, ast.Name):
                values.append(argument.id)
            else:
                values.append(self.evaluate(argument))
        try:
            return intrinsic.function(*values)
        except FAILURES as e:
            raise ValueError(f"{name}: {e}") from e

    # What the intrinsics ask for

    def active(self, lane: int) -> bool:
        return bool(self._warp().active >> lane & 1)

    def peer(self, operand: str, lane: int) -> object:
        peers = self._warp().peers
        if operand not in peers:
            raise ValueError(f"the values of {operand} in the other lanes are not given")
        return _value(self.operand_types[operand], peers[operand][lane])

    def cluster_address(self, address: int, rank: int) -> int:
        if self.cluster is None:
            raise ValueError("there is no cluster to run in")
        return self.cluster(address, rank)

    def length(self, operand: str) -> int:
        if operand in self.destinations:
            return self.destinations[operand].length
        value = self.values.get(operand)
        return 1 if isinstance(value, int | Real) else len(sequence(value))

    def negated(self, operand: str) -> bool:
        return operand in self.minus

    def _warp(self) -> WarpContext:
        if self.warp is None:
            raise ValueError("there is no warp to run in")
        return self.warp


def _true(value: object) -> bool:
    if isinstance(value, Real | Type | Lanes | tuple):
        raise TypeError(f"{value!r} has no truth value")  # pyright: ignore[reportUnknownArgumentType]
    return bool(value)


def _refuse(node: ast.stmt | ast.expr) -> NoReturn:
    raise SemanticsError(node.lineno, f"no {type(node).__name__} in a semantics text")
