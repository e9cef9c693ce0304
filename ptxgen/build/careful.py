"""From the arguments of a call to an instruction, with all checks and every shape of argument.

`ptxgen.build.leaf` goes this way for what it has not seen yet: guards, destinations that are given, optional operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from attrs import define, field

from ptxgen.build.plan import Place, Plan
from ptxgen.build.values import MISSING, is_tuple, operand, wrong
from ptxgen.check.instruction import verdict
from ptxgen.errors import Diagnostic, OperandError, PtxError, located
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand, Prefixed, Reg
from ptxgen.ir.statements import Guarded, Variant
from ptxgen.isa import types
from ptxgen.isa.classes import OperandClass, plain
from ptxgen.isa.family import Template
from ptxgen.isa.kinds import kind_of, length_of, types_of
from ptxgen.isa.opcodes import Reading

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder


@define(eq=False, weakref_slot=False, repr=False)
class Careful:
    """The complete way from arguments to an instruction."""

    builder: Builder
    opcode: str
    plans: list[Plan]
    # Legal ones without limits on values, by operand classes.
    variants: dict[Any, Variant] = field(factory=dict[Any, Variant])
    addresses: dict[Any, Operand] = field(factory=dict[Any, Operand])

    def constant(self, value: Any, at: int) -> Operand:
        """A source that is no register; `at` counts sources from 0."""
        if value.__class__ is list and len(value) == 1:
            (inner,) = value
            if inner.__class__ is Reg:
                made = self.addresses[inner] = ir.address(inner)
                return made
        if value is MISSING:
            return MISSING  # its class is in no variant, so the careful way reports it
        try:
            return self.convert(value, self.plans[0].inputs[at])
        except OperandError as error:
            raise located(error) from None

    def convert(self, value: Any, place: Place) -> Operand:
        """The operand of a source."""
        try:
            return self.converted(value, place)
        except RecursionError:  # lists within lists, to no end
            nested = f"{type(value).__name__}s within {type(value).__name__}s"
            raise self.error(f"{self.opcode}: {nested} are no operand", "an operand", nested) from None

    def converted(self, value: Any, place: Place) -> Operand:
        """The operand of a source, of which the parts may be nested."""
        if value.__class__ is int and self.floating(place):
            try:
                value = float(value)
            except OverflowError:
                raise wrong(value) from None
        found = operand(value, place.width, place.listed)
        if found.__class__ is ir.Integer and not place.low <= found.value <= place.high:  # pyright: ignore
            raise self.error(
                f"{self.opcode} operand {place.template.name} takes {place.low} to {place.high}, got {found.text}",
                f"an integer from {place.low} to {place.high}", found.text,
            )  # fmt: skip
        return found

    def floating(self, place: Place) -> bool:
        """Whether a Python integer stands for a floating-point constant here."""
        kind = kind_of(self.plans[0].reading, place.template.name) if place.template.shape == "value" else None
        bases = (kind or {}).get("bases", ())
        return bool(bases) and all(
            base[0] == "flt"
            or (base[0] == "type" and all(n in ("f32", "f64") for n in types_of(self.plans[0].reading, base[1])))
            for base in bases
        )

    def surplus(self, *values: Any) -> NoReturn:
        """The error for more operands than any line has."""
        self.call(*(value for value in values if value is not None))
        raise AssertionError(self.opcode)

    def call(self, *values: Any, out: Any = None, pred: Any = None, **others: Any) -> Any:
        """Append the instruction and return its results; or raise the error that says why not."""
        if others:
            raise located(wrong_arguments(self.opcode, f"got an unexpected keyword argument '{next(iter(others))}'"))
        values = tuple(value for value in values if value is not MISSING)
        builder = self.builder
        guard = builder.guard(pred, self.opcode) if pred is not None else None
        mark = builder.mark()
        try:
            return self.emit(values, out, guard, mark)
        except PtxError:
            builder.rewind(mark)
            raise

    def emit(self, values: tuple[Any, ...], out: Any, guard: Reg[Any] | Prefixed[Any] | None, mark: int) -> Any:
        """Append the instruction by the first plan that gives one."""
        builder = self.builder
        problem: OperandError | None = None
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
                builder.function.variants[variant] = None
                builder.append((variant if guard is None else Guarded(variant, guard), *operands))
                return self.result(made, operands)
            builder.rewind(mark)
        if problem is not None and all(self.count_differs(made, values) for made in self.plans):
            raise located(problem)
        operands = self.best(values, out, guard is not None, problem)
        raise builder.refusal(self.opcode, operands)

    def best(
        self, values: tuple[Any, ...], out: Any, guarded: bool, problem: OperandError | None
    ) -> tuple[Operand, ...]:
        """The operands for the error message: of the plan that comes nearest to a legal instruction."""
        found: list[tuple[Operand, ...]] = []
        for made in self.plans:
            try:
                found.append(self.operands(made, values, out, guarded))
            except OperandError:
                continue
        if not found:
            assert problem is not None
            raise located(problem)
        return max(found, key=self.nearness)

    def nearness(self, operands: tuple[Operand, ...]) -> int:
        """How near operands come to a legal instruction, from 0 to 2."""
        found = verdict(self.opcode, tuple(map(plain, shape_of(operands))), self.builder.module.option_set)
        return 2 if found.legal else 1 if found.matches else 0

    def count_differs(self, made: Plan, values: tuple[Any, ...]) -> bool:
        """Whether a plan takes another number of sources."""
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
        """The operands for all results."""
        if not made.outs:
            if out is not None:
                raise self.error(f"{self.opcode} has no result, so it takes no out=", "no out=", f"out={out!r}")
            return []
        if out is None and guarded and any(p.template.shape != "sink" for p in made.outs):
            raise self.error(
                f"{self.opcode} is guarded, so it must name out=; under a false guard a fresh register stays undefined",
                "out=", "none",
            )  # fmt: skip
        if len(made.outs) == 1:
            return [self.destination(made.reading, made.outs[0], out)]
        given = _elements(out, len(made.outs))
        if given is None:
            raise self.error(
                f"{self.opcode} has {len(made.outs)} results: out= takes a tuple of as many",
                f"a tuple of {len(made.outs)}", repr(out),
            )  # fmt: skip
        return [self.destination(made.reading, p, o) for p, o in zip(made.outs, given, strict=True)]

    def destination(self, reading: Reading, place: Place, out: Any) -> Operand:
        """The operand for one result, a vector or a pair as a whole."""
        template = place.template
        if template.shape == "sink":
            if out is not None and not isinstance(out, ir.Sink):
                raise self.error(f"{self.opcode} has no result here, so out= takes the sink only", "sink", repr(out))
            return ir.sink
        if template.shape == "vector":
            parts = _elements(out, len(template.inner))
            if parts is None:
                raise self.error(
                    f"{self.opcode}: out= takes a tuple of {len(template.inner)}", f"{len(template.inner)}", repr(out)
                )
            return ir.vector(
                tuple(self.fresh(reading, t.name, p) for t, p in zip(template.inner, parts, strict=True))
            )
        if template.second and (not template.second_optional or self.names_pair(reading, template, out)):
            if isinstance(out, ir.Pair):
                return out
            both = _elements(out, 2)
            if both is None:
                raise self.error(
                    f"{self.opcode} has two results: out= takes a tuple of two", "a tuple of two", repr(out)
                )
            return ir.pair(self.fresh(reading, template.name, both[0]), self.fresh(reading, template.second, both[1]))
        return self.fresh(reading, template.name, out)

    def names_pair(self, reading: Reading, template: Template, out: Any) -> bool:
        """Whether `out=` gives both results, the second of which may be left out; a tuple may be a vector instead."""
        if not is_tuple(out):
            return isinstance(out, ir.Pair)
        kind = kind_of(reading, template.name) or {}
        bases, flags = kind.get("bases", ()), kind.get("flags", [])
        if not any(base[0] == "type" and length_of(reading, base, flags) for base in bases):
            return True
        return len(out) == 2 and (out[0] is None or is_tuple(out[0]) or isinstance(out[0], ir.Vector))

    def fresh(self, reading: Reading, name: str, given: Any) -> Operand:
        """The destination that was given, with fresh registers in place of None."""
        if given is not None and not is_tuple(given):
            return operand(given)
        kind = kind_of(reading, name)
        parts: tuple[Any, ...] | None = given
        wanted = None if parts is None else len(parts)
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
            return ir.vector(
                tuple(
                    self.builder.register(kind_name) if part is None else operand(part)
                    for kind_name, part in zip(names, parts or (None,) * len(names), strict=True)
                )
            )
        if parts is not None and None not in parts:
            return operand(parts)
        if given is None:
            raise self.error(
                f"{self.opcode} has no type for its operand {name} ({reading.line.text})", "an opcode with one", "none"
            )
        raise self.error(
            f"{self.opcode}: out= does not fit the operand {name}", "a register or a tuple of registers", repr(given)
        )

    def result(self, made: Plan, operands: tuple[Operand, ...]) -> Any:
        """What the call returns: its destinations, vectors as tuples."""
        if not made.outs:
            return None
        found: list[Any] = []
        for place, given in zip(made.places, operands, strict=False):  # optional operands may be left out
            if place.destination and place.template.shape != "sink":
                found.append(_returned(given))
        return None if not found else found[0] if len(found) == 1 else tuple(found)

    def error(self, message: str, need: str, have: str) -> OperandError:
        """An error about an operand."""
        return OperandError(message, (Diagnostic("operand", "error", message, self.opcode, need=need, have=have),))


def _elements(out: Any, count: int) -> tuple[Any, ...] | None:
    """What `out=` gives for each of several destinations; None when it is no tuple of as many."""
    if out is None:
        return (None,) * count
    return out if is_tuple(out) and len(out) == count else None


def wrong_arguments(opcode: str, problem: str) -> OperandError:
    """An error about the shape of a call."""
    message = f"{opcode} {problem}; operands are positional, then come out= and pred="
    found = Diagnostic("arguments", "error", message, opcode, need="operands, out=, pred=", have=problem)
    return OperandError(message, (found,))


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
