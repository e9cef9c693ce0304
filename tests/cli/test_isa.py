"""`ptxgen isa`: data on standard output, sentences on standard error, and the exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import ptxgen
from ptxgen.cli import BROKEN_PIPE, main
from tests.architecture.test_layers import loaded
from tests.cli.command import ROOT, Done, command


@pytest.fixture
def isa(capsys: pytest.CaptureFixture[str]) -> Any:
    """`ptxgen isa ARGUMENTS`, in this process."""

    def run(arguments: str) -> Done:
        status = main(["isa", *arguments.split()])
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run


def data(done: Done) -> Any:
    assert done.errors == ""
    return json.loads(done.output)


# ---- show


BFI = """\
bfi: Insert a bit field of one value into another.
needs sm_20 with PTX 2.0
CERTIFIED

PTX ISA 9.7.1.20
  bfi.type f, a, b, c, d;
  .type = { .b32, .b64 };
  operands
    f     out .type
    a, b  .type
    c, d  .u32 or constant 0..255
  available
    bfi: sm_20 with PTX 2.0
"""


def test_an_instruction(isa: Any) -> None:
    done = isa("show bfi")
    assert (done.status, done.errors) == (0, "")
    lines = done.output.splitlines()
    assert lines[2].startswith(("certified: ", "not certified: "))
    assert "\n".join([*lines[:2], "CERTIFIED", *lines[3:], ""]) == BFI


def test_an_instruction_on_a_target(isa: Any) -> None:
    done = isa("show redux --target sm_90")
    assert (done.status, done.errors) == (0, "")
    assert "redux.sync.op.b32 dst, src, membermask;" in done.output
    assert ".f32" not in done.output
    assert "instead" not in done.output
    whole = isa("show redux").output
    assert "redux.sync.op{.abs}{.NaN}.f32 dst, src, membermask;" in whole
    assert "    redux.sync: a loop of shfl.sync (sm_30)\n" in whole
    assert "    redux.sync: sm_80 with PTX 7.0\n    and redux.sync: sm_100a with PTX 8.6 or sm_100f with " in whole


def test_what_a_target_lacks_of_an_instruction(isa: Any) -> None:
    done = isa("show cvt --target sm_90")
    assert "f8x2type.f32 d, a, b{, scale-factor};    // without .pzo, .scaled::n1::ue8m0, scale-factor\n" in done.output
    assert "ue5m3x2" not in done.output
    assert isa("show add --target sm_90").output.endswith(
        "on sm_90 serves instead\n  of .{u8x4, s8x4}: vadd4\n  of .sat.u32: vadd.u32.u32.u32.sat\n"
        "  of .f32x2: add.f32 for each half\n  of .cdtype: cvt to .f32 and add.f32\n"
    )


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        ("elect.sync --target sm_80",
         "elect.sync needs sm_90 with PTX 8.0; nothing of it is legal on sm_80 in the newest version\n"
         "on sm_80 comparing %laneid with the lowest bit of the mask serves instead\n"),
        ("wgmma.mma_async --target sm_120",
         "wgmma.mma_async needs sm_90a with PTX 8.0; nothing of it is legal on sm_120 in the newest version\n"
         "on sm_120 mma.sync with ldmatrix serves instead\n"),
        ("elect.sync --target sm_90 --isa 7.8",
         "elect.sync needs sm_90 with PTX 8.0; nothing of it is legal on sm_90 in PTX 7.8\n"
         "sm_90 has it from PTX 8.0 on\n"),
        ("bfi --isa 1.4", "bfi needs sm_20 with PTX 2.0; nothing of it is legal on any target in PTX 1.4\n"),
        ("add.f32x2 --target sm_90",
         "add.f32x2 needs sm_100 with PTX 8.6; nothing of it is legal on sm_90 in the newest version\n"
         "on sm_90 add.f32 for each half serves instead\n"),
        ("shfl.bfly.b32 --target sm_80",
         "shfl.bfly.b32 needs sm_30 with PTX 3.0; nothing of it is legal on sm_80 in the newest version\n"
         "shfl was removed for sm_80 in PTX 6.4\n"),
        ("%perctamemorysize --target sm_75",
         "%perctamemorysize needs sm_80 with PTX 9.4; it is not there on sm_75 in PTX 9.5\n"),
        ("%clock --isa 7.0 --target sm_90", "%clock needs PTX 1.0; it is not there on sm_90 in PTX 7.0\n"),
        (".maxnctapersm --isa 3.0",
         ".maxnctapersm needs PTX 1.3; it is not there on any target in PTX 3.0: removed from PTX 2.1 on\n"),
        ("enable_smem_spilling --target sm_70",
         "enable_smem_spilling needs sm_75 with PTX 8.7; it is not there on sm_70 in PTX 9.5\n"),
    ],
)  # fmt: skip
def test_what_is_not_there(isa: Any, arguments: str, output: str) -> None:
    done = isa(f"show {arguments}")
    assert (done.status, done.output, done.errors) == (1, output, "")


def test_no_legal_statement(isa: Any) -> None:
    done = isa("show cvt.rn.s32.s32")
    assert (done.status, done.errors) == (1, "")
    assert done.output.startswith("cvt.rn.s32.s32: no statement of this is legal\n  rules\n    .frnd => ")


def test_an_opcode(isa: Any) -> None:
    done = isa("show cvt.rn.f16x2.f32")
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith("cvt.rn.f16x2.f32: Convert ")
    assert "\nneeds sm_80 with PTX 7.0\n" in done.output
    assert "  cvt.frnd2{.relu}{.satfinite}{.pzo}.f16x2.f32 d, a, b;\n" in done.output
    assert "    d     out .f16x2 or wider\n    a, b  .f32 or wider\n" in done.output
    assert ".e4m3x2" not in done.output
    assert isa("show cvt.f32.rn.s32").status == 0  # in an order that ptxas takes


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("%tid", ["%tid: Position of the thread in its CTA.", "  PTX ISA 10.1",
                  "  type .u32, with the fields .x .y .z .w", "  also read as .u16", "  needs PTX 1.0"]),
        ("%tid.x", ["%tid.x: Position of the thread in its CTA.", "  PTX ISA 10.1", "  type .u32",
                    "  also read as .u16", "  needs PTX 1.0"]),
        ("%envreg7", ["%envreg7: Register of the driver's, set before launch.", "  PTX ISA 10.27", "  type .b32",
                      "  needs PTX 1.0", "  the manual, not ptxas, asks for PTX 2.1"]),
        (".maxntid", [".maxntid: Most threads of a CTA.", "  PTX ISA 11.4.2", "  .maxntid nx {, ny {, nz}}",
                      "    nx, ny, nz: 1..0xffffffff", "  on entry", "  not with .reqntid", "  needs PTX 1.3"]),
        (".maxnctapersm", [".maxnctapersm: Former name of .minnctapersm.", "  PTX ISA 11.4.5", "  .maxnctapersm ncta",
                           "    ncta: 1..0xffffffff", "  on entry", "  deprecated from PTX 2.0 on", "  needs PTX 1.3",
                           "  removed from PTX 2.1 on"]),
        ("nounroll", ["nounroll: Do not unroll the loop.", "  PTX ISA 12.1", "  nounroll", "  on module, entry, body",
                      "  needs PTX 2.0"]),
        ("%perctamemorysize", ["%perctamemorysize: Bytes of the CTA's own slice of global memory; 0 if the driver gives"
                               " none.", "  PTX ISA 10.35", "  type .u32", "  only in an entry with .minperctamemory",
                               "  needs sm_80 with PTX 9.4"]),
    ],
)  # fmt: skip
def test_registers_directives_and_pragmas(isa: Any, name: str, lines: list[str]) -> None:
    done = isa(f"show {name}")
    assert (done.status, done.errors) == (0, "")
    assert done.output.splitlines() == lines


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("show madd", "no instruction, special register, directive or pragma is called 'madd'; did you mean mad or "),
        ("show %tidd", "is called '%tidd'; did you mean %tid"),
        ("show .maxntidd", "is called '.maxntidd'; did you mean .maxntid"),
        ("show nonsense_at_all", "is called 'nonsense_at_all'\n"),
        ("show elect", "elect is not complete; after elect PTX wants one of .sync"),
        ("show add.q32", "add.q32: add has no modifier .q32; after add PTX allows "),
        ("show mad.wide.f32", "mad.wide.f32: mad.wide cannot be followed by .f32; after mad.wide PTX allows "),
        ("show add.ftz.f16x2.f32x2.f32x2", "is taken by ptxas, but the manual does not have it"),
        ("show bfi --target sm_1", "no target is called 'sm_1'"),
        ("show bfi --isa 99.1", "there is no PTX ISA version 99.1; the newest that is known is "),
        ("list --isa new", "'new' is no PTX ISA version"),
        ("list --since 9.5 --until 9.4", "no version is 9.5 or later and 9.4 or earlier"),
        ("diff 9.5 9.4", "PTX 9.4 is not later than 9.5"),
        ("diff 9.4 9.4", "PTX 9.4 is not later than 9.4"),
    ],
)  # fmt: skip
def test_wrong_usage(isa: Any, arguments: str, says: str) -> None:
    done = isa(arguments)
    assert (done.status, done.output) == (2, "")
    assert says in done.errors


@pytest.mark.parametrize("arguments", ["", "show", "diff 9.4", "list --format xml", "nothing"])
def test_no_such_command(capsys: pytest.CaptureFixture[str], arguments: str) -> None:
    assert main(["isa", *arguments.split()]) == 2
    assert capsys.readouterr().out == ""


def test_show_as_data(isa: Any) -> None:
    done = isa("show max --target sm_80 --format json")
    found = data(done)
    assert (done.status, found["mnemonic"], found["target"], found["isa"]) == (0, "max", "sm_80", None)
    assert found["forms"][0]["sets"] == {".type1": [".u16", ".u32", ".u64", ".s16", ".s64"]}
    assert found["forms"][1]["left_out"] == [".relu"]
    assert {"condition": ".relu.s32", "phrase": "max and max with 0"} in found["instead"]
    assert set(found["certified"]) == {
        "ptxas", "statements", "legal", "illegal", "disagreements", "current",
    }  # fmt: skip
    assert data(isa("show %tid --format json"))["fields"] == [".x", ".y", ".z", ".w"]
    lacking = isa("show elect.sync --target sm_80 --format json")
    assert (lacking.status, data(lacking)["forms"], data(lacking)["needs"]) == (1, [], {"sm_90": "8.0"})


def test_every_instruction_can_be_shown(isa: Any) -> None:
    for mnemonic in ptxgen.isa:
        done = isa(f"show {mnemonic}")
        assert (done.status, done.errors) == (0, ""), mnemonic
        assert done.output.startswith(f"{mnemonic}: ")


# ---- list, diff


def test_list(isa: Any) -> None:
    done = isa("list")
    assert (done.status, done.errors) == (0, "")
    lines = {line.split()[0]: line.split(maxsplit=3)[1:] for line in done.output.splitlines()}
    assert list(lines) == list(ptxgen.isa)
    assert lines["elect.sync"] == ["8.0", "sm_90", "Elect one leader from the threads that a mask names."]
    assert lines["add"] == ["1.0", "any", "Add two values."]


def test_list_for_a_target(isa: Any) -> None:
    names = {one["mnemonic"]: one["version"] for one in data(isa("list --target sm_90 --isa 7.8 --format json"))}
    assert names["mapa"] == "7.8"
    assert "elect.sync" not in names
    assert isa("list --target sm_90 --isa 7.7").output == ""  # no such target yet


def test_list_of_what_is_new(isa: Any) -> None:
    done = isa("list --since 9.2 --target sm_107a")
    lines = [line.split(maxsplit=3) for line in done.output.splitlines()]
    assert (done.status, done.errors) == (0, "")
    assert ["add", "9.2", "sm_107f", ".{u8x4, s8x4}"] in lines
    assert ["cvt", "9.4", "sm_107f", "cvt.rn.f16x2.ue5m3x2 d, a"] in lines
    assert ["cos", "9.5", "any", "cos.approx.ftz.2pi.f32 d, a"] in lines
    assert min(line[1] for line in lines) == "9.2"
    found = data(isa("list --since 8.0 --until 8.0 --format json"))
    assert {"mnemonic": "elect.sync", "version": "8.0", "needs": {"sm_90": "8.0"}, "sort": "form",
            "text": "elect.sync d|p, membermask"} in found  # fmt: skip
    assert {one["version"] for one in found} == {"8.0"}


def test_diff(isa: Any) -> None:
    done = isa("diff 9.3 9.5")
    assert (done.status, done.errors) == (0, "")
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert [line for line in lines if line.startswith("PTX")] == ["PTX 9.4", "PTX 9.5"]
    assert "target sm_107a family sm_10x" in lines
    assert "directive .minperctamemory sm_80 Bytes of global memory for each CTA." in lines
    assert lines.index("form cos any cos.approx.ftz.2pi.f32 d, a") > lines.index("PTX 9.5")


def test_diff_as_data(isa: Any) -> None:
    found = data(isa("diff 6.3 6.4 --format json"))
    assert {"version": "6.4", "what": "removed", "sort": "form", "name": "shfl", "needs": {"sm_70": "6.4"},
            "text": "shfl.mode.b32 d[|p], a, b, c"} in found  # fmt: skip
    assert data(isa("diff 6.3 6.4 --target sm_60 --format json")) == [
        one for one in found if one["what"] == "added" and one["sort"] == "directive"
    ]  # mma and what happened to wmma.mma and shfl begins with sm_70


# ---- targets, versions


def test_targets(isa: Any) -> None:
    rows = {line.split()[0]: line.split()[1:] for line in isa("targets").output.splitlines()}
    assert rows["sm_75"] == ["6.3", "-", "10.0", "to", "13.5"]
    assert rows["sm_101a"] == ["8.6", "sm_11x", "12.8", "to", "12.9", "now", "sm_110a"]
    found = {one["name"]: one for one in data(isa("targets --format json"))}
    assert found["sm_101f"] == {
        "name": "sm_101f", "since": "8.8", "family": "sm_11x", "toolkits": "12.9..12.9", "renamed": "sm_110f",
    }  # fmt: skip


def test_versions(isa: Any) -> None:
    rows = [line.split() for line in isa("versions").output.splitlines()]
    assert ["8.5", "12.5,", "12.6", "555.42.02"] in rows
    assert {"version": "8.7", "toolkits": ["12.8"], "driver": "570.26"} in data(isa("versions --format json"))


# ---- as a process


def test_nothing_but_data() -> None:
    done = command("isa", "show", "bfi", "--format", "json")
    assert (done.status, done.errors) == (0, "")
    assert json.loads(done.output)["name"] == "bfi"


def test_a_reader_that_has_seen_enough() -> None:
    command = "-m", "ptxgen", "isa", "diff", "1.0", "9.5", "--format", "json"
    run = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env={"PYTHONPATH": f"{ROOT}:{ROOT / 'generated'}"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.read(1)
    run.stdout.close()
    assert run.stderr.read() == ""
    assert run.wait(timeout=60) == BROKEN_PIPE


def test_the_command_line_loads_what_it_needs() -> None:
    names = loaded("from ptxgen.cli import main\nmain(['isa', 'versions'])\n")
    assert not [name for name in names if name.split(".")[0] in ("numpy", "llvmlite", "cuda", "yaml")]
    assert not [name for name in names if name.startswith(("ptxgen.build", "ptxgen.assemble", "ptxgen.launch"))]
