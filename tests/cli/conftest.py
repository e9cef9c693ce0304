"""PTX files for the command line, and the command line in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ptxgen.cli import main
from tests.cli.command import Done

HEADER = ".version 8.3\n.target sm_80\n.address_size 64\n"
BODY = """
.visible .entry kernel(
	.param .u64 pointer
)
{
	.reg .b32 %r<4>;
	.reg .f32 %f<4>;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %r2;
	mov.f32 %f3, 0f3F800000;
"""
END = "\tret;\n}\n"


def kernel(*lines: str, header: str = HEADER) -> str:
    """A module with a kernel of these lines, as it is printed."""
    return header + BODY + "".join(f"\t{line}\n" for line in lines) + END


GOOD = kernel("add.u32 %r1, %r2, %r3;")
BAD = kernel("add.u32 %r1, %r2, %f3;")
BROKEN = kernel("add.u32 %r1, %r2 %r3;")
ODD = GOOD.replace("\tadd.u32 %r1, %r2, %r3;", "  add.u32  %r1,%r2,%r3; // kept")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Name -> path of files: good, bad, broken, odd (well, but not canonical)."""
    texts = {"good": GOOD, "bad": BAD, "broken": BROKEN, "odd": ODD}
    for name, text in texts.items():
        (tmp_path / f"{name}.ptx").write_text(text, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.ptx") for name in texts}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """`ptxgen ARGUMENTS`, in this process."""

    def run(*arguments: str) -> Done:
        status = main(list(arguments))
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run
