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

    def __str__(self) -> str:
        spills = (self.spill_stores or 0) + (self.spill_loads or 0)
        parts = [
            f"{self.registers} registers" if self.registers is not None else "",
            f"{self.shared} bytes of shared memory" if self.shared else "",
            f"{self.stack} bytes of stack" if self.stack else "",
            f"{self.barriers} barriers" if self.barriers else "",
            f"{self.spill_stores} bytes of spill stores, {self.spill_loads} of spill loads" if spills else "no spills",
        ]
        return ", ".join(part for part in parts if part)
