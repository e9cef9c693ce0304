"""`ptxgen.check`: a module against its own header, other headers, toolkits, drivers and architectures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import evolve

import ptxgen
from ptxgen import Builder, Diagnostic, Module, Param, Report, Unavailable, u64
from ptxgen.build.values import operand
from ptxgen.check import explain
from ptxgen.check.instruction import Verdict, verdict
from ptxgen.ir.module import Function
from ptxgen.ir.module import Module as Plain
from ptxgen.ir.operands import Variable, variable_class
from ptxgen.ir.statements import Directive, Instruction
from ptxgen.isa.classes import plain as plain_class
from tests.build.kernels import building, refused


def elect(target: str = "sm_90", version: str | None = "8.0", **options: Any) -> Module:
    """A module whose kernel elects a lane: sm_90 and PTX 8.0 (PTX ISA 9.7.13.15)."""
    module = Module(target, version, **options)

    @module.entry
    def kernel(k: Builder, x: Param[u64]) -> None:
        k.elect.sync(-1)
        k.elect.sync(-1)
        k.ret()

    return module


def codes(report: Report) -> list[str]:
    return [f"{d.severity} {d.code}" for d in report.diagnostics]


def test_nothing_to_say() -> None:
    report = ptxgen.check(elect())
    assert report.ok
    assert report.diagnostics == ()
    assert str(report) == "no findings"


def test_another_version_or_target() -> None:
    module = elect()
    report = ptxgen.check(module, version="7.8")
    assert not report.ok
    (found,) = report.diagnostics
    assert (found.code, found.severity, found.instruction) == ("unavailable", "error", "elect.sync")
    assert found.message == "elect.sync needs sm_90 with PTX 8.0; the module has sm_90 and PTX 7.8"
    assert (found.need, found.have) == ("sm_90 with PTX 8.0", "sm_90 and PTX 7.8")
    assert found.hint == "set .version 8.0"
    assert ptxgen.check(module, target="sm_80").diagnostics[0].hint.startswith("set .target sm_90")
    assert ptxgen.check(module, target="sm_100", version="8.6").ok
    assert ptxgen.check(module, target="sm_100a").ok is False  # 8.0 is before sm_100a
    assert ptxgen.check(module, target="sm_100a").diagnostics[0].hint == "set .version 8.6"
    assert (module.target, module.version) == ("sm_90", "8.0")


def test_the_version_is_the_lowest_where_none_is_given() -> None:
    module = elect(version=None)
    assert ptxgen.check(module).ok
    assert ptxgen.check(module, target="sm_120").ok
    (found,) = ptxgen.check(module, target="sm_80").diagnostics
    assert found.message.startswith("elect.sync needs sm_90 with PTX 8.0; the module has sm_80 and PTX")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ({"target": "sm_999"}, "header", "no target is called 'sm_999'"),
        ({"version": "9"}, "header", "'9' is no PTX ISA version; one looks like 8.3"),
        ({"version": "8.9"}, "version", "there is no PTX ISA version 8.9"),
        ({"version": "7.7"}, "unavailable", "sm_90 needs PTX 7.8; the module has PTX 7.7"),
        ({"arch": "sm_999"}, "arch", "no target is called 'sm_999'"),
        ({"arch": "sm_80"}, "arch", "code for sm_90 does not assemble for sm_80"),
        ({"toolkit": "11.8"}, "too-new", "CUDA toolkit 11.8 accepts PTX up to 7.8; the module has PTX 8.0"),
        ({"toolkit": "99.0"}, "toolkit", "no CUDA toolkit 99.0 is known"),
        ({"toolkit": "new"}, "toolkit", "no CUDA toolkit new is known"),
        ({"driver": "520.61.05"}, "too-new", "driver 520.61.05 accepts PTX up to 7.8; the module has PTX 8.0"),
        ({"driver": "100.1"}, "toolkit", "no driver 100.1 is known"),
        ({"driver": "new"}, "toolkit", "'new' is no driver version; one looks like 570.86"),
        ({"driver": ""}, "toolkit", "'' is no driver version"),
    ],
)
def test_one_error(options: dict[str, str], code: str, message: str) -> None:
    report = ptxgen.check(elect(), **options)
    assert codes(report) == [f"error {code}"]
    assert message in report.diagnostics[0].message
    assert not report.ok


@pytest.mark.parametrize(
    "options",
    [
        {"toolkit": "12.0"},
        {"toolkit": "12.4.131"},
        {"toolkit": "13.5"},
        {"driver": "525.60.13"},
        {"driver": "570.86"},
        {"arch": "sm_90"},
        {"arch": "sm_90a"},
        {"arch": "sm_120"},
        {"target": "sm_90a", "arch": "sm_90a"},
    ],
)
def test_accepted(options: dict[str, str]) -> None:
    assert ptxgen.check(elect(), **options).ok


def test_a_hint_says_what_would_take_it() -> None:
    hint = ptxgen.check(elect(), toolkit="11.8").diagnostics[0].hint
    assert hint == "PTX 8.0 needs CUDA 12.0 or driver 525.60.13"


def for_target(target: str) -> Module:
    module = Module(target)

    @module.entry
    def kernel(k: Builder) -> None:
        k.ret()

    return module


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("sm_70", {"toolkit": "13.5"}, "CUDA toolkit 13.5 does not assemble for sm_70; the newest that does is 12.9"),
        ("sm_50", {"toolkit": "13.0.88"}, "CUDA toolkit 13.0.88 does not assemble for sm_50; the newest ... 12.9"),
        ("sm_80", {"toolkit": "12.4", "arch": "sm_120"}, "CUDA toolkit 12.4 does not ... sm_120; the oldest ... 12.8"),
    ],
)
def test_a_toolkit_without_the_architecture(target: str, options: dict[str, str], message: str) -> None:
    (found,) = ptxgen.check(for_target(target), **options).diagnostics
    assert (found.code, found.severity) == ("arch", "error")
    assert re.fullmatch(".*".join(map(re.escape, message.split("..."))), found.message)
    assert ptxgen.check(for_target(target), arch=options.get("arch"), toolkit=found.choices[-1]).ok


def test_a_toolkit_assembles_old_code_for_a_later_architecture() -> None:
    assert ptxgen.check(for_target("sm_70"), toolkit="13.5", arch="sm_90").ok
    assert ptxgen.check(for_target("sm_70"), toolkit="12.9").ok


def test_beyond_the_manual_is_a_warning_or_an_error() -> None:
    """A call with a result and without a list of arguments: not in the manual's syntax (9.7.12.5)."""
    from ptxgen import Reg, u32

    module = Module("sm_90", strict=False)
    get = module.declare("get", returns=Reg[u32])
    module.entry(lambda k: k.call((k.reg.u32(),), get), name="kernel")
    report = ptxgen.check(module)
    assert codes(report) == ["warning beyond-manual"]
    assert report.ok
    strict = ptxgen.check(module, strict=True)
    assert codes(strict) == ["error beyond-manual"]
    assert not strict.ok


