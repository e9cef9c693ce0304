"""The builder of one function: registers, labels, variables, control flow, and every instruction as an attribute."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from ptxgen_isa.builder import Instructions

from ptxgen.build import control
from ptxgen.build.chain import Chain, IllegalModifier, extend
from ptxgen.build.leaf import is_predicate, shape_of
from ptxgen.build.registers import PREFIXES, Pool
from ptxgen.build.values import operand
from ptxgen.build.variables import Space
from ptxgen.check import calls
from ptxgen.check.instruction import readings, verdict, within_limits
from ptxgen.errors import Diagnostic, IllegalInstruction, OperandError, PtxError
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Comment, Directive, Function, Instruction, Label, Prototype, Raw, Targets, Variant, variant
from ptxgen.ir.operands import Name, Operand, Prefixed, Reg, Variable
from ptxgen.isa import grammar, types
from ptxgen.isa.classes import REGISTER, OperandClass, Scope, operand_class, plain, scopes
from ptxgen.isa.matching import Match

if TYPE_CHECKING:
    from ptxgen.build.module import Module

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

class Registers:
    """`k.reg.f32()` is a fresh register, `k.reg.f32(64)` a tuple of them, `k.reg.f32(name="%acc")` one with a name."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def __getattr__(self, type: str) -> Any:
        if type.startswith("__"):
            raise AttributeError(type)
        if type not in PREFIXES:
            choices = tuple(PREFIXES)
            message = f"there are no registers of type .{type}; there are {' '.join(choices)}"
            raise self._builder.located(OperandError(message, (Diagnostic("type", "error", message, choices=choices),)))

        def declare(count: int | None = None, *, name: str = "") -> Any:
            if name:
                return self._builder.named_register(type, name)
            if count is None:
                return self._builder.register(type)
            return tuple(self._builder.register(type) for _ in range(count))

        return declare


