"""What surrounds a statement that is put to ptxas: header, declarations, an entry.

A statement is put into a module of its own, which declares what the statement names and nothing else. So a name that
the version or target does not admit hurts only the statements that use it.
"""

import re
from collections.abc import Iterable, Mapping

from attrs import frozen

from ptxgen.isa import types
from ptxgen.isa.availability import first_version
from ptxgen.isa.versions import parse
from tools.certify.releases import isa
from tools.specification.names import NAMES, Declaration, Place


@frozen
class Header:
    """What a module says about itself."""

    version: str
    target: str
    options: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The directives at the head of a module, on one line."""
        size = " .address_size 64" if self.version_admits("2.3") else ""
        return f".version {self.version} .target {', '.join((self.target, *self.options))}{size}"

    def version_admits(self, version: str) -> bool:
        """Whether the module's version is `version` or newer."""
        return isa(self.version) >= isa(version)

    def admits(self, declaration: Declaration) -> bool:
        """Whether ptxas accepts the declaration under this header."""
        if declaration.removed_in is not None and self.version_admits(declaration.removed_in):
            return False
        return first_version(declaration.versions, self.target) <= parse(self.version) and (
            declaration.option is None or declaration.option in self.options
        )


REGISTERS: Mapping[str, Declaration] = {
    type: Declaration(f".reg .{type}", "body", ("types", "types", f".{type}", "register"))
    for type in types.names()
    if types.known(type).register
}
"""The registers %<type>_<n>, by type."""

OPTIONS: Mapping[str, Declaration] = {
    "minperctamemory": Declaration(
        ".minperctamemory 1024", since=("directives", "performance", ".minperctamemory", "since")
    ),
}
"""The directive of the entry that gives an option of directives.yaml."""

# What an earlier module of the same run has left behind in ptxas hits the first instruction: not the statement.
_FIRST = ".func ptxgen_first () { ret; }"
_WORD = re.compile(r"[%$]?\w+")


@frozen
class Environment:
    """The declarations that statements may use."""

    names: Mapping[str, Declaration] = NAMES
    registers: Mapping[str, Declaration] = REGISTERS
    directives: str = ""
    """Performance directives of the entry, as `.maxntid 128`."""

    def under(self, header: Header) -> "Scope":
        """What of this environment is legal under `header`."""
        return Scope(
            header=header.text,
            names={name: x for name, x in self.names.items() if header.admits(x)},
            registers={f"%{type_}": x.text for type_, x in self.registers.items() if header.admits(x)},
            directives=self.directives,
        )

    def declares(self, statement: str, header: Header) -> bool:
        """Whether all that a statement uses of this environment can be declared under `header`."""
        words = _WORD.findall(statement)
        used = [self.names[word] for word in words if word in self.names]
        types = [word[1:].rpartition("_")[0] for word in words if word[0] == "%"]
        used += [self.registers[type_] for type_ in types if type_ in self.registers]
        return all(map(header.admits, used))


EXAMPLES = Environment()


@frozen
class Scope:
    """An environment under one header, ready to make modules."""

    header: str
    names: Mapping[str, Declaration]
    registers: Mapping[str, str]
    directives: str

    def module(self, statement: str) -> str:
        """A module whose entry consists of `statement`.

        All that is not the statement stands on the first line and in the last; the entry has no `ret`, so that an
        unfinished statement runs into a brace, which finishes nothing.
        """
        return self._around(dict.fromkeys(_WORD.findall(statement)), statement)

    def everything(self) -> str:
        """A module that declares all of the scope and states nothing: if this is rejected, the scope is wrong."""
        registers = [f"{prefix}_0" for prefix in self.registers]
        return self._around(dict.fromkeys([*self.names, *registers]), "")

    def _around(self, words: Iterable[str], statement: str) -> str:
        places: dict[Place, list[str]] = {"module": [_FIRST], "parameter": [], "body": []}
        self._declare(words, places, set())
        module, parameters, body = " ".join(places["module"]), ", ".join(places["parameter"]), " ".join(places["body"])
        entry = f".entry ptxgen_entry ({parameters}) {self.directives}"
        return f"{self.header} {module} {entry} {{ {body}\n{statement}\n}}\n"

    def _declare(self, words: Iterable[str], places: dict[Place, list[str]], done: set[str]) -> None:
        for word in words:
            if word[0] == "%":
                if register := self.registers.get(word.rpartition("_")[0]):
                    places["body"].append(f"{register} {word};")
            elif (declaration := self.names.get(word)) and word not in done:
                done.add(word)
                self._declare(declaration.needs, places, done)
                places[declaration.place].append(declaration.text)
