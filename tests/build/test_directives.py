"""Directives of entries and functions: every one of specs/directives.yaml, where it stands, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ptxgen import Builder, Module, OperandError, Reg, Unavailable, u32
from tests.build.kernels import refused


def text(module: Module) -> str:
    """A module without its header."""
    return module.ptx().split(".address_size 64\n\n")[1]


_COUNTS = (
    ("maxnreg", 1), ("maxntid", 1), ("reqntid", 1), ("minnctapersm", 1), ("reqnctapercluster", 0), ("maxclusterrank", 0)
)  # fmt: skip


def empty(k: Builder) -> None:
    k.ret()


@pytest.mark.parametrize(
    ("keywords", "lines", "version"),
    [
        ({"maxntid": 256}, [".maxntid 256"], "7.8"),
        ({"maxntid": (16, 16)}, [".maxntid 16, 16"], "7.8"),
        ({"maxntid": [8, 8, 4]}, [".maxntid 8, 8, 4"], "7.8"),
        ({"reqntid": (32, 2, 1)}, [".reqntid 32, 2, 1"], "7.8"),
        ({"maxnreg": 40}, [".maxnreg 40"], "7.8"),
        ({"maxntid": 128, "minnctapersm": 4}, [".maxntid 128", ".minnctapersm 4"], "7.8"),
        ({"reqnctapercluster": (2, 1, 1)}, [".reqnctapercluster 2, 1, 1"], "7.8"),
        ({"explicitcluster": True, "maxclusterrank": 8}, [".explicitcluster", ".maxclusterrank 8"], "7.8"),
        ({"explicitcluster": False, "maxnreg": None}, [], "7.8"),
        (
            {"reqntid": 64, "reqnctapercluster": 2, "blocksareclusters": True},
            [".reqntid 64", ".reqnctapercluster 2", ".blocksareclusters"],
            "9.0",
        ),
        ({"minperctamemory": 4096}, [".minperctamemory 4096"], "9.4"),
        ({"pragma": "nounroll"}, ['.pragma "nounroll";'], "7.8"),
        ({"language": ("CUDA C++", 3)}, ['.language "CUDA C++", 3'], "9.3"),
    ],
)
def test_directives_of_an_entry(keywords: dict[str, Any], lines: list[str], version: str) -> None:
    module = Module("sm_90")
    module.entry(**keywords)(empty)
    assert text(module) == "\n".join([".visible .entry empty", *lines, "{\n\tret;\n}\n"])
    assert module.ptx().startswith(f".version {version}\n")


def test_directives_of_a_function_are_put_in_the_order_of_ptx() -> None:
    module = Module("sm_90")
    module.func(abi_preserve_control=1, abi_preserve=8, noreturn=True)(empty)
    assert text(module) == ".func empty\n.noreturn\n.abi_preserve_control 1\n.abi_preserve 8\n{\n\tret;\n}\n"


def test_a_declaration_has_no_language() -> None:
    module = Module("sm_90")
    message = "f: .language stands where the function is defined, not on a declaration"
    with refused(OperandError, message, module=module):
        module.declare("f", language=3)
    module.declare("g", abi_preserve=4)
    module.global_.u64("at", init=module.func(language=3, noreturn=True)(empty))
    assert text(module) == (
        ".extern .func g\n.abi_preserve 4;\n\n.func empty\n.noreturn\n.language 3\n{\n\tret;\n}\n\n"
        ".global .u64 at = empty;\n"
    )


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"maxntid": 0}, ".maxntid takes 1..0xffffffff, got 0"),
        ({"maxntid": -1}, ".maxntid takes 1..0xffffffff, got -1"),
        ({"maxntid": "many"}, ".maxntid takes 1..0xffffffff, got many"),
        ({"maxntid": 1.5}, ".maxntid takes 1..0xffffffff, got 1.5"),
        *(({name: 1 << 32}, f".{name} takes {low}..0xffffffff, got 4294967296") for name, low in _COUNTS),
        ({"maxntid": (1, 2, 3, 4)}, "takes 1 to 3 arguments, got 4"),
        ({"maxntid": ()}, "takes 1 to 3 arguments, got 0"),
        ({"maxntid": True}, "takes 1 to 3 arguments, got 0"),
        ({"maxnreg": (1, 2)}, "takes 1 argument, got 2"),
        ({"explicitcluster": 1}, "takes 0 argument, got 1"),
        ({"maxntid": 64, "reqntid": 64}, ".maxntid and .reqntid exclude each other"),
        ({"reqnctapercluster": 2, "maxclusterrank": 2}, ".reqnctapercluster and .maxclusterrank exclude each other"),
        ({"blocksareclusters": True}, ".blocksareclusters requires .reqntid"),
        ({"blocksareclusters": True, "reqntid": 64}, ".blocksareclusters requires .reqnctapercluster"),
        ({"noreturn": True}, ".noreturn: it belongs to func and prototype"),
        ({"abi_preserve": 3}, ".abi_preserve: it belongs to func and prototype"),
        ({"maxthreads": 3}, ".maxthreads: no such directive; there are .maxnreg .maxntid"),
        ({"minperctamemory": 1 << 32}, ".minperctamemory takes 0..0xffffffff, got 4294967296"),
        ({"language": 11}, ".language takes string or 0..10, got 11"),
        ({"language": "zig"}, '.language takes string or 0..10, got "zig"'),
        ({"pragma": 'a"b'}, ".pragma takes string"),
        ({"maxnctapersm": 2}, ".maxnctapersm was removed in PTX 2.1"),
    ],
)
def test_directives_of_an_entry_refused(keywords: dict[str, Any], message: str) -> None:
    module = Module("sm_90")
    with refused(OperandError, message, module=module):
        module.entry(**keywords)(empty)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"maxntid": 64}, ".maxntid: it belongs to entry"),
        ({"maxnreg": 64}, ".maxnreg: it belongs to entry"),
        ({"pragma": "nounroll"}, ".pragma: it belongs to module and entry and body"),
        ({"abi_preserve": -1}, ".abi_preserve takes 0..0xffffffff, got -1"),
        ({"abi_preserve": 1 << 32}, ".abi_preserve takes 0..0xffffffff, got 4294967296"),
        ({"returns": Reg[u32], "noreturn": True}, "a function that returns a value cannot have it"),
    ],
)
def test_directives_of_a_function_refused(keywords: dict[str, Any], message: str) -> None:
    module = Module("sm_90")

    def helper(k: Builder, *result: Any) -> None:
        k.ret()

    def returning(k: Builder, result: Any) -> None:
        k.ret()

    with refused(OperandError, message, module=module):
        module.func(name="f", **keywords)(returning if "returns" in keywords else helper)


@pytest.mark.parametrize(
    ("target", "version", "keywords", "message"),
    [
        ("sm_80", None, {"reqnctapercluster": 2}, ".reqnctapercluster needs sm_90 with PTX 7.8; the module has"),
        ("sm_80", None, {"explicitcluster": True},
         ".explicitcluster needs sm_90 with PTX 7.8; the module has sm_80; set .target sm_90"),
        ("sm_80", "7.0", {"explicitcluster": True}, "set .target sm_90 and .version 7.8"),
        ("sm_90", "8.0", {"reqntid": 1, "reqnctapercluster": 1, "blocksareclusters": True},
         ".blocksareclusters needs sm_90 with PTX 9.0; the module has sm_90 and PTX 8.0; set .version 9.0"),
        ("sm_75", None, {"minperctamemory": 16}, ".minperctamemory needs sm_80 with PTX 9.4"),
        ("sm_90", "9.1", {"language": 5}, ".language needs PTX 9.2"),
    ],
)  # fmt: skip
def test_directives_that_the_target_lacks(
    target: str, version: str | None, keywords: dict[str, Any], message: str
) -> None:
    module = Module(target, version)
    with refused(Unavailable, message, module=module):
        module.entry(**keywords)(empty)


def test_a_directive_against_the_manual() -> None:
    with refused(OperandError, ".language needs PTX 9.3 by the manual, though ptxas accepts it"):
        Module("sm_90", "9.2").entry(language=5)(empty)
    Module("sm_90", "9.2", strict=False).entry(language=5)(empty)
    Module("sm_90", "9.3").entry(language=5)(empty)
