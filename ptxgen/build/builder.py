"""The builder of one function: registers, labels, variables, control flow, and every instruction as an attribute."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from ptxgen_isa.builder import Instructions, RegisterTypes

from ptxgen.build.careful import is_predicate, shape_of
from ptxgen.build.chain import Chain, IllegalModifier, extend, leaf
from ptxgen.build.registers import PREFIXES, Pool, check_count, check_type, is_fresh
from ptxgen.build.values import described
from ptxgen.check.declarations import of_statement, of_types, of_variable
from ptxgen.check.directives import performance
from ptxgen.check.identifiers import wrong_identifier
from ptxgen.check.instruction import readings, verdict, within_limits
from ptxgen.errors import Diagnostic, IllegalInstruction, OperandError, PtxError, located
from ptxgen.ir import operands as ir
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Name, Operand, Prefixed, Reg, Variable
from ptxgen.ir.statements import (
    Comment,
    Directive,
    Instruction,
    Label,
    Prototype,
    Raw,
    Registers,
    Statement,
    Targets,
    Variant,
    variant,
)  # fmt: skip
from ptxgen.isa import grammar, types
from ptxgen.isa.availability import span
from ptxgen.isa.classes import REGISTER, OperandClass, Scope, operand_class, plain, scopes
from ptxgen.isa.directives import PRAGMA
from ptxgen.isa.matching import Match

if TYPE_CHECKING:
    from ptxgen.build import control
    from ptxgen.build.module import Module
    from ptxgen.build.variables import Space

class RegisterMaker(RegisterTypes):
    """`k.reg.f32()` is a fresh register, `k.reg.f32(64)` a tuple of them, `k.reg.f32(name="%acc")` one with a name."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    if not TYPE_CHECKING:

        def __getattr__(self, type: str) -> Any:
            if type.startswith("__"):
                raise AttributeError(type)
            check_type(type)

            def declare(count: int | None = None, *, name: str = "") -> Any:
                if not isinstance(name, str) or name:  # pyright: ignore[reportUnnecessaryIsInstance]
                    return self._builder.named_register(type, name)
                if count is None:
                    return self._builder.register(type)
                check_count(type, count)
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
        self.remembering: list[Callable[[], None]] = []  # leaves that append what they know; calls make them forget it
        self.reg = RegisterMaker(self)
        self._pools: dict[str, Pool] = {}
        self._made: list[tuple[str, Reg[Any]]] = []
        self.named: list[tuple[str, str]] = []  # types and names of the registers with names of their own
        self._names = {item.text for item in (*function.returns, *function.parameters)}
        self._finished = False
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

                raise located(IllegalModifier.of(explain.opcode(root)))
            chain = extend(self, root, places)
            self.__dict__[name] = chain
            return chain

    def __getitem__(self, opcode: str) -> Any:
        """An opcode as exact text, its modifiers in any order that ptxas takes: `k["cvt.f32.s32.rn"](i)`."""
        opcode = opcode.strip() if isinstance(opcode, str) else repr(opcode)  # pyright: ignore[reportUnnecessaryIsInstance]
        known = readings(opcode)
        if not known:
            from ptxgen.check import explain

            raise located(IllegalInstruction.of(explain.opcode(opcode)))
        canonical = known[0].opcode
        root, *words = canonical.split(".")
        places = grammar.start(root)
        for word in words:
            places = grammar.after(places, f".{word}")
        if not grammar.complete(places):  # ptxas takes it, the manual does not have it
            return self.__dict__.setdefault(canonical, leaf(self, canonical, places))
        node: Any = self
        for word in (root, *words):
            node = getattr(node, grammar.escape(f".{word}"))
        return node

    def emit(self, instruction: Instruction) -> None:
        """Append an instruction of the intermediate representation; it is checked like any other."""
        if not isinstance(instruction, Instruction):  # pyright: ignore[reportUnnecessaryIsInstance]
            self._fail(f"k.emit takes an Instruction, got {described(instruction)}", "statement")
        guard = self.guard(instruction.guard, instruction.opcode) if instruction.guard is not None else None
        found = self.try_variant(instruction.opcode, instruction.operands)
        if found is None:
            raise self.refusal(instruction.opcode, instruction.operands)
        self.function.variants[found[0]] = None
        self.append(Instruction(found[0], instruction.operands, guard).record)

    def raw(self, text: str) -> None:
        """Append text without validation. A module with raw text says so: see `Module.raw`."""
        self._text(text)
        self.append(Raw(text))

    def comment(self, text: str) -> None:
        """Append a remark, each of its lines apart."""
        self._text(text)
        for line in text.split("\n"):
            self.append(Comment(line))

    def pragma(self, text: str) -> None:
        """`.pragma "text";` within the body."""
        self._text(text)
        if '"' in text or "\n" in text:
            self._fail(f"the pragma {text!r} has a quotation mark or a line break in it", "directive")
        self._state(Directive(PRAGMA, (f'"{text}"',)))

    # ---- registers

    def register(self, type: str) -> Reg[Any]:
        """A fresh register."""
        check_type(type)
        made = self.pool(type).take()
        self._made.append((type, made))
        return made

    def named_register(self, type: str, name: str) -> Reg[Any]:
        """A register with a name of its own."""
        check_type(type)
        self._check_name(name)
        if is_fresh(name):
            self._fail(f"{name} is a name that fresh registers get; choose another", "name")
        self._claim(name)
        self.module.require(of_types([type]))
        self.named.append((type, name))
        return Reg(name, operand_class(REGISTER, type, scope=self.scope))

    def pool(self, type: str) -> Pool:
        """The numbered registers of a type."""
        pool = self._pools.get(type)
        if pool is None:
            self.module.require(of_types([type]))
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

    # ---- variables

    @cached_property
    def shared(self) -> Space:
        """Variables of the CTA: `k.shared.f32("tile", 256)`."""
        return self._space(".shared")

    @cached_property
    def local(self) -> Space:
        """Variables of the thread, in memory."""
        return self._space(".local")

    @cached_property
    def param(self) -> Space:
        """Parameters of calls."""
        return self._space(".param")

    def _space(self, name: str) -> Space:
        from ptxgen.build.variables import Space

        return Space(name, self.scope, self._declare)

    # ---- labels and control flow

    def label(self, name: str) -> Name:
        """A new label; `place` puts it into the code."""
        text = self._numbered(name)
        self._labels[text] = False
        return ir.name(text, "label", self.scope)

    def place(self, label: Name) -> None:
        """The label stands here."""
        self._own_label(label)
        if self._labels[label.text]:
            self._fail(f"the label {label.text} is placed twice", "label")
        self._labels[label.text] = True
        self.append(Label(label.text))

    def unplace(self, label: Name) -> None:
        """Take back the label that was placed last, to place it later."""
        last = self.function.body[-1]
        if not isinstance(last, Label) or last.name != label.text:
            self._fail("else_() follows its if_() at once, and only one does", "control-flow")
        self.function.body.pop()
        self._labels[label.text] = False

    def if_(self, pred: Reg[Any] | Prefixed[Any]) -> AbstractContextManager[control.Branch]:
        """`with k.if_(p):` runs its body where `p` holds; `with branch.else_():` may follow."""
        from ptxgen.build import control

        return control.if_(self, pred)

    def loop(self, name: str = "loop") -> AbstractContextManager[control.Loop]:
        """`with k.loop("spin") as spin:`; `spin.repeat(pred=p)` goes back, `spin.break_(pred=p)` leaves."""
        from ptxgen.build import control

        return control.loop(self, name)

    def branchtargets(self, name: str, *targets: Name) -> Name:
        """`.branchtargets`: the labels that a `brx.idx` may reach."""
        for label in targets:
            self._own_label(label)
        return self._targets(name, "branchtargets", targets)

    def calltargets(self, name: str, *functions: Function) -> Name:
        """`.calltargets`: the functions that an indirect call may reach."""
        from ptxgen.check.calls import alike

        for function in functions:
            self._own_function(function)
            if not alike(function, functions[0]):
                pair = f"{function.name} and {functions[0].name}"
                self._fail(f"{pair} differ in what they take or return", "call-signature")
        return self._targets(name, "calltargets", tuple(ir.name(f.name, "func", f.scope) for f in functions))

    def _targets(self, name: str, kind: str, targets: tuple[Name, ...]) -> Name:
        if not targets:
            self._fail(f".{kind} lists at least one target", kind)
        text = self._numbered(name)
        self._state(Targets(text, f".{kind}", targets))
        return ir.name(text, kind, self.scope)

    def prototype(self, function: Function) -> Name:
        """`.callprototype`: the signature of `function`, for indirect calls."""
        self._own_function(function)
        text = self._numbered("prototype")
        kept = tuple(d for d in function.directives if "prototype" in performance()[d.name]["on"])
        self._state(Prototype(text, function.returns, function.parameters, kept))
        return ir.name(text, "callprototype", self.scope)

    # ---- checks

    def try_variant(self, opcode: str, operands: tuple[Operand, ...]) -> tuple[Variant, bool] | None:
        """The variant of a legal, available instruction and whether it limits values; None when it is refused."""
        if self._finished:
            self._complete()
        shape = shape_of(operands)
        if self.strangers(shape):
            return None
        found = verdict(opcode, tuple(map(plain, shape)), self.module.option_set)
        module = self.module
        for match in found.available(module.target, module.checked_version):
            if module.strict and (match.broken or self.is_ungated(match)):
                continue
            if match.limits and not within_limits(match, operands):
                continue
            if self.call_mismatch(match, operands):
                continue
            return variant(match.reading.opcode, found.shape), bool(match.limits)
        return None

    def is_ungated(self, match: Match) -> bool:
        """Whether the manual wants another target or version, though ptxas does not."""
        return span(match, self.module.target, "ungated").first > self.module.checked_version

    def refusal(self, opcode: str, operands: tuple[Operand, ...]) -> PtxError:
        """Why an instruction was refused."""
        from ptxgen.build.refusal import refusal

        return located(refusal(self, opcode, operands))

    def call_mismatch(self, match: Match, operands: tuple[Operand, ...]) -> str:
        """What does not fit between a call and the function or prototype that it names; "" when all does."""
        if not any(isinstance(operand, Name) for operand in operands):
            return ""
        from ptxgen.build.calling import mismatch

        return mismatch(self, match, operands)

    def strangers(self, shape: tuple[OperandClass, ...]) -> list[Scope]:
        """The functions and modules that operands belong to and that are not this one."""
        known = (self.scope, self.scope.parent)
        return [scope for cls in shape if cls.scope is not None for scope in scopes(cls) if scope not in known]

    def guard(self, pred: Any, opcode: str) -> Reg[Any] | Prefixed[Any]:
        """A predicate that guards an instruction."""
        if not is_predicate(pred):
            have = described(pred)
            message = f"{opcode}: pred= takes a predicate register or its complement ~p, got {have}"
            raise located(
                OperandError(message, (Diagnostic("guard", "error", message, opcode, "a predicate", have),))
            )
        if strangers := self.strangers((pred.cls,)):
            from ptxgen.build.refusal import owner

            message = f"{opcode}: the guard {pred.text} belongs to {owner(strangers[0])}, not to {self.scope.name}"
            raise located(OperandError(message, (Diagnostic("foreign-operand", "error", message, opcode),)))
        return pred

    def finish(self) -> None:
        """Declare the registers, and see that every label is placed."""
        numbered = [(type, (PREFIXES[type], n)) for type, pool in self._pools.items() if (n := pool.count())]
        declared = [*numbered, *((type, (name, 0)) for type, name in self.named)]
        declared.sort(key=lambda pair: (list(PREFIXES).index(pair[0]), pair[1][1] == 0))
        self.function.body[:0] = [Registers(type, (named,)) for type, named in declared]
        self._finished = True
        self.append = self._complete
        for forget in self.remembering:
            forget()
        missing = [text for text, placed in self._labels.items() if not placed]
        used = self._used_names() if missing else set[str]()
        for text in missing:
            if text in used:
                self._fail(f"the label {text} is branched to and placed nowhere; use k.place", "label")

    def _used_names(self) -> set[str]:
        used: set[str] = set()
        for statement in self.function.body:
            operands = statement.targets if isinstance(statement, Targets) else statement
            if isinstance(operands, tuple):
                used |= {operand.text for operand in operands if isinstance(operand, Name)}
        return used

    def _declare(self, variable: Variable[Any]) -> None:
        self._check_name(variable.text)
        from ptxgen.check.variables import check_variable

        for problem in check_variable(variable, "body", self.module.option_set):
            raise located(OperandError.of(problem))
        self.module.require(of_variable(variable, "body"))
        self._claim(variable.text)
        self.append(variable)

    def _state(self, statement: Statement) -> None:
        """Append what is no instruction."""
        self.module.require(of_statement(statement))
        self.append(statement)

    def _numbered(self, name: str) -> str:
        """A name for a label that no other has."""
        self._text(name)
        text = f"${name.lstrip('$')}_{self._numbers + 1}"
        self._claim(text)
        self._numbers += 1
        return text

    def _own_label(self, label: Any) -> None:
        if not isinstance(label, Name) or label.cls.type != "label":
            self._fail(f"a label made with k.label is needed, got {described(label)}", "label")
        if label.cls.scope is not self.scope:
            self._fail(f"the label {label.text} belongs to another function", "label")

    def _own_function(self, function: Any) -> None:
        """See that it is a device function of the module, to be called."""
        if not isinstance(function, Function):
            self._fail(f"a function of the module is needed, got {described(function)}", "function")
        if function.scope is not self.scope.parent:
            self._fail(f"the function {function.name} belongs to another module", "foreign-operand")
        from ptxgen.check.calls import wrong_target

        if problem := wrong_target(function):
            self._fail(problem, "call-target")

    def _text(self, text: Any) -> None:
        if not isinstance(text, str):
            self._fail(f"a string is needed, got {described(text)}", "text")

    def _check_name(self, name: Any) -> None:
        if problem := wrong_identifier(name):
            self._fail(problem, "name")

    def _claim(self, name: str) -> None:
        """See that a name is new in the function."""
        if self._finished:
            self._complete()
        self._check_name(name)
        if name == self.function.name:  # which may call itself
            self._fail(f"{name} is the name of the function itself; choose another", "duplicate-name")
        if name in self._names:
            self._fail(f"{name} is declared twice in {self.scope.name}", "duplicate-name")
        if self.module.declares(name):
            self._fail(f"{name} is declared in the module already", "duplicate-name")
        self._names.add(name)

    def _complete(self, _statement: Any = None) -> NoReturn:
        self._fail(f"{self.scope.name} is complete; nothing can be added to it", "finished")

    def _fail(self, message: str, code: str) -> NoReturn:
        raise located(OperandError(message, (Diagnostic(code, "error", message),)))


__all__ = ["Builder", "Chain", "RegisterMaker", "types"]
