"""The log of ptxas, which nvJitLink and the driver write too.

Only its envelope is read ("ptxas F, line N; severity : text") and the lines of `-v` that count spills, which stand
nowhere else. A line of any other wording becomes a message: a change of wording may add a message, never lose one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from attrs import frozen

from ptxgen.assemble.advice import known
from ptxgen.errors import Diagnostic


@frozen
class Message:
    """One line of an assembler: "error", "warning" or "info"; `code` such as "C7508"; `line` in the PTX, 0 if none."""

    severity: str
    text: str
    line: int = 0
    code: str = ""

    @property
    def level(self) -> str:
        """The severity that a Diagnostic of this has: an info line of an assembler is advice."""
        return "advice" if self.severity == "info" else self.severity

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.severity}: {f'({self.code}) ' if self.code else ''}{self.text}"


class Spills(NamedTuple):
    """Bytes of spill stores and spill loads of one function."""

    stores: int
    loads: int


_LINE = re.compile(
    r"(?:ptxas\s+)?(?:.*, line (?P<line>\d+); )?(?P<severity>info|warning|error|fatal)\s*:\s*"
    r"(?:\((?P<code>C\d+)\)\s*)?(?P<text>.*)"
)
_FUNCTION = re.compile(r"Function properties for (\S+)")
_SPILLS = re.compile(r"\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_STATISTICS = re.compile(
    r"\d+ bytes gmem|Compiling entry function |Function properties for |Used \d+ registers|Compile time = "
    r"|(?:ptxas\s+\.)?\s*\d+ bytes stack frame, "
)
# How nvJitLink closes a log whose reason stands above.
_EPILOGUE = re.compile(r"ERROR \S+: |Ptx assembly aborted due to errors")
_SEVERITY = {"fatal": "error"}


def messages_of(log: str) -> tuple[Message, ...]:
    """The lines of a log that are not statistics, each once, in order."""
    messages: dict[Message, None] = {}
    epilogue: list[Message] = []
    for line in log.replace("\0", "").splitlines():
        if not line.strip() or _STATISTICS.match(line):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            message = Message("error" if line.startswith("ERROR ") else "info", line.strip())
        elif _STATISTICS.match(match["text"]):
            continue
        else:
            severity = _SEVERITY.get(match["severity"], match["severity"])
            message = Message(severity, match["text"].strip(), int(match["line"] or 0), match["code"] or "")
        if _EPILOGUE.match(message.text):
            epilogue.append(message)
        else:
            messages[message] = None
    if not any(message.severity == "error" for message in messages):
        messages.update(dict.fromkeys(epilogue))
    return tuple(messages)


def diagnostics_of(log: str) -> tuple[Diagnostic, ...]:
    """The messages of a log as diagnostics, errors first."""
    said = sorted(messages_of(log), key=lambda message: message.severity != "error")
    return tuple(map(_diagnostic, said))


def _diagnostic(message: Message) -> Diagnostic:
    text = f"({message.code}) {message.text}" if message.code else message.text
    hint = known()[message.code].text if message.code in known() else ""
    column = 1 if message.line else 0
    return Diagnostic("assembler", message.level, text, hint=hint, line=message.line, column=column)


def spills_of(log: str) -> dict[str, Spills]:
    """The spills of each function of a `-v` log, by name; a function that the log does not count is not there."""
    spills: dict[str, Spills] = {}
    function = ""
    for line in log.splitlines():
        if named := _FUNCTION.search(line):
            function = named[1].strip("':")
        elif (counted := _SPILLS.search(line)) and function:
            spills[function] = Spills(int(counted[1]), int(counted[2]))
    return spills
