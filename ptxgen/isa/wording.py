"""Conditions and kinds of the tables as text: a condition as specifications write it, a kind in a few words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ptxgen.isa.conditions import Tree

Kind = dict[str, Any]


def condition(tree: Tree) -> str:
    """A condition in the language of specs/README.md."""
    match tree:
        case ["=>" | "<=>" as arrow, left, right]:
            return f"{condition(left)} {arrow} {condition(right)}"
        case ["or", *parts]:
            return " or ".join(map(condition, parts))
        case ["and", *parts]:
            return " and ".join(f"({condition(part)})" if part[0] == "or" else condition(part) for part in parts)
        case ["not", inner]:
            return f"not ({condition(inner)})" if inner[0] in ("or", "and") else f"not {condition(inner)}"
        case _:
            return _atom(tree)


def _atom(tree: Tree) -> str:
    match tree:
        case ["has", *steps]:
            return "".join(s[0] if len(s) == 1 else ".{" + ", ".join(n[1:] for n in s) + "}" for s in steps)
        case ["==" | "<" | ">" as sign, left, right]:
            return f"{_value(left)} {sign} {_value(right)}"
        case ["in", value, [item]]:
            return f"{_value(value)} == {item}"
        case ["in", value, items]:
            return f"{_value(value)} in {{{', '.join(str(item).lstrip('.') for item in items)}}}"
        case ["is", operand, *sorts]:
            return f"{operand} is {' | '.join(sorts)}"
        case ["sink", operand]:
            return f"_ in {operand}" if operand else "_"
        case ["call", name, *values]:
            return f"{name}({', '.join(map(_value, values))})"
        case _:  # mnemonic, option, operand
            return str(tree[1])


def _value(tree: Tree) -> str:
    match tree:
        case ["bits" | "count" as name, value]:
            return f"{name}({_value(value)})"
        case ["*", left, right]:
            return f"{_value(left)} * {_value(right)}"
        case ["nth", number]:
            return f".type{number}"
        case _:
            return str(tree[1])


# ---- kinds


def _undecided(_: Tree) -> bool | None:
    return None


def kinds(choices: list[tuple[Tree | None, Kind]], truth: Callable[[Tree], bool | None] = _undecided) -> str:
    """What an operand takes, with the conditions that decide, as far as their truth is not known."""
    texts: list[tuple[Tree | None, str]] = []
    for when, taken in choices:
        holds = when is None or truth(when)
        if holds is not False:
            texts.append((None if holds else when, kind(taken)))
        if holds:
            break
    if len({text for _, text in texts}) == 1:
        return texts[0][1]
    return "; ".join(f"with {condition(when)}: {text}" if when else f"else: {text}" for when, text in texts)


def kind(taken: Kind) -> str:
    """What an operand takes: `out .type or wider`, `.u32 or constant 0..255`, `address in .shared`."""
    flags: list[str] = taken.get("flags", [])
    text = " or ".join(dict.fromkeys(base(tree) for tree in taken["bases"]))
    access = {"out": "out ", "inout": "in and out "}.get(taken.get("access", ""), "")
    return access + text + "".join(_FLAGS[flag] for flag in flags)


_FLAGS = {
    "reg": ", no constant",
    "exact": ", .b registers only",
    "signed": ", .s registers only",
    "wider": " or wider",
    "wider64": " or wider up to 64 bits",
    "sink": " or _",
    "cut": " (of a constant its low 32 bits)",
    "warp": ", spread over the warp",
    "warpgroup": ", spread over the warpgroup",
    "unchecked": ", hardly checked by ptxas",
    "bare": ", which ptxas takes without brackets, too",
}


def base(tree: Tree) -> str:
    """One of the things that an operand may be."""
    match tree:
        case ["type", of]:
            return _type(of)
        case ["type", of, length]:
            return f"vector of {_length(length)} {_type(of)}"
        case ["tuple", *parts]:
            return "{" + ", ".join(map(_type, parts)) + "}"
        case ["imm" | "flt"]:
            return "constant"
        case ["imm", "values", values]:
            return f"constant {', '.join(map(str, values))}"
        case ["imm", _, low, high, step]:
            return f"constant {low}..{high}" + (f" in steps of {step}" if step != 1 else "")
        case ["flt", low, high, ends]:
            return f"constant in {ends[0]}{low}, {high}{ends[1]}"
        case ["addr", *rest]:
            return _address(rest)
        case ["var", space]:
            return f"variable in {_type(space)}"
        case ["sreg", of]:
            return f"special register of {_type(of)}"
        case ["sreg", of, length]:
            return f"special register of {_length(length)} {_type(of)}"
        case _:
            return _NOUNS.get(tree[0], str(tree[0]))


_NOUNS = {
    "var": "variable",
    "func": "function",
    "params": "list of parameters",
    "branchtargets": ".branchtargets",
    "calltargets": ".calltargets",
    "callprototype": ".callprototype",
    "texref": "texture",
    "samplerref": "sampler",
    "surfref": "surface",
}


def _address(rest: Tree) -> str:
    space, *named = rest
    if named:
        return {"any": "address"}.get(named[0], f"{named[0]} address")
    return f"address in {_type(space)}" if space else "address"


def _type(tree: Tree) -> str:
    match tree:
        case ["any", *names]:
            return " or ".join(names)
        case ["scaled", up, down, of]:
            return f"{_type(of)} of {'twice' if up == 2 else 'half' if down == 2 else 'a quarter of'} the width"
        case _:
            return _value(tree)


def _length(tree: Tree) -> str:
    match tree:
        case ["+" | "-" | "*" | "/" as sign, left, right]:
            return f"{_length(left)}{sign}{_length(right)}"
        case _:
            return str(tree[1])
