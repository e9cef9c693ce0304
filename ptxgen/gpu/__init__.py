"""Load and launch on an NVIDIA GPU, through cuda.core.

`load` gives a `ptxgen.launch.Program`. `machine` says what is there: driver, GPUs, what is missing. This package
imports and checks everywhere; only `load` needs a driver. cuda.core does the work, and the bindings where it has no
word: the log of the driver's assembler, parameters that are structures, dynamic shared memory beyond 48 KiB.
"""

from ptxgen.gpu.loading import load
from ptxgen.gpu.machine import Driver, Gpu, Machine, machine

__all__ = ["Driver", "Gpu", "Machine", "load", "machine"]
