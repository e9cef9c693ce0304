"""What a text is put through: reading, checking, printing, and all that is made of what was found.

Whatever is no error of ptxgen's own family gets out; what is wrong without an error is a `Wrong`.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from pathlib import Path

import ptxgen
from ptxgen.errors import Diagnostic, ParseError, PtxError
from ptxgen.ir.module import Module


class Wrong(Exception):
    """No error came, but what was given is wrong."""


def question(text: str) -> bool:
    """Read and check a text, as an editor does: what time and memory are measured of."""
    return ptxgen.check(text).ok


def has_bytes(text: str) -> bool:
    """Whether a text may be that of a file: its surrogates stand for bytes."""
    return not any("\ud800" <= character <= "\udfff" and not "\udc80" <= character <= "\udcff" for character in text)


def examine(text: str, thorough: bool = False) -> bool:
    """Check a text, and print and read again what can be read; whether it can. `thorough`: with all else as well."""
    report = ptxgen.check(text)
    placed(report.diagnostics, text)
    try:
        module = ptxgen.parse(text)
    except ParseError as error:
        if not error.diagnostics or any(not (found.line and found.column) for found in error.diagnostics):
            raise Wrong(f"a place is missing in {error.diagnostics}") from None
        if report.ok:
            raise Wrong(f"check finds nothing, parse raises {error}") from None
        module = None
    if module is not None:
        reads_back(module, report.ok)
    if thorough:
        render(text, report.diagnostics)
        if module is not None:
            rewrite(module, report.ok)
    return module is not None


def placed(found: Iterable[Diagnostic], text: str) -> None:
    """Every place is one of the text."""
    lines = text.split("\n")
    for diagnostic in found:
        if diagnostic.line > len(lines) or diagnostic.column < 0:
            raise Wrong(f"{diagnostic} is outside of the text")
        if diagnostic.line and diagnostic.column > len(lines[diagnostic.line - 1]) + 1:
            raise Wrong(f"{diagnostic} is behind the end of its line")


def reads_back(module: Module, ok: bool) -> None:
    """Printing is stable, and what is printed is as right or wrong as what was read."""
    printed = module.ptx()
    try:
        again = ptxgen.parse(printed)
    except ParseError as error:
        raise Wrong(f"what is printed cannot be read: {error}") from None
    if again.ptx() != printed:
        raise Wrong("what is printed and read prints otherwise")
    if ptxgen.check(again).ok != ok:
        raise Wrong(f"what is printed is {'wrong' if ok else 'right'}: {ptxgen.check(again)}")


def render(text: str, found: tuple[Diagnostic, ...]) -> None:
    """All formats of findings."""
    from ptxgen.diagnostics import Checked, as_github, as_json, as_sarif, as_text

    checked = Checked.of("fuzz.ptx", found, text)
    as_text(checked)
    as_text(checked, color=True)
    for form in (as_json, as_sarif, as_github):
        form([checked]).encode("utf-8", "surrogatepass")


def rewrite(module: Module, ok: bool) -> None:
    """Requirements, and other headers."""
    try:
        str(ptxgen.requires(module))
    except PtxError as refused:
        if ok or not refused.diagnostics:
            raise Wrong(f"requires refuses what is right: {refused}") from None
    for target, version in ((None, None), ("sm_100a", None), (None, "9.3"), ("sm_20", "2.0")):
        try:
            moved = ptxgen.retarget(module, target, version)
        except PtxError as refused:
            if not refused.diagnostics:
                raise Wrong(f"no diagnostics in {refused!r}") from None
            continue
        if not ptxgen.check(moved).ok:
            raise Wrong(f"retarget made it wrong: {ptxgen.check(moved)}")


COMMANDS = (["check"], ["check", "--format=sarif"], ["fmt", "--check"], ["requires"], ["retarget"])


def command(file: Path) -> list[int]:
    """The command line on a file: its exit statuses."""
    from ptxgen.cli import main

    statuses: list[int] = []
    for verb in COMMANDS:
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in "oe"]
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            status = main([*verb, str(file)])
        if status not in (0, 1, 2):
            raise Wrong(f"{' '.join(verb)} ends with {status}")
        streams[1].seek(0)
        if status == 2 and not streams[1].read().startswith("ptxgen: "):
            raise Wrong(f"{' '.join(verb)} does not say what is wrong")
        statuses.append(status)
    return statuses
