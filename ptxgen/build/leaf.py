"""A complete opcode as a Python function: convert operands, make destinations, look the variant up, append.

The common case is one dictionary look-up: an opcode with operands of the same classes was checked before. The rest is
in `ptxgen.build.careful`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ptxgen.build.careful import Careful
from ptxgen.build.plan import Place, Plan, plans_of
from ptxgen.build.values import MISSING
from ptxgen.ir.operands import Reg
from ptxgen.ir.statements import Variant
from ptxgen.isa import types
from ptxgen.isa.kinds import kind_of, length_of, types_of
from ptxgen.isa.opcodes import Reading

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder

Call = Callable[..., Any]


def make_leaf(builder: Builder, opcode: str) -> Call:
    """The function that appends this opcode to the builder's function."""
    plans = plans_of(opcode)
    first = plans[0]
    careful = Careful(builder, opcode, plans)
    simple = all(p.template.shape in ("value", "address") and not p.template.inner for p in first.places)
    optional = max(len(made.inputs) for made in plans) - first.sources
    if not simple or optional > 1 or len(first.outs) > 1 or first.sources > 4 or not _leading(first):
        return careful.call
    if not first.outs:
        return _without_result(builder, opcode, first.sources, careful)
    out = first.outs[0]
    made = _scalar_type(out, first.reading)
    if made is None or (out.template.second and not out.template.second_optional) or first.sources == 0:
        return careful.call
    return _with_result(builder, opcode, first.sources, made, careful)


def _leading(made: Plan) -> bool:
    return all(p.destination == (at < len(made.outs)) for at, p in enumerate(made.places))


def _scalar_type(place: Place, reading: Reading) -> str | None:
    """The type of register that a scalar destination gets; None for a vector."""
    kind = kind_of(reading, place.template.name)
    if kind is None or place.template.shape != "value":
        return None
    for base in kind["bases"]:
        if base[0] == "type":
            names = types_of(reading, base[1])
            if names and length_of(reading, base, kind.get("flags", [])) is None:
                return types.known(names[0]).container
    return None


# The functions below are alike but for their number of operands, and spelt out because a loop over operands, or one
# more call, costs as much as all the rest. Each remembers the classes that it saw last, and their variant, until the
# builder tells it to forget them: then the function is complete. It gets its pool of registers when the first
# instruction has gone the careful way, as the target may not have their type. `out` and `pred` are keywords of the
# instruction; to Python they are not, as it is slower with such. `extra` takes an optional operand, and what reaches
# `gate` is more than any of these lines has: so `out` never takes an operand.


