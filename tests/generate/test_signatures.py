"""Every signature of the stubs is one that the builder takes, and what it returns is what they say."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from ptxgen import Builder, Module, Reg, sink, sreg, u32
from ptxgen.build.values import operand
from ptxgen.check.instruction import readings
from ptxgen.errors import PtxError, Unavailable
from ptxgen.isa import grammar, kinds, matching
from ptxgen.isa.classes import plain
from ptxgen.isa.data import load
from ptxgen.isa.family import Template
from ptxgen.isa.opcodes import Reading
from tools.generate.aliases import LONGEST, Aliases
from tools.generate.automaton import Automaton, Class
from tools.generate.operands import vector_length
from tools.generate.signatures import Signature, Signatures

Elements = list[tuple[Reading, Template]]

TYPES = {name.lstrip("."): row for name, row in load("types")["types"].items()}
ALIASES = Aliases([name for name, row in TYPES.items() if "register" in row], list(TYPES))
SIGNATURES = Signatures(ALIASES)
INTEGERS = (0, 1, 32, 128, 2, 16, 0xFFFFFFFF)  # some kind or other takes one of them


def plainest(types: Iterable[str]) -> list[str]:
    """Types of operands, registers first: they are legal more often."""
    return sorted(types, key=lambda text: (not text.startswith("Reg["), text))


class Values:
    """Python values of the types in the stubs."""

    def __init__(self, module: Module, k: Builder) -> None:
        self.k = k
        self.lengths: list[int] = []  # of long vectors, which types leave open
        self.brackets: list[Elements] = []  # of addresses of several elements, of which types leave the order open
        label = k.label("label")
        k.place(label)

        @module.func
        def takes(k: Builder, x: Reg[u32]) -> None:
            k.ret()

        @module.func(returns=Reg[u32])
        def returns(k: Builder, result: Reg[u32], x: Reg[u32]) -> None:
            k.ret()

        variables = [module.global_.b32("g"), module.shared.b32("s"), module.const.b32("c"), k.local.b32("l")]
        variables.append(k.param.b32("p"))
        self.plain: dict[str, list[Any]] = {
            "int": list(INTEGERS), "float": [1.5], "Sink": [sink], "Name": [label, k.branchtargets("ways", label)],
            "Function": [takes, returns], "Address": [], "Argument": [k.reg.u32()], "Any": [k.reg.b32()],
            "None": [None], "Offset": [variables[0] + 4], "Variable": variables, "Special": [sreg.tid.x, sreg.clock64],
            "SpecialVector": [sreg.tid],
        }  # fmt: skip

    def of(self, text: str) -> list[Any]:
        """A few values of a type."""
        return list(self.node(ast.parse(text, mode="eval").body))

    def node(self, node: ast.expr) -> Iterator[Any]:
        match node:
            case ast.BinOp(left, _, right):
                yield from (*self.node(left), *self.node(right))
            case ast.Constant(value):
                yield value
            case ast.Name(name) if name in ALIASES.sets:
                yield from (value for text in plainest(ALIASES.sets[name]) for value in self.of(text))
            case ast.Name(name) if name in ALIASES.results:
                yield from self.of(ALIASES.results[name])
            case ast.Name(name):
                yield from self.plain[name]
            case ast.Subscript(ast.Name(name), inner):
                yield from self.subscript(name, inner)
            case _:
                raise AssertionError(ast.dump(node))

    def subscript(self, name: str, inner: ast.expr) -> Iterator[Any]:
        if name in self.plain:
            yield from self.plain[name]
        elif name == "list":
            if not self.brackets:
                yield from ([value] for value in self.node(inner))
            for elements in self.brackets:
                values = [[v for v in self.node(inner) if fits(*element, v)] for element in elements]
                yield from (list(choice) for choice in in_parallel(values))
        elif name == "tuple":
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if not (isinstance(parts[-1], ast.Constant) and parts[-1].value is ...):
                yield from in_parallel([list(self.node(part)) for part in parts])
            else:
                yield from ((next(self.node(parts[0])),) * length for length in self.lengths)
        elif name == "Literal":
            yield from self.node(inner)
        else:
            assert isinstance(inner, ast.Name)
            register = getattr(self.k.reg, inner.id)()
            if name == "Reg":
                yield register
            elif name == "Prefixed":
                yield ~register if inner.id == "pred" else -register
            else:
                assert name == "Selected"
                yield from (register["b0"], register["h10"], register["b3210"])


def in_parallel(values: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """The first values of each, the second, ...; of what has fewer the last."""
    if all(values):
        yield from (tuple(v[min(n, len(v) - 1)] for v in values) for n in range(max(map(len, values))))


def nearest(choices: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """One of each choice: first those that differ least from the first of all."""
    for changed in range(len(choices) + 1):
        for places in itertools.combinations(range(len(choices)), changed):
            yield from itertools.product(*(c[1:] if at in places else c[:1] for at, c in enumerate(choices)))


def fits(reading: Reading, template: Template, value: Any) -> bool:
    """Whether a value may be an element of an address."""
    return template.shape == "number" or matching.fits(reading, template.name, plain(operand(value).cls))


def expand(text: str) -> Any:
    """A result type as nested tuples of PTX types."""
    text = ALIASES.results.get(text, text)
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return expand(node.id)
    assert isinstance(node, ast.Subscript)
    assert isinstance(node.value, ast.Name)
    if node.value.id == "Reg":
        return ast.unparse(node.slice)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return tuple(expand(ast.unparse(part)) for part in parts)


def same(have: Any, wanted: Any) -> bool:
    """Whether a result is of a type; the length of a long vector is open."""
    if isinstance(wanted, tuple) and wanted[-1] is ...:
        return isinstance(have, tuple) and set(have) == {wanted[0]}
    return have == wanted


def described(value: Any) -> Any:
    """A result in the form of `expand`."""
    if isinstance(value, tuple):
        return tuple(map(described, value))
    return value.type if isinstance(value, Reg) else value


def long_vectors(opcode: str, operand: str) -> list[int]:
    """The lengths of vectors that an operand of an opcode may be, without the short ones."""
    names = (operand, operand.replace("_", "-"))
    found = [(reading, kinds.kind_of(reading, name)) for reading in readings(opcode) for name in names]
    lengths = {vector_length(reading, base, kind) for reading, kind in found if kind for base in kind["bases"]}
    return sorted(length for length in lengths if length is not None and length > LONGEST) or [1]


def brackets(opcode: str, first: str) -> list[Elements]:
    """The elements of an address that begins with an operand, with those that may be left out and without."""
    found: list[Elements] = []
    for reading in readings(opcode):
        for template in reading.line.operands:
            if [part.name.replace("-", "_") for part in template.inner[:1]] != [first]:
                continue
            groups = sorted({part.group for part in template.inner} - {0})
            for size in range(len(groups) + 1):
                for out in itertools.combinations(groups, size):
                    found.append([(reading, part) for part in template.inner if part.group not in out])
    return found


def call(opcode: Any, name: str, values: Values, signature: Signature) -> tuple[bool, Any]:
    """Whether some values of the signature's types are taken, and what is returned; `...` when it is not known."""
    choices: list[list[Any]] = []
    for parameter in signature.parameters:
        values.lengths = long_vectors(name, parameter.name)
        values.brackets = brackets(name, parameter.name)
        choices.append([v for text in plainest(parameter.types) for v in values.of(text)])
    outs = [None] if signature.out_optional else [v for text in sorted(signature.out) for v in values.of(text)]
    for *arguments, out in itertools.islice(nearest([*choices, outs]), 400):
        try:
            result = opcode(*arguments) if out is None else opcode(*arguments, out=out)
        except Unavailable:
            return True, ...
        except PtxError:
            continue
        return True, result if signature.out_optional else ...
    return False, ...


