"""Words for messages: what a kind wants, what a limit allows, which targets and versions have a statement."""

from __future__ import annotations

from ptxgen.isa import availability, targets, types, versions
from ptxgen.isa.availability import NEVER, Span
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Row, Template
from ptxgen.isa.kinds import Kind, address_register, address_space, kind_of, length_of, types_of
from ptxgen.isa.matching import Match
from ptxgen.isa.opcodes import Reading
from ptxgen.isa.targets import Target
from ptxgen.isa.versions import Version


def place(template: Template, reading: Reading) -> str:
    """What an operand's place wants, as a noun phrase."""
    match template.shape:
        case "sink":
            return "the sink _"
        case "number":
            return f"the constant {template.name}"
        case "list":
            return "a list of parameters in parentheses"
        case "vector":
            return f"a vector of {len(template.inner)}: {{{', '.join(t.name for t in template.inner)}}}"
        case "address" if template.inner:
            parts = [f"{t.name} is {wanted(t.name, reading)}" for t in template.inner if t.shape == "value"]
            return f"an address [{', '.join(t.name or '...' for t in template.inner)}], where {', '.join(parts)}"
        case "address":
            return _address(template.name, reading)
        case _:
            text = wanted(template.name, reading)
            if template.second:
                joined = f" paired with {wanted(template.second, reading)}"
                text += f", optionally{joined}" if template.second_optional else joined
            if template.selectors and not template.selector_optional:
                text += f" with a selector ({', '.join(template.selectors)})"
            return text


def wanted(name: str, reading: Reading) -> str:
    """What the kind of an operand takes."""
    kind = kind_of(reading, name)
    if kind is None:
        return "an operand"
    flags = kind.get("flags", [])
    phrases = [_base(base, reading, flags) for base in kind["bases"]]
    access = {"out": " to write to", "inout": " to read and write"}.get(kind.get("access", ""), "")
    text = " or ".join(dict.fromkeys(phrases)) + access
    if "sink" not in flags:
        return text
    return text + (", whose elements may be _" if any(len(b) > 2 for b in kind["bases"]) else " (or the sink _)")


def _address(name: str, reading: Reading) -> str:
    """What stands in brackets: the state space decides what addresses it."""
    kind = kind_of(reading, name)
    if kind is None or kind["bases"][0][0] != "addr":
        return f"{wanted(name, reading)} in brackets: [{name}]"
    return f"an address [{name}] ({_located(kind, reading)})"


def _located(kind: Kind, reading: Reading) -> str:
    """The state space of an address, and the registers that hold one."""
    space = address_space(reading, kind["bases"][0])
    fitting = [name for name in ("b32", "b64") if address_register(kind, space, name) == "yes"]
    if not fitting:
        return space.strip(".")
    if "exact" in kind.get("flags", ()):
        return f"{space.strip('.')}, a {' or '.join(f'.{name}' for name in fitting)} register"
    return f"{space.strip('.')}, a register of {' or '.join(name[1:] for name in fitting)} bits"


def _base(base: Tree, reading: Reading, flags: list[str]) -> str:
    match base[0]:
        case "type":
            named = [f".{name}" for name in types_of(reading, base[1])]
            text = " or ".join(named) if named else "a type that fits"
            count = length_of(reading, base, flags)
            if count is not None and {"warp", "warpgroup"} & set(flags):
                return f"a vector of {count} {_fragment(types_of(reading, base[1]), flags)} registers"
            if count is not None:
                return f"a vector of {count} {text} registers"
            if "wider" in flags or "wider64" in flags:
                text += " or wider"
            return f"a {text} {'register' if 'reg' in flags else 'value'}"
        case "tuple":
            parts = [" or ".join(f".{name}" for name in types_of(reading, tree)) for tree in base[1:]]
            return f"a vector {{{', '.join(parts)}}}"
        case "imm":
            return limit(base)
        case "flt":
            return limit(base)
        case "addr":
            return f"an address ({_located({'bases': [base]}, reading)})"
        case "var":
            return "a variable"
        case "sreg":
            names = types_of(reading, base[1])
            count = length_of(reading, base, [])
            of = (f" of {count}" if count else " of") if names else ""
            return " ".join((f"a special register{of}", " or ".join(f".{name}" for name in names))).rstrip()
        case other:
            return _NOUNS.get(other, f"a {other}")


def _fragment(names: list[str], flags: list[str]) -> str:
    """The registers that hold the elements of a fragment."""
    context = "warp" if "warp" in flags else "warpgroup"
    held = (register for register in _FRAGMENTS if any(types.fits(name, register, context, False) for name in names))
    return " or ".join(f".{register}" for register in held)


