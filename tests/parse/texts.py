"""Short texts as modules, bodies, statements, and what is wrong with them, with lines counted from their first one."""

from __future__ import annotations

from typing import Any

import ptxgen
from ptxgen.ir.module import Function, Module
from ptxgen.ir.statements import Registers
from ptxgen.parse.module import parse, read
from ptxgen.print.module import print_module

HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
KERNEL = (
    ".entry k()\n{\n.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;"
    " .reg .f64 %g<4>; .reg .u32 a, b, c; .reg .v4 .f32 v;\n"
)
_REGISTERS = 8  # declarations in KERNEL


def module(items: str) -> Module:
    """Items of a module, read."""
    return parse(HEADER + items)


def body(statements: str, before: str = "") -> Function:
    """A kernel with these statements behind those of KERNEL."""
    return parse(f"{HEADER}{before}{KERNEL}{statements}\n}}\n").functions[-1]


def read_statements(statements: str, before: str = "") -> list[Any]:
    """The statements as the reader makes them."""
    found = body(statements, before).body
    assert all(isinstance(each, Registers) for each in found[:_REGISTERS])
    return found[_REGISTERS:]


def operand(text: str, before: str = "") -> Any:
    """What the reader makes of one operand."""
    (statement,) = read_statements(f"mov.b32 {text};", before)
    return statement[1]


def printed(statements: str, before: str = "") -> list[str]:
    """The lines that the statements are printed as."""
    text = print_module(parse(f"{HEADER}{before}{KERNEL}{statements}\n}}\n"), "9.0")
    lines = text[text.index(".entry k") :].split("\n")
    return [line.strip() for line in lines[2 + _REGISTERS : -2]]


def wrong(items: str) -> list[tuple[int, int, str]]:
    """Line, column and message of each thing that cannot be read."""
    _, found = read(HEADER + items)
    return [(each.line - HEADER.count("\n"), each.column, each.message) for each in found]


def wrong_statements(statements: str) -> list[tuple[int, int, str]]:
    """The same of statements in a kernel."""
    before = KERNEL.count("\n")
    return [(line - before, column, message) for line, column, message in wrong(f"{KERNEL}{statements}\n}}\n")]


def errors(items: str) -> list[str]:
    """The messages of all errors that `ptxgen.check` finds."""
    return [each.message for each in ptxgen.check(HEADER + items).diagnostics if each.severity == "error"]
