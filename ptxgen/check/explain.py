"""Why a statement is not legal, and what would be: one diagnostic for one cause."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ptxgen.check import describe
from ptxgen.check.instruction import Verdict, operand_at, value_within, verdict
from ptxgen.errors import Diagnostic
from ptxgen.ir.operands import Operand
from ptxgen.isa import availability, grammar, targets, versions
from ptxgen.isa.classes import ADDRESS, OperandClass
from ptxgen.isa.family import Family, Line, Row, Template, table
from ptxgen.isa.matching import Match, matches
from ptxgen.isa.opcodes import Reading
from ptxgen.isa.versions import Version


def illegal(finding: Verdict) -> Diagnostic:
    """The cause why no line of the specification takes a statement."""
    if not finding.readings:
        return opcode(finding.opcode)
    if not finding.matches:
        return operands(finding)
    return rule(finding)


# ---- the opcode


def opcode(text: str) -> Diagnostic:
    """Why an opcode is none."""
    root, *words = text.split(".")
    if not grammar.start(root):
        import difflib

        near = difflib.get_close_matches(root, table().mnemonics(), n=4, cutoff=0.5)
        return Diagnostic(
            "unknown-instruction", "error", f"no PTX instruction is called {root!r}", text,
            need="a mnemonic of PTX", have=root, choices=tuple(near),
            hint=f"did you mean {' or '.join(near)}?" if near else "",
        )  # fmt: skip
    mnemonic, tokens = table().split(text)
    family = table().family(mnemonic) if mnemonic else None
    if family is None:  # the beginning of a mnemonic of several words
        return _combination(text, root, tuple(f".{word}" for word in words), None)
    known = {token for line in family.lines_of(mnemonic) for token in line.tokens}
    strange = [token for token in tokens if token not in known]
    if strange:
        choices = _next_tokens(mnemonic, tokens[: tokens.index(strange[0])])
        return Diagnostic(
            "unknown-modifier", "error", f"{text}: {mnemonic} has no modifier {strange[0]}", text,
            need=f"a modifier of {mnemonic}", have=strange[0], choices=tuple(choices),
            hint=f"after {mnemonic}{''.join(tokens[: tokens.index(strange[0])])} PTX allows {' '.join(choices)}"
            if choices else "",
        )  # fmt: skip
    return _combination(text, mnemonic, tokens, family)


def _combination(text: str, mnemonic: str, tokens: tuple[str, ...], family: Family | None) -> Diagnostic:
    walked: list[str] = []
    places = _places(mnemonic) if family is not None else grammar.start(mnemonic)
    for token in tokens:
        further = grammar.after(places, token)
        if not further:
            choices = tuple(grammar.choices(places))
            prefix = mnemonic + "".join(walked)
            better = _reordered(mnemonic, tokens, family) if family is not None else ""
            allowed = f"after {prefix} PTX allows {' '.join(choices)}" if choices else f"{prefix} is complete"
            hint = f"in the order of the manual it is {better}" if better else allowed
            return Diagnostic(
                "illegal-modifier", "error", f"{text}: {prefix} cannot be followed by {token}", text,
                need=f"a modifier that may follow {prefix}", have=token, choices=choices, hint=hint,
            )  # fmt: skip
        walked.append(token)
        places = further
    choices = tuple(grammar.choices(places))
    return Diagnostic(
        "missing-modifier", "error", f"{text} is not complete", text,
        need="a further modifier", have="the end of the opcode", choices=choices,
        hint=f"after {text} PTX wants one of {' '.join(choices)}",
    )  # fmt: skip


def _reordered(mnemonic: str, tokens: tuple[str, ...], family: Family) -> str:
    from ptxgen.isa.opcodes import readings

    if len(tokens) > 6:
        return ""
    for order in itertools.permutations(tokens):
        for reading in readings(family, mnemonic, order):
            return reading.opcode
    return ""


def _places(mnemonic: str) -> grammar.Places:
    places = grammar.start(mnemonic.split(".")[0])
    for word in mnemonic.split(".")[1:]:
        places = grammar.after(places, f".{word}")
    return frozenset(place for place in places if place.mnemonic == mnemonic)


def _next_tokens(mnemonic: str, tokens: tuple[str, ...]) -> list[str]:
    places = _places(mnemonic)
    for token in tokens:
        places = grammar.after(places, token)
    return list(grammar.choices(places))


# ---- the operands


def operands(finding: Verdict) -> Diagnostic:
    """The first operand that does not fit, in the line that comes nearest."""
    reading, at = max(
        ((reading, _fitting(reading, finding.shape)) for reading in finding.readings), key=lambda pair: pair[1]
    )
    templates = _chosen(reading.line.operands, len(finding.shape))
    text = finding.opcode
    if templates is None:
        counts = sorted({n for r in finding.readings for n in _counts(r.line.operands)})
        needed = " or ".join(map(str, counts))
        message = f"{text} takes {needed} operand{'s' if counts != [1] else ''}, got {len(finding.shape)}"
        return Diagnostic(
            "operand-count", "error", message, text, need=f"{needed} operands", have=str(len(finding.shape)),
            choices=(reading.line.text,), hint=f"PTX ISA {section(reading)}: {reading.line.text}",
        )  # fmt: skip
    at = min(at, len(templates) - 1)
    template = templates[at]
    have = finding.shape[at]
    need = describe.place(template, reading)
    name = template.name or template.shape
    if template.shape == "address" and have.what != ADDRESS:
        message = f"{text} operand {at + 1} ({name}) is an address: write [p], not p"
    else:
        message = f"{text} operand {at + 1} ({name}) takes {need}, got {have.describe()}"
    return Diagnostic("operand", "error", message, text, need=need, have=have.describe(), hint=_operand_hint(template))


def _operand_hint(template: Template) -> str:
    few = template.selectors and len(template.selectors) < 20
    return f"selectors are {' '.join(template.selectors)}" if few else ""


def _fitting(reading: Reading, shape: tuple[OperandClass, ...]) -> int:
    """How many leading operands fit the line; -1 when even their number does not."""
    templates = _chosen(reading.line.operands, len(shape))
    if templates is None:
        return -1
    for count, template in enumerate(templates):
        single = Reading(_only(reading, template), reading.mnemonic, reading.tokens, reading.slots)
        if next(matches(single, (shape[count],)), None) is None:
            return count
    return len(templates)


def _only(reading: Reading, template: Template) -> Line:
    from attrs import evolve

    return evolve(reading.line, operands=(evolve(template, group=0),))


def _chosen(templates: tuple[Template, ...], count: int) -> tuple[Template, ...] | None:
    """The templates without so many optional groups that `count` are left; None when no choice gives that."""
    groups = sorted({t.group for t in templates if t.group})
    for size in range(len(groups) + 1):
        for left_out in itertools.combinations(reversed(groups), size):
            kept = tuple(t for t in templates if t.group not in left_out)
            if len(kept) == count:
                return kept
    return None


def _counts(templates: tuple[Template, ...]) -> Iterator[int]:
    groups = sorted({t.group for t in templates if t.group})
    for size in range(len(groups) + 1):
        for left_out in itertools.combinations(groups, size):
            yield sum(1 for t in templates if t.group not in left_out)


# ---- rules and values


def rule(finding: Verdict) -> Diagnostic:
    """The rule that the nearest match breaks, and the one-step changes that would be legal."""
    match = min(finding.matches, key=lambda m: len(m.errors()))
    row = match.errors()[0]
    choices = tuple(itertools.islice(_one_step(finding, match), 8))
    return Diagnostic(
        "rule", "error", f"{finding.opcode}: {row.text!r} does not hold (PTX ISA {section(match.reading)})",
        finding.opcode, need=row.text, have=finding.opcode, choices=choices,
        hint=f"legal would be {', '.join(choices)}" if choices else "",
    )  # fmt: skip


def _one_step(finding: Verdict, match: Match) -> Iterator[str]:
    """Opcodes that differ in one modifier and are legal with the same operands."""
    reading = match.reading
    candidates: dict[str, None] = {}
    for at, token in enumerate(reading.tokens):
        left, right = reading.tokens[:at], reading.tokens[at + 1 :]
        candidates["".join((reading.mnemonic, *left, *right))] = None
        for modifier in reading.line.modifiers:
            if token in modifier.tokens:
                for other in modifier.tokens:
                    candidates["".join((reading.mnemonic, *left, other, *right))] = None
    for at in range(len(reading.tokens) + 1):
        for modifier in reading.line.modifiers:
            for token in modifier.tokens if modifier.group else ():
                candidates["".join((reading.mnemonic, *reading.tokens[:at], token, *reading.tokens[at:]))] = None
    candidates.pop(reading.opcode, None)
    seen: set[str] = set()
    for text in candidates:
        found = verdict(text, finding.shape, finding.options)
        if found.legal and found.legal[0].reading.opcode not in seen:
            seen.add(found.legal[0].reading.opcode)
            yield found.legal[0].reading.opcode


def value(finding: Verdict, given: tuple[Operand, ...]) -> Diagnostic:
    """The constant that is out of its range."""
    match = finding.legal[0]
    path, base = next((p, b) for p, b in match.limits if not value_within(b, operand_at(given, p)))
    need, have = describe.limit(base), operand_at(given, path).text
    return Diagnostic(
        "value", "error", f"{finding.opcode} operand {path[0] + 1} takes {need}, got {have}", finding.opcode,
        need=need, have=have,
    )  # fmt: skip


def beyond_manual(finding: Verdict, severity: str) -> Diagnostic:
    """ptxas accepts it, the manual does not have it."""
    match = finding.legal[0]
    row = match.beyond_manual()[0]
    return Diagnostic(
        "beyond-manual", severity,
        f"{finding.opcode}: {row.text!r} does not hold; the manual does not have this, though ptxas accepts it"
        f" (PTX ISA {section(match.reading)})",
        finding.opcode, need=row.text, have=finding.opcode,
        hint="" if severity == "warning" else "Module(strict=False) lets it pass",
    )  # fmt: skip


def ungated(finding: Verdict, rows: list[Row], target: str, version: Version, severity: str) -> Diagnostic:
    """The manual asks for a target or version that ptxas does not ask for."""
    row = max(rows, key=lambda r: availability.first_version(r.needs, target))
    need, have = " or ".join(describe.needs(row)), f"{target} and PTX {versions.text(version)}"
    return Diagnostic(
        "beyond-manual", severity,
        f"{finding.opcode} needs {need} by the manual, though ptxas accepts it; the module has {have}",
        finding.opcode, need=need, have=have, hint="" if severity == "warning" else "Module(strict=False) lets it pass",
    )  # fmt: skip


def unavailable(finding: Verdict, target: str, version: Version, stated: bool = True) -> Diagnostic:
    """The targets and versions that have a legal statement, where the module's do not.

    `stated` is false where the module names no version, so that any will do.
    """
    have = f"{target} and PTX {versions.text(version)}" if stated else target
    spans = finding.spans(target)
    for match, span in spans:
        if span.first <= version >= span.end:
            last, now = describe.until(match, target), versions.text(version)
            return Diagnostic(
                "removed", "error",
                f"{finding.opcode} was removed: {target} has it up to PTX {last}; the module has PTX {now}",
                finding.opcode, need=f"PTX {last} or earlier", have=have,
                hint=f"set .version {last}, or use what replaced it",
            )  # fmt: skip
    ways = list(dict.fromkeys(way for match in finding.legal for way in describe.ways(match)))
    need = " or ".join(ways) if ways else "a target that no PTX ISA version has"
    reachable = [span.first for _, span in spans if span and span.first <= versions.newest()]
    if reachable:
        hint = f"set .version {versions.text(min(reachable))}"
    else:
        names = [way.split(" ")[0] for way in ways if way.startswith("sm_")]
        hint = describe.explain_suffix(target, names)
        nearest = next((way for way in ways if way.startswith(targets.portable(target))), ways[0] if ways else "")
        if nearest.startswith("sm_"):
            name, _, needed = nearest.partition(" with PTX ")
            best = max(versions.parse(needed), targets.target(name).since)
            advice = f"set .target {name}" + (f" and .version {needed}" if best > version else "")
            hint = f"{advice}; {hint}" if hint else advice
    return Diagnostic(
        "unavailable", "error", f"{finding.opcode} needs {need}; the module has {have}", finding.opcode,
        need=need, have=have, choices=tuple(ways), hint=hint,
    )  # fmt: skip


def missing(needs: dict[str, str], what: str, target: str, version: Version) -> Diagnostic:
    """A declaration or directive that a target does not have in a version."""
    need = " or ".join(f"{who} with PTX {number}" if who else f"PTX {number}" for who, number in needs.items())
    have = f"{target} and PTX {versions.text(version)}"
    first = availability.first_version(needs, target)
    hint = f"set .version {versions.text(first)}" if first <= versions.newest() else ""
    return Diagnostic(
        "unavailable", "error", f"{what} needs {need}; the module has {have}", what, need, have, hint=hint
    )  # fmt: skip


def section(reading: Reading) -> str:
    """The number of the manual's section that has a line."""
    return reading.line.block.section.split()[0]
