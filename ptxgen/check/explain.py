"""Why a statement is not legal, and what would be: one diagnostic for one cause."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from ptxgen.check import describe
from ptxgen.check.instruction import Verdict, judge, operand_at, value_within
from ptxgen.check.stated import Need
from ptxgen.errors import Diagnostic
from ptxgen.ir.operands import Operand
from ptxgen.isa import availability, grammar, opcodes, targets, versions
from ptxgen.isa.classes import ADDRESS, OperandClass
from ptxgen.isa.family import Family, Line, Template, table
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


_APART = 3  # letters between the lengths of a word and of what is meant by it


def _near(word: str) -> list[str]:
    """The mnemonics that may have been meant. Only a few are compared: text that is no PTX has thousands of words."""
    import difflib

    able = [name for name in table().mnemonics() if name[:1] == word[:1] and abs(len(name) - len(word)) <= _APART]
    return difflib.get_close_matches(word, able, n=4)


def opcode(text: str) -> Diagnostic:
    """Why an opcode is none."""
    root, *words = text.split(".")
    if not grammar.start(root):
        near = _near(root)
        return Diagnostic(
            "unknown-instruction", "error", f"the specification has no instruction called {root!r}", text,
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
    if len(tokens) > 6:
        return ""
    for order in itertools.permutations(tokens):
        for reading in opcodes.readings(family, mnemonic, order):
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
    hint = _operand_hint(template, have)
    return Diagnostic("operand", "error", message, text, need=need, have=have.describe(), hint=hint, operand=at + 1)


def _operand_hint(template: Template, have: OperandClass) -> str:
    concerned = have.selector or (template.selectors and not template.selector_optional)
    return f"selectors are {' '.join(template.selectors)}" if concerned and 0 < len(template.selectors) < 20 else ""


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
    found = (judge(known, text, finding.shape, finding.options) for text, known in _one_step(match.reading))
    choices = tuple(itertools.islice(dict.fromkeys(v.legal[0].reading.opcode for v in found if v.legal), 8))
    return Diagnostic(
        "rule", "error", f"{finding.opcode}: {row.text!r} does not hold (PTX ISA {section(match.reading)})",
        finding.opcode, need=row.text, have=finding.opcode, choices=choices,
        hint=f"legal would be {', '.join(choices)}" if choices else "",
    )  # fmt: skip


def _one_step(reading: Reading) -> Iterator[tuple[str, tuple[Reading, ...]]]:
    """Opcodes that differ in one modifier, with their readings."""
    candidates: dict[str, None] = {}
    family = table().family(reading.mnemonic)
    assert family is not None
    modifiers = list(dict.fromkeys(m for line in family.lines_of(reading.mnemonic) for m in line.modifiers))
    for at, token in enumerate(reading.tokens):
        left, right = reading.tokens[:at], reading.tokens[at + 1 :]
        candidates["".join((reading.mnemonic, *left, *right))] = None
        for modifier in modifiers:
            if token in modifier.tokens:
                for other in modifier.tokens:
                    candidates["".join((reading.mnemonic, *left, other, *right))] = None
    for at in range(len(reading.tokens) + 1):
        for modifier in modifiers:
            for token in modifier.tokens:
                candidates["".join((reading.mnemonic, *reading.tokens[:at], token, *reading.tokens[at:]))] = None
    candidates.pop(reading.opcode, None)
    for text in candidates:
        if known := opcodes.read(text)[1]:  # once, so it is not kept
            yield text, known


def value(found: Sequence[Match], given: tuple[Operand, ...], opcode: str) -> Diagnostic:
    """The constant that is out of its range in the nearest of some matches, which may have different ranges for it."""
    every = [[(p, b) for p, b in match.limits if not value_within(b, operand_at(given, p))] for match in found]
    exceeded = [limits for limits in every if limits]
    least = min(map(len, exceeded))
    path = next(limits for limits in exceeded if len(limits) == least)[0][0]
    bases = [b for limits in exceeded if len(limits) == least for p, b in limits if p == path]
    templates = _chosen(found[0].reading.line.operands, len(given))
    name = f" ({templates[path[0]].name})" if templates and templates[path[0]].name.isidentifier() else ""
    need, have = describe.limits(bases), operand_at(given, path).text
    message = f"{opcode} operand {path[0] + 1}{name} takes {need}, got {have}"
    return Diagnostic("value", "error", message, opcode, need=need, have=have, operand=path[0] + 1)


def beyond_manual(match: Match, opcode: str, severity: str) -> Diagnostic:
    """ptxas accepts it, the manual does not have it."""
    row = match.beyond_manual()[0]
    said = f"the manual wants {describe.condition(row)}" if row.condition else row.text
    return Diagnostic(
        "beyond-manual", severity,
        f"{opcode}: {said}; ptxas accepts more (PTX ISA {section(match.reading)})",
        opcode, need=row.text, have=opcode,
        hint="" if severity == "warning" else "Module(strict=False) lets it pass",
    )  # fmt: skip


def ungated(match: Match, opcode: str, target: str, version: Version, severity: str, stated: bool = True) -> Diagnostic:
    """The manual asks for a target or version that ptxas does not ask for."""
    rows = availability.rows(match, "ungated")
    row = max(rows, key=lambda r: availability.first_version(r.needs, target))
    need, have = describe.needs(row.needs), describe.header(target, version, stated)
    return Diagnostic(
        "beyond-manual", severity,
        f"{opcode} needs {need} by the manual, though ptxas accepts it; the module has {have}",
        opcode, need=need, have=have, hint="" if severity == "warning" else "Module(strict=False) lets it pass",
    )  # fmt: skip


def unavailable(finding: Verdict, target: str, version: Version, stated: bool = True) -> Diagnostic:
    """The targets and versions that have a legal statement, where the module's do not.

    `stated` is false where the module names no version, so that any will do.
    """
    have = describe.header(target, version, stated)
    spans = finding.spans(target)
    for match, span in spans:
        if span.first <= version >= span.end:
            return _removed(finding, match, target, version, have)
    ways = list(dict.fromkeys(way for match in finding.legal for way in describe.ways(match)))
    need = " or ".join(ways) if ways else "a target that no PTX ISA version has"
    reachable = [span.first for _, span in spans if span and span.first <= versions.newest()]
    if reachable:
        hint = f"set .version {versions.text(min(reachable))}"
    else:
        hint = _lacking(finding, target, version)
    return Diagnostic(
        "unavailable", "error", f"{finding.opcode} needs {need}; the module has {have}", finding.opcode,
        need=need, have=have, choices=tuple(ways), hint=hint,
    )  # fmt: skip


def _lacking(finding: Verdict, target: str, version: Version) -> str:
    """What to do where a target has no such statement in any version: another target, or something else."""
    homes = [describe.homes(match) for match in finding.legal]
    serves = next(filter(None, (availability.alternative(match, target) for match in finding.legal)), "")
    advice = [describe.move(homes, target, version, upwards=bool(serves))]
    if serves:
        advice.append(f"on {target} {serves} serves instead")
    return "; ".join(filter(None, advice))


def _removed(finding: Verdict, match: Match, target: str, version: Version, have: str) -> Diagnostic:
    """What a later version took away, with what stands in its place: for the same operands if there is such a thing."""
    last, now = describe.until(match, target), versions.text(version)
    same: list[str] = []
    other: list[str] = []
    for text, known in _one_step(match.reading):
        found = judge(known, text, finding.shape, finding.options)
        if found.available(target, version):
            same.append(found.legal[0].reading.opcode)
        elif not found.matches:
            other.append(known[0].opcode)
    choices = tuple(dict.fromkeys(same or other))[:8]
    advice = [f"set .version {last}"] if versions.parse(last) >= targets.target(target).since else []
    if choices:
        advice.append(f"use {' or '.join(choices)}" + ("" if same else ", which takes other operands"))
    return Diagnostic(
        "removed", "error",
        f"{finding.opcode} was removed for {target} after PTX {last}; the module has PTX {now}",
        finding.opcode, need=f"PTX {last} or earlier", have=have, choices=choices,
        hint=", or ".join(advice),
    )  # fmt: skip


def missing(needs: dict[str, str], what: str, target: str, version: Version, stated: bool = True) -> Diagnostic:
    """A declaration or directive that a target does not have in a version; `stated` as in `unavailable`."""
    need, have = describe.needs(needs), describe.header(target, version, stated)
    first = availability.first_version(needs, target)
    if first <= versions.newest():
        hint = f"set .version {versions.text(first)}"
    else:
        hint = describe.move([describe.homes_of(needs)], target, version)
    return Diagnostic(
        "unavailable", "error", f"{what} needs {need}; the module has {have}", what, need, have, hint=hint
    )  # fmt: skip


def lacking(needs: Iterable[Need], target: str, version: Version) -> Iterator[Diagnostic]:
    """Of what declarations and directives need, what a target does not have in a version."""
    for need, what in needs:
        if availability.first_version(need, target) > version:
            yield missing(need, what, target, version)


def section(reading: Reading) -> str:
    """The number of the manual's section that has a line."""
    return reading.line.block.section.split()[0]
