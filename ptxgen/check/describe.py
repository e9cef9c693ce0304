"""Words for messages: what a kind wants, what a limit allows, which targets and versions have a statement."""

from __future__ import annotations

from ptxgen.isa import availability, targets, versions
from ptxgen.isa.availability import NEVER
from ptxgen.isa.conditions import Tree
from ptxgen.isa.family import Row, Template
from ptxgen.isa.matching import Match, kind_of, length_of, types_of
from ptxgen.isa.opcodes import Reading
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
            return f"an address [{', '.join(t.name or '...' for t in template.inner)}]"
        case "address":
            return f"an address [{template.name}]"
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
    return text + (" (or the sink _)" if "sink" in flags else "")


def _base(base: Tree, reading: Reading, flags: list[str]) -> str:
    match base[0]:
        case "type":
            types = [f".{name}" for name in types_of(reading, base[1])]
            text = " or ".join(types) if types else "a type that fits"
            count = length_of(reading, base, flags)
            if count is not None:
                return f"a vector of {count} {text} registers"
            if "wider" in flags or "wider64" in flags:
                text += " or wider"
            return f"a {text} {'register' if 'reg' in flags else 'value'}"
        case "tuple":
            types = [" or ".join(f".{name}" for name in types_of(reading, tree)) for tree in base[1:]]
            return f"a vector {{{', '.join(types)}}}"
        case "imm":
            return limit(base)
        case "flt":
            return limit(base)
        case "addr":
            return "an address"
        case "var":
            return "a variable"
        case "sreg":
            return "a special register"
        case other:
            return _NOUNS.get(other, f"a {other}")


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
    low, high, step = base[2:]
    return f"{noun} from {low} to {high}" + (f" in steps of {step}" if step != 1 else "")


def needs(row: Row) -> list[str]:
    """The alternatives of an availability row: "sm_90 with PTX 7.8"."""
    return [f"{who} with PTX {version}" if who else f"PTX {version}" for who, version in row.needs.items()]


def ways(match: Match) -> list[str]:
    """The least (target, version) pairs that have a statement, as text, joined by "or" in messages."""
    pairs: dict[str, Version] = {}
    for name in targets.names():
        span = availability.span(match, name)
        if span and span.first <= versions.newest():
            pairs[name] = span.first
    kept: list[str] = []
    for name, first in pairs.items():
        target = targets.target(name)
        implied = any(
            targets.meets(name, other) and pairs[other] <= max(first, target.since)
            for other in kept
        )
        if not implied:
            kept.append(name)
    unbounded = len(kept) == 1 and targets.target(kept[0]).number == targets.target(targets.names()[0]).number
    if unbounded:
        return [f"PTX {versions.text(pairs[kept[0]])}"]
    return [f"{name} with PTX {versions.text(pairs[name])}" for name in kept]


def until(match: Match, target: str) -> str:
    """The last version that had a statement on a target, "" when none took it away."""
    end = availability.span(match, target).end
    if end == NEVER:
        return ""
    before = [version for version in versions.known() if version < end]
    return versions.text(before[-1]) if before else ""


def explain_suffix(have: str, wanted_targets: list[str]) -> str:
    """Why `sm_90` does not have what `sm_90a` or `sm_100f` has."""
    numbers = {targets.target(name).number: name for name in wanted_targets}
    mine = targets.target(have)
    if mine.number in numbers and not mine.suffix:
        name = numbers[mine.number]
        kind = "architecture-specific" if name.endswith("a") else "family-specific"
        return f"{name} has the {kind} features of {have}; code for {name} does not run on later architectures"
    return ""
