"""`ptxgen isa show NAME`: all that the specification says of something, or what of it a target and version have."""

from __future__ import annotations

import difflib
from argparse import Namespace

from ptxgen.cli.isa import declared, instruction
from ptxgen.cli.isa.answer import Answer
from ptxgen.cli.usage import WrongUsage
from ptxgen.isa import directives, opcodes, registers
from ptxgen.isa.query import isa, of_opcode


def answer(options: Namespace) -> Answer:
    """What has the name; wrong usage, with near names, when nothing has."""
    name: str = options.name
    if name in isa:
        return instruction.answer(isa[name], name, options.target, options.isa)
    if found := registers.find(name) if name.startswith("%") else None:
        return declared.register(*found, options.target, options.isa)
    if directive := directives.table().get(name):
        return declared.directive(directive, options.target, options.isa)
    if opcodes.read(name)[1]:
        known = of_opcode(name)
        if known is None:
            raise WrongUsage(f"{name} is taken by ptxas, but the manual does not have it")
        return instruction.answer(known, name, options.target, options.isa)
    raise WrongUsage(_unknown(name))


def _unknown(name: str) -> str:
    if any(mnemonic.split(".")[0] == name.split(".")[0] for mnemonic in isa):
        from ptxgen.check import explain

        found = explain.opcode(name)
        return found.message + (f"; {found.hint}" if found.hint else "")
    names = [*isa, *(f"%{register}" for register in registers.table()), *directives.table()]
    near = difflib.get_close_matches(name, names, n=4)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"no instruction, special register, directive or pragma is called {name!r}{hint}"
