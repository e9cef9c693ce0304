"""The module that one writes: functions by decorator, variables by state space."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, overload

from ptxgen.build.builder import Builder
from ptxgen.build.signature import ParameterType, read_signature
from ptxgen.build.variables import Space
from ptxgen.errors import Diagnostic, OperandError, Unavailable
from ptxgen.ir import module as ir
from ptxgen.ir.module import Directive, Function, Raw
from ptxgen.ir.operands import Reg, Variable, register, variable_class
from ptxgen.isa import targets, types, versions
from ptxgen.isa.classes import Scope
from ptxgen.isa.versions import Version

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
        try:
            found = targets.target(target)
        except targets.UnknownTarget as error:
            message = str(error)
            raise OperandError(message, (Diagnostic("target", "error", message, choices=targets.names()),)) from None
        super().__init__(target, version, address_size, options)
        self.strict = strict
        self.option_set = frozenset(options)
        self.checked_version: Version = self._checked(version, found)
        self.scope = Scope("the module")
        self.const = Space(".const", self.scope, self._declare)
        self.global_ = Space(".global", self.scope, self._declare)
        self.shared = Space(".shared", self.scope, self._declare)
        self._names: set[str] = set()

    def _checked(self, version: str | None, target: targets.Target) -> Version:
        for option in self.options:
            if option not in targets.options():
                choices = tuple(targets.options())
                message = f"no .target option is called {option!r}; there are {', '.join(choices)}"
                raise OperandError(message, (Diagnostic("target-option", "error", message, choices=choices),))
        if version is None:
            return versions.newest()
        try:
            number = versions.parse(version)
        except ValueError as error:
            raise OperandError(str(error), (Diagnostic("version", "error", str(error)),)) from None
        if number not in versions.known():
            known = ", ".join(map(versions.text, versions.known()))
            message = f"there is no PTX ISA version {version}; there are {known}"
            raise OperandError(message, (Diagnostic("version", "error", message, have=version),))
        if number < target.since:
            need = f"PTX {versions.text(target.since)}"
            message = f"{target.name} needs {need}; the module has PTX {version}"
            problem = Diagnostic("unavailable", "error", message, need=need, have=f"PTX {version}")
            raise Unavailable(message, (problem,))
        return number

    # ---- functions

    @overload
    def entry(self, function: Body, /) -> Function: ...
    @overload
    def entry(self, /, *, name: str = "", linkage: str = "visible", **directives: Any) -> Callable[[Body], Function]: ...
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
        self, function: Body | None = None, /, *, name: str = "", linkage: str = "", returns: Any = (), **directives: Any
    ) -> Function | Callable[[Body], Function]:
        """A device function: `@mod.func(returns=Reg[u32])` over `def square(k, result, x: Reg[u32]): ...`.

        Its parameters are `Reg[...]` or `Param[...]`; what it returns comes first, one argument each.
        """
        if function is not None:
            return self._define(function, False, name, linkage, directives, ())
        wanted = returns if isinstance(returns, tuple) else (returns,)
        return lambda body: self._define(body, False, name, linkage, directives, wanted)

    def declare(self, name: str, *parameters: Any, returns: Any = (), entry: bool = False) -> Function:
        """An external function: `mod.declare("vprintf", Param[u64], Param[u64], returns=Param[s32])`."""
        scope = Scope(name, self.scope)
        wanted = returns if isinstance(returns, tuple) else (returns,)
        made = [self._declared(p, f"{name}_param_{at}", scope) for at, p in enumerate(parameters)]
        given = [self._declared(r, f"{name}_retval_{at}", scope) for at, r in enumerate(wanted)]
        function = Function(name, entry, tuple(made), tuple(given), linkage="extern", declared=True)
        self._claim(name)
        self.functions.append(function)
        return function

    def _define(
        self, body: Body, entry: bool, name: str, linkage: str, directives: dict[str, Any], returns: tuple[Any, ...]
    ) -> Function:
        name = name or body.__name__
        if name in self._names:
            self._duplicate(name)
        scope = Scope(name, self.scope)
        results = tuple(self._declared(r, f"retval{at}", scope) for at, r in enumerate(returns))
        made = tuple(self._parameter(p, scope, entry) for p in read_signature(body, len(results), 3))
        function = Function(
            name, entry, made, results, tuple(_directive(k, v) for k, v in directives.items()), linkage
        )
        builder = Builder(self, function, scope)
        with _no_collection():
            body(builder, *results, *made)
        builder.finish()
        self._claim(name)  # only a body that ran to its end becomes part of the module
        self.functions.append(function)
        return function

    def _parameter(self, wanted: ParameterType, scope: Scope, entry: bool) -> Variable[Any] | Reg[Any]:
        if wanted.register:
            if entry:
                message = f"{scope.name}: an entry has .param parameters only; annotate {wanted.name} with Param[...]"
                raise OperandError(message, (Diagnostic("signature", "error", message),))
            return register(f"%{wanted.name}", wanted.type, scope)
        shape = () if wanted.count is None else (wanted.count,)
        attributes = (wanted.pointer,) if wanted.pointer else ()
        cls = variable_class(wanted.type, ".param::entry" if entry else ".param::func", scope)
        return Variable(wanted.name, cls, wanted.type, ".param", shape, wanted.align, attributes=attributes)

    def _declared(self, hint: Any, name: str, scope: Scope) -> Variable[Any] | Reg[Any]:
        from typing import get_args, get_origin

        type = get_args(hint)[0].__name__
        if get_origin(hint) is Reg:
            return register(f"%{name}", type, scope)
        return Variable(name, variable_class(type, ".param::func", scope), type, ".param")

    # ---- names and text

    def _declare(self, variable: Variable[Any]) -> None:
        self._claim(variable.text)
        self.variables.append(variable)

    def _claim(self, name: str) -> None:
        if name in self._names:
            self._duplicate(name)
        self._names.add(name)

    def _duplicate(self, name: str) -> None:
        message = f"{name} is declared twice in the module"
        raise OperandError(message, (Diagnostic("duplicate-name", "error", message, have=name),))

    @property
    def raw(self) -> bool:
        """Whether some text in the module was not validated."""
        return any(isinstance(s, Raw) for f in self.functions for s in f.body)


@contextmanager
def _no_collection() -> Iterator[None]:
    """No garbage collection: it would walk the growing body again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _directive(name: str, value: Any) -> Directive:
    """`maxntid=(16, 16)` as `.maxntid 16, 16`."""
    if name == "pragma":
        return Directive(".pragma", (f'"{value}";',))
    if value is True:
        return Directive(f".{name}")
    values = value if isinstance(value, tuple | list) else (value,)
    return Directive(f".{name}", tuple(str(v) for v in values))


__all__ = ["Module", "types"]
