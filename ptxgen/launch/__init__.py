"""What a launch is given, checked before anything is launched; the same on a GPU and on the CPU.

A `Parameter` is one entry of a kernel's `.param` list. `bind` holds Python arguments against that list, `shape_of`
holds grid, block and cluster against the limits of a device. A `Program` is a loaded module: its kernels launch on
an `Engine`, which is a GPU (`ptxgen.gpu`) or the CPU (`ptxgen.cpu`). Nothing here imports numpy or cuda.
"""

from ptxgen.launch.arguments import Bound, Memory, bind
from ptxgen.launch.arrays import Array, Copied, copied, host_array
from ptxgen.launch.parameters import Parameter
from ptxgen.launch.program import Engine, Kernel, Program
from ptxgen.launch.scalars import Unfit
from ptxgen.launch.shape import Limits, Shape, shape_of

__all__ = [
    "Array",
    "Bound",
    "Copied",
    "Engine",
    "Kernel",
    "Limits",
    "Memory",
    "Parameter",
    "Program",
    "Shape",
    "Unfit",
    "bind",
    "copied",
    "host_array",
    "shape_of",
]
