"""Classes of operands: all that decides whether an operand may stand somewhere, except the value of a constant.

A class is interned: equal classes are one object, so a tuple of classes is a cheap key. A few dozen exist in a
typical module, however long it is.
"""

from __future__ import annotations

from attrs import define, field

REGISTER = "register"
INTEGER = "integer"  # an integer constant
FLOAT = "float"  # a floating-point constant; type says how it is written: "f32" 0f..., "f64" 0d... or decimal
SPECIAL = "special"  # a special register
VARIABLE = "variable"  # the name of a variable or parameter; offset when a constant is added
ADDRESS = "address"  # [a], [a, {b, c}]
VECTOR = "vector"  # {a, b}
LIST = "list"  # (a, b)
SINK = "sink"  # _
NAME = "name"  # a label, function, prototype or table; `type` says which, "" when not known yet
ELEMENT = "[]"  # the selector of a VARIABLE of which an element is meant
FUNCTIONS = ("func", "kernel")  # the types of a NAME that is a function's


@define(eq=False, weakref_slot=False, repr=False)
class OperandClass:
    """What an operand is, without its name or value. Made by `operand_class` only."""

    what: str
    type: str = ""  # without the dot: of a register, special register, variable; or of a FLOAT, NAME
    space: str = ""  # state space of a variable, with its dot
    elements: tuple[OperandClass, ...] = ()
    offset: bool = False  # a constant is added to a variable, or to the register of an address
    prefix: str = ""  # "!" | "-"
    selector: str = ""  # ".b0", ".h10", of an address ".unified"
    second: OperandClass | None = None  # p of d|p
    scope: Scope | None = None  # the function or module that it belongs to; None in the tables' view, see `plain`

    def describe(self) -> str:
        """A noun phrase for messages."""
        text = _NOUNS[self.what]
        if self.what in (REGISTER, SPECIAL):
            text = f"a .{self.type} {text}" if self.what == REGISTER else f"the {text} %{self.type}"
        elif self.what == VARIABLE:
            text = f"a {self.space} {text}"
        elif self.what in (VECTOR, LIST):
            kinds = list(dict.fromkeys(e.describe() for e in self.elements))
            text = f"{text} of {len(self.elements)} ({', '.join(kinds)})" if kinds else f"an empty {text[2:]}"
        elif self.what == ADDRESS and self.elements:
            text = f"an address ({', '.join(e.describe() for e in self.elements)})"
        if self.offset:
            text += " plus a constant"
        if self.prefix:
            text += f" with {self.prefix}"
        if self.selector == ELEMENT:
            return f"an element of {text.removesuffix(' plus a constant')}"
        if self.selector:
            text += f" with the selector {self.selector}"
        if self.second is not None:
            text += f" paired with {self.second.describe()}"
        return text

    @property
    def undeclared(self) -> bool:
        """Whether the operand is, or has in it, a name that stands for nothing."""
        if self.what == NAME:
            return not self.type
        return any(e.undeclared for e in self.elements) or (self.second is not None and self.second.undeclared)


_NOUNS = {
    REGISTER: "register",
    INTEGER: "an integer constant",
    FLOAT: "a floating-point constant",
    SPECIAL: "special register",
    VARIABLE: "variable",
    ADDRESS: "an address",
    VECTOR: "a vector",
    LIST: "a list",
    SINK: "the sink _",
    NAME: "a name",
}


@define(eq=False, weakref_slot=False, repr=False)
class Scope:
    """A module or function, as the owner of names; its classes live and die with it."""

    name: str
    parent: Scope | None = None
    classes: dict[tuple[object, ...], OperandClass] = field(factory=dict[tuple[object, ...], OperandClass], repr=False)


_interned: dict[tuple[object, ...], OperandClass] = {}


def operand_class(
    what: str,
    type: str = "",
    space: str = "",
    elements: tuple[OperandClass, ...] = (),
    offset: bool = False,
    prefix: str = "",
    selector: str = "",
    second: OperandClass | None = None,
    scope: Scope | None = None,
) -> OperandClass:
    """The one class with these properties; one with a part that has a scope has that scope."""
    if scope is None:
        for part in elements:
            scope = scope or part.scope
        if second is not None:
            scope = scope or second.scope
    key = (what, type, space, elements, offset, prefix, selector, second, scope)
    interned = _interned if scope is None else scope.classes
    found = interned.get(key)
    if found is None:
        found = interned[key] = OperandClass(*key)  # type: ignore[arg-type]
    return found


def plain(cls: OperandClass) -> OperandClass:
    """The same class without its scope: what the specification is asked about."""
    if cls.scope is None:
        return cls
    second = plain(cls.second) if cls.second is not None else None
    elements = tuple(map(plain, cls.elements))
    return operand_class(cls.what, cls.type, cls.space, elements, cls.offset, cls.prefix, cls.selector, second)


def scopes(cls: OperandClass) -> list[Scope]:
    """The functions and modules that an operand of this class belongs to."""
    parts = (*cls.elements, cls.second) if cls.second is not None else cls.elements
    inner = [scope for part in parts for scope in scopes(part)]
    return inner if cls.scope is None else [cls.scope, *inner]
