"""What a kernel takes of a multiprocessor."""

from __future__ import annotations

from attrs import frozen


@frozen
class Resources:
    """Of one kernel. Sizes in bytes; None where neither cubin nor log says.

    `registers` are 32-bit registers of a thread, `shared` the static shared memory of a block, `stack` the local
    memory of a thread with its calls, spills included, `barriers` the named barriers of a block. `spill_stores` and
    `spill_loads` are bytes of code that moves spilled registers, as ptxas counts them.
    """

    registers: int | None
    shared: int
    stack: int
    barriers: int | None
    spill_stores: int | None = None
    spill_loads: int | None = None
