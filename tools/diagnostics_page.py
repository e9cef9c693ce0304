"""Write docs/diagnostics.md from the codes of ptxgen/diagnostics/codes, or say with `--check` whether it is current."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from ptxgen.assemble.advice import known
from ptxgen.diagnostics.catalogue import SUBJECTS, Code, codes

PAGE = Path(__file__).parents[1] / "docs" / "diagnostics.md"
COMMAND = "python -m tools.diagnostics_page"

HEAD = f"""\
# Diagnostics

What `ptxgen explain CODE` says of each code; they are stable. Made by `{COMMAND}`; edit ptxgen/diagnostics/codes.

PTX that is no whole module stands in a kernel for `sm_80` and PTX 8.3, or another target that is named, with registers
`%p` (`.pred`), `%r` (`.b32`), `%rd` (`.b64`), `%f` (`.f32`) and `%fd` (`.f64`), and shared variables `buffer` and
`bar`. In Python, `mod` is `Module("sm_80")` and `k` the builder of a kernel of it, `i` a `.u32`, `a` a `.u64` and `x` a
`.f32` register, `p` a predicate.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for subject, about in SUBJECTS.items():
        parts.append(f"## {about}\n")
        parts += [_entry(code) for code in codes().values() if code.subject == subject]
    parts.append("## Lines of the assembler\n\n| | what it means | what to do |\n|---|---|---|")
    parts += [f"| `{found.about}` | {_cell(found.title)} | {_cell(found.text)} |" for found in known().values()]
    return "\n".join(parts) + "\n"


def _entry(code: Code) -> str:
    section = f" (PTX ISA {code.section})" if code.section else ""
    target = "" if code.target == "sm_80" else f"On `{code.target}`:\n\n"
    return (
        f"### {code.code}\n\n{code.title}{section}. {code.explanation}\n\n"
        f"{target}```{code.language}\n{code.example}\n```\n\n{code.do}\n"
    )


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when the page is written, or current."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether it is current; exit 1 if it is not")
    given = parser.parse_args(arguments)
    wanted = page()
    current = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == wanted
    if given.check and not current:
        print(f"{PAGE.name} is out of date; run `{COMMAND}`", file=sys.stderr)
        return 1
    if not current:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
