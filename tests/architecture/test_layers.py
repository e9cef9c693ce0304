"""Each layer imports only those above it; what is heavy is loaded by those who use it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, files, imports, module

# A layer may import those of the rows above its own, and what stands beside it where that is said.
LAYERS = (
    ("collection", "errors", "packages"),
    ("isa",),
    ("ir", "lexer"),
    ("diagnostics",),
    ("check", "print", "parse", "names"),
    ("build",),
    ("launch",),
    ("assemble", "gpu", "cpu"),
    ("loading",),
    ("cli",),
    ("__main__",),
)
BESIDE = {
    ("print", "check"), ("check", "print"),  # print asks check for the lowest version
    ("check", "parse"),  # `check` of text
    ("gpu", "assemble"),  # a driver assembles, too
    ("names", "isa"),
}  # fmt: skip
# Imported where it is used, as the module of the layer below is what the one above hands out: `Module.ptx()` prints.
UPWARDS = {("ptxgen.ir.module", "check"), ("ptxgen.ir.module", "print")}


def rank(layer: str) -> int:
    found = [at for at, names in enumerate(LAYERS) if layer in names]
    assert found, f"{layer} is in no layer"
    return found[0]


@pytest.mark.parametrize("path", files("ptxgen"), ids=module)
def test_imports_go_upwards(path: Path) -> None:
    if path == ROOT / "ptxgen" / "__init__.py":
        return  # names all layers, and loads each on first use
    own = module(path).split(".")[1]
    for name in imports(path):
        words = name.split(".")
        assert words[0] not in ("tools", "tests"), name
        if words[0] != "ptxgen" or words[1] in (own, "__version__"):
            continue
        allowed = rank(words[1]) < rank(own) or (own, words[1]) in BESIDE or (module(path), words[1]) in UPWARDS
        assert allowed, f"{module(path)} imports {name}, which is not above it"


@pytest.mark.parametrize("path", files("tools"), ids=module)
def test_tools_import_no_tests(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith("tests")]


HEAVY = ("numpy", "llvmlite", "cuda", "yaml", "attrs", "attr", "cupy", "torch")


def loaded(code: str) -> list[str]:
    """Which modules a fresh interpreter has after some code."""
    path = [str(ROOT), str(ROOT / "generated")]
    program = f"import sys; sys.path[:0] = {path!r}\n{code}\nprint(*sorted(sys.modules), sep='\\n')"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return result.stdout.split()


def test_import_costs_nothing() -> None:
    names = loaded("import ptxgen; ptxgen.__version__; dir")
    assert not [name for name in names if name.split(".")[0] in HEAVY]
    assert [name for name in names if name.startswith("ptxgen")] == ["ptxgen"]
    assert "inspect" not in names


KERNEL = """
from ptxgen import Builder, Module, Param, check, requires, sreg, u32, u64
module = Module("sm_90")
@module.entry(maxntid=128)
def kernel(k: Builder, n: Param[u32], x: Param[u64]):
    i = k.mad.lo.u32(k.mov.u32(sreg.ctaid.x), 128, k.mov.u32(sreg.tid.x))
    with k.if_(k.setp.lt.u32(i, k.ld.param.u32([n]))):
        k.st.global_.u32([k.ld.param.u64([x])], i)
assert "st.global.u32" in module.ptx()
assert check(module).ok
assert requires(module).version == "7.8"
"""


def test_building_and_printing_load_nothing_heavy() -> None:
    names = loaded(KERNEL)
    assert not [name for name in names if name.split(".")[0] in ("numpy", "llvmlite", "cuda", "yaml", "cupy", "torch")]
    below = ("assemble", "gpu", "cpu", "launch", "loading", "cli", "parse")
    assert not [name for name in names if name.startswith("ptxgen.") and name.split(".")[1] in below]


def test_a_refusal_loads_nothing_heavy() -> None:
    names = loaded(
        "from ptxgen import *\nimport ptxgen\ntry:\n    ptxgen.Module('sm_9')\nexcept ptxgen.PtxError:\n    pass"
    )
    assert not [name for name in names if name.split(".")[0] in ("numpy", "llvmlite", "cuda", "yaml")]
