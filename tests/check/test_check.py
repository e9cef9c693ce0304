"""`ptxgen.check`: a module against its own header, other headers, toolkits, drivers and architectures."""

from __future__ import annotations

from typing import Any

import pytest

import ptxgen
from ptxgen import Builder, Diagnostic, Module, Param, Report, u64
from ptxgen.check.module import assembles
from ptxgen.ir.module import Directive, Function
from ptxgen.ir.module import Module as Plain
from ptxgen.ir.operands import Variable, variable_class
from tests.build.kernels import refused


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


@pytest.mark.parametrize(
    ("target", "arch", "able"),
    [
        ("sm_80", "sm_80", True),
        ("sm_80", "sm_90a", True),
        ("sm_90", "sm_80", False),
        ("sm_90a", "sm_90a", True),
        ("sm_90a", "sm_90", False),
        ("sm_90a", "sm_100a", False),
        ("sm_100f", "sm_100f", True),
        ("sm_100f", "sm_103a", True),
        ("sm_100f", "sm_103f", True),
        ("sm_103f", "sm_100f", False),
        ("sm_100f", "sm_120f", False),
        ("sm_100a", "sm_103a", False),
        ("sm_100", "sm_121", True),
    ],
)
def test_assembles(target: str, arch: str, able: bool) -> None:
    """`a` code runs on its architecture alone, `f` code on later ones of its family (PTX ISA 11.1.2)."""
    assert assembles(target, arch) == able


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


def plain(function: Function | None = None, *variables: Variable[Any], **options: Any) -> Plain:
    """A module of the IR as a parser makes it, unchecked."""
    module = Plain("sm_90", "8.0", **options)
    module.functions += [] if function is None else [function]
    module.variables += variables
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
        (plain(None, variable("u32", ".local")), "variable x: .local variables are declared in a body"),
        (plain(None, variable("u32", ".shared", initial=(1,))), ".shared variables have no initialiser"),
        (plain(None, variable("u32", ".global", attributes=(".fast",))), "do not have the attribute .fast"),
        (plain(None, variable("b128", ".global")), ".b128 needs sm_70 with PTX 8.3"),
        (plain(Function("f", True, (variable("pred", ".param"),))), "has not the type .pred"),
        (plain(Function("f", True, directives=(Directive(".maxntid", ("0",)),))), ".maxntid takes 1.., got 0"),
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
    assert report.diagnostics[0].hint == "do; 2 times in the module"
    assert str(report) == "error[b]: two\n   = help: do; 2 times in the module\nadvice[a]: one"


@pytest.mark.parametrize("given", [5, None, ".version 8.0", Module])
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
