"""What a complete opcode takes and returns in Python: the signature of `k.fma.rn.f32(a, b, c)`."""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Iterable, Iterator

from attrs import define, evolve, field, frozen

from ptxgen.build.plan import Place, plan
from ptxgen.isa.classes import INTEGER, operand_class
from ptxgen.isa.family import Line, Template
from ptxgen.isa.opcodes import Reading
from tools.generate import destinations
from tools.generate.aliases import Aliases
from tools.generate.destinations import Destination
from tools.generate.operands import ARGUMENTS, Alternatives, Operands, selected
from tools.generate.relevance import names
from tools.generate.rules import LineRules, Rules


@frozen
class Parameter:
    """A positional parameter."""

    name: str
    types: frozenset[str]
    optional: bool = False


@frozen
class Signature:
    """Positional parameters, `out=`, and the result."""

    parameters: tuple[Parameter, ...]
    out: frozenset[str]  # nothing when there is no destination
    out_optional: bool
    result: str

    @property
    def required(self) -> int:
        """How many parameters there are at least."""
        return sum(not parameter.optional for parameter in self.parameters)


@define(eq=False)
class Signatures:
    """Makes the signatures of readings."""

    aliases: Aliases
    operands: Operands = field(init=False)
    lines: dict[Line, LineRules] = field(init=False, factory=dict[Line, LineRules])

    def __attrs_post_init__(self) -> None:
        self.operands = Operands(self.aliases)

    def rules(self, line: Line) -> LineRules:
        """The rules of a line."""
        found = self.lines.get(line)
        if found is None:
            found = self.lines[line] = LineRules(line)
        return found

    def of(self, reading: Reading) -> Iterator[Signature]:
        """Every signature of one reading; none when its tokens go against a rule."""
        if not self.rules(reading.line).hold_for_tokens(reading):
            return
        places = plan(reading).places
        optional = [place for place in places if not place.destination and place.template.group]
        for spare in range(len(optional) + 1):  # the builder gives what is left over to the first that are optional
            left_out = {id(place) for place in optional[spare:]}
            chosen = [place for place in places if id(place) not in left_out]
            groups = {place.template.group for place in chosen if place.template.group}
            if not any(place.template.group in groups for place in places if id(place) in left_out):
                yield from self._with(reading, chosen)

    def _with(self, reading: Reading, places: list[Place]) -> Iterator[Signature]:
        """The signatures with just these operands."""
        named = set(names(tuple(place.template for place in places)))
        seconds = {place.template.second for place in places if place.template.second}
        written = [
            list(destinations.ways(reading, place.template, self.operands)) for place in places if place.destination
        ]
        for way in itertools.product(*written):
            known = {name: cls for destination in way for name, cls in destination.known.items()}
            present = frozenset(named - (seconds - known.keys()))
            rules = Rules(reading, known, present, self.rules(reading.line).operands)
            if rules.hopeless:
                continue
            parameters = self._parameters(places, rules)
            if parameters is not None:
                yield _signature(parameters, [destinations.without_sink(d, rules, self.aliases) for d in way])

    def _parameters(self, places: list[Place], rules: Rules) -> list[Parameter] | None:
        """The sources; None when nothing may stand in one of their places."""
        found: list[Parameter] = []
        for place in places:
            if not place.destination:
                accepted = frozenset(self._source(place.template, rules))
                if not accepted:
                    return None
                found.append(Parameter(_parameter_name(place.template), accepted))
        return _distinct(found)

    def _source(self, template: Template, rules: Rules) -> Alternatives:
        """What may stand in a place."""
        match template.shape:
            case "number":
                return {f"Literal[{template.name}]": [operand_class(INTEGER)]}
            case "list":
                return {ARGUMENTS: []}
            case "vector":
                return {f"tuple[{', '.join(self._nested(template.inner, rules))}]": []}
            case "address" if template.inner:
                return {f"list[{' | '.join(dict.fromkeys(self._nested(template.inner, rules)))}]": []}
            case "address":
                inside = rules.allowed(template.name, self.operands.pointers(rules.reading, template.name))
                if not inside:
                    return {}
                address: Alternatives = {f"list[{self.aliases.name(frozenset(inside), 'Pointer')}]": []}
                return {**address, "Address": []} if template.selectors else address
            case _:
                accepted = selected(template, self.operands.value(rules.reading, template.name))
                return rules.allowed(template.name, accepted)

    def _nested(self, templates: tuple[Template, ...], rules: Rules) -> list[str]:
        found: list[str] = []
        for template in templates:
            accepted = self._source(template, rules) or self.operands.pointers(rules.reading, template.name)
            found.append(self.aliases.name(frozenset(accepted or {"Any"})))
        return found


