"""Random opcodes and operands for the builder: nothing but a PtxError escapes, and what is accepted reads back."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ptxgen import Module, PtxError, Reg, sink, sreg, u32, unified
from ptxgen.build.refusal import misuse
from ptxgen.check.instruction import readings
from ptxgen.ir.module import Function
from ptxgen.ir.statements import Instruction
from ptxgen.isa import grammar
from ptxgen.isa.family import table
from ptxgen.parse.statement import parse_statement
from ptxgen.print.module import print_function
from tests.build.kernels import building, state

CASES = 3000
TYPES = ("pred", "u16", "b16", "u32", "s32", "b32", "f32", "u64", "b64", "f64", "f16x2", "b128")
TARGETS = ("sm_60", "sm_80", "sm_90a", "sm_100a", "sm_120f")


class Surroundings:
    """A kernel with one operand of each kind, and Python values that are none."""

    def __init__(self, chance: random.Random, strict: bool) -> None:
        self.chance = chance
        self.module = Module(chance.choice(TARGETS), strict=strict)
        self.function = self.module.declare("callee", Reg[u32], returns=Reg[u32])
        module = self.module
        variables = [module.global_.b32("g", 16), module.const.f32("c", 4), module.global_.texref("t")]
        self.k: Any = building(module)
        k = self.k
        self.registers = [register for type in TYPES if self.has(type) for register in getattr(k.reg, type)(2)]
        variables += [k.shared.b64("s", 8), k.local.u8("l", 64), k.param.b32("p")]
        self.variables = variables
        self.names = [k.label("here"), self.function, k.prototype(self.function)]
        self.values: list[Any] = [
            0, 1, -1, 7, 31, 32, 255, 2**31, 2**32 - 1, 2**32, -(2**63), 2**64, True, 0.0, 1.5, -0.0, 1e39,
            float("nan"), None, "x", b"x", object(), {}, set(), 1j, np.uint8(3), np.float32(0.5), np.zeros(3), int, k,
            k.add,
            k.add.f32, sink, sreg.tid.x, sreg.tid, sreg.clock64, sreg.laneid, [], (), [[]], ((),), [()], "%r0", ...,
        ]  # fmt: skip

    def has(self, type: str) -> bool:
        try:
            getattr(self.k.reg, type)()
        except PtxError:
            return False
        return True

    def register(self) -> Any:
        return self.chance.choice(self.registers)

    def operand(self, depth: int = 0) -> Any:
        """Anything that might be written as an operand."""
        chance = self.chance
        match chance.randrange(12):
            case 0 | 1 | 2 | 3:
                return self.register()
            case 4:
                return chance.choice(self.values)
            case 5:
                return chance.choice((0, 1, 5, 31, -1, 1.5, 0xFFFFFFFF))
            case 6:
                return chance.choice(self.variables)
            case 7:
                return chance.choice((self.register(), chance.choice(self.variables))) + chance.choice(
                    (0, 4, -4, 2**31)
                )
            case 8:
                place = [chance.choice((self.register(), chance.choice(self.variables), 64, self.operand(depth + 1)))]
                return unified(place) if chance.random() < 0.1 else place
            case 9 if depth < 3:
                return tuple(self.operand(depth + 1) for _ in range(chance.choice((0, 1, 2, 2, 4, 4, 8))))
            case 10:
                return self.register()[chance.choice(("b0", "h1", "b3210", "b9", "x"))]
            case _:
                register = self.register()
                return chance.choice((~register if register.type == "pred" else -register, chance.choice(self.names)))

    def fitting(self, reading: Any) -> list[Any]:
        """Operands of the shapes that a syntax line has, of types drawn at random."""
        found: list[Any] = []
        for template in reading.line.operands:
            match template.shape:
                case "address":
                    found.append([self.chance.choice((self.register(), self.chance.choice(self.variables)))])
                case "vector":
                    found.append(tuple(self.register() for _ in template.inner))
                case "list":
                    found.append((self.register(),))
                case _:
                    found.append(self.chance.choice((self.register(), self.register(), 1, self.operand())))
        return found


def opcode(chance: random.Random, mnemonics: list[str]) -> str:
    """A mnemonic with tokens along a walk of its grammar, now and then with a wrong turn."""
    mnemonic = chance.choice(mnemonics)
    text = root = mnemonic.split(".")[0]
    places = grammar.start(root)
    for _ in range(12):
        choices = list(grammar.choices(places))
        if not choices or (grammar.complete(places) and chance.random() < 0.3):
            break
        token = (
            chance.choice(choices) if chance.random() < 0.97 else chance.choice((".f32", ".foo", ".sync", ".", ".v2"))
        )
        text += token
        places = grammar.after(places, token)
    if chance.random() < 0.15:
        words = text.split(".")
        rest = words[1:]
        chance.shuffle(rest)
        text = ".".join((words[0], *rest))
    return text


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lax"])
@pytest.mark.parametrize("seed", range(4))
def test_random_calls(seed: int, strict: bool) -> None:
    chance = random.Random(f"{seed}{strict}")
    mnemonics = list(table().mnemonics())
    accepted = 0
    around = Surroundings(chance, strict)
    for number in range(CASES // 4):
        if number % 100 == 0:
            around = Surroundings(chance, strict)
        accepted += once(around, opcode(chance, mnemonics), chance)
    assert accepted > CASES // 200


def once(around: Surroundings, text: str, chance: random.Random) -> bool:
    """One call; whether it was accepted."""
    k = around.k
    known = readings(text)
    options: dict[str, Any] = {}
    try:
        if known and chance.random() < 0.8:
            reading = chance.choice(known)
            operands = around.fitting(reading)
            results = sum(1 for t in reading.line.operands if t.name in ("d", "p", "dst", "r"))
            operands = operands[results if chance.random() < 0.9 else 0 :]
        else:
            operands = [around.operand() for _ in range(chance.randrange(6))]
        if chance.random() < 0.3:
            options["out"] = chance.choice((around.register(), around.operand(), (None, None), sink))
        if chance.random() < 0.2:
            options["pred"] = chance.choice((around.registers[0], ~around.registers[0], around.operand()))
    except PtxError:
        return False  # an operator that operands do not have
    before = state(k, around.module)
    error: PtxError | None = None
    try:
        if chance.random() < 0.5:
            call = k[text]
        else:
            call = k
            for token in text.split("."):
                call = getattr(call, grammar.escape(f".{token}")) if token else call
        call(*operands, **options)
    except PtxError as caught:
        error = caught
    except TypeError as caught:  # of Python, about the arguments of an opcode
        error = misuse(caught)
        assert error is not None, text
    if error is not None:
        complete(error)
        assert state(k, around.module) == before, text
        return False
    (made,) = k.function.body[len(before[0]) :]
    reads_back(around, made)
    return True


def complete(error: PtxError) -> None:
    """An error says something, to people and to tools, and where."""
    assert str(error)
    assert error.diagnostics
    assert all(d.file == __file__ and d.line for d in error.diagnostics)
    assert error.__notes__


def reads_back(around: Surroundings, made: Any) -> None:
    """The printed statement means the same opcode and operands."""
    instruction = Instruction.of(made)
    line = print_function(Function("f", False, body=[made]))[len(".func f\n{\n") : -len("\n}\n")]
    names: dict[str, Any] = {}

    def note(operand: Any) -> None:
        for part in getattr(operand, "elements", ()):
            note(part)
        for field in ("first", "second", "register", "base"):
            if getattr(operand, field, None) is not None:
                note(getattr(operand, field))
        names[operand.text] = operand

    for operand in (*instruction.operands, *([instruction.guard] if instruction.guard is not None else [])):
        note(operand)
    found = parse_statement(line, names.get)
    assert found.opcode == instruction.opcode, line
    assert [o.text for o in found.operands] == [o.text for o in instruction.operands], line
    assert [o.cls for o in found.operands] == [o.cls for o in instruction.operands], line
    guards = [guard.text for guard in (found.guard, instruction.guard) if guard is not None]
    assert len(guards) in (0, 2), line
    assert len(set(guards)) < 2, line


@pytest.mark.parametrize("seed", range(3))
def test_random_declarations(seed: int) -> None:
    """Variables, registers, labels and directives from random arguments."""
    chance = random.Random(seed)
    values: list[Any] = [
        None, 0, 1, 2, 3, 4, 8, 16, 128, 256, -1, 1.5, "x", "a b", "", "%r0", (), (None,), (2, 2), [1, 2],
        [[1, 2], [3, 4]], True, False, b"x", object(), np.arange(4), np.zeros((2, 2)), {1: 2}, (1, "x"), "extern",
        "visible",
        "managed",
        u32,
    ]  # fmt: skip
    module = Module("sm_90")
    k: Any = building(module)
    spaces = [module.global_, module.const, module.shared, k.shared, k.local, k.param]
    types = ["u8", "u32", "f32", "f64", "b64", "b128", "f16", "texref", "pred", "foo"]
    for number in range(700):
        before = state(k, module)
        name = chance.choice((f"v{number}", f"v{number}", "v0", chance.choice(values)))
        options = {
            field: chance.choice(values)
            for field in ("shape", "align", "vector", "init", "linkage", "managed")
            if chance.random() < 0.25
        }
        try:
            match chance.randrange(6):
                case 0 | 1 | 2:
                    getattr(chance.choice(spaces), chance.choice(types))(name, **options)
                case 3:
                    getattr(k.reg, chance.choice(types))(
                        chance.choice(values), name=name if chance.random() < 0.5 else ""
                    )
                case 4:
                    k.label(name)
                case _:
                    key = chance.choice(
                        ("maxntid", "maxnreg", "pragma", "language", "explicitcluster", "foo", "reqntid")
                    )
                    module.declare(name, linkage=chance.choice(("", "extern", "foo")), **{key: chance.choice(values)})
        except PtxError as error:
            complete(error)
            assert state(k, module) == before
    assert module.ptx().startswith(".version")