def refused(root: str, options: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The signatures of which the builder takes none of the values, and those that return something else, in a module
    with some options."""
    start = Automaton(root, SIGNATURES).build()
    untaken: list[str] = []
    wrong: list[str] = []
    module = Module("sm_100a", options=options)

    @module.entry
    def kernel(k: Builder) -> None:
        values = Values(module, k)
        ways: list[tuple[Class, str, Any]] = [(start, root, getattr(k, grammar.escape(root)))]
        seen = {start.name}
        while ways:
            cls, name, opcode = ways.pop()
            for signature in cls.signatures:
                taken, result = call(opcode, name, values, signature)
                wanted = expand(signature.result)
                if not taken:
                    untaken.append(f"{name} takes no {signature}")
                elif result is not ... and not same(described(result), wanted):
                    wrong.append(f"{name} returns {described(result)}, not {signature.result}")
            for token, following in cls.following.items():
                if following.name not in seen:
                    seen.add(following.name)
                    ways.append((following, name + token, getattr(opcode, grammar.escape(token))))
        k.ret()

    assert kernel is not None
    return untaken, wrong


@pytest.mark.parametrize("root", sorted(grammar.roots()))
def test_signatures_are_those_of_the_builder(root: str) -> None:
    untaken, wrong = refused(root, ())
    if untaken:  # samplers are operands in modules of one mode, combined textures and samplers in those of the other
        others, more = refused(root, ("texmode_independent",))
        untaken, wrong = [signature for signature in untaken if signature in others], wrong + more
    assert untaken + wrong == []