def test_what_only_the_manual_asks_for() -> None:
    module = Module("sm_70", "6.2", strict=False)
    module.entry(lambda k: k.nanosleep.u32(1), name="kernel")
    assert codes(ptxgen.check(module)) == ["warning beyond-manual"]
    assert codes(ptxgen.check(module, strict=True)) == ["error beyond-manual"]
    assert ptxgen.check(module, version="6.3").diagnostics == ()


def test_the_reading_that_the_target_has_decides() -> None:
    """Of the ways to read a statement the best one is not available: another is what the finding is about."""

    def read(found: Instruction) -> Verdict:
        return verdict(found.opcode, tuple(plain_class(operand.cls) for operand in found.operands))

    k = building(Module("sm_50", "4.0", strict=False))
    k["rcp.rn.ftz.f64"](k.reg.f64())
    k.bar.sync(0)
    beyond, barrier = map(read, k.function.instructions())
    k = building(Module("sm_90", "8.0"))
    k.elect.sync(-1)
    (later,) = map(read, k.function.instructions())
    found = evolve(beyond, matches=(*later.matches, *beyond.matches, *barrier.matches))
    assert found.legal[0] is later.legal[0]
    available = found.available("sm_50", (4, 0))
    assert available == (*barrier.legal, *beyond.legal)
    assert "(PTX ISA 9.7.3" in explain.beyond_manual(available[1], beyond.opcode, "warning").message
    assert (
        "operand 1 (a) takes an integer constant from 0 to 15"
        in explain.value(available, (operand(16),), barrier.opcode).message
    )


def test_what_only_the_manual_asks_of_a_special_register() -> None:
    module = Module("sm_20", "2.0", address_size=0, strict=False)
    module.entry(lambda k: k.mov.b32(ptxgen.sreg.envreg0), name="kernel")
    (found,) = ptxgen.check(module).diagnostics
    assert (found.code, found.severity) == ("beyond-manual", "warning")
    assert found.message.startswith("mov.b32 needs PTX 2.1 by the manual")
    assert ptxgen.check(module, version="2.1").diagnostics == ()


def test_directives_of_a_version() -> None:
    """.minnctapersm without .maxntid is ignored; .maxnctapersm, its former name, went with PTX 2.1 (11.4.5)."""
    module = Module("sm_90")
    module.entry(name="f", minnctapersm=2)(lambda k: k.ret())
    report = ptxgen.check(module)
    assert codes(report) == ["warning directive"]
    assert "is ignored without .maxntid or .reqntid" in report.diagnostics[0].message
    module = Module("sm_20", "2.0", address_size=0)
    module.entry(name="f", maxnctapersm=2)(lambda k: k.ret())
    assert codes(ptxgen.check(module)) == ["advice deprecated"]
    assert codes(ptxgen.check(module, version="2.1")) == ["error removed"]


