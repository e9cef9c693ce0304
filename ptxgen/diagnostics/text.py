"""Findings as a person reads them: place, message, the source line with a caret, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from ptxgen.diagnostics.checked import Checked
from ptxgen.diagnostics.section import section_of
from ptxgen.errors import Diagnostic

_TAB = 4
_WIDTH = 160  # characters of a source line that are shown; a generated one may have millions
_BEFORE = 60  # of them before the caret, where the line is longer

# Select Graphic Rendition of a terminal.
_RESET, _BOLD, _BLUE = "\x1b[0m", "\x1b[1m", "\x1b[1;34m"
_SEVERITY = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "advice": "\x1b[1;36m"}


def as_text(checked: Checked, color: bool = False) -> str:
    """All findings, "" where there is none; with escape sequences of a terminal where `color` is true."""
    return "\n".join(line for found in checked.diagnostics for line in _finding(found, checked, color))


def _finding(found: Diagnostic, checked: Checked, color: bool) -> Iterator[str]:
    place = f"{checked.path}:{found.line}:{found.column}" if found.line else checked.path
    severity = f"{found.severity}[{found.code}]"
    message = visible(found.message)
    if color:
        yield f"{_BOLD}{visible(place)}: {_SEVERITY[found.severity]}{severity}{_RESET}{_BOLD}: {message}{_RESET}"
    else:
        yield f"{visible(place)}: {severity}: {message}"
    bar = _paint("|", color)
    if found.line and (line := checked.lines.get(found.line, "")):
        yield from _excerpt(found, line, bar, color)
    for note in (found.repeats, f"help: {visible(found.hint)}" if found.hint else ""):
        if note:
            yield f"   {_paint('=', color)} {note}"


def _excerpt(found: Diagnostic, line: str, bar: str, color: bool) -> Iterator[str]:
    """The source line, and the caret line with the section of the manual."""
    at = max(found.column - 1, 0)
    if line[at : at + 1].isspace():  # assemblers name lines only
        at = len(line) - len(line[at:].lstrip())
    end = min(max(found.end_column - 1, at + 1), max(len(line), at + 1))
    first = 0 if len(line) <= _WIDTH else max(0, min(at - _BEFORE, len(line) - _WIDTH))
    last = first + _WIDTH
    shown = visible(line[first:last].expandtabs(_TAB))
    before, after = "..." if first else "", "..." if last < len(line) else ""
    indent = len(before) + len(line[first:at].expandtabs(_TAB))
    carets = "^" * max(1, len(line[first : min(end, last)].expandtabs(_TAB)) + len(before) - indent)
    number, section = _paint(f"{found.line:>5} ", color), _section(found)
    yield f"{number}{bar} {before}{highlighted(shown) if color else shown}{after}"
    yield f"      {bar} {' ' * indent}{_SEVERITY[found.severity] + carets + _RESET if color else carets}{section}"


def _section(found: Diagnostic) -> str:
    number, subject = section_of(found)
    return f" PTX ISA{f' {number}' if number else ''}{f', {subject}' if subject else ''}" if number or subject else ""


def _paint(text: str, color: bool) -> str:
    return f"{_BLUE}{text}{_RESET}" if color else text


def visible(text: str) -> str:
    """A text in which no control character can reach a terminal; they come from the files that are checked."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)


def highlighted(line: str) -> str:
    """A line of PTX with colours, where Pygments is installed."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
    except ImportError:
        return line
    from ptxgen.lexer import PtxLexer

    return highlight(line, PtxLexer(stripnl=False, ensurenl=False), TerminalFormatter())