class Builder(Instructions):
    """Appends statements to one function. Instructions are attribute chains: `d = k.add.rn.f32(a, b)`.

    A call returns fresh destination registers; `out=` writes to given ones, `pred=` guards. See the README.
    """

    def __init__(self, module: Module, function: Function, scope: Scope) -> None:
        self.module = module
        self.function = function
        self.scope = scope
        self.append: Callable[[Any], None] = function.body.append
        self.reg = Registers(self)
        self.shared = Space(".shared", scope, self._declare)
        self.local = Space(".local", scope, self._declare)
        self.param = Space(".param", scope, self._declare)
        self._pools: dict[str, Pool] = {}
        self._made: list[tuple[str, Reg[Any]]] = []
        self._names: set[str] = set()
        self._labels: dict[str, bool] = {}  # name -> placed
        self._numbers = 0

    # ---- instructions

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            root = grammar.unescape(name).lstrip(".")
            places = grammar.start(root)
            if not places:
                from ptxgen.check import explain

                raise self.located(IllegalModifier.of(explain.opcode(root)))
            chain = extend(self, root, places)
            self.__dict__[name] = chain
            return chain

    def __getitem__(self, opcode: str) -> Any:
        """An opcode as exact text, its modifiers in any order that ptxas takes: `k["cvt.f32.s32.rn"](i)`."""
        opcode = opcode.strip()
        known = readings(opcode)
        if not known:
            from ptxgen.check import explain

            raise self.located(IllegalInstruction.of(explain.opcode(opcode)))
        canonical = known[0].opcode
        node: Any = self
        for token in canonical.split("."):
            node = getattr(node, grammar.escape(f".{token}"))
        return node

    def emit(self, instruction: Instruction) -> None:
        """Append an instruction of the intermediate representation; it is checked like any other."""
        found = self.try_variant(instruction.opcode, instruction.operands)
        if found is None:
            raise self.refusal(instruction.opcode, instruction.operands)
        guard = self.guard(instruction.guard, instruction.opcode) if instruction.guard is not None else None
        self.append(Instruction(found[0], instruction.operands, guard).record)

    def raw(self, text: str) -> None:
        """Append text without validation. A module with raw text says so: see `Module.raw`."""
        self.append(Raw(text))

    def comment(self, text: str) -> None:
        """Append a remark."""
        self.append(Comment(text))

    def pragma(self, text: str) -> None:
        """`.pragma "text";` within the body."""
        self.append(Directive(".pragma", (f'"{text}"',)))

    # ---- registers

    def register(self, type: str) -> Reg[Any]:
        """A fresh register."""
        made = self.pool(type).take()
        self._made.append((type, made))
        return made

    def named_register(self, type: str, name: str) -> Reg[Any]:
        """A register with a name of its own."""
        self._claim(name)
        self.function.registers.append((type, name, 0))
        return Reg(name, operand_class(REGISTER, type, scope=self.scope))

    def pool(self, type: str) -> Pool:
        """The numbered registers of a type."""
        pool = self._pools.get(type)
        if pool is None:
            pool = self._pools[type] = Pool(type, self.scope)
        return pool

    def mark(self) -> int:
        """A mark to give registers back to, when the instruction that they were made for fails."""
        self._made.clear()
        return 0

    def rewind(self, mark: int) -> None:
        """Give back the registers made since the mark."""
        for type, made in reversed(self._made[mark:]):
            self.pool(type).returned.append(made)
        self._made.clear()

    # ---- labels and control flow

    def label(self, name: str) -> Name:
        """A new label; `place` puts it into the code."""
        self._numbers += 1
        text = f"${name.lstrip('$')}_{self._numbers}"
        self._labels[text] = False
        return ir.name(text, "label", self.scope)

    def place(self, label: Name) -> None:
        """The label stands here."""
        if self._labels.get(label.text) is None:
            self._fail(f"the label {label.text} belongs to another function", "label")
        if self._labels[label.text]:
            self._fail(f"the label {label.text} is placed twice", "label")
        self._labels[label.text] = True
        self.append(Label(label.text))

    def unplace(self, label: Name) -> None:
        """Take back the label that was placed last, to place it later."""
        last = self.function.body[-1]
        assert isinstance(last, Label)
        assert last.name == label.text
        self.function.body.pop()
        self._labels[label.text] = False

    def if_(self, pred: Reg[Any] | Prefixed[Any]) -> AbstractContextManager[control.Branch]:
        """`with k.if_(p):` runs its body where `p` holds; `with branch.else_():` may follow."""
        return control.if_(self, pred)

    def loop(self, name: str = "loop") -> AbstractContextManager[control.Loop]:
        """`with k.loop("spin") as spin:`; `spin.repeat(pred=p)` goes back, `spin.break_(pred=p)` leaves."""
        return control.loop(self, name)

    def branchtargets(self, name: str, *targets: Name) -> Name:
        """`.branchtargets`: the labels that a `brx.idx` may reach."""
        return self._targets(name, "branchtargets", targets)

    def calltargets(self, name: str, *functions: Function) -> Name:
        """`.calltargets`: the functions that an indirect call may reach."""
        return self._targets(name, "calltargets", tuple(ir.name(f.name, "func") for f in functions))

    def _targets(self, name: str, kind: str, targets: tuple[Name, ...]) -> Name:
        self._numbers += 1
        text = f"${name}_{self._numbers}"
        self.append(Targets(text, f".{kind}", targets))
        return ir.name(text, kind, self.scope)

    def prototype(self, function: Function) -> Name:
        """`.callprototype`: the signature of `function`, for indirect calls."""
        self._numbers += 1
        text = f"$prototype_{self._numbers}"
        self.append(Prototype(text, function.returns, function.parameters))
        return ir.name(text, "callprototype", self.scope)

    # ---- checks

    def try_variant(self, opcode: str, operands: tuple[Operand, ...]) -> tuple[Variant, bool] | None:
        """The variant of a legal, available instruction and whether it limits values; None when it is refused."""
        shape = shape_of(operands)
        if self.strangers(shape):
            return None
        found = verdict(opcode, tuple(map(plain, shape)), self.module.option_set)
        module = self.module
        for match in found.available(module.target, module.checked_version):
            if match.broken and module.strict:
                continue
            if match.limits and not within_limits(match, operands):
                continue
            if self.call_mismatch(match, operands):
                continue
            return variant(match.reading.opcode, found.shape), bool(match.limits)
        return None

    def refusal(self, opcode: str, operands: tuple[Operand, ...]) -> PtxError:
        """Why an instruction was refused."""
        from ptxgen.build.refusal import refusal

        return self.located(refusal(self, opcode, operands))

    def call_mismatch(self, match: Match, operands: tuple[Operand, ...]) -> str:
        """What does not fit between a call and the function or prototype that it names; "" when all does."""
        called = calls.callee(match, operands)
        if called is None:
            return ""
        signature = self._signature(called.text)
        if signature is None:
            return f"{called.text} is not declared before its call"
        return calls.mismatch(match, operands, signature)

    def _signature(self, name: str) -> calls.Signature | None:
        """What the function, prototype or list of targets of a name returns and takes."""
        for function in (self.function, *self.module.functions):
            if function.name == name:
                return function.returns, function.parameters
        for statement in self.function.body:
            if isinstance(statement, Prototype) and statement.name == name:
                return statement.returns, statement.parameters
            if isinstance(statement, Targets) and statement.name == name:
                return self._signature(statement.targets[0].text)
        return None

    def strangers(self, shape: tuple[OperandClass, ...]) -> list[Scope]:
        known = (self.scope, self.scope.parent)
        return [scope for cls in shape if cls.scope is not None for scope in scopes(cls) if scope not in known]

    def guard(self, pred: Any, opcode: str) -> Reg[Any] | Prefixed[Any]:
        """A predicate that guards an instruction."""
        if not is_predicate(pred):
            have = operand(pred).cls.describe()
            message = f"{opcode}: pred= takes a predicate register or its complement ~p, got {have}"
            raise self.located(
                OperandError(message, (Diagnostic("guard", "error", message, opcode, "a predicate", have),))
            )
        if strangers := self.strangers((pred.cls,)):
            message = f"{opcode}: the guard {pred.text} belongs to {strangers[0].name}, not to {self.scope.name}"
            raise self.located(OperandError(message, (Diagnostic("foreign-operand", "error", message, opcode),)))
        return pred

    def located(self, error: Any) -> Any:
        """The error with the place of the user's call in its diagnostics and as a note."""
        frame: Any = sys._getframe(1)
        while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE):
            frame = frame.f_back
        if frame is not None:
            file, line = frame.f_code.co_filename, frame.f_lineno
            error.diagnostics = tuple(d if d.line else d.at(file, line) for d in error.diagnostics)
            error.add_note(f"at {file}:{line}")
        return error

    def finish(self) -> None:
        """Declare the registers, and see that every label is placed."""
        for type, pool in self._pools.items():
            if count := pool.count():
                self.function.registers.append((type, PREFIXES[type], count))
        self.function.registers.sort(key=lambda item: (list(PREFIXES).index(item[0]), item[2] == 0))
        missing = {text for text, placed in self._labels.items() if not placed}
        used = {o.text for s in self.function.body if isinstance(s, tuple) for o in s if isinstance(o, Name)} if missing else ()
        for text in missing:
            if text in used:
                self._fail(f"the label {text} is branched to and placed nowhere; use k.place", "label")

    def _declare(self, variable: Variable[Any]) -> None:
        self._claim(variable.text)
        self.append(variable)

    def _claim(self, name: str) -> None:
        """See that a name is new in the function."""
        if name in self._names:
            self._fail(f"{name} is declared twice in {self.scope.name}", "duplicate-name")
        self._names.add(name)

    def _fail(self, message: str, code: str) -> None:
        raise self.located(OperandError(message, (Diagnostic(code, "error", message),)))


__all__ = ["Builder", "Chain", "Registers", "types"]
