"""ptxgen: build, check, print, assemble and launch NVIDIA PTX from Python.

    import ptxgen
    from ptxgen import Builder, Module, Param, u32

Names load on first use, so `import ptxgen` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptxgen.build.builder import Builder as Builder
    from ptxgen.build.module import Module as Module

__version__ = "0.1.0"

_HOMES = {
    "Module": "ptxgen.build.module",
    "Builder": "ptxgen.build.builder",
    "array": "ptxgen.build.signature",
    "ptr": "ptxgen.build.signature",
    "Reg": "ptxgen.ir.operands",
    "Param": "ptxgen.names",
    "sink": "ptxgen.ir.operands",
    "unified": "ptxgen.ir.operands",
    "sreg": "ptxgen.names",
}
