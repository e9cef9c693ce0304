"""The module that one writes: functions by decorator, variables by state space."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, overload

from ptxgen.build.builder import Builder
from ptxgen.build.directives import written
from ptxgen.build.registers import is_fresh
from ptxgen.build.signature import ParameterType, read_hint, read_signature
from ptxgen.build.values import is_tuple
from ptxgen.check.declarations import of_head, of_header, of_variable
from ptxgen.check.directives import check_age, check_directives
from ptxgen.check.header import check_address_size, check_options, check_version
from ptxgen.check.identifiers import is_predefined, wrong_identifier
from ptxgen.check.stated import Need
from ptxgen.collection import no_collection
from ptxgen.errors import Diagnostic, OperandError, PtxError, Unavailable, UnknownName, located
from ptxgen.ir import module as ir
from ptxgen.ir.module import Function
from ptxgen.ir.operands import Reg, Variable, register, variable_class
from ptxgen.ir.statements import Raw
from ptxgen.isa import targets, types, versions
from ptxgen.isa.availability import first_version
from ptxgen.isa.classes import Scope
from ptxgen.isa.data import load
from ptxgen.isa.versions import Version

if TYPE_CHECKING:
    from ptxgen.build.variables import Space

Body = Callable[..., Any]


class Module(ir.Module):
    """A PTX module under construction.

    target    a target architecture such as "sm_90a"
    version   a PTX ISA version such as "8.3"; None is the lowest that supports what the module uses
    options   of `.target`, such as ("texmode_independent",)
    strict    whether what ptxas takes, though the manual does not have it, is an error
    """

    def __init__(
        self,
        target: str,
        version: str | None = None,
        *,
        options: tuple[str, ...] = (),
        address_size: int = 64,
        strict: bool = True,
    ) -> None:
        self.checked_version: Version = _checked(target, version, options, address_size)
        super().__init__(target, version, address_size, options)
        self.strict = strict
        self.option_set = frozenset(options)
        self.scope = Scope("the module")
        self._names: set[str] = set()
        self.require(of_header(self))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            choices = tuple(n for n in dir(self) if not n.startswith("_"))
            message = f"a module has no {name}; it has {', '.join(choices)}"
            raise located(UnknownName(message, (Diagnostic("name", "error", message, have=name, choices=choices),)))

    # ---- variables

    @cached_property
    def const(self) -> Space:
        """Constants: `mod.const.u32("table", 4, init=[1, 2, 3, 4])`."""
        return self._space(".const")

    @cached_property
    def global_(self) -> Space:
        """Variables that outlive a launch."""
        return self._space(".global")

    @cached_property
    def shared(self) -> Space:
        """Variables of the CTA, for all functions."""
        return self._space(".shared")

    def _space(self, name: str) -> Space:
        from ptxgen.build.variables import Space

        return Space(name, self.scope, self._declare)

    # ---- functions

    @overload
    def entry(self, function: Body, /) -> Function: ...
    @overload
    def entry(
        self, /, *, name: str = "", linkage: str = "visible", **directives: Any
    ) -> Callable[[Body], Function]: ...
    def entry(
        self, function: Body | None = None, /, *, name: str = "", linkage: str = "visible", **directives: Any
    ) -> Function | Callable[[Body], Function]:
        """A kernel: `@mod.entry` or `@mod.entry(maxntid=256)` over `def kernel(k: Builder, n: Param[u32]): ...`.

        The body runs at once and records its instructions. Directives are keywords: maxntid=(16, 16), reqntid,
        minnctapersm, maxnreg, reqnctapercluster, explicitcluster=True ... (PTX ISA 11.4).
        """
        if function is not None:
            return self._define(function, True, name, linkage, directives, ())
        return lambda body: self._define(body, True, name, linkage, directives, ())

    @overload
    def func(self, function: Body, /) -> Function: ...
    @overload
    def func(
        self, /, *, name: str = "", linkage: str = "", returns: Any = (), **directives: Any
    ) -> Callable[[Body], Function]: ...
    def func(
        self, function: Body | None = None, /, *,
        name: str = "", linkage: str = "", returns: Any = (), **directives: Any,
    ) -> Function | Callable[[Body], Function]:  # fmt: skip
        """A device function: `@mod.func(returns=Reg[u32])` over `def square(k, result, x: Reg[u32]): ...`.

        Its parameters are `Reg[...]` or `Param[...]`; what it returns comes first, one argument each.
        """
        if function is not None:
            return self._define(function, False, name, linkage, directives, ())
        wanted = returns if is_tuple(returns) else (returns,)
        return lambda body: self._define(body, False, name, linkage, directives, wanted)

    def declare(
        self, name: str, *parameters: Any,
        returns: Any = (), entry: bool = False, linkage: str = "extern", **directives: Any,
    ) -> Function:  # fmt: skip
        """A function that is defined elsewhere: `mod.declare("vprintf", Param[u64], Param[u64], returns=Param[s32])`.

        With linkage="", "visible" or "weak" it is one that the module defines later, and may call before.
        """
        if entry and directives:
            self._fail(f"{name}: directives stand where the kernel is defined, not where it is declared", "directive")
        scope = Scope(str(name), self.scope)
        wanted = returns if is_tuple(returns) else (returns,)
        given = [read_hint(scope.name, f"result {at}", r, f"{name}_retval_{at}") for at, r in enumerate(wanted)]
        made = [read_hint(scope.name, f"argument {at}", p, f"{name}_param_{at}") for at, p in enumerate(parameters)]
        function = self._head(name, entry, made, given, directives, linkage, scope, declared=True)
        self._claim(name)
        self.items.append(function)
        return function

    def _define(
        self, body: Body, entry: bool, name: str, linkage: str, directives: dict[str, Any], returns: tuple[Any, ...]
    ) -> Function:
        results = [
            read_hint(name or getattr(body, "__name__", "kernel"), f"result {at}", hint, f"retval{at}")
            for at, hint in enumerate(returns)
        ]
        made = read_signature(body, len(results), 3)
        name = name or body.__name__
        scope = Scope(str(name), self.scope)
        function = self._head(name, entry, made, results, directives, linkage, scope)
        if linkage == "extern":
            self._fail(f"{name} has a body; an extern function is defined elsewhere", "linkage")
        earlier = next((f for f in self.functions if f.name == name and f.declared and f.linkage == linkage), None)
        if earlier is None and name in self._names:
            self._duplicate(name)
        if earlier is not None:
            from ptxgen.check.calls import alike

            if earlier.entry != entry or not alike(earlier, function):
                self._fail(f"{name} differs from its declaration", "signature")
        builder = Builder(self, function, scope)
        try:
            with no_collection():
                body(builder, *function.returns, *function.parameters)
        except TypeError as error:
            from ptxgen.build.refusal import misuse

            refused = misuse(error)
            if refused is None:
                raise
            raise refused from None
        builder.finish()
        if earlier is None:
            self._claim(name)  # only a body that ran to its end becomes part of the module
        self.items.append(function)
        return function

    def _head(
        self, name: str, entry: bool, parameters: list[ParameterType], returns: list[ParameterType],
        directives: dict[str, Any], linkage: str, scope: Scope, declared: bool = False,
    ) -> Function:  # fmt: skip
        """A function without its body, checked."""
        self._check_name(name)
        kinds = load("directives")["linking"]
        choices = [k[1:] for k, row in kinds.items() if (".entry" if entry else ".func") in row.get("on", ())]
        if linkage and linkage not in choices:
            self._fail(f"{name}: linkage={linkage!r} is none of {', '.join(choices)}", "linkage")
        function = Function(
            name, entry, tuple(self._parameter(p, scope, entry) for p in parameters),
            tuple(self._parameter(r, scope, False) for r in returns), written(directives), linkage, declared,
            scope=self.scope,
        )  # fmt: skip
        items = (*function.returns, *function.parameters)
        for at, item in enumerate(items):
            if problem := wrong_identifier(item.text):
                self._fail(f"{name}: parameter {problem}; choose another name", "name")
            if item.text in [other.text for other in items[:at]]:
                self._fail(f"{name}: {item.text} is declared twice", "duplicate-name")
            if item.text in self._names:
                self._fail(f"{name}: {item.text} is declared in the module already", "duplicate-name")
        if items:
            from ptxgen.check.parameters import check_parameters

            self._refuse(check_parameters(function, self.option_set))
        self._refuse(check_directives(function))
        self.require(of_head(function))
        self._refuse(check_age(function, self.target, self.checked_version))
        return function

    def _refuse(self, found: Iterable[Diagnostic]) -> None:
        """Raise the first error; what only the manual forbids is one in a strict module."""
        for diagnostic in found:
            if diagnostic.severity == "error" or (diagnostic.code == "beyond-manual" and self.strict):
                raise located(OperandError.of(diagnostic))

    def _parameter(self, wanted: ParameterType, scope: Scope, entry: bool) -> Variable[Any] | Reg[Any]:
        if wanted.register:
            text = f"%{wanted.name.removeprefix('%')}"  # of a declared function %f it is %f_param_0 already
            return register(f"{text}_" if is_predefined(text) or is_fresh(text) else text, wanted.type, scope)
        attributes = (wanted.pointer,) if wanted.pointer else ()
        cls = variable_class(wanted.type, ".param::entry" if entry else ".param::func", scope)
        return Variable(wanted.name, cls, wanted.type, ".param", wanted.shape, wanted.align, attributes=attributes)

    def require(self, needs: Iterable[Need]) -> None:
        """See that the module's target and version have what is needed; Unavailable when they do not."""
        for need, what in needs:
            if first_version(need, self.target) > self.checked_version:
                from ptxgen.check import explain

                stated = self.version is not None
                raise located(Unavailable.of(explain.missing(need, what, self.target, self.checked_version, stated)))

    # ---- names and text

    def _declare(self, variable: Variable[Any]) -> None:
        self._check_name(variable.text)
        from ptxgen.check.variables import check_variable

        for diagnostic in check_variable(variable, "module", self.option_set):
            raise located(OperandError.of(diagnostic))
        kernels = frozenset(function.name for function in self.functions if function.entry)
        self.require(of_variable(variable, "module", kernels))
        self._claim(variable.text)
        self.items.append(variable)

    def _check_name(self, name: Any) -> None:
        if problem := wrong_identifier(name):
            self._fail(problem, "name")
        if is_fresh(name):  # in every body the register would hide it
            self._fail(f"{name} is a name that fresh registers get; choose another", "name")

    def declares(self, name: str) -> bool:
        """Whether a variable or function has this name."""
        return name in self._names

    def _claim(self, name: str) -> None:
        if name in self._names:
            self._duplicate(name)
        self._names.add(name)

    def _duplicate(self, name: str) -> NoReturn:
        self._fail(f"{name} is declared twice in the module", "duplicate-name", name)

    def _fail(self, message: str, code: str, have: str = "") -> NoReturn:
        raise located(OperandError(message, (Diagnostic(code, "error", message, have=have),)))

    @property
    def raw(self) -> bool:
        """Whether some text in the module was not validated."""
        return any(isinstance(s, Raw) for f in self.functions for s in f.body)