def _with_result(builder: Builder, opcode: str, count: int, made: str, careful: Careful) -> Call:
    append = builder.append
    fresh: Any = None
    result: Any = None  # the class of what `fresh` makes
    variants: dict[Any, Variant] = careful.variants
    constant, slow, surplus = careful.constant, careful.call, careful.surplus
    register, addresses = Reg, careful.addresses
    seen_a: Any = None
    seen_b: Any = None
    seen_c: Any = None
    seen_d: Any = None
    variant: Any = None

    def first(*sources: Any) -> Any:
        nonlocal fresh, result
        given = slow(*sources)
        if result is None and given.__class__ is register and given.cls.type == made:
            pool = builder.pool(made)
            fresh, result = pool.fresh, pool.cls
        return given

    def forget() -> None:
        nonlocal seen_a
        seen_a = None
        variants.clear()

    builder.remembering.append(forget)

    def call1(
        a: Any = MISSING, /, extra: Any = MISSING, gate: Any = MISSING, out: Any = None, pred: Any = None, *more: Any
    ) -> Any:
        nonlocal seen_a, variant
        if pred is not None or extra is not MISSING or out is not None:
            if gate is not MISSING:
                return surplus(a, extra, gate, out, pred, *more)
            return slow(a, extra, out=out, pred=pred)
        if a.__class__ is not register:
            bare = a.__class__ is list and len(a) == 1 and a[0].__class__ is register
            a = (addresses.get(a[0]) if bare else None) or constant(a, 0)
        if a.cls is not seen_a:
            found = variants.get((result, a.cls))
            if found is None:
                return first(a)
            variant, seen_a = found, a.cls
        out = fresh()
        append((variant, out, a))
        return out

    def call2(
        a: Any = MISSING, b: Any = MISSING, /, extra: Any = MISSING, gate: Any = MISSING,
        out: Any = None, pred: Any = None, *more: Any,
    ) -> Any:
        nonlocal seen_a, seen_b, variant
        if pred is not None or extra is not MISSING or out is not None:
            if gate is not MISSING:
                return surplus(a, b, extra, gate, out, pred, *more)
            return slow(a, b, extra, out=out, pred=pred)
        if a.__class__ is not register:
            a = constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if a.cls is not seen_a or b.cls is not seen_b:
            found = variants.get((result, a.cls, b.cls))
            if found is None:
                return first(a, b)
            variant, seen_a, seen_b = found, a.cls, b.cls
        out = fresh()
        append((variant, out, a, b))
        return out

    def call3(
        a: Any = MISSING, b: Any = MISSING, c: Any = MISSING, /, extra: Any = MISSING, gate: Any = MISSING,
        out: Any = None, pred: Any = None, *more: Any,
    ) -> Any:  # fmt: skip
        nonlocal seen_a, seen_b, seen_c, variant
        if pred is not None or extra is not MISSING or out is not None:
            if gate is not MISSING:
                return surplus(a, b, c, extra, gate, out, pred, *more)
            return slow(a, b, c, extra, out=out, pred=pred)
        if a.__class__ is not register:
            a = constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if c.__class__ is not register:
            c = constant(c, 2)
        if a.cls is not seen_a or b.cls is not seen_b or c.cls is not seen_c:
            found = variants.get((result, a.cls, b.cls, c.cls))
            if found is None:
                return first(a, b, c)
            variant, seen_a, seen_b, seen_c = found, a.cls, b.cls, c.cls
        out = fresh()
        append((variant, out, a, b, c))
        return out

    def call4(
        a: Any = MISSING, b: Any = MISSING, c: Any = MISSING, d: Any = MISSING, /, extra: Any = MISSING,
        gate: Any = MISSING, out: Any = None, pred: Any = None, *more: Any,
    ) -> Any:  # fmt: skip
        nonlocal seen_a, seen_b, seen_c, seen_d, variant
        if pred is not None or extra is not MISSING or out is not None:
            if gate is not MISSING:
                return surplus(a, b, c, d, extra, gate, out, pred, *more)
            return slow(a, b, c, d, extra, out=out, pred=pred)
        if a.__class__ is not register:
            a = constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if c.__class__ is not register:
            c = constant(c, 2)
        if d.__class__ is not register:
            d = constant(d, 3)
        if a.cls is not seen_a or b.cls is not seen_b or c.cls is not seen_c or d.cls is not seen_d:
            found = variants.get((result, a.cls, b.cls, c.cls, d.cls))
            if found is None:
                return first(a, b, c, d)
            variant, seen_a, seen_b, seen_c, seen_d = found, a.cls, b.cls, c.cls, d.cls
        out = fresh()
        append((variant, out, a, b, c, d))
        return out

    return (call1, call2, call3, call4)[count - 1]


def _without_result(builder: Builder, opcode: str, count: int, careful: Careful) -> Call:
    append = builder.append
    variants: dict[Any, Variant] = careful.variants
    constant, slow, surplus = careful.constant, careful.call, careful.surplus
    register, addresses = Reg, careful.addresses
    seen_a: Any = None
    seen_b: Any = None
    variant: Any = None

    def forget() -> None:
        nonlocal seen_a
        seen_a = None
        variants.clear()

    builder.remembering.append(forget)

    def call2(
        a: Any = MISSING, b: Any = MISSING, /, extra: Any = MISSING, gate: Any = MISSING,
        out: Any = None, pred: Any = None, *more: Any,
    ) -> None:
        nonlocal seen_a, seen_b, variant
        if pred is not None or extra is not MISSING or out is not None:
            if gate is not MISSING:
                surplus(a, b, extra, gate, out, pred, *more)
            slow(a, b, extra, out=out, pred=pred)
            return
        if a.__class__ is not register:
            bare = a.__class__ is list and len(a) == 1 and a[0].__class__ is register
            a = (addresses.get(a[0]) if bare else None) or constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if a.cls is not seen_a or b.cls is not seen_b:
            found = variants.get((a.cls, b.cls))
            if found is None:
                slow(a, b)
                return
            variant, seen_a, seen_b = found, a.cls, b.cls
        append((variant, a, b))

    return call2 if count == 2 else slow
