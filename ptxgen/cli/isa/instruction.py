"""An instruction or opcode as `ptxgen isa show` has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from attrs import asdict

from ptxgen.cli.isa.answer import Answer, columns, needs_text, part
from ptxgen.isa import targets
from ptxgen.isa.query import Availability, Form, Instruction, operand_kinds

ROWS = (
    ("since", "available"),
    ("ungated", "the manual, not ptxas, asks for"),
    ("removed", "removed"),
    ("deprecated", "deprecated"),
)
RULES = (("rules", "rules"), ("stricter", "rules of ptxas alone"), ("laxer", "rules of the manual alone"))


def answer(whole: Instruction, name: str, target: str | None, version: str | None) -> Answer:
    """Everything, or what is legal there; with status 1 what is needed, when nothing is."""
    asked = target is not None or version is not None
    found = whole.on(target, version) if asked else whole
    needs = whole.needs()
    instead = () if target is None else whole.instead(target)
    data: dict[str, Any] = {
        "sort": "instruction", "name": name, "mnemonic": whole.mnemonic, "summary": whole.summary,
        "certified": asdict(whole.certificate()), "needs": needs, "target": target, "isa": version,
        "instead": [{"condition": condition, "phrase": phrase} for condition, phrase in instead],
        "forms": [_data(form) for form in found.forms] if needs else [],
    }  # fmt: skip
    if not found.forms or not needs:
        return Answer(list(_lacking(whole, name, target, version)), data, 1)
    lines = [f"{name}: {whole.summary}", f"needs {needs_text(needs)}", str(whole.certificate())]
    if asked:
        lines.append("only what is legal " + _place(target, version))
    lines += _forms(found.forms, opcode=name != whole.mnemonic, everywhere=target is None)
    if target is not None and instead:
        lines += ["", *_serves(target, instead)]
    return Answer(lines, data)


def _place(target: str | None, version: str | None) -> str:
    return " ".join((f"on {target or 'any target'}", f"in PTX {version}" if version else "in the newest version"))


def _lacking(whole: Instruction, name: str, target: str | None, version: str | None) -> Iterator[str]:
    """What is needed, and what serves instead."""
    needs = whole.needs()
    if not needs:
        yield f"{name}: no statement of this is legal"
        yield from part("rules", dict.fromkeys(rule for form in whole.forms for rule in (*form.rules, *form.stricter)))
        return
    yield f"{name} needs {needs_text(needs)}; nothing of it is legal {_place(target, version)}"
    if target is None:
        return
    first = whole.available().get(target)
    if first is not None:
        yield f"{target} has it from PTX {first} on"
    for form in whole.forms:
        for condition, row in form.removed:
            met = [when for who, when in row.items() if targets.meets(target, who)]
            yield from (f"{condition} was removed for {target} in PTX {when}" for when in met)
    instead = whole.instead(target)
    if len(instead) == 1:
        yield f"on {target} {instead[0][1]} serves instead"
    else:
        yield from _serves(target, instead)


def _serves(target: str, instead: tuple[tuple[str, str], ...]) -> Iterator[str]:
    if instead:
        yield f"on {target} serves instead"
        yield from (f"  of {condition}: {phrase}" for condition, phrase in instead)


def _forms(forms: Iterable[Form], opcode: bool, everywhere: bool) -> Iterator[str]:
    """The forms under their sections; of an opcode, those that take different operands apart.

    What serves instead is said of forms that not every target has, and so not where one target is asked for.
    """

    def group(form: Form) -> tuple[Any, ...]:
        return form.section, tuple(form.kinds.items()) if opcode else ()

    for _, ones in groupby(forms, key=group):
        yield ""
        given = list(ones)
        yield from _block(given, opcode)
        if everywhere:
            yield from part("instead", (_instead(*row) for row in _rows(given, "instead")))


def _block(forms: list[Form], opcode: bool) -> Iterator[str]:
    yield f"PTX ISA {forms[0].section}"
    for form in forms:
        without = f"    // without {', '.join(form.left_out)}" if form.left_out else ""
        yield f"  {form.syntax};{without}"
    if not opcode:
        yield from (f"  {name} = {{ {', '.join(tokens)} }};" for name, tokens in _sets(forms).items())
    yield from part("operands", _operands(forms))
    defaults = {slot: token for form in forms for slot, token in form.defaults.items()}
    yield from part("when left out", (f"{slot} is {token}" for slot, token in defaults.items()))
    for key, title in RULES:
        yield from part(title, _once(rule for form in forms for rule in getattr(form, key)))
    for key, title in ROWS:
        lines = [f"{condition}: {needs_text(needs)}" for condition, needs in _rows(forms, key)]
        yield from part(title, [*lines[:1], *(f"and {line}" for line in lines[1:])])
    traits = _once(trait for form in forms for trait in sorted(form.traits))
    yield from part("traits", [", ".join(traits)] if traits else [])


def _sets(forms: list[Form]) -> dict[str, tuple[str, ...]]:
    """The tokens of each slot, over all lines."""
    found: dict[str, tuple[str, ...]] = {}
    for form in forms:
        for name, tokens in form.sets.items():
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *tokens)))
    return found


def _operands(forms: list[Form]) -> Iterator[str]:
    """Operands that take the same share a line."""
    alike: dict[str, list[str]] = {}
    for name, text in operand_kinds(forms).items():
        alike.setdefault(text, []).append(name)
    yield from columns([(", ".join(names), text) for text, names in alike.items()]) if alike else ()


def _rows(forms: list[Form], key: str) -> list[tuple[str, dict[str, str]]]:
    rows: list[Availability] = [getattr(form, key) for form in forms]
    return list({(text, *needs.items()): (text, needs) for each in rows for text, needs in each}.values())


def _instead(condition: str, phrases: dict[str, str]) -> str:
    return f"{condition}: " + " or ".join(f"{text} ({who})" if who else text for who, text in phrases.items())


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _data(form: Form) -> dict[str, Any]:
    return {
        "syntax": form.syntax, "section": form.section, "sets": form.sets, "left_out": form.left_out,
        "operands": form.kinds, "defaults": form.defaults, "traits": sorted(form.traits),
        **{key: getattr(form, key) for key, _ in RULES},
        **{key: [{"condition": text, "needs": needs} for text, needs in getattr(form, key)] for key, _ in ROWS},
        "instead": [{"condition": text, "phrases": phrases} for text, phrases in form.instead],
    }  # fmt: skip