def _checked(target: Any, version: Any, options: Any, address_size: Any) -> Version:
    """The version that a module is checked against; an error when the header is none."""
    if not isinstance(target, str):
        raise located(_header(Diagnostic("target", "error", f"target={target!r} is no string such as 'sm_90'")))
    if version is not None and not isinstance(version, str):
        raise located(_header(Diagnostic("version", "error", f"version={version!r} is no string such as '8.3'")))
    if not is_tuple(options) or not all(isinstance(option, str) for option in options):
        message = f"options={options!r} is no tuple of strings such as ('texmode_independent',)"
        raise located(_header(Diagnostic("target-option", "error", message)))
    try:
        found = targets.target(target)
        number = versions.newest() if version is None else versions.parse(version)
    except targets.UnknownTarget as error:
        raise located(_header(Diagnostic("target", "error", str(error), choices=targets.names()))) from None
    except ValueError as error:
        raise located(_header(Diagnostic("version", "error", str(error), have=str(version)))) from None
    for problem in (*check_options(target, options), *check_address_size(address_size), *check_version(number, found)):
        if problem.severity == "error":
            raise located(_header(problem))
    return number


def _header(problem: Diagnostic) -> PtxError:
    return (Unavailable if problem.code == "unavailable" else OperandError).of(problem)


__all__ = ["Module", "types"]
