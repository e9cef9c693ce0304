"""Opcodes as chains of attributes: `k.add.rn.f32` walks the grammar that the manual's syntax lines spell."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from ptxgen.build.leaf import make_leaf
from ptxgen.errors import Diagnostic, IllegalInstruction, located
from ptxgen.isa import grammar

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder


class IllegalModifier(IllegalInstruction, AttributeError):
    """The chain cannot be continued so. It is an AttributeError, too, so that hasattr() and completion work."""


class Chain:
    """A prefix of an opcode; attributes extend it."""

    def __init__(self, builder: Builder, prefix: str, places: grammar.Places) -> None:
        self._builder = builder
        self._prefix = prefix
        self._places = places

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._extend(grammar.unescape(name), name)

    def __getitem__(self, token: Any) -> Any:
        """A token as a value: a string, a type, anything with a `name`; or the number of the last: `k.ld.const[3]`."""
        if isinstance(token, int) and not isinstance(token, bool) and (numbered := self._numbered(token)):
            return numbered
        text = token if isinstance(token, str) else getattr(token, "name", None) or getattr(token, "__name__", None)
        if not isinstance(text, str):
            message = f"{self._prefix}[...] takes a modifier as a string or a type, got {token!r}"
            problem = Diagnostic("illegal-modifier", "error", message, self._prefix, have=repr(token))
            raise located(IllegalInstruction(message, (problem,)))
        node: Any = self
        for part in text.strip(".").split("."):
            node = getattr(node, grammar.escape(f".{part}"))
        return node

    def _numbered(self, number: int) -> Any:
        """The prefix with a number in brackets at its end; None where its last token takes none."""
        *words, last = self._prefix.split(".")
        node: Any = self._builder
        for word in words:
            node = getattr(node, grammar.escape(f".{word}"))
        if not words or not any(token.startswith(f".{last}[") for token in grammar.choices(node._places)):
            return None
        token = f".{last}[{number}]"
        name = grammar.escape(token)
        return node.__dict__.get(name) or node._extend(token, name)

    def __dir__(self) -> list[str]:
        return [grammar.escape(token) for token in grammar.choices(self._places)]

    def __repr__(self) -> str:
        following = " ".join(grammar.choices(self._places))
        return f"<{self._prefix}, to be continued with {following}>"

    def __call__(self, *_operands: Any, **_options: Any) -> Any:
        """The opcode is not complete: always an error."""
        from ptxgen.check import explain

        raise located(IllegalInstruction.of(explain.opcode(self._prefix)))

    def _extend(self, token: str, name: str) -> Any:
        places = grammar.after(self._places, token)
        if not places:
            from ptxgen.check import explain

            problem = explain.opcode(self._prefix + token)
            raise located(IllegalModifier.of(problem))
        child = extend(self._builder, self._prefix + token, places)
        self.__dict__[name] = child
        return child


class Leaf(Chain):
    """A complete opcode: calling it appends the instruction; attributes extend it where PTX does.

    Each leaf is the one instance of a class of its own, whose `__call__` is the function that `make_leaf` closed over
    the builder: that is the cheapest call of an object with attributes.
    """

    def __repr__(self) -> str:
        following = " ".join(grammar.choices(self._places))
        return f"<{self._prefix}" + (f", or to be continued with {following}>" if following else ">")


def extend(builder: Builder, opcode: str, places: grammar.Places) -> Chain:
    """The chain of a prefix, callable when the opcode is complete."""
    return leaf(builder, opcode, places) if grammar.complete(places) else Chain(builder, opcode, places)


def leaf(builder: Builder, opcode: str, places: grammar.Places) -> Leaf:
    """A complete opcode; the manual may have it or, with no places to go on from, ptxas alone."""
    call = make_leaf(builder, opcode)
    if isinstance(call, FunctionType):
        call.__qualname__ = opcode  # what Python's own messages call it
    cls = type("Leaf", (Leaf,), {"__call__": staticmethod(call)})
    return cls(builder, opcode, places)