def _signature(parameters: list[Parameter], written: list[Destination]) -> Signature:
    if not written:
        return Signature(tuple(parameters), frozenset(), True, "None")
    if len(written) == 1:
        (only,) = written
        return Signature(tuple(parameters), only.out, only.optional, only.result)
    out = ", ".join(" | ".join(sorted(d.out)) + " | None" for d in written)
    result = f"tuple[{', '.join(d.result for d in written)}]"
    return Signature(tuple(parameters), frozenset({f"tuple[{out}]"}), all(d.optional for d in written), result)


def _parameter_name(template: Template) -> str:
    """The operand's name as Python spells it."""
    first = template.name if template.shape in ("value", "address", "list") else ""
    name = re.sub(r"\W", "_", first or next(names(template.inner), "") or template.shape)
    name = f"_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name


def _distinct(parameters: list[Parameter]) -> list[Parameter]:
    seen: dict[str, int] = {}
    found: list[Parameter] = []
    for parameter in parameters:
        count = seen[parameter.name] = seen.get(parameter.name, 0) + 1
        found.append(parameter if count == 1 else evolve(parameter, name=f"{parameter.name}_{count}"))
    return found


def merge(found: Iterable[Signature]) -> list[Signature]:
    """As few signatures as say the same."""
    left: list[Signature] = []
    for signature in found:
        _absorb(left, signature)
    said = [s for at, s in enumerate(left) if not any(_covers(o, s) for o in left[:at])]
    return [
        evolve(s, out_optional=s.out_optional and not any(_hides(o, s) for o in said[:at])) for at, s in enumerate(said)
    ]


def _covers(earlier: Signature, later: Signature) -> bool:
    """Whether all that a later signature takes an earlier one takes, too."""
    fewest, most = earlier.required, len(earlier.parameters)
    pairs = zip(earlier.parameters, later.parameters, strict=False)
    return (
        fewest <= later.required <= len(later.parameters) <= most
        and later.out <= earlier.out
        and (earlier.out_optional or not later.out_optional or not later.out)
        and bool(later.out) == bool(earlier.out)
        and all(b.types <= a.types for a, b in pairs)
    )


def _hides(earlier: Signature, later: Signature) -> bool:
    """Whether a call without `out=` may mean an earlier signature, which the builder then takes: the later wants it."""
    least, most = max(earlier.required, later.required), min(len(earlier.parameters), len(later.parameters))
    pairs = list(zip(earlier.parameters, later.parameters, strict=False))[:least]
    return earlier.out_optional and bool(earlier.out) and least <= most and all(a.types & b.types for a, b in pairs)


def _absorb(left: list[Signature], signature: Signature) -> None:
    for at, other in enumerate(left):
        joined = _joined(other, signature)
        if joined is not None:
            del left[at]
            _absorb(left, joined)
            return
    left.append(signature)


def _joined(a: Signature, b: Signature) -> Signature | None:
    """One signature for two, when they differ in one parameter or in operands that may be left out at the end."""
    if (a.out, a.out_optional, a.result) != (b.out, b.out_optional, b.result):
        return None
    short, long = sorted((a, b), key=lambda s: len(s.parameters))
    length = len(short.parameters)
    pairs = list(zip(short.parameters, long.parameters, strict=False))
    differing = sum(x.types != y.types for x, y in pairs)
    if length == len(long.parameters) and a.required == b.required and differing <= 1:
        return evolve(a, parameters=tuple(evolve(x, types=x.types | y.types) for x, y in pairs))
    if differing or long.required > length + 1:
        return None
    required = min(short.required, long.required)
    return evolve(long, parameters=tuple(evolve(p, optional=at >= required) for at, p in enumerate(long.parameters)))
