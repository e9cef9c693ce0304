"""How long pyright takes over a file of many calls, as an editor would have it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.bench.row import Bound, Row
from tools.specification.specification import ROOT

CALLS = 2000
LIMIT = 10.0  # seconds
WHAT = f"pyright over {CALLS:,} calls"

_KINDS = (
    "a = k.fma.rn.f32(a, a, 1.0)", "i = k.add.u32(i, {n})", "a = k.ld.global_.f32([p + {n}])",
    "k.st.global_.v2.f32([p], (a, a))", "i = k.mad.lo.u32(i, i, {n})", "q = k.setp.lt.u32(i, {n})",
    "i = k.selp.u32(i, {n}, q)", "k.bar.sync(0)", "a = k.cvt.rn.f32.u32(i)", "i = k.mov.u32({n})",
)  # fmt: skip
_TOGETHER = 100  # calls in a function


def rows() -> list[Row]:
    """One run, which starts pyright, too."""
    if find_spec("pyright") is None:
        return [Row(WHAT, remark="not installed: pip install 'ptxgen[tools]'")]
    report = measure()
    seconds = float(report["summary"]["timeInSec"])
    problems = len(report["generalDiagnostics"])
    fault = f"{problems} problems" if problems else ""
    return [Row(WHAT, seconds, seconds / LIMIT, f"{LIMIT:g} s", Bound(1.0), fault=fault)]


def program() -> str:
    """Functions with calls of ten kinds."""
    lines = ["from ptxgen import Builder, Reg, f32, u32, u64"]
    for n in range(CALLS):
        if n % _TOGETHER == 0:
            lines += ["", "", f"def part{n}(k: Builder, a: Reg[f32], i: Reg[u32], p: Reg[u64]) -> None:"]
        lines.append(f"    {_KINDS[n % len(_KINDS)].format(n=n)}")
    return "\n".join(lines) + "\n"


def measure() -> dict[str, Any]:
    """What pyright reports of the program, with the settings of the project."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "calls.py")
        file.write_text(program(), encoding="utf-8")
        command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(file)]
        done = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)
