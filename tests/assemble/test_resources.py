"""What kernels take: the cubin against the assembler's own statistics."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from ptxgen.assemble import Assembler, Cubin, NvJitLink, assemble, find_ptxas
from ptxgen.assemble.elf import read_resources
from tests.assemble.kernels import ALL


def assemblers() -> list[Assembler]:
    return [found for found in (NvJitLink.find(), find_ptxas()) if found is not None]


def statistics(log: str) -> dict[str, dict[str, int]]:
    """The line "Used ..." of each kernel in a log of `-v`."""
    found: dict[str, dict[str, int]] = {}
    kernel = ""
    for line in log.splitlines():
        if named := re.search(r"Compiling entry function '(\w+)'", line):
            kernel = named[1]
        if "Used " in line:
            found[kernel] = {
                what: int(number)
                for number, what in re.findall(r"(\d+) (registers|barriers|bytes smem|bytes cumulative stack)", line)
            }
    return found


def agree(cubin: Cubin) -> None:
    """nvJitLink's log is written before linking: of shared memory and stack it says nothing, or the kernel's own."""
    said = statistics(cubin.log)
    linked = cubin.assembler.startswith("nvJitLink")
    assert said.keys() == cubin.resources.keys()
    for name, taken in cubin.resources.items():
        assert taken.registers == said[name]["registers"]
        assert taken.shared == said[name].get("bytes smem", taken.shared if linked else 0)
        assert taken.stack == said[name].get("bytes cumulative stack", taken.stack)  # since 11.8
        assert taken.barriers == said[name].get("barriers", taken.barriers)  # since 12.5


@pytest.mark.parametrize("module", ALL)
@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120", "sm_121a"])
@pytest.mark.parametrize("assembler", assemblers(), ids=lambda assembler: assembler.name)
def test_cubin_and_log_say_the_same(assembler: Assembler, arch: str, module: str):
    agree(assemble(ALL[module], arch, assembler=assembler))


def test_spills_stack_and_barriers_are_there():
    taken = assemble(ALL["spilling"], "sm_90").resources["spilling"]
    assert taken.registers == 32
    assert taken.barriers == 1
    assert taken.spill_stores
    assert taken.spill_loads
    assert taken.stack >= taken.spill_stores


def test_shared_memory_is_what_the_kernel_declares():
    for arch in ("sm_75", "sm_90", "sm_100"):
        resources = assemble(ALL["memory"], arch).resources
        assert {name: taken.shared for name, taken in resources.items()} == {
            "fixed": 256,
            "dynamically": 0,
            "locally": 0,
            "calling": 0,
        }
        assert resources["fixed"].barriers == 4
        assert resources["locally"].stack == 400


@pytest.mark.parametrize("junk", [b"", b"\x7fELF", b"\x7fELF\x01\x01" + bytes(100), b"\x7fELF\x02\x01" + b"\xff" * 200])
def test_what_is_no_cubin(junk: bytes):
    with pytest.raises(ValueError, match="not a cubin"):
        read_resources(junk)


def test_a_damaged_cubin_ends_in_nothing_but_a_value_error():
    code = assemble(ALL["memory"], "sm_90").code
    damaged = [code[:size] for size in range(0, len(code), 97)]
    damaged += [code[:at] + b"\xff\xff\xff\xff" + code[at + 4 :] for at in range(6, len(code) - 4, 53)]
    for cubin in damaged:
        with suppress(ValueError):
            read_resources(cubin)