def test_what_addresses_need() -> None:
    """Of variables in initialisers PTX 2.1, of kernels 3.1 and sm_35; arrays whose size the linker knows 2.2 in .const;
    and 32 bits of an address an old toolkit."""
    x = variable("u32", ".global")
    old = Plain("sm_20", "2.0", address_size=0, items=[x, variable("u32", ".global", initial=(x,))])
    assert "the address of a variable in x needs PTX 2.1" in str(ptxgen.check(old))
    old = Plain("sm_20", "2.0", address_size=0, items=[variable("u32", ".const", shape=(None,), linkage="extern")])
    assert ".const x[] needs PTX 2.2" in str(ptxgen.check(old))
    module = Module("sm_30", "3.1", strict=False)
    kernel = module.entry(name="f")(lambda k: k.ret())
    with pytest.raises(Unavailable, match=r"sm_35"):
        module.entry(name="g")(lambda k: k.mov.u64(kernel))
    assert codes(ptxgen.check(Module("sm_75", address_size=32))) == ["warning address-size"]


def plain(function: Function | None = None, *variables: Variable[Any], **options: Any) -> Plain:
    """A module of the IR as a parser makes it, unchecked."""
    module = Plain("sm_90", "8.0", **options)
    module.items += [] if function is None else [function]
    module.items += variables
    return module


def variable(type: str, space: str, **fields: Any) -> Variable[Any]:
    return Variable("x", variable_class(type, space), type, space, **fields)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (
            plain(options=("texmode_unified", "texmode_independent")),
            "texmode_unified and texmode_independent exclude each",
        ),
        (plain(options=("fast",)), "no .target option is called 'fast'"),
        (plain(options=("map_f64_to_f32",)), "map_f64_to_f32 is for sm_10, sm_11, sm_12 only"),
        (plain(address_size=16), "an address has 32 or 64 bits"),
        (plain(None, variable("u32", ".global", align=3)), "variable x: align=3 is no power of two"),
        (
            plain(None, variable("u32", ".local")),
            "variable x: .local variables are declared in a body; PTX 3.0 removed those of a module",
        ),
        (plain(None, variable("u32", ".param")), "variable x: .param variables are declared in a body"),
        (plain(None, variable("u32", ".shared", initial=(1,))), ".shared variables have no initialiser"),
        (plain(None, variable("u32", ".global", attributes=(".fast",))), "do not have the attribute .fast"),
        (plain(None, variable("b128", ".global")), ".b128 needs sm_70 with PTX 8.3"),
        (plain(Function("f", True, (variable("pred", ".param"),))), "has not the type .pred"),
        (plain(Function("f", True, directives=(Directive(".maxntid", ("0",)),))), "takes 1..0xffffffff, got 0"),
        (
            plain(Function("f", False, directives=(Directive(".language", ("3",)),), declared=True)),
            ".language stands where the function is defined",
        ),
        (plain(Function("f", True, directives=(Directive(".explicitcluster"), Directive(".foo")))), ".foo: no such"),
        (plain(Function("f", False, body=[variable("u32", ".shared", vector=3)])), "2 or 4 elements"),
        (
            plain(Function("f", False, body=[variable("u32", ".shared", linkage="weak")])),
            "only the variables of a module",
        ),
        (plain(Function("f", False, body=[Directive(".pragma", ('"frequency 3"',))])), "needs PTX 9.0"),
    ],
)
def test_declarations_of_the_ir(module: Plain, message: str) -> None:
    report = ptxgen.check(module)
    assert [message for d in report.diagnostics if message in d.message], str(report)
    assert not report.ok


def test_findings_are_folded_and_sorted() -> None:
    report = ptxgen.check.report.report(
        [Diagnostic("a", "advice", "one"), Diagnostic("b", "error", "two", hint="do"), Diagnostic("b", "error", "two")]
    )
    assert codes(report) == ["error b", "advice a"]
    assert [found.count for found in report.diagnostics] == [2, 1]
    said = "error[b]: two\n   = 2 places in this module have the same finding\n   = help: do\nadvice[a]: one"
    assert str(report) == said


@pytest.mark.parametrize("given", [5, None, Module])
def test_only_modules_are_checked(given: Any) -> None:
    for ask in (ptxgen.check, ptxgen.requires, ptxgen.load):
        with refused(ptxgen.OperandError, "takes a Module, got"):
            ask(given)


@pytest.mark.parametrize("name", ["target", "version", "arch", "toolkit", "driver"])
def test_what_a_module_is_checked_against_is_text(name: str) -> None:
    with refused(ptxgen.OperandError, f"check: {name}=12.4 is no string such as"):
        ptxgen.check(elect(), **{name: 12.4})  # pyright: ignore


def test_text_that_nobody_validated_is_named() -> None:
    module = Module("sm_80")

    @module.entry
    def kernel(k: Builder) -> None:
        k.raw("\tmembar.gl;")
        k.ret()

    (found,) = ptxgen.check(module).diagnostics
    assert (found.code, found.severity) == ("unvalidated", "warning")
    assert "membar.gl;" in found.message
