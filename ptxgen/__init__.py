"""ptxgen: build, check, print, assemble and launch NVIDIA PTX from Python.

    from ptxgen import Builder, Module, Param, sreg, u32

Names load on first use, so `import ptxgen` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ptxgen.assemble import assemble as assemble
    from ptxgen.build.annotations import array as array
    from ptxgen.build.annotations import ptr as ptr
    from ptxgen.build.builder import Builder as Builder
    from ptxgen.build.module import Module as Module
    from ptxgen.build.values import unified as unified
    from ptxgen.check.module import check as check
    from ptxgen.check.report import Report as Report
    from ptxgen.check.requirements import Requirements as Requirements
    from ptxgen.check.requirements import requires as requires
    from ptxgen.check.retarget import retarget as retarget
    from ptxgen.errors import *  # noqa: F403
    from ptxgen.ir.operands import Reg as Reg
    from ptxgen.ir.operands import sink as sink
    from ptxgen.isa.query import isa as isa
    from ptxgen.launch import Program as Program
    from ptxgen.launch import copied as copied
    from ptxgen.loading import load as load
    from ptxgen.names import *  # noqa: F403
    from ptxgen.parse.module import parse as parse

__version__ = "0.1.0"

_HOMES = {
    "assemble": "ptxgen.assemble",
    "array": "ptxgen.build.annotations",
    "Builder": "ptxgen.build.builder",
    "check": "ptxgen.check",
    "copied": "ptxgen.launch",
    "isa": "ptxgen.isa",
    "load": "ptxgen.loading",
    "Module": "ptxgen.build.module",
    "parse": "ptxgen.parse",
    "Program": "ptxgen.launch",
    "ptr": "ptxgen.build.annotations",
    "Reg": "ptxgen.ir.operands",
    "Report": "ptxgen.check.report",
    "Requirements": "ptxgen.check.requirements",
    "requires": "ptxgen.check.requirements",
    "retarget": "ptxgen.check.retarget",
    "sink": "ptxgen.ir.operands",
    "unified": "ptxgen.build.values",
}
_PACKAGES = ("assemble", "check", "isa", "parse")  # a package that is also the function, or the object, of its name
_ERRORS = (
    "AssembleError", "Diagnostic", "IllegalInstruction", "LaunchError", "LoadError", "OperandError", "ParseError",
    "PtxError", "SpecError", "Unavailable",
)  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _public()
    if name.startswith("__"):
        raise AttributeError(name)
    import sys

    home = _HOMES.get(name) or ("ptxgen.errors" if name in _ERRORS else "ptxgen.names")
    if home not in sys.modules:
        from ptxgen.collection import no_collection

        with no_collection():
            __import__(home)
    else:
        __import__(home)  # waits while another thread is at it
    module = sys.modules[home]
    if name in _PACKAGES:
        return module
    try:
        found = getattr(module, name)
    except AttributeError:
        raise AttributeError(f"module 'ptxgen' has no attribute {name!r}") from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_public()})


def _public() -> list[str]:
    import ptxgen.names

    return sorted({*_HOMES, *_ERRORS, *ptxgen.names.__all__})
