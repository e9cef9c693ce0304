"""The names of the environment in which examples, rejects and certified statements stand: one table for all uses.

Each row says how ptxas has a name declared, what an operand of that name is, and what may be passed to it if it is
called. Since when a declaration is legal is written in the specification; a row says only where.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import evolve, frozen

from ptxgen.check.calls import Signature
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Reg, Variable
from ptxgen.isa import targets
from ptxgen.isa.data import load

Place = Literal["module", "parameter", "body"]
Path = tuple[str, ...]

_ENTRY_PARAMETER = ("directives", "functions", ".entry", "parameters", "space", ".param")
_PARAMETER = ("directives", "functions", ".func", "parameters", "space", ".param")
_OPAQUE = ("directives", "opaque", "since")
_TEXTURE = ("directives", "spaces", ".tex", "module")
_CONTROL = ("directives", "control")


@frozen
class Declaration:
    """What makes a name known to ptxas, and since when it may."""

    text: str
    place: Place = "module"
    since: Path = ()
    """Where the specification says which versions and targets admit it; () when all do."""
    removed: Path = ()
    """Where it says which version no longer does; () when there is none."""
    option: str | None = None
    """The option of `.target` without which the declaration is illegal."""
    needs: tuple[str, ...] = ()
    """Other names that have to be declared before it."""
    operand: Operand | None = None
    """What the name is; None of a register or a directive."""
    signature: Signature | None = None
    """What is returned and taken when it is called, through it or as itself."""

    @property
    def versions(self) -> dict[str, str]:
        """Target predicate -> version, as everywhere in the specification."""
        return targets.needs(_stated(self.since) if self.since else "1.0")

    @property
    def removed_in(self) -> str | None:
        """The first version that does not admit it any more."""
        return _stated(self.removed) if self.removed else None


def _stated(path: Path) -> Any:
    found: Any = load(path[0])
    for key in path[1:]:
        found = found[key]
    return found


def _variable(name: str, type: str, space: str, count: int = 0, align: int | None = None) -> Variable[Any]:
    shape = (count,) if count else ()
    return Variable(name, ir.variable_class(type, space), type, space.split("::")[0], shape, align)


def _register(type: str) -> Reg[Any]:
    return ir.register("x", type)


_WORD = _variable("x", "b32", ".param::func")
_BLOCK = _variable("x", "b8", ".param::func", 8, 8)

_VARIABLES = (
    (_variable("gv", "b32", ".global", 64, 16), Declaration(".global .align 16 .b32 gv[64];")),
    (_variable("sv", "b64", ".shared", 64, 16), Declaration(".shared .align 16 .b64 sv[64];")),
    (_variable("cv", "b32", ".const", 64, 16), Declaration(".const .align 16 .b32 cv[64];")),
    (_variable("lv", "b32", ".local", 64, 16), Declaration(".local .align 16 .b32 lv[64];", "body")),
    (_variable("P", "u64", ".param::entry"), Declaration(".param .u64 P", "parameter", _ENTRY_PARAMETER)),
    (
        _variable("PA", "b8", ".param::entry", 64, 16),
        Declaration(".param .align 16 .b8 PA[64]", "parameter", _ENTRY_PARAMETER),
    ),
    (_variable("LP", "b8", ".param::func", 64, 16), Declaration(".param .align 16 .b8 LP[64];", "body", _PARAMETER)),
    (_variable("LB", "b8", ".param::func", 8, 8), Declaration(".param .align 8 .b8 LB[8];", "body", _PARAMETER)),
    (_variable("LU", "u64", ".param::func"), Declaration(".param .u64 LU;", "body", _PARAMETER)),
    (_variable("texv", "texref", ".global"), Declaration(".global .texref texv;", since=_OPAQUE)),
    (
        _variable("tv", "u32", ".tex"),
        Declaration(".tex .u32 tv;", since=(*_TEXTURE, "since"), removed=(*_TEXTURE, "removed")),
    ),
    (_variable("srfv", "surfref", ".global"), Declaration(".global .surfref srfv;", since=_OPAQUE)),
    (
        _variable("smpv", "samplerref", ".global"),
        Declaration(".global .samplerref smpv;", since=_OPAQUE, option="texmode_independent"),
    ),
)

# Name, what it is, its declaration, and what is returned and taken.
_CALLED = (
    ("devf", "func", Declaration(".func devf (.reg .b32 x) { ret; }"), ((), (_register("b32"),))),
    (
        "extf",
        "func",
        Declaration(".extern .func (.param .b32 rv) extf (.param .b32 pa);", since=_PARAMETER),
        ((_WORD,), (_WORD,)),
    ),
    (
        "blockf",
        "func",
        Declaration(".extern .func (.param .align 8 .b8 rv[8]) blockf (.param .align 8 .b8 pa[8]);", since=_PARAMETER),
        ((_BLOCK,), (_BLOCK,)),
    ),
    (
        "floatf",
        "func",
        Declaration(".func (.reg .f32 rv) floatf (.reg .f32 x) { ret; }"),
        ((_register("f32"),), (_register("f32"),)),
    ),
    (
        "longf",
        "func",
        Declaration(".extern .func (.param .u64 rv) longf (.param .u64 pa);", since=_PARAMETER),
        ((_variable("rv", "u64", ".param::func"),), (_variable("pa", "u64", ".param::func"),)),
    ),
    ("kern", "kernel", Declaration(".entry kern () { ret; }"), ((), ())),
    ("noargs", "func", Declaration(".func noargs () { ret; }"), ((), ())),
    ("$L0", "label", Declaration("$L0:", "body"), None),
    ("$L1", "label", Declaration("$L1:", "body"), None),
    (
        "$proto",
        "callprototype",
        Declaration("$proto: .callprototype _ (.param .b32 _);", "body", (*_CONTROL, ".callprototype", "since")),
        ((), (_WORD,)),
    ),
    (
        "$calls",
        "calltargets",
        Declaration("$calls: .calltargets devf;", "body", (*_CONTROL, ".calltargets", "since"), needs=("devf",)),
        ((), (_register("b32"),)),
    ),
    (
        "$targets",
        "branchtargets",
        Declaration(
            "$targets: .branchtargets $L0, $L1;", "body", (*_CONTROL, ".branchtargets", "since"), needs=("$L0", "$L1")
        ),
        None,
    ),
)

NAMES: Mapping[str, Declaration] = {
    **{variable.text: evolve(row, operand=variable) for variable, row in _VARIABLES},
    **{name: evolve(row, operand=ir.name(name, what), signature=signature) for name, what, row, signature in _CALLED},
}
"""The variables, functions and labels of the environment."""
