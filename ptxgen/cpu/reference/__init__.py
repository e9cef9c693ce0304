"""The reference interpreter: what an instruction computes, on exact numbers.

The `semantics` texts of the specification run here slowly and literally: integers are Python integers, floating-point
values are exact rationals, and every rounding is done once, by the definition. Faster execution is compared with it.

    program = compile_semantics(text, names)
    program.run(operands={"a": ("f32", 0x3F800000)}, destinations={"d": "f32"}, slots={"rnd": "rn"})
"""

from ptxgen.cpu.reference.formats import FORMATS, Format, Type, type_named
from ptxgen.cpu.reference.interpreter import Program, WarpContext, compile_semantics
from ptxgen.cpu.reference.language import SemanticsError, check_semantics, name_of

__all__ = [
    "FORMATS",
    "Format",
    "Program",
    "SemanticsError",
    "Type",
    "WarpContext",
    "check_semantics",
    "compile_semantics",
    "name_of",
    "type_named",
]
