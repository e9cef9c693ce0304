"""A complete opcode as a Python function: convert operands, make destinations, look the variant up, append.

The common case is one dictionary look-up: an opcode with operands of the same classes was checked before. What has
not been seen yet, guards, destinations that are given, optional operands and constants go the careful way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define, field

from ptxgen.build.values import MISSING, operand
from ptxgen.check.instruction import readings
from ptxgen.errors import Diagnostic, OperandError
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Guarded, Variant
from ptxgen.ir.operands import Operand, Prefixed, Reg
from ptxgen.isa import types
from ptxgen.isa.classes import OperandClass
from ptxgen.isa.family import Template
from ptxgen.isa.matching import kind_of, length_of, types_of
from ptxgen.isa.opcodes import Reading

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder

Call = Callable[..., Any]


@define(eq=False, weakref_slot=False, repr=False)
class Place:
    """What the builder has to know about one operand of a line."""

    template: Template
    destination: bool
    width: int  # of a floating-point constant
    listed: bool  # takes a tuple as a parameter list


@define(eq=False, weakref_slot=False, repr=False)
class Plan:
    """How the operands of one reading are made from a call's arguments."""

    reading: Reading
    places: tuple[Place, ...]
    sources: int = field(init=False)  # mandatory ones
    outs: tuple[Place, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sources = sum(1 for p in self.places if not p.destination and not p.template.group)
        self.outs = tuple(p for p in self.places if p.destination)


def plan(reading: Reading) -> Plan:
    """The plan of a reading."""
    return Plan(reading, tuple(_place(template, reading) for template in reading.line.operands))


def _place(template: Template, reading: Reading) -> Place:
    kind = kind_of(reading, template.name) if template.name and template.shape in ("value", "address") else None
    inner = [kind_of(reading, part.name) for part in template.inner if part.name]
    destination = (kind or {}).get("access") == "out" or any((k or {}).get("access") == "out" for k in inner)
    width = 32
    for base in (kind or {}).get("bases", ()):
        if base[0] == "type" and any(types.bits(name) == 64 for name in types_of(reading, base[1])):
            width = 64
            break
    return Place(template, destination, width, template.shape == "list")


def make_leaf(builder: Builder, opcode: str) -> Call:
    """The function that appends this opcode to the builder's function."""
    known = readings(opcode)
    exact = [reading for reading in known if reading.opcode == opcode]
    plans = [plan(reading) for reading in exact or known]
    first = plans[0]
    careful = _Careful(builder, opcode, plans)
    simple = all(p.template.shape in ("value", "address") and not p.template.inner for p in first.places)
    if not simple or len(first.outs) > 1 or first.sources > 4 or not _leading(first):
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
# more call, costs as much as all the rest. Each remembers the classes that it saw last, and their variant.


def _with_result(builder: Builder, opcode: str, count: int, made: str, careful: _Careful) -> Call:
    append, fresh, result = builder.append, builder.pool(made).fresh, builder.pool(made).cls
    variants: dict[Any, Variant] = careful.variants
    constant, slow, register, addresses = careful.constant, careful.call, Reg, careful.addresses
    seen_a: Any = None
    seen_b: Any = None
    seen_c: Any = None
    seen_d: Any = None
    variant: Any = None

    def call1(a: Any = MISSING, /, *extra: Any, out: Any = None, pred: Any = None) -> Any:
        nonlocal seen_a, variant
        if pred is not None or extra or out is not None:
            return slow(a, *extra, out=out, pred=pred)
        if a.__class__ is not register:
            bare = a.__class__ is list and len(a) == 1 and a[0].__class__ is register
            a = (addresses.get(a[0]) if bare else None) or constant(a, 0)
        if a.cls is not seen_a:
            found = variants.get((result, a.cls))
            if found is None:
                return slow(a)
            variant, seen_a = found, a.cls
        out = fresh()
        append((variant, out, a))
        return out

    def call2(a: Any = MISSING, b: Any = MISSING, /, *extra: Any, out: Any = None, pred: Any = None) -> Any:
        nonlocal seen_a, seen_b, variant
        if pred is not None or extra or out is not None:
            return slow(a, b, *extra, out=out, pred=pred)
        if a.__class__ is not register:
            a = constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if a.cls is not seen_a or b.cls is not seen_b:
            found = variants.get((result, a.cls, b.cls))
            if found is None:
                return slow(a, b)
            variant, seen_a, seen_b = found, a.cls, b.cls
        out = fresh()
        append((variant, out, a, b))
        return out

    def call3(
        a: Any = MISSING, b: Any = MISSING, c: Any = MISSING, /, *extra: Any, out: Any = None, pred: Any = None
    ) -> Any:
        nonlocal seen_a, seen_b, seen_c, variant
        if pred is not None or extra or out is not None:
            return slow(a, b, c, *extra, out=out, pred=pred)
        if a.__class__ is not register:
            a = constant(a, 0)
        if b.__class__ is not register:
            b = constant(b, 1)
        if c.__class__ is not register:
            c = constant(c, 2)
        if a.cls is not seen_a or b.cls is not seen_b or c.cls is not seen_c:
            found = variants.get((result, a.cls, b.cls, c.cls))
            if found is None:
                return slow(a, b, c)
            variant, seen_a, seen_b, seen_c = found, a.cls, b.cls, c.cls
        out = fresh()
        append((variant, out, a, b, c))
        return out

    def call4(
        a: Any = MISSING, b: Any = MISSING, c: Any = MISSING, d: Any = MISSING, /,
        *extra: Any, out: Any = None, pred: Any = None,
    ) -> Any:  # fmt: skip
        nonlocal seen_a, seen_b, seen_c, seen_d, variant
        if pred is not None or extra or out is not None:
            return slow(a, b, c, d, *extra, out=out, pred=pred)
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
                return slow(a, b, c, d)
            variant, seen_a, seen_b, seen_c, seen_d = found, a.cls, b.cls, c.cls, d.cls
        out = fresh()
        append((variant, out, a, b, c, d))
        return out

    return (call1, call2, call3, call4)[count - 1]


def _without_result(builder: Builder, opcode: str, count: int, careful: _Careful) -> Call:
    append = builder.append
    variants: dict[Any, Variant] = careful.variants
    constant, slow, register, addresses = careful.constant, careful.call, Reg, careful.addresses
    seen_a: Any = None
    seen_b: Any = None
    variant: Any = None

    def call2(a: Any = MISSING, b: Any = MISSING, /, *extra: Any, out: Any = None, pred: Any = None) -> None:
        nonlocal seen_a, seen_b, variant
        if pred is not None or extra or out is not None:
            slow(a, b, *extra, out=out, pred=pred)
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


@define(eq=False, weakref_slot=False, repr=False)
class _Careful:
    """The complete way from arguments to an instruction."""

    builder: Builder
    opcode: str
    plans: list[Plan]
    variants: dict[Any, Variant] = field(factory=dict)  # legal ones without limits on values, by operand classes
    addresses: dict[Any, Operand] = field(factory=dict)

    def constant(self, value: Any, at: int) -> Operand:
        """A source that is no register; `at` counts sources from 0."""
        if value.__class__ is list and len(value) == 1:
            (inner,) = value
            if inner.__class__ is Reg:
                made = self.addresses[inner] = ir.address(inner)
                return made
        if value is MISSING:
            return MISSING  # its class is in no variant, so the careful way reports it
        places = [p for p in self.plans[0].places if not p.destination]
        try:
            return self.convert(value, places[at])
        except OperandError as error:
            raise self.builder.located(error) from None

    def convert(self, value: Any, place: Place) -> Operand:
        if value.__class__ is int and self.floating(place):
            value = float(value)
        return operand(value, place.width, place.listed)

    def floating(self, place: Place) -> bool:
        """Whether a Python integer stands for a floating-point constant here."""
        kind = kind_of(self.plans[0].reading, place.template.name) if place.template.shape == "value" else None
        bases = (kind or {}).get("bases", ())
        return bool(bases) and all(
            base[0] == "flt"
            or (base[0] == "type" and all(n in ("f32", "f64") for n in types_of(self.plans[0].reading, base[1])))
            for base in bases
        )

    def call(self, *values: Any, out: Any = None, pred: Any = None) -> Any:
        values = tuple(value for value in values if value is not MISSING)
        builder = self.builder
        guard = builder.guard(pred, self.opcode) if pred is not None else None
        mark = builder.mark()
        problem: Exception | None = None
        for made in self.plans:
            try:
                operands = self.operands(made, values, out, guard is not None)
            except OperandError as error:
                builder.rewind(mark)
                problem = problem or error
                continue
            found = builder.try_variant(self.opcode, operands)
            if found is not None:
                variant, limited = found
                if not limited:
                    self.variants[tuple(o.cls for o in operands)] = variant
                builder.append((variant if guard is None else Guarded(variant, guard), *operands))
                return self.result(made, operands)
            builder.rewind(mark)
        if problem is not None and all(self.count_differs(made, values) for made in self.plans):
            raise builder.located(problem)
        operands = self.best(values, out, guard is not None, problem)
        error = builder.refusal(self.opcode, operands)
        builder.rewind(mark)
        raise error

    def best(self, values: tuple[Any, ...], out: Any, guarded: bool, problem: Exception | None) -> tuple[Operand, ...]:
        """The operands for the error message: of the first plan that can make them."""
        for made in self.plans:
            try:
                return self.operands(made, values, out, guarded)
            except OperandError:
                continue
        assert problem is not None
        raise self.builder.located(problem)

    def count_differs(self, made: Plan, values: tuple[Any, ...]) -> bool:
        most = sum(1 for p in made.places if not p.destination)
        return not made.sources <= len(values) <= most

    def operands(self, made: Plan, values: tuple[Any, ...], out: Any, guarded: bool) -> tuple[Operand, ...]:
        """All operands in the order of PTX."""
        if self.count_differs(made, values):
            most = sum(1 for p in made.places if not p.destination)
            needed = str(made.sources) if most == made.sources else f"{made.sources} to {most}"
            raise self.error(
                f"{self.opcode} takes {needed} source operand{'s' if needed != '1' else ''}, got {len(values)}: "
                f"{made.reading.line.text}",
                f"{needed} source operands", str(len(values)),
            )  # fmt: skip
        spare = len(values) - made.sources
        given = self.destinations(made, out, guarded)
        found: list[Operand] = []
        rest = iter(values)
        for place in made.places:
            if place.destination:
                found.append(given.pop(0))
            elif not place.template.group:
                found.append(self.convert(next(rest), place))
            elif spare:
                spare -= 1
                found.append(self.convert(next(rest), place))
        return tuple(found)

    def destinations(self, made: Plan, out: Any, guarded: bool) -> list[Operand]:
        if not made.outs:
            if out is not None:
                raise self.error(f"{self.opcode} has no result, so it takes no out=", "no out=", f"out={out!r}")
            return []
        if out is None and guarded:
            raise self.error(
                f"{self.opcode} is guarded, so it must name out=; under a false guard a fresh register stays undefined",
                "out=", "none",
            )  # fmt: skip
        if len(made.outs) == 1:
            return [self.destination(made.reading, made.outs[0], out)]
        given = out if out is not None else (None,) * len(made.outs)
        if not isinstance(given, tuple) or len(given) != len(made.outs):
            raise self.error(
                f"{self.opcode} has {len(made.outs)} results: out= takes a tuple of as many",
                f"a tuple of {len(made.outs)}", repr(out),
            )  # fmt: skip
        return [self.destination(made.reading, p, o) for p, o in zip(made.outs, given, strict=True)]

    def destination(self, reading: Reading, place: Place, out: Any) -> Operand:
        template = place.template
        if template.shape == "vector":
            parts = out if out is not None else (None,) * len(template.inner)
            if not isinstance(parts, tuple) or len(parts) != len(template.inner):
                raise self.error(
                    f"{self.opcode}: out= takes a tuple of {len(template.inner)}", f"{len(template.inner)}", repr(out)
                )
            return ir.vector(
                tuple(self.fresh(reading, t.name, p) for t, p in zip(template.inner, parts, strict=True))
            )
        if template.second and (not template.second_optional or isinstance(out, tuple)):
            both = out if out is not None else (None, None)
            if isinstance(both, ir.Pair):
                return both
            if not isinstance(both, tuple) or len(both) != 2:
                raise self.error(
                    f"{self.opcode} has two results: out= takes a tuple of two", "a tuple of two", repr(out)
                )
            return ir.pair(self.fresh(reading, template.name, both[0]), self.fresh(reading, template.second, both[1]))
        return self.fresh(reading, template.name, out)

    def fresh(self, reading: Reading, name: str, given: Any) -> Operand:
        """The destination that was given, with fresh registers in place of None."""
        if given is not None and not isinstance(given, tuple):
            return operand(given)
        kind = kind_of(reading, name)
        wanted = len(given) if isinstance(given, tuple) else None
        for base in (kind or {}).get("bases", ()):
            if base[0] == "tuple" and wanted in (None, len(base) - 1):
                names = [types_of(reading, tree)[0] for tree in base[1:]]
            elif base[0] == "type" and types_of(reading, base[1]):
                length = length_of(reading, base, (kind or {}).get("flags", []))
                container = types.known(types_of(reading, base[1])[0]).container
                if {"warp", "warpgroup"} & set((kind or {}).get("flags", [])) and types.size(container) < 32:
                    container = "b32"
                if length is None:
                    if wanted is not None:
                        continue
                    return self.builder.register(container)
                if wanted not in (None, length):
                    continue
                names = [container] * length
            else:
                continue
            parts = given if isinstance(given, tuple) else (None,) * len(names)
            return ir.vector(
                tuple(
                    self.builder.register(kind_name) if part is None else operand(part)
                    for kind_name, part in zip(names, parts, strict=True)
                )
            )
        if isinstance(given, tuple) and None not in given:
            return operand(given)
        raise self.error(
            f"{self.opcode}: out= does not fit the operand {name}", "a register or a tuple of registers", repr(given)
        )

    def result(self, made: Plan, operands: tuple[Operand, ...]) -> Any:
        """What the call returns: its destinations, vectors as tuples."""
        if not made.outs:
            return None
        found: list[Any] = []
        at = 0
        for place in made.places:
            if at >= len(operands):
                break
            if place.destination:
                found.append(_returned(operands[at]))
            at += 1
        return found[0] if len(found) == 1 else tuple(found)

    def error(self, message: str, need: str, have: str) -> OperandError:
        return OperandError(message, (Diagnostic("operand", "error", message, self.opcode, need=need, have=have),))


def _returned(given: Operand) -> Any:
    match given:
        case ir.Vector(elements=elements):
            return elements
        case ir.Pair(first=first, second=second):
            return _returned(first), _returned(second)
        case _:
            return given


def shape_of(operands: tuple[Operand, ...]) -> tuple[OperandClass, ...]:
    """The classes of operands."""
    return tuple(o.cls for o in operands)


def is_predicate(value: Any) -> bool:
    """Whether a value can guard an instruction."""
    return isinstance(value, Reg | Prefixed) and value.cls.type == "pred" and value.cls.prefix in ("", "!")