_FRAGMENTS = ("b32", "f16x2", "f32", "s32", "u32", "b64", "f64")
_NOUNS = {
    "func": "a function",
    "params": "a list of parameters in parentheses",
    "branchtargets": "a .branchtargets list",
    "calltargets": "a .calltargets list",
    "callprototype": "a .callprototype",
    "texref": "a texture",
    "samplerref": "a sampler",
    "surfref": "a surface",
}


def limit(base: Tree) -> str:
    """The values that a constant may have."""
    noun = "an integer constant" if base[0] == "imm" else "a floating-point constant"
    if len(base) == 1:
        return noun
    if base[0] == "flt":
        return f"{noun} in {base[3][0]}{base[1]}, {base[2]}{base[3][1]}"
    if base[1] == "values":
        return f"{noun}, one of {', '.join(str(v) for v in base[2])}"
    low, high, step = base[2:5]
    if low == high:
        return f"{noun}, {low}"
    return f"{noun} from {low} to {high}" + (f" in steps of {step}" if step != 1 else "")


def limits(bases: list[Tree]) -> str:
    """The values that a constant may have by one of several limits."""
    listed: dict[str, None] = {}
    for base in bases:
        values = base[2] if base[1:2] == ["values"] else [base[2]] if base[0] == "imm" and base[2] == base[3] else None
        if values is None:
            return " or ".join(dict.fromkeys(map(limit, bases)))
        listed |= dict.fromkeys(map(str, values))
    return f"an integer constant, one of {', '.join(listed)}" if len(listed) > 1 else limit(bases[0])


def condition(row: Row) -> str:
    """A rule in words where they are few, else as the specification has it."""
    match row.condition:
        case ["not", ["is", operand, *sorts]]:
            return f"{operand} not to be {' or '.join(_SORTS.get(str(sort), str(sort)) for sort in sorts)}"
        case _:
            return repr(row.text)


_SORTS = {"neg": "complemented", "imm": "a constant", "vec": "a vector", "int": "an integer constant"}


def needs(alternatives: dict[str, str]) -> str:
    """What an availability row asks for: "sm_89 with PTX 8.1 or sm_90 with PTX 7.8"."""
    return " or ".join(f"{who} with PTX {number}" if who else f"PTX {number}" for who, number in alternatives.items())


def header(target: str, version: Version, stated: bool) -> str:
    """What a module has: its target, and its version where it names one."""
    return f"{target} and PTX {versions.text(version)}" if stated else target


def homes(match: Match) -> dict[str, Span]:
    """The targets that have a statement, and when; a renamed one is left out for what it is called now."""
    spans = {name: availability.span(match, name) for name in targets.names() if targets.present(name).name == name}
    return {name: span for name, span in spans.items() if span and span.first <= versions.newest()}


def homes_of(needs: dict[str, str]) -> dict[str, Span]:
    """The targets that meet one row of availability, and since when; a renamed one is left out."""
    present = [targets.target(name) for name in targets.names() if targets.present(name).name == name]
    spans = {it.name: Span(max(availability.first_version(needs, it.name), it.since)) for it in present}
    return {name: span for name, span in spans.items() if span.first <= versions.newest()}


def ways(match: Match) -> list[str]:
    """The least (target, version) pairs that have a statement, as text, joined by "or" in messages."""
    pairs = {name: span.first for name, span in homes(match).items()}
    return [needs({name: version}) for name, version in availability.lowest(pairs).items()]


def until(match: Match, target: str) -> str:
    """The last version that had a statement on a target, "" when none took it away."""
    end = availability.span(match, target).end
    if end == NEVER:
        return ""
    before = [version for version in versions.known() if version < end]
    return versions.text(before[-1]) if before else ""


def move(known: list[dict[str, Span]], have: str, version: Version, upwards: bool = False) -> str:
    """Which target to move to for a statement that has these homes, one for each way to read it; "" when there is none.

    The nearest is of the same number, else a later one of the same family, else the lowest. With `upwards` it is not
    below the present one, of which no GPU would run the code.
    """
    mine, order = targets.present(have), targets.names()
    found = [(targets.target(name), span) for spans in known for name, span in spans.items()]
    if upwards:
        found = [(target, span) for target, span in found if target.number >= mine.number]
    if not found:
        return ""
    best, span = min(found, key=lambda pair: (_distance(mine, pair[0]), order.index(pair[0].name)))
    advice = f"set .target {best}" + ("" if version in span else f" and .version {versions.text(span.first)}")
    return advice + _RUNS_ON[best.suffix].format(best, targets.portable(best.name))


def _distance(mine: Target, other: Target) -> int:
    if other.number == mine.number:
        return 0
    return 1 if mine.family and other.family == mine.family and other.number >= mine.number else 2


_RUNS_ON = {
    "": "",
    "f": "; code for {0} runs on {1} and later architectures of its family only",
    "a": "; code for {0} runs on {1} only",
}
