"""The reference interpreter: what an instruction computes, on exact numbers.

The `semantics` texts of the specification run here slowly and literally: integers are Python integers, floating-point
values are exact rationals, and every rounding is done once, by the definition. Faster execution is compared with it.

    evaluate("add.rz.f32", d, a, b, registers={"a": 0x3F800000, "b": 0x33800000})       # {"d": 0x3F800000}

`evaluate` and its kin take an instruction with its operands; `compile_semantics` takes a text.
"""

from ptxgen.cpu.reference.computation import Unmodelled
from ptxgen.cpu.reference.evaluate import Statement, evaluate, evaluate_warp, prepare
from ptxgen.cpu.reference.formats import Format, Type, format_named, type_named
from ptxgen.cpu.reference.interpreter import Program, WarpContext, compile_semantics
from ptxgen.cpu.reference.language import SemanticsError, check_semantics, name_of
from ptxgen.cpu.reference.names import names_of

__all__ = [
    "Format",
    "Program",
    "SemanticsError",
    "Statement",
    "Type",
    "Unmodelled",
    "WarpContext",
    "check_semantics",
    "compile_semantics",
    "evaluate",
    "evaluate_warp",
    "format_named",
    "name_of",
    "names_of",
    "prepare",
    "type_named",
]
