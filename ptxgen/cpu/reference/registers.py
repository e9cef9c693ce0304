"""Between operands and a register file: reading sources, turning constants into bits, writing destinations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping

from ptxgen.cpu.reference.destinations import Raw
from ptxgen.cpu.reference.formats import Type, format_named
from ptxgen.cpu.reference.rounding import rounded
from ptxgen.cpu.reference.values import real
from ptxgen.errors import OperandError
from ptxgen.ir import operands as ir
from ptxgen.ir.operands import Operand
from ptxgen.isa import types
from ptxgen.isa.classes import SINK
from ptxgen.isa.registers import FIELDS, table

#: Bits by the text of a register, special register or variable (its address); `CC` is the carry flag.
Registers = Mapping[str, int]
Reader = Callable[[Registers], Raw]
Writer = Callable[[MutableMapping[str, int], Raw], None]


def reader(operand: Operand, type_: Type, count: int) -> Reader:
    """What gives the bits of a source: for a vector, those of each element."""
    if not count:
        return _scalar_reader(operand, type_)
    if isinstance(operand, ir.Special):
        register = table()[operand.cls.type]
        elements = [_scalar_reader(ir.special(register, field), type_) for field in FIELDS]
    else:
        assert isinstance(operand, ir.Vector)
        elements = [_scalar_reader(element, type_) for element in operand.elements]
    return lambda registers: [_whole(read(registers)) for read in elements]


def writer(operand: Operand, type_: Type, count: int) -> Writer:
    """What puts the bits of a destination into its register, or those of a vector's elements into theirs.

    In a register wider than the type, a signed number is sign-extended and everything else zero-extended.
    """
    if not count:
        return _scalar_writer(operand, type_)
    assert isinstance(operand, ir.Vector)
    elements = [_scalar_writer(element, type_) for element in operand.elements]

    def write(registers: MutableMapping[str, int], raw: Raw) -> None:
        assert not isinstance(raw, int)
        for put, each in zip(elements, raw, strict=True):
            put(registers, each)

    return write


def _whole(raw: Raw) -> int:
    assert isinstance(raw, int)
    return raw


def _scalar_reader(operand: Operand, type_: Type) -> Callable[[Registers], int]:
    mask = (1 << type_.bits) - 1
    match operand:
        case ir.Integer() | ir.Float():
            bits = constant(operand, type_)
            return lambda registers: bits
        case ir.Offset():
            base, offset = _scalar_reader(operand.base, type_), operand.value
            return lambda registers: base(registers) + offset & mask
        case ir.Selected():
            return _scalar_reader(operand.register, type_)
        case ir.Prefixed():
            inner, flip = _scalar_reader(operand.register, type_), int(operand.cls.prefix == "!")
            return lambda registers: inner(registers) ^ flip
        case _:
            name = operand.text

            def read(registers: Registers) -> int:
                if name not in registers:
                    raise OperandError(f"no value is given for {name}")
                return registers[name] & mask

            return read


def _scalar_writer(operand: Operand, type_: Type) -> Writer:
    if operand.cls.what == SINK:
        return lambda registers, raw: None
    register = operand.register if isinstance(operand, ir.Selected) else operand
    name, width = register.text, types.size(register.cls.type)
    extended = type_.kind == "s" and type_.lanes == 1 and width > type_.width
    mask = (1 << width) - 1

    def write(registers: MutableMapping[str, int], raw: Raw) -> None:
        registers[name] = type_.wrap(_whole(raw)) & mask if extended else _whole(raw)

    return write


def constant(operand: ir.Integer | ir.Float, type_: Type) -> int:
    """The bits of a constant where a value of a type is wanted.

    Integers wrap, and as a predicate all but 0 are true; a floating-point constant is rounded to the nearest, or gives
    its bits where the type is none of floating point.
    """
    if isinstance(operand, ir.Integer):
        if type_.format is not None:
            return type_.format.encode(rounded(real(operand.value), type_.format, "rn"))
        return int(operand.value != 0) if type_.kind == "p" else operand.value & (1 << type_.bits) - 1
    written = format_named(f"f{operand.width}")
    if type_.format is None or type_.format == written:
        return operand.bits
    return type_.format.encode(rounded(written.decode(operand.bits), type_.format, "rn"))
